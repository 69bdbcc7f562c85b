// The overview: everything about the chosen apps and days in one response.
import { failField } from "../../domain/validation-errors.ts";
import { addDays, type Day, dayMs, dayOf } from "../../lib/timestamp.ts";
import { readIncidents, readReplyOutcomes } from "../../use-cases/apps/feature-readers.ts";
import { selectApps } from "../apps/selected-apps.ts";
import type { Reader } from "../reader.ts";
import { composeOverview } from "./compose-overview.ts";
import type { OverviewAnswer } from "./overview.ts";

const rangeDaysDefault = 90;

type OverviewQuery = { app?: string | undefined; from?: Day | undefined; to?: Day | undefined };

/** @throws AppError `not_found` for an app of another workspace, or `invalid_input` for days in the wrong order */
export async function readOverview(
  deps: Pick<Reader, "clock" | "database">,
  { workspaceId, query }: { workspaceId: string; query: OverviewQuery },
): Promise<OverviewAnswer> {
  const database = deps.database.openReader();
  const ids = query.app === undefined ? null : [query.app];
  const apps = await selectApps(database, { workspaceId, field: "app", ids });
  const range = parseRange(query, dayOf(deps.clock.now()));
  const overview = await composeOverview(database, { workspaceId, apps, ...range });
  const appIds = overview.apps
    .toSorted((one, other) => other.reviews.total - one.reviews.total)
    .map(({ appId }) => appId);
  const { from, to } = overview.range;
  const { app } = query;
  const [found, answers] = await Promise.all([
    readIncidents(database, { workspaceId, appIds, to }),
    readReplyOutcomes(database, { workspaceId, app, from, to, now: deps.clock.now() }),
  ]);
  return { ...overview, ...found, answers };
}

type Range = { from: Day; to: Day };

/** The days, and the same number of days before them. */
function parseRange(query: OverviewQuery, today: Day): { range: Range; before: Range } {
  const { to: last = today } = query;
  const from = query.from ?? addDays(last, 1 - rangeDaysDefault);
  if (from > last) failField("from", "must not be after `to`");
  // Later days have nothing but weeks to go through.
  const to = last > today && from <= today ? today : last;
  const dayCount = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return {
    range: { from, to },
    before: { from: addDays(from, -dayCount), to: addDays(from, -1) },
  };
}

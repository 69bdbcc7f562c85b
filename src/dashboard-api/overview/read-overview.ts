// The overview: everything about the chosen apps and days in one response.
import type { DatabaseTransaction } from "../../database/database.ts";
import { failField } from "../../domain/validation-errors.ts";
import { type Verdict, worseByDefault } from "../../domain/verdict.ts";
import { addDays, type Day, dayMs, dayOf } from "../../lib/timestamp.ts";
import { readIncidents } from "../../use-cases/digest/read-incidents.ts";
import { readVerdicts } from "../../use-cases/verdict/read-verdicts.ts";
import type { OverviewAnswer } from "../contract/overview.ts";
import type { DashboardDeps } from "../deps.ts";
import { selectApps } from "../selected-apps.ts";
import { composeOverview } from "./overview.ts";

const rangeDaysDefault = 90;
/** Of each, some hundred reviews are read. */
const judgedAppsMax = 12;

type OverviewQuery = { app?: string | undefined; from?: Day | undefined; to?: Day | undefined };

/** @throws AppError `not_found` for an app of another workspace, or `invalid_input` for days in the wrong order */
export async function readOverview(
  deps: Pick<DashboardDeps, "clock" | "database">,
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
  const { to } = overview.range;
  const judged = appIds.slice(0, judgedAppsMax);
  const [incidents, verdicts] = await Promise.all([
    readIncidents(database, { workspaceId, appIds, to }),
    judgeNewest(database, { workspaceId, ids: judged }),
  ]);
  return { ...overview, incidents, verdicts };
}

/** The newest release of each app, or three of a single one. */
async function judgeNewest(
  database: DatabaseTransaction,
  query: { workspaceId: string; ids: readonly string[] },
): Promise<Verdict[]> {
  const { workspaceId, ids } = query;
  const apps = await database.listFollowedApps(query);
  const releases = { newestMax: ids.length === 1 ? 3 : 1 };
  return readVerdicts(database, { workspaceId, apps, worseBy: worseByDefault, releases });
}

type Range = { from: Day; to: Day };

/** The days, and the same number of days before them. */
function parseRange(query: OverviewQuery, today: Day): { range: Range; before: Range } {
  const to = query.to ?? today;
  const from = query.from ?? addDays(to, 1 - rangeDaysDefault);
  if (from > to) failField("from", "must not be after `to`");
  const dayCount = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return {
    range: { from, to },
    before: { from: addDays(from, -dayCount), to: addDays(from, -1) },
  };
}

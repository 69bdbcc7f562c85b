// The overview: everything about the chosen apps and days in one response.
import { failField, notFound } from "../../domain/validation-errors.ts";
import { addDays, type Day, dayMs, dayOf } from "../../lib/timestamp.ts";
import { readIncidents } from "../../use-cases/digest/read-incidents.ts";
import { overviewQuery } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { selectApps } from "../selected-apps.ts";
import { composeOverview } from "./overview.ts";

const rangeDaysDefault = 90;

const releasesMax = 2_000;

export const overviewRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/apps/:app/releases", {
    access: "member",
    async handle({ deps, workspaceId, params }) {
      const database = deps.database.openReader();
      const query = { workspaceId, ids: [params.app] };
      const [app] = await database.listFollowedApps(query);
      if (!app) throw notFound("app", params.app);
      const all = { workspaceId, apps: [app], from: null, to: null, limit: releasesMax };
      const versions = await database.listAppVersions(all);
      const releases = versions.map(({ version, firstDay: day }) => ({ version, day }));
      return { app: { name: app.name, store: app.store }, releases };
    },
  }),
  route("GET /workspaces/:workspace/overview", {
    access: "member",
    query: overviewQuery,
    async handle({ deps, workspaceId, query }) {
      const { clock } = deps;
      const database = deps.database.openReader();
      const ids = query.app === undefined ? null : [query.app];
      const apps = await selectApps(database, { workspaceId, field: "app", ids });
      const range = parseRange(query, dayOf(clock.now()));
      const overview = await composeOverview(database, { workspaceId, apps, ...range });
      const appIds = overview.apps
        .toSorted((one, other) => other.reviews.total - one.reviews.total)
        .map(({ appId }) => appId);
      const { to } = overview.range;
      return { ...overview, incidents: await readIncidents(database, { workspaceId, appIds, to }) };
    },
  }),
];

type Range = { from: Day; to: Day };

/** The days, and the same number of days before them. */
function parseRange(
  query: { from?: Day | undefined; to?: Day | undefined },
  today: Day,
): { range: Range; before: Range } {
  const to = query.to ?? today;
  const from = query.from ?? addDays(to, 1 - rangeDaysDefault);
  if (from > to) failField("from", "must not be after `to`");
  const dayCount = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return {
    range: { from, to },
    before: { from: addDays(from, -dayCount), to: addDays(from, -1) },
  };
}

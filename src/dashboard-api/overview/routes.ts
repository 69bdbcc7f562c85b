// The overview: everything about the chosen apps and days in one response.
import type { DatabaseTransaction } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { type Verdict, worseByDefault } from "../../domain/verdict.ts";
import { addDays, type Day, dayMs, dayOf } from "../../lib/timestamp.ts";
import { readIncidents } from "../../use-cases/digest/read-incidents.ts";
import { readVerdicts } from "../../use-cases/verdict/read-verdicts.ts";
import { overviewQuery } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { selectApps } from "../selected-apps.ts";
import { composeOverview } from "./overview.ts";

const rangeDaysDefault = 90;

const releasesMax = 2_000;
/** Of each, some hundred reviews are read. */
const judgedAppsMax = 12;
const pastVerdictsMax = 20;

export const overviewRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/apps/:app/releases", {
    access: "viewer",
    async handle({ deps, workspaceId, params }) {
      const database = deps.database.openReader();
      const app = await requireFollowedApp(database, { workspaceId, appId: params.app });
      const all = { workspaceId, apps: [app], from: null, to: null, limit: releasesMax };
      const versions = await database.listAppVersions(all);
      const releases = versions.map(({ version, firstDay: day }) => ({ version, day }));
      return { app: { name: app.name, store: app.store }, releases };
    },
  }),
  route("GET /workspaces/:workspace/apps/:app/verdicts", {
    access: "viewer",
    async handle({ deps, workspaceId, params }) {
      const database = deps.database.openReader();
      const app = await requireFollowedApp(database, { workspaceId, appId: params.app });
      const { name, store } = app;
      const query = { workspaceId, apps: [app], worseBy: worseByDefault };
      const releases = { newestMax: pastVerdictsMax };
      const verdicts = await readVerdicts(database, { ...query, releases });
      return { app: { name, store }, verdicts };
    },
  }),
  route("GET /workspaces/:workspace/overview", {
    access: "viewer",
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
      const judged = appIds.slice(0, judgedAppsMax);
      const [incidents, verdicts] = await Promise.all([
        readIncidents(database, { workspaceId, appIds, to }),
        judgeNewest(database, { workspaceId, ids: judged }),
      ]);
      return { ...overview, incidents, verdicts };
    },
  }),
];

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

/** @throws AppError `not_found` for an app of another workspace */
async function requireFollowedApp(
  database: DatabaseTransaction,
  { workspaceId, appId }: { workspaceId: string; appId: string },
): Promise<FollowedApp> {
  const [app] = await database.listFollowedApps({ workspaceId, ids: [appId] });
  if (!app) throw notFound("app", appId);
  return app;
}

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

// The overview, and the releases of an app with the verdicts on them.
import type { DatabaseTransaction } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import { worseByDefault } from "../../domain/changes/verdict.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { readOverview } from "../../read/overview/read-overview.ts";
import { listReleaseDays } from "../../read/overview/release-days.ts";
import { readVerdicts } from "../../use-cases/apps/feature-readers.ts";
import { overviewQuery, verdictsQuery } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";

const pastVerdictsMax = 20;
/** A look after a longer pause is another visit. */
const visitGapMs = hourMs;

export const overviewRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/apps/:app/releases", {
    access: "viewer",
    async handle({ deps, workspaceId, params }) {
      const database = deps.database.openReader();
      const app = await requireFollowedApp(database, { workspaceId, appId: params.app });
      const releases = await listReleaseDays(database, { workspaceId, app });
      return { app: { name: app.name, store: app.store }, releases };
    },
  }),
  route("GET /workspaces/:workspace/apps/:app/verdicts", {
    access: "viewer",
    query: verdictsQuery,
    async handle({ deps, workspaceId, params, query: { version } }) {
      const database = deps.database.openReader();
      const app = await requireFollowedApp(database, { workspaceId, appId: params.app });
      const { name, store } = app;
      const query = { workspaceId, apps: [app], worseBy: worseByDefault };
      const releases = version === undefined ? { newestMax: pastVerdictsMax } : { version };
      const verdicts = await readVerdicts(database, { ...query, releases });
      return { app: { name, store }, verdicts };
    },
  }),
  route("GET /workspaces/:workspace/overview", {
    access: "viewer",
    query: overviewQuery,
    handle: ({ deps, workspaceId, query }) => readOverview(deps, { workspaceId, query }),
  }),
  route("POST /workspaces/:workspace/visits", {
    access: "viewer",
    async handle({ deps, workspaceId, me }) {
      const now = deps.clock.now();
      const endedBefore = new Date(now.getTime() - visitGapMs);
      const visit = { workspaceId, userId: me.user.id, now, endedBefore };
      return { previousAt: await deps.database.recordVisit(visit) };
    },
  }),
];

/** @throws AppError `not_found` for an app of another workspace */
async function requireFollowedApp(
  database: DatabaseTransaction,
  { workspaceId, appId }: { workspaceId: string; appId: string },
): Promise<FollowedApp> {
  const [app] = await database.listFollowedApps({ workspaceId, ids: [appId] });
  if (!app) throw notFound("app", appId);
  return app;
}

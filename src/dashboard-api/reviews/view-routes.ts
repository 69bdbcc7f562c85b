// The views that a workspace keeps, and its audit log.
import { changeView, createView, removeView } from "../../operations/view.ts";
import { auditPage } from "../contract/requests.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";

const auditPageSize = 50;

export const viewRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/views", {
    access: "viewer",
    handle: async ({ deps, workspaceId }) => listViews(deps, workspaceId),
  }),
  operate("POST /workspaces/:workspace/views", createView, (_, { deps, workspaceId }) =>
    listViews(deps, workspaceId),
  ),
  operate("PATCH /workspaces/:workspace/views/:view", changeView),
  operate("DELETE /workspaces/:workspace/views/:view", removeView),
  route("GET /workspaces/:workspace/audit", {
    access: "owner",
    query: auditPage,
    async handle({ deps, workspaceId, query }) {
      const found = await deps.database.listWorkspaceAudit({
        workspaceId,
        subject: null,
        before: query.before ?? null,
        search: query.q?.trim(),
        limit: auditPageSize + 1,
      });
      return { entries: found.slice(0, auditPageSize), hasMore: found.length > auditPageSize };
    },
  }),
];

async function listViews({ database }: DashboardDeps, workspaceId: string) {
  const views = await database.listSavedViews(workspaceId);
  return { views: views.map(({ workspaceId: _, ...view }) => view) };
}

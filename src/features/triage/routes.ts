// The work on reviews: tags, assignees, notes; the views that a workspace keeps; and its audit log.

import { auditPage } from "../../dashboard-api/contract/requests.ts";
import { type DashboardRoute, operate, route } from "../../dashboard-api/dashboard-route.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { toJson } from "../../dashboard-api/show.ts";
import { pick } from "../../lib/pick.ts";
import { changeView, createView, removeView } from "../../operations/view.ts";
import { addNote, removeNote } from "./notes.ts";
import { changeReview, changeReviews } from "./operations.ts";
import { readReviewWork } from "./read-work.ts";

const tagsListedMax = 200;
const auditPageSize = 50;

export const workRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/reviews/:review/work", {
    access: "member",
    async handle({ deps, workspaceId, me, workspace, params }) {
      const query = { workspaceId, reviewId: params.review };
      const { notes, ...work } = await readReviewWork(deps.database, query);
      const shown = notes.map(({ id, author, text, authorId, createdAt: at }) => {
        return {
          id,
          author,
          text,
          at,
          canDelete: workspace.role === "owner" || authorId === me.user.id,
        };
      });
      return toJson({ ...work, notes: shown });
    },
  }),
  operate("PATCH /workspaces/:workspace/reviews/:review/work", changeReview, async ({ result }) =>
    pick(result, ["tags", "assignee", "isDone"]),
  ),
  operate("PATCH /workspaces/:workspace/reviews/work", changeReviews, async ({ result }) => {
    return { changedCount: result.changedCount };
  }),
  operate("POST /workspaces/:workspace/notes", addNote, async ({ result: { id } }) => ({ id })),
  operate("DELETE /workspaces/:workspace/notes/:note", removeNote),
  route("GET /workspaces/:workspace/tags", {
    access: "viewer",
    async handle({ deps, workspaceId }) {
      const query = { workspaceId, limit: tagsListedMax };
      return { tags: await deps.database.listTags(query) };
    },
  }),
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

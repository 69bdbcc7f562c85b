// The work on reviews: tags, assignees, notes.

import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import { toJson } from "../../dashboard-api/show.ts";
import { pick } from "../../lib/pick.ts";
import type { TriageRoutes } from "./contract.ts";
import { addNote, removeNote } from "./notes.ts";
import { changeReview, changeReviews } from "./operations.ts";
import { readReviewWork } from "./read-work.ts";
import * as statements from "./sql.ts";

const { operate, route } = routesOf<TriageRoutes>();
const tagsListedMax = 200;

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
      return { tags: await deps.database.with(statements).listTags(query) };
    },
  }),
];

// The work on reviews: tags, assignees, notes; the views that a workspace keeps; and its audit log.

import {
  manyReviewWorkChangeSchema,
  noteSchema,
  reviewWorkChangeSchema,
} from "../../domain/review-work.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { changeView, createView, removeView } from "../../operations/view.ts";
import {
  addReviewNote,
  changeReviewWork,
  readReviewWork,
  removeReviewNote,
} from "../../use-cases/reviews/review-work.ts";
import { auditPage } from "../contract/requests.ts";
import type { ReviewWorkView } from "../contract/review-work.ts";
import { type DashboardRoute, largeBodyBytesMax, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import type { AssignableReview } from "../notices.ts";
import type { SignedInUser } from "../session/sessions.ts";
import { toJson } from "../show.ts";

const tagsListedMax = 200;
const auditPageSize = 50;

export const workRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/apps/:app/reviews/:review/work", {
    access: "member",
    async handle(context) {
      await requireReviews(context, [context.params]);
      return viewWork(context);
    },
  }),
  route("PATCH /workspaces/:workspace/apps/:app/reviews/:review/work", {
    access: "member",
    body: reviewWorkChangeSchema,
    async handle(context) {
      const { deps, workspace, workspaceId, notices, params, body } = context;
      const reviews = await requireReviews(context, [params]);
      const change = { ...body, workspaceId, reviews };
      notices.assignee(workspace, await changeReviewWork(deps, change), reviews);
      return viewWork(context);
    },
  }),
  route("PATCH /workspaces/:workspace/reviews/work", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: manyReviewWorkChangeSchema,
    async handle(context) {
      const { deps, workspace, workspaceId, notices, body } = context;
      const { reviews: chosen, ...change } = body;
      const reviews = await requireReviews(context, chosen);
      const assigned = await changeReviewWork(deps, { ...change, workspaceId, reviews });
      notices.assignee(workspace, assigned, reviews);
      return { changedCount: reviews.length };
    },
  }),
  route("POST /workspaces/:workspace/apps/:app/reviews/:review/work/notes", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: noteSchema,
    async handle(context) {
      const { deps, workspaceId, body } = context;
      const review = await requireReview(context);
      await addReviewNote(deps, { workspaceId, review, text: body.text });
      return viewWork(context);
    },
  }),
  route("DELETE /workspaces/:workspace/apps/:app/reviews/:review/work/notes/:note", {
    access: "member",
    async handle(context) {
      const { deps, subject } = context;
      const review = await requireReview(context);
      await removeReviewNote(deps, { ...subject, review });
      return viewWork(context);
    },
  }),
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

type ReviewParams = { app: string; review: string };

type OneReview = { deps: DashboardDeps; workspaceId: string; params: ReviewParams };

async function requireReview(context: OneReview): Promise<AssignableReview> {
  const [review] = await requireReviews(context, [context.params]);
  if (!review) throw notFound("review", context.params.review);
  return review;
}

/**
 * Each once.
 *
 * @throws AppError `not_found` for an app or a review that the workspace does not see
 */
async function requireReviews(
  { deps: { database }, workspaceId }: { deps: DashboardDeps; workspaceId: string },
  chosen: readonly ReviewParams[],
): Promise<AssignableReview[]> {
  const apps = await database.listApps({ workspaceId });
  const reviews = chosen.map(({ app: id, review }) => {
    const app = apps.find((one) => one.id === id);
    if (!app) throw notFound("app", id);
    return { listingId: app.listingId, id: review, app };
  });
  const found = await database.loadFeedReviews({ workspaceId, reviews });
  const named = reviews.map(({ id, app }) => {
    const review = found.find((one) => one.id === id);
    if (!review) throw notFound("review", id);
    return { ...review, app };
  });
  return [...new Map(named.map((review) => [review.id, review])).values()];
}

async function viewWork(context: {
  deps: DashboardDeps;
  workspaceId: string;
  me: SignedInUser;
  params: ReviewParams;
}): Promise<ReviewWorkView> {
  const { deps, workspaceId, me, params } = context;
  const work = await readReviewWork(deps.database, { workspaceId, reviewId: params.review });
  const notes = work.notes.map(({ id, author, text, authorId, createdAt: at }) => {
    return { id, author, text, at, isMine: authorId === me.user.id };
  });
  return toJson({ ...work, notes });
}

// The work on reviews: tags, assignees, notes; the views that a workspace keeps; and its audit log.

import { unique } from "../../domain/fields.ts";
import {
  manyReviewWorkChangeSchema,
  noteSchema,
  reviewWorkChangeSchema,
  savedViewSchema,
} from "../../domain/review-work.ts";
import { notFound } from "../../domain/validation-errors.ts";
import {
  addReviewNote,
  changeReviewWork,
  readReviewWork,
  removeReviewNote,
} from "../../use-cases/reviews/review-work.ts";
import { changeView, keepView, removeView } from "../../use-cases/reviews/saved-views.ts";
import { auditPage } from "../contract/requests.ts";
import type { ReviewWorkView } from "../contract/review-work.ts";
import { type DashboardRoute, largeBodyBytesMax, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { show, toJson } from "../show.ts";

const tagsListedMax = 200;
const auditPageSize = 50;

export const workRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/apps/:app/reviews/:review/work", {
    access: "member",
    handle: ({ deps, workspaceId, me, params }) =>
      viewWork(deps, { ...params, workspaceId, me: me.user.id }),
  }),
  route("PATCH /workspaces/:workspace/apps/:app/reviews/:review/work", {
    access: "member",
    body: reviewWorkChangeSchema,
    async handle({ deps, actorContext, workspace, workspaceId, me, notices, params, body }) {
      await requireReviews(deps, { workspaceId, reviews: [params] });
      const change = { ...body, workspaceId, reviewIds: [params.review] };
      notices.assignee(workspace, await changeReviewWork(actorContext, change));
      return viewWork(deps, { ...params, workspaceId, me: me.user.id });
    },
  }),
  route("PATCH /workspaces/:workspace/reviews/work", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: manyReviewWorkChangeSchema,
    async handle({ deps, actorContext, workspace, workspaceId, notices, body }) {
      const { reviews, ...change } = body;
      await requireReviews(deps, { workspaceId, reviews });
      const reviewIds = unique(reviews.map(({ review }) => review));
      const assigned = await changeReviewWork(actorContext, { ...change, workspaceId, reviewIds });
      notices.assignee(workspace, assigned);
      return { changedCount: reviewIds.length };
    },
  }),
  route("POST /workspaces/:workspace/apps/:app/reviews/:review/work/notes", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: noteSchema,
    async handle({ deps, actorContext, workspaceId, me, params, body: { text } }) {
      await requireReviews(deps, { workspaceId, reviews: [params] });
      await addReviewNote(actorContext, { workspaceId, reviewId: params.review, text });
      return viewWork(deps, { ...params, workspaceId, me: me.user.id });
    },
  }),
  route("DELETE /workspaces/:workspace/apps/:app/reviews/:review/work/notes/:note", {
    access: "member",
    async handle({ deps, actorContext, workspaceId, me, params }) {
      await requireReviews(deps, { workspaceId, reviews: [params] });
      const { review: reviewId, note: id } = params;
      await removeReviewNote(actorContext, { workspaceId, reviewId, id });
      return viewWork(deps, { ...params, workspaceId, me: me.user.id });
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
    handle: async ({ deps, workspaceId }) => ({
      views: await deps.database.listSavedViews(workspaceId),
    }),
  }),
  route("POST /workspaces/:workspace/views", {
    access: "member",
    body: savedViewSchema,
    async handle({ deps, actorContext, workspaceId, body }) {
      await keepView(actorContext, { ...body, workspaceId });
      return { views: await deps.database.listSavedViews(workspaceId) };
    },
  }),
  route("PATCH /workspaces/:workspace/views/:view", {
    access: "member",
    body: savedViewSchema,
    async handle({ actorContext, workspaceId, params, body }) {
      await changeView(actorContext, { ...body, workspaceId, id: params.view });
    },
  }),
  route("DELETE /workspaces/:workspace/views/:view", {
    access: "member",
    async handle({ actorContext, workspaceId, params }) {
      await removeView(actorContext, { workspaceId, id: params.view });
    },
  }),
  route("GET /workspaces/:workspace/audit", {
    access: "owner",
    query: auditPage,
    async handle({ deps, workspaceId, query }) {
      const found = await deps.database.listWorkspaceAudit({
        workspaceId,
        subject: null,
        before: query.before ?? null,
        limit: auditPageSize + 1,
      });
      return { entries: found.slice(0, auditPageSize), hasMore: found.length > auditPageSize };
    },
  }),
];

type ReviewParams = { workspaceId: string; app: string; review: string };

/** @throws AppError `not_found` for an app or a review that the workspace does not see */
async function requireReviews(
  { database }: DashboardDeps,
  query: { workspaceId: string; reviews: readonly { app: string; review: string }[] },
): Promise<void> {
  const { workspaceId } = query;
  const apps = await database.listApps({ workspaceId });
  const reviews = query.reviews.map(({ app: id, review }) => {
    const app = apps.find((one) => one.id === id);
    if (!app) throw notFound("app", id);
    return { listingId: app.listingId, id: review };
  });
  const found = await database.loadFeedReviews({ workspaceId, reviews });
  const missing = reviews.find(({ id }) => !found.some((one) => one.id === id));
  if (missing) throw notFound("review", missing.id);
}

async function viewWork(
  deps: DashboardDeps,
  query: ReviewParams & { me: string },
): Promise<ReviewWorkView> {
  await requireReviews(deps, { ...query, reviews: [query] });
  const { workspaceId, review: reviewId } = query;
  const work = await readReviewWork(deps.database, { workspaceId, reviewId });
  const notes = work.notes.map(({ authorId, createdAt: at, ...note }) => ({
    ...show(note, ["id", "author", "text"]),
    at,
    isMine: authorId === query.me,
  }));
  return toJson({ ...show(work, ["tags", "assignee", "isDone", "trail"]), notes });
}

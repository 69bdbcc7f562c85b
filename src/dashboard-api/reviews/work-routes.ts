// The work on reviews: tags, assignees, notes; the views that a workspace keeps; and its audit log.

import { unique } from "../../domain/fields.ts";
import {
  manyReviewWorkChangeSchema,
  noteSchema,
  reviewWorkChangeSchema,
  savedViewSchema,
} from "../../domain/review-work.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import {
  addReviewNote,
  changeReviewWork,
  readReviewWork,
  removeReviewNote,
} from "../../use-cases/reviews/review-work.ts";
import { changeView, keepView, removeView } from "../../use-cases/reviews/saved-views.ts";
import { endViewFeed, openViewFeed } from "../../use-cases/reviews/view-feeds.ts";
import { auditPage } from "../contract/requests.ts";
import type { AuditEntry, ReviewWorkView } from "../contract/review-work.ts";
import { type DashboardRoute, largeBodyBytesMax, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { feedPathOf } from "../view-feeds/view-feed.ts";

const tagsListedMax = 200;
const auditPageSize = 50;

export const workRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/apps/:app/reviews/:review/work", {
    access: "member",
    handle: ({ deps, workspace, me, params }) =>
      viewWork(deps, { ...params, workspaceId: workspace.id, me: me.user.id }),
  }),
  route("PATCH /workspaces/:workspace/apps/:app/reviews/:review/work", {
    access: "member",
    body: reviewWorkChangeSchema,
    async handle({ deps, actorContext, workspace, me, notices, params, body }) {
      const query = { ...params, workspaceId: workspace.id, me: me.user.id };
      await requireReviews(deps, { ...query, reviews: [params] });
      const { workspaceId } = query;
      const change = { ...body, workspaceId, reviewIds: [params.review] };
      notices.assignee(workspace, await changeReviewWork(actorContext, change));
      return viewWork(deps, query);
    },
  }),
  route("PATCH /workspaces/:workspace/reviews/work", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: manyReviewWorkChangeSchema,
    async handle({ deps, actorContext, workspace, notices, body }) {
      const { reviews, ...change } = body;
      const workspaceId = workspace.id;
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
    async handle({ deps, actorContext, workspace, me, params, body }) {
      const query = { ...params, workspaceId: workspace.id, me: me.user.id };
      await requireReviews(deps, { ...query, reviews: [query] });
      const { text } = body;
      const { workspaceId } = query;
      await addReviewNote(actorContext, { workspaceId, reviewId: params.review, text });
      return viewWork(deps, query);
    },
  }),
  route("DELETE /workspaces/:workspace/apps/:app/reviews/:review/work/notes/:note", {
    access: "member",
    async handle({ deps, actorContext, workspace, me, params }) {
      const query = { ...params, workspaceId: workspace.id, me: me.user.id };
      await requireReviews(deps, { ...query, reviews: [query] });
      const { workspaceId } = query;
      await removeReviewNote(actorContext, {
        ...{ workspaceId, reviewId: params.review, id: params.note },
      });
      return viewWork(deps, query);
    },
  }),
  route("GET /workspaces/:workspace/tags", {
    access: "member",
    async handle({ deps, workspace }) {
      const query = { workspaceId: workspace.id, limit: tagsListedMax };
      return { tags: await deps.database.listTags(query) };
    },
  }),
  route("GET /workspaces/:workspace/views", {
    access: "member",
    handle: async ({ deps, workspace }) => ({
      views: await deps.database.listSavedViews(workspace.id),
    }),
  }),
  route("POST /workspaces/:workspace/views", {
    access: "member",
    body: savedViewSchema,
    async handle({ deps, actorContext, workspace, body }) {
      await keepView(actorContext, { ...body, workspaceId: workspace.id });
      return { views: await deps.database.listSavedViews(workspace.id) };
    },
  }),
  route("PATCH /workspaces/:workspace/views/:view", {
    access: "member",
    body: savedViewSchema,
    async handle({ actorContext, workspace, params, body }) {
      await changeView(actorContext, { ...body, workspaceId: workspace.id, id: params.view });
      return {};
    },
  }),
  route("DELETE /workspaces/:workspace/views/:view", {
    access: "member",
    async handle({ actorContext, workspace, params }) {
      await removeView(actorContext, { workspaceId: workspace.id, id: params.view });
      return {};
    },
  }),
  route("GET /workspaces/:workspace/view-feeds", {
    access: "member",
    async handle({ deps, workspace }) {
      const query = { workspaceId: workspace.id, now: deps.clock.now() };
      const feeds = await deps.database.listViewFeeds(query);
      return {
        feeds: feeds.map(({ viewId, madeBy, madeAt, endsAt, usedAt }) => ({
          viewId,
          madeBy,
          madeAt: formatTimestamp(madeAt),
          endsAt: formatTimestamp(endsAt),
          usedAt: usedAt && formatTimestamp(usedAt),
        })),
      };
    },
  }),
  route("POST /workspaces/:workspace/views/:view/feed", {
    // It reads reviews without signing in, as a key does.
    access: "owner",
    isSensitive: true,
    limits: [{ perMinute: 30, by: "workspace" }],
    async handle({ actorContext, workspace, notices, params }) {
      const view = { workspaceId: workspace.id, id: params.view };
      const { token } = await openViewFeed(actorContext, view);
      notices.owners(
        workspace,
        "made a link by which everybody who has it reads reviews of a view",
      );
      return { path: feedPathOf(token) };
    },
  }),
  route("DELETE /workspaces/:workspace/views/:view/feed", {
    access: "member",
    async handle({ actorContext, workspace, params }) {
      await endViewFeed(actorContext, { workspaceId: workspace.id, id: params.view });
      return {};
    },
  }),
  route("GET /workspaces/:workspace/audit", {
    access: "owner",
    query: auditPage,
    async handle({ deps, workspace, query }) {
      const found = await deps.database.listWorkspaceAudit({
        workspaceId: workspace.id,
        subject: null,
        before: query.before ?? null,
        limit: auditPageSize + 1,
      });
      const entries = found.slice(0, auditPageSize);
      return { entries: entries.map(toAuditView), hasMore: found.length > auditPageSize };
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
  return {
    tags: work.tags,
    assignee: work.assignee,
    isDone: work.isDone,
    notes: work.notes.map(({ id, author, authorId, text, createdAt }) => ({
      ...{ id, author, text },
      at: formatTimestamp(createdAt),
      isMine: authorId === query.me,
    })),
    trail: work.trail.map(toAuditView),
  };
}

function toAuditView(entry: {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  detail: Record<string, unknown>;
}): AuditEntry {
  return { ...entry, at: formatTimestamp(entry.at) };
}

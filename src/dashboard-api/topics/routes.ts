// Topics that the workspace defines itself: list, preview, create, change and remove.
import { z } from "zod";
import { ownTopicSchema, phrasesSchema } from "../../domain/own-topic.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import {
  changeOwnTopic,
  createOwnTopic,
  listOwnTopicStates,
  removeOwnTopic,
} from "../../use-cases/topics/own-topics.ts";
import { previewOwnTopic } from "../../use-cases/topics/preview-topic.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";

const shownUnitsMax = 600;

export const topicRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/topics", {
    access: "member",
    async handle({ deps, workspace }) {
      const topics = await listOwnTopicStates(deps.database, { workspaceId: workspace.id });
      return {
        topics: topics.map(({ id, name, phrases, createdAt, ...state }) => ({
          ...{ id, name, phrases: [...phrases], createdAt: formatTimestamp(createdAt) },
          ...{ matchCount: state.matchCount, readCount: state.readCount },
          ...{ totalCount: state.totalCount, isFinished: state.isFinished },
        })),
      };
    },
  }),
  route("POST /workspaces/:workspace/topics", {
    access: "member",
    limit: { perMinute: 30, by: "workspace" },
    body: ownTopicSchema,
    async handle({ actorContext, workspace, body }) {
      const { id } = await createOwnTopic(actorContext, { ...body, workspaceId: workspace.id });
      return { id };
    },
  }),
  route("POST /workspaces/:workspace/topics/preview", {
    access: "member",
    limit: { perMinute: 60, by: "workspace" },
    body: z.strictObject({ phrases: phrasesSchema }),
    async handle({ deps, workspace, body }) {
      const query = { workspaceId: workspace.id, phrases: body.phrases };
      const { samples, ...counts } = await previewOwnTopic(deps.database, query);
      const apps = await deps.database.listApps({ workspaceId: workspace.id });
      const appIds = new Map(apps.map(({ listingId, id }) => [listingId, id]));
      return {
        ...counts,
        samples: samples.map(({ review, words }) => ({
          ...{ id: review.id, appId: appIds.get(review.listingId) ?? "", words },
          ...{ rating: review.rating, title: review.title, date: formatTimestamp(review.date) },
          text: review.text.slice(0, shownUnitsMax).toWellFormed(),
        })),
      };
    },
  }),
  route("PATCH /workspaces/:workspace/topics/:topic", {
    access: "member",
    limit: { perMinute: 30, by: "workspace" },
    body: z.strictObject({ phrases: phrasesSchema }),
    async handle({ actorContext, workspace, params, body }) {
      const topic = { workspaceId: workspace.id, topic: params.topic };
      await changeOwnTopic(actorContext, { ...topic, phrases: body.phrases });
      return {};
    },
  }),
  route("DELETE /workspaces/:workspace/topics/:topic", {
    access: "member",
    async handle({ actorContext, workspace, params }) {
      await removeOwnTopic(actorContext, { workspaceId: workspace.id, topic: params.topic });
      return {};
    },
  }),
];

// Topics that the workspace defines itself: list, preview, create, change and remove.

import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import type { Database } from "../../database/database.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import type { TopicRoutes, TopicSample } from "./contract.ts";
import { listOwnTopicStates } from "./list-topics.ts";
import { changeTopic, createTopic, removeTopic, tickTopic } from "./operations.ts";
import { topicPhrases } from "./own-topic.ts";
import { previewOwnTopic } from "./preview-topic.ts";
import { listReviewsToTick } from "./ticks.ts";

const { operate, route } = routesOf<TopicRoutes>();
const shownUnitsMax = 600;

export const topicRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/topics", {
    access: "viewer",
    async handle({ deps, workspaceId }) {
      const topics = await listOwnTopicStates(deps.database, { workspaceId });
      return { topics: topics.map(({ workspaceId: _, revision: __, ...topic }) => topic) };
    },
  }),
  operate("POST /workspaces/:workspace/topics", createTopic, async ({ result: { id } }) => ({
    id,
  })),
  route("POST /workspaces/:workspace/topics/preview", {
    access: "member",
    body: topicPhrases,
    async handle({ deps, workspace, workspaceId, body }) {
      const query = { workspaceId, phrases: body.phrases };
      const { samples, ...counts } = await previewOwnTopic(deps.database, query);
      return { ...counts, samples: await toSamples(deps.database, { workspace, samples }) };
    },
  }),
  operate("PATCH /workspaces/:workspace/topics/:topic", changeTopic),
  route("GET /workspaces/:workspace/topics/:topic/ticks", {
    access: "member",
    async handle({ deps, workspace, workspaceId, params }) {
      const query = { workspaceId, topic: params.topic };
      const samples = await listReviewsToTick(deps.database, query);
      return { samples: await toSamples(deps.database, { workspace, samples }) };
    },
  }),
  operate("POST /workspaces/:workspace/topics/:topic/tick", tickTopic),
  operate("DELETE /workspaces/:workspace/topics/:topic", removeTopic),
];

async function toSamples(
  database: Pick<Database, "listApps">,
  found: {
    workspace: { id: string };
    samples: readonly { review: FeedReviewRow; words: string[] }[];
  },
): Promise<TopicSample[]> {
  const apps = await database.listApps({ workspaceId: found.workspace.id });
  const appIds = new Map(apps.map(({ listingId, id }) => [listingId, id]));
  return found.samples.map(({ review, words }) => ({
    id: review.id,
    appId: appIds.get(review.listingId) ?? "",
    words,
    rating: review.rating,
    title: review.title,
    date: formatTimestamp(review.date),
    text: review.text.slice(0, shownUnitsMax).toWellFormed(),
  }));
}

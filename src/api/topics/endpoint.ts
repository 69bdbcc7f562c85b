// GET /topics: the topics that a review can have, those that the workspace defines itself included.
import { topicNames } from "../../domain/review/topics.ts";
import { topicsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { noParameters } from "../parameters.ts";

export const topicsEndpoint = defineEndpoint({
  path: "/topics",
  id: "listTopics",
  tag: "Reviews",
  summary: "List topics",
  description:
    "The topics that reviews can have, which are the values of the `topic` filter. With those that the workspace defines itself, which no other workspace sees.",
  parameters: noParameters,
  appIdsOf: () => [],
  responseSchema: topicsResponse,
  problems: ["invalid_parameter"],
  // They are not covered by versions of apps.
  isTaggedByContent: () => true,
  async handle({ database, workspaceId }) {
    const own = await database.listOwnTopicNames({ workspaceId });
    return { topics: [...topicNames, ...own].sort() };
  },
});

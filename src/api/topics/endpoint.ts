// GET /topics: the topics that a review can have.
import { topicNames } from "../../domain/topics.ts";
import { topicsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { noParameters } from "../parameters.ts";

export const topicsEndpoint = defineEndpoint({
  path: "/topics",
  id: "listTopics",
  tag: "Reviews",
  summary: "List topics",
  description: "The topics that reviews can have, which are the values of the `topic` filter.",
  parameters: noParameters,
  appIdsOf: () => [],
  responseSchema: topicsResponse,
  example: { topics: [...topicNames].sort() },
  problems: ["invalid_parameter"],
  handle: async () => ({ topics: [...topicNames].sort() }),
});

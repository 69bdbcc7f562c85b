// GET /reply-outcomes: how the stars of reviews changed after the answers of a workspace, beside reviews without one.
import { z } from "zod";
import { defineEndpoint } from "../../api/endpoint.ts";
import { changesParameters, ratingHistoryParameters } from "../../api/parameters.ts";
import { readOutcomes } from "./read-outcomes.ts";

const count = z.int().min(0);
const fields = {
  count: count.describe("Reviews that were read again since."),
  gained: count.describe("Those that have more stars than then."),
  lost: count.describe("Those that have fewer."),
};

const outcomesResponse = z
  .object({
    ...fields,
    medianSeconds: z
      .number()
      .nullable()
      .describe("Half of the answers came within so many seconds of the review; null without one."),
    unanswered: z
      .object(fields)
      .describe("The same of reviews without an answer: it says nothing of causes."),
  })
  .meta({ id: "ReplyOutcomes" });

export const outcomesEndpoint = defineEndpoint({
  path: "/reply-outcomes",
  id: "getReplyOutcomes",
  tag: "Figures",
  summary: "Get what came of answers",
  description:
    "Stars that reviews gained and lost after your answers of these days, of how many, and of reviews without one. Without days, the last 28.",
  parameters: ratingHistoryParameters
    .pick({ from: true, to: true })
    .extend({ app: changesParameters.shape.app.optional() }),
  appIdsOf: ({ app }) => (app === undefined ? null : [app]),
  isTaggedByContent: () => true,
  responseSchema: outcomesResponse,
  problems: ["invalid_parameter", "app_not_found"],
  handle: ({ database, now, workspaceId, query }) =>
    readOutcomes(database, { ...query, workspaceId, now }),
});

// GET /edits: one review, and what stood in its place before each of its edits.
import { editsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { editParameters } from "../parameters.ts";
import { findReview } from "../review/endpoint.ts";

export const editsEndpoint = defineEndpoint({
  path: "/edits",
  id: "listEdits",
  tag: "Reviews",
  summary: "List the edits of a review",
  description:
    "One review as it is now, and as it was before each edit that Starpost has seen, oldest first.",
  parameters: editParameters,
  responseSchema: editsResponse,
  problems: ["invalid_parameter", "app_not_found", "not_found"],
  appIdsOf: ({ app }) => (app === undefined ? null : [app]),
  async handle(request) {
    const { review, versions } = await findReview(request, request.query.review);
    return { review, edits: versions };
  },
});

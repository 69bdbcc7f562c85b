// GET /edits: one review, and what stood in its place before each of its edits.
import { AppError } from "../../domain/error.ts";
import { toReviewJson, toVersionJson } from "../../domain/review-json.ts";
import { isUuid } from "../../lib/uuid.ts";
import { editsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { exampleEdits } from "../examples.ts";
import { editParameters } from "../parameters.ts";

export const editsEndpoint = defineEndpoint({
  path: "/edits",
  id: "listEdits",
  tag: "Reviews",
  summary: "List the edits of a review",
  description:
    "One review as it is now, and as it was before each edit that Starpost has seen, oldest first.",
  parameters: editParameters,
  responseSchema: editsResponse,
  example: exampleEdits,
  problems: ["invalid_parameter", "app_not_found", "not_found"],
  appIdsOf: ({ app }) => (app === undefined ? null : [app]),
  async handle({ database, workspaceId, query, apps }) {
    const reviews = isUuid(query.review)
      ? apps.map(({ listingId }) => ({ listingId, id: query.review }))
      : [];
    const [found] = await database.loadFeedReviews({ workspaceId, reviews });
    const app = apps.find(({ listingId }) => listingId === found?.listingId);
    if (!found || !app) {
      throw new AppError("not_found", "There is no review with this id in your workspace.");
    }
    const { listingId, id: reviewId } = found;
    const earlier = await database.listReviewVersions({ workspaceId, listingId, reviewId });
    const ownTopics = await database.listOwnTopicsOfReviews({ workspaceId, reviewIds: [found.id] });
    const names = ownTopics.filter((one) => one.appId === app.id).map((one) => one.topic);
    const { store, externalAppId } = app;
    const topics = [...found.topics, ...names].sort();
    return {
      // As in `GET /reviews`, where PostgreSQL writes it.
      review: { id: found.id, store, externalAppId, ...toReviewJson(found), topics },
      edits: earlier.map(toVersionJson),
    };
  },
});

// GET /reviews/{review}: one review with everything that is stored of it.
import { AppError } from "../../domain/error.ts";
import { toReviewJson, toVersionJson } from "../../domain/review/review-json.ts";
import { isUuid } from "../../lib/uuid.ts";
import { loadReviews } from "../../use-cases/reviews/load-reviews.ts";
import { reviewResponse } from "../contract.ts";
import { defineEndpoint, type EndpointRequest } from "../endpoint.ts";
import { oneReviewParameters } from "../parameters.ts";
import { toIncludedFields } from "../reviews/included-fields.ts";

export const reviewEndpoint = defineEndpoint({
  path: "/reviews/{review}",
  id: "getReview",
  tag: "Reviews",
  summary: "Get a review",
  description:
    "One review with its reply, translation and opinions, and as it was before each edit, oldest first.",
  parameters: oneReviewParameters,
  responseSchema: reviewResponse,
  problems: ["invalid_parameter", "not_found"],
  appIdsOf: () => null,
  async handle(request) {
    const { review, fields, versions } = await findReview(request, request.query.review);
    return { ...review, ...fields, versions };
  },
});

/** @throws AppError `not_found`, the same for unknown, malformed and foreign ids */
export async function findReview(
  request: Pick<EndpointRequest<unknown>, "database" | "workspaceId" | "apps">,
  id: string,
) {
  const { database, workspaceId, apps } = request;
  const keys = isUuid(id) ? apps.map(({ listingId }) => ({ listingId, id })) : [];
  const [found] = await loadReviews(database, { workspaceId, apps, keys });
  if (!found) {
    throw new AppError("not_found", "There is no review with this id in your workspace.");
  }
  const { row, app, ownTopics } = found;
  const { listingId, id: reviewId } = row;
  const versions = await database.listReviewVersions({ workspaceId, listingId, reviewId });
  const { store, externalAppId } = app;
  const topics = [...row.topics, ...ownTopics].sort();
  // As in `GET /reviews`, where PostgreSQL writes it.
  const review = { id: reviewId, store, externalAppId, ...toReviewJson(row), topics };
  return { review, fields: toIncludedFields(found), versions: versions.map(toVersionJson) };
}

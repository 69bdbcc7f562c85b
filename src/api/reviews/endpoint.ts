// GET /reviews: newest first, in pages that neither skip nor repeat a review while others arrive; or, for those
// who keep a copy, in the order in which they changed.

import type { z } from "@hono/zod-openapi";
import type {
  ReviewFilters,
  ReviewPage,
  ReviewPosition,
} from "../../database/read-models/review-pages.ts";
import { reviewsResponse } from "../contract.ts";
import { defineEndpoint, type EndpointRequest, PreSerializedJson } from "../endpoint.ts";
import { exampleReviews } from "../examples.ts";
import { reviewParameters } from "../parameters.ts";

/** Name of a header. */
const updatedUntil = "Updated-Until";

type Query = z.infer<typeof reviewParameters>;

export const reviewsEndpoint = defineEndpoint({
  path: "/reviews",
  id: "listReviews",
  tag: "Reviews",
  summary: "List reviews",
  description:
    "Reviews of the workspace's apps, newest first. Pass `nextCursor` back as `cursor`, with the same filters, for the next page; `limit` may change. Reviews that arrive meanwhile never make a page skip or repeat one. With `updatedSince` they come in the order in which they changed.",
  parameters: reviewParameters,
  responseSchema: reviewsResponse,
  example: exampleReviews,
  problems: ["invalid_parameter", "invalid_cursor", "app_not_found"],
  responseHeaders: {
    [updatedUntil]:
      "With `updatedSince`: every change before this moment is on this page or on one before it, unless there is a `nextCursor`. Pass it as the next `updatedSince`.",
  },
  appIdsOf: ({ app }) => app ?? null,
  // What is committed at this moment decides how far it reaches.
  isTaggedByContent: ({ updatedSince }) => updatedSince !== undefined,
  async handle(request) {
    const { cursors, workspaceId, query } = request;
    const { cursor, limit: _, ...filters } = query;
    const list = { workspaceId, filters };
    const after = cursor === undefined ? null : cursors.decode(cursor, list);
    const { page, headers } = await readPage(request, after);
    const nextCursor = page.last && cursors.encode(page.last, list);
    return new PreSerializedJson(
      `{"reviews":[${page.json}],"nextCursor":${JSON.stringify(nextCursor)}}`,
      headers,
    );
  },
});

type Found = { page: ReviewPage; headers?: Record<string, string> };

async function readPage(
  { database, workspaceId, query, apps }: EndpointRequest<Query>,
  after: ReviewPosition | null,
): Promise<Found> {
  const { store, topic, limit, updatedSince: since } = query;
  const ofStores = apps.filter((app) => store === undefined || store.includes(app.store));
  // PostgreSQL refuses a NUL in a parameter, and no topic holds one.
  const topics = topic?.filter((name) => !name.includes("\0")) ?? null;
  const filters = { ...toFilters(query), topics };
  const read = { workspaceId, apps: ofStores, filters, after, limit };
  const canMatch = ofStores.length > 0 && topics?.length !== 0;
  if (since === undefined) {
    return { page: canMatch ? await database.listReviewPage(read) : noPage };
  }
  const until = await database.findChangeHorizon();
  const page = canMatch ? await database.listReviewChanges({ ...read, since, until }) : noPage;
  return { page, headers: { [updatedUntil]: until } };
}

const noPage: ReviewPage = { json: "", last: null };

function toFilters(query: Query): Omit<ReviewFilters, "topics"> {
  const { from = null, to = null, rating = null, sentiment = null } = query;
  const { country = null, language = null, version = null } = query;
  return {
    from,
    to,
    // All of them are no filter.
    ratings: rating?.length === 5 ? null : rating,
    sentiments: sentiment,
    countries: country,
    languages: language,
    versions: version,
  };
}

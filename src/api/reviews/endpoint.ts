// GET /reviews: newest first, in pages that neither skip nor repeat a review while others arrive.

import type { z } from "@hono/zod-openapi";
import type { ReviewFilters } from "../../database/read-models/review-pages.ts";
import { reviewsResponse } from "../contract.ts";
import { defineEndpoint, PreSerializedJson } from "../endpoint.ts";
import { exampleReviews } from "../examples.ts";
import { reviewParameters } from "../parameters.ts";

export const reviewsEndpoint = defineEndpoint({
  path: "/reviews",
  id: "listReviews",
  summary: "List reviews",
  description:
    "Reviews of the workspace's apps, newest first. Pass `nextCursor` back as `cursor`, with the same filters, for the next page; `limit` may change. Reviews that arrive meanwhile never make a page skip or repeat one.",
  parameters: reviewParameters,
  responseSchema: reviewsResponse,
  example: exampleReviews,
  problems: ["invalid_parameter", "invalid_cursor", "app_not_found"],
  appIdsOf: ({ app }) => app ?? null,
  async handle({ database, cursors, workspaceId, query, apps }) {
    const { cursor, limit, ...filters } = query;
    const list = { workspaceId, filters };
    const after = cursor === undefined ? null : cursors.decode(cursor, list);
    const { store, topic } = filters;
    const ofStores = apps.filter((app) => store === undefined || store.includes(app.store));
    // PostgreSQL refuses a NUL in a parameter, and no topic holds one.
    const topics = topic?.filter((name) => !name.includes("\0")) ?? null;
    const canMatch = ofStores.length > 0 && topics?.length !== 0;
    const page = canMatch
      ? await database.listReviewPage({
          workspaceId,
          apps: ofStores,
          filters: { ...toFilters(query), topics },
          after,
          limit,
        })
      : { json: "", last: null };
    const nextCursor = page.last && cursors.encode(page.last, list);
    return new PreSerializedJson(
      `{"reviews":[${page.json}],"nextCursor":${JSON.stringify(nextCursor)}}`,
    );
  },
});

function toFilters(query: z.infer<typeof reviewParameters>): Omit<ReviewFilters, "topics"> {
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

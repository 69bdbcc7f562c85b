// GET /reviews: newest first, in pages that neither skip nor repeat a review while others arrive.

import type { z } from "@hono/zod-openapi";
import type { ReviewFilters, ReviewPosition } from "../../database/read-models/review-pages.ts";
import { storeIds } from "../../domain/store-id.ts";
import { isUuid } from "../../lib/uuid.ts";
import { reviewsResponse } from "../contract.ts";
import type { Cursors } from "../cursor.ts";
import { defineEndpoint, PreSerializedJson, type ReadDatabase, requireApp } from "../endpoint.ts";
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
  async handle({ database, cursors, workspaceId, query }) {
    const filters = toFilters(workspaceId, query);
    const after = await decodePosition({ database, cursors, filters, cursor: query.cursor });
    const page = canMatch(filters)
      ? await database.listReviewPage({ filters, after, limit: query.limit })
      : { json: "", last: null };
    // A review implies its app: only an empty page leaves open whether the app exists.
    if (page.json === "") await requireFilteredApp(database, filters);
    const nextCursor = page.last && cursors.encode(page.last, filters);
    return new PreSerializedJson(
      `{"reviews":[${page.json}],"nextCursor":${JSON.stringify(nextCursor)}}`,
    );
  },
});

function toFilters(workspaceId: string, query: z.infer<typeof reviewParameters>): ReviewFilters {
  return {
    workspaceId,
    appId: query.app ?? null,
    stores: query.store === undefined ? storeIds : [query.store],
    from: query.from ?? null,
    to: query.to ?? null,
    rating: query.rating ?? null,
    sentiment: query.sentiment ?? null,
    topic: query.topic ?? null,
  };
}

/** null without a cursor. An app that does not exist is reported before an invalid cursor. */
async function decodePosition({
  database,
  cursors,
  filters,
  cursor,
}: {
  database: ReadDatabase;
  cursors: Cursors;
  filters: ReviewFilters;
  cursor: string | undefined;
}): Promise<ReviewPosition | null> {
  if (filters.appId !== null && !isUuid(filters.appId)) await requireFilteredApp(database, filters);
  try {
    return cursor === undefined ? null : cursors.decode(cursor, filters);
  } catch (error) {
    await requireFilteredApp(database, filters);
    throw error;
  }
}

async function requireFilteredApp(
  database: ReadDatabase,
  { appId, workspaceId }: ReviewFilters,
): Promise<void> {
  if (appId !== null) await requireApp(database, { id: appId, workspaceId });
}

/** PostgreSQL refuses a NUL in a parameter, and no topic holds one. */
function canMatch({ topic }: ReviewFilters): boolean {
  return topic === null || !topic.includes("\0");
}

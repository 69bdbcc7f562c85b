// GET /reviews: newest first, in pages that neither skip nor repeat a review while others arrive.

import type { z } from "@hono/zod-openapi";
import type { ReviewFilters, ReviewPosition } from "../../database/read-models/review-pages.ts";
import { storeIds } from "../../domain/store-id.ts";
import { isUuid } from "../../lib/uuid.ts";
import { reviewsResponse } from "../contract.ts";
import type { Cursors } from "../cursor.ts";
import { defineEndpoint, type ReadDatabase, requireApp, PreSerializedJson } from "../endpoint.ts";
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
    const after = await readPosition({ database, cursors, filters, cursor: query.cursor });
    const page = canMatch(filters)
      ? await database.listReviewPage({ filters, after, limit: query.limit })
      : { json: "", last: null };
    // Where there is a review there is its app: only an empty page leaves the question open.
    if (page.json === "") await requireItsApp(database, filters);
    const nextCursor = page.last && cursors.seal(page.last, filters);
    return new PreSerializedJson(`{"reviews":[${page.json}],"nextCursor":${JSON.stringify(nextCursor)}}`);
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

/** null without a cursor. An app that can't be is refused before a cursor that is no good. */
async function readPosition(given: {
  database: ReadDatabase;
  cursors: Cursors;
  filters: ReviewFilters;
  cursor: string | undefined;
}): Promise<ReviewPosition | null> {
  const { database, cursors, filters, cursor } = given;
  if (filters.appId !== null && !isUuid(filters.appId)) await requireItsApp(database, filters);
  try {
    return cursor === undefined ? null : cursors.open(cursor, filters);
  } catch (error) {
    await requireItsApp(database, filters);
    throw error;
  }
}

async function requireItsApp(
  database: ReadDatabase,
  { appId, workspaceId }: ReviewFilters,
): Promise<void> {
  if (appId !== null) await requireApp(database, { id: appId, workspaceId });
}

/** No topic holds a NUL, and PostgreSQL refuses to be asked for one. */
function canMatch({ topic }: ReviewFilters): boolean {
  return topic === null || !topic.includes("\0");
}

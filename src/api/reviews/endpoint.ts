// GET /reviews: newest first, in pages that neither skip nor repeat a review while others arrive; or, for those
// who keep a copy, in the order in which they changed.

import type { z } from "zod";
import type { PageReview, ReviewPage } from "../../database/reviews/review-pages.ts";
import { type ReviewPosition, toMicrosText } from "../../database/reviews/review-ranges.ts";
import { AppError } from "../../domain/error.ts";
import type { ListKey } from "../../http/cursor.ts";
import { loadReviews } from "../../use-cases/reviews/load-reviews.ts";
import { reviewsResponse } from "../contract.ts";
import { defineEndpoint, type EndpointRequest, PreSerializedJson } from "../endpoint.ts";
import { reviewParameters } from "../parameters.ts";
import { toIncludedFields } from "./included-fields.ts";

/** Name of a header. */
const updatedUntil = "Updated-Until";

type Query = z.infer<typeof reviewParameters>;
/** Without what only a page has. */
type ListQuery = Omit<Query, "limit">;

export const reviewsEndpoint = defineEndpoint({
  path: "/reviews",
  id: "listReviews",
  tag: "Reviews",
  summary: "List reviews",
  description:
    "Reviews of the workspace's apps, newest first. Pass `nextCursor` back as `cursor`, with the same filters, for the next page; `limit` may change. Reviews that arrive meanwhile never make a page skip or repeat one. With `updatedSince` they come in the order in which they changed.",
  parameters: reviewParameters,
  responseSchema: reviewsResponse,
  problems: ["invalid_parameter", "invalid_cursor", "app_not_found"],
  responseHeaders: {
    [updatedUntil]:
      "With `updatedSince`: every change before this moment is on this page or on one before it, unless there is a `nextCursor`. Pass it as the next `updatedSince`.",
  },
  appIdsOf: ({ app }) => app ?? null,
  // With `updatedSince`, the response depends on the transactions committed at this moment.
  isTaggedByContent: ({ updatedSince }) => updatedSince !== undefined,
  // A client that keeps a copy would never read again what one response lacks: a review, or all of an app that an
  // import has just moved to another listing.
  isExact: ({ updatedSince }) => updatedSince !== undefined,
  async handle(request) {
    requireOrderOf(request.query);
    return writeBody(request, await readPage(request, readCursor(request)));
  },
});

type Question = Pick<EndpointRequest<ListQuery>, "cursors" | "workspaceId" | "query">;

export function readCursor(question: Question): ReviewPosition | null {
  const { cursor } = question.query;
  return cursor === undefined ? null : question.cursors.decode(cursor, listOf(question));
}

async function writeBody(
  request: EndpointRequest<Query>,
  { page: found, headers }: Found,
): Promise<PreSerializedJson> {
  const nextCursor = found.last && request.cursors.encode(found.last, listOf(request));
  const reviews = (await addFields(request, found.reviews)).map(({ json }) => json).join(",\n");
  const page = `{"reviews":[${reviews}],"nextCursor":${JSON.stringify(nextCursor)}`;
  const until = headers?.[updatedUntil];
  const end = until === undefined ? "" : `,"updatedUntil":${JSON.stringify(until)}`;
  return new PreSerializedJson(`${page}${end}}`, headers, page);
}

/** Each with the fields of `include` at the end of its JSON. */
export async function addFields(
  request: EndpointRequest<Query>,
  reviews: readonly PageReview[],
): Promise<readonly PageReview[]> {
  const { include } = request.query;
  if (include === undefined) return reviews;
  const { database, workspaceId, apps } = request;
  const loaded = await loadReviews(database, { workspaceId, apps, keys: reviews });
  return reviews.flatMap((review) => {
    const { listingId, id, json } = review;
    const found = loaded.find(({ row }) => row.listingId === listingId && row.id === id);
    // The review or its app was deleted since the page was read.
    if (!found) return [];
    const fields = { ...toIncludedFields(found), changedAt: toMicrosText(review.micros) };
    const added = include.map((name) => `,${JSON.stringify(name)}:${JSON.stringify(fields[name])}`);
    return [{ ...review, json: `${json.slice(0, -1)}${added.join("")}}` }];
  });
}

export function listOf({ workspaceId, query }: Question): ListKey {
  const { cursor: _, limit: __, ...filters }: ListQuery & { limit?: number } = query;
  return { workspaceId, filters };
}

type Found = { page: ReviewPage; headers?: Record<string, string> };

/** @throws AppError `invalid_parameter` for `include=changedAt` in another order than that of changes */
export function requireOrderOf({ include = [], updatedSince }: ListQuery): void {
  if (updatedSince !== undefined || !include.includes("changedAt")) return;
  const message = "changedAt needs updatedSince";
  throw new AppError("invalid_parameter", `include: ${message}`, {
    fields: [{ field: "include", message }],
  });
}

export async function readPage(
  { database, workspaceId, query, apps }: EndpointRequest<Query>,
  after: ReviewPosition | null,
): Promise<Found> {
  const { store, limit, updatedSince: since } = query;
  const ofStores = apps.filter((app) => store === undefined || store.includes(app.store));
  const read = { workspaceId, apps: ofStores, filters: query, after, limit };
  if (since === undefined) {
    return { page: await database.listReviewPage(read) };
  }
  const until = await database.findChangeHorizon();
  const page = await database.listReviewChanges({ ...read, since, until });
  return { page, headers: { [updatedUntil]: until } };
}

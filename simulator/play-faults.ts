// Faults of Google Play, and the older and newer forms of its good responses.

import { hourMs, secondMs } from "../src/lib/timestamp.ts";
import { editBatch, editDetails, moveToTrailingObject } from "./response-edits.ts";
import type { FaultDetail, FaultTable, StoreResponse } from "./store-response.ts";

export const playFaults = {
  /** A gap: a page without reviews whose token says that there are more. */
  hole: (response: StoreResponse) => editBatch(response, (payload) => [[], ...payload.slice(1)]),
  /** `null` in place of the reviews: the form of an empty list. */
  null_payload: (response: StoreResponse) => editBatch(response, () => null),
  /** A page without the token of the next one, as if the list ended. */
  no_token: (response: StoreResponse) => editBatch(response, (payload) => [payload[0], null, null]),
  gateway_error: () => ({
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `)]}'\n\n[["wrb.fr",null,null,null,null,[13,null,[["type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError",[null,7]]]],"generic"]]`,
  }),
  /** Length lines before every chunk, the reviews in the first. */
  chunked_framing: (response: StoreResponse) => {
    const frames = response.body.slice(response.body.indexOf("["));
    const end = '[["e",4,null,null,131]]';
    const body = `)]}'\n\n${frames.length}\n${frames}\n${end.length}\n${end}`;
    return { ...response, body };
  },
  /** A response to only one of the two calls. */
  frame_missing: (response: StoreResponse) =>
    response.body.includes('"oCPfdb"')
      ? { ...response, body: `)]}'\n\n[["di",12],["af.httprm",12,"0",1]]` }
      : response,
  /** Reviews as they were in 2021. */
  short_arrays: (response: StoreResponse) =>
    editBatch(response, (payload) => [
      itemsOf(payload[0]).map((review, index) => itemsOf(review).slice(0, index % 2 ? 13 : 15)),
      ...payload.slice(1),
    ]),
  /** Texts at the end of the array, as after a change of the layout. */
  moved_field: (response: StoreResponse) =>
    editReviews(response, (review) => [...review.with(4, null), review[4]]),
  /** A list where the text was. */
  wrong_type: (response: StoreResponse) =>
    editReviews(response, (review) => review.with(4, [review[4]])),
  /** The id of a review where its text was. */
  replaced_texts: (response: StoreResponse) =>
    editReviews(response, (review) => review.with(4, review[0])),
  /** Reviews without a date. */
  undated: (response: StoreResponse) => editReviews(response, (review) => review.with(5, null)),
  /** The oldest review of a page first. */
  shuffled: (response: StoreResponse) =>
    editBatch(response, (payload) => payload.with(0, itemsOf(payload[0]).toReversed())),
  /** The first review of each page is of the year 2099. */
  future_date: (response: StoreResponse) =>
    editReviews(response, (review, index) =>
      index === 0 ? review.with(5, [Date.UTC(2099, 0, 1) / 1_000, 0]) : review,
    ),
  /** All dates are off by the same time, as of a clock that is wrong. */
  clock_step: (response: StoreResponse, { stepMs = hourMs }: FaultDetail) =>
    editReviews(response, (review) => {
      const [seconds, nanos] = itemsOf(review[5]);
      return review.with(5, [Number(seconds) + stepMs / secondMs, nanos]);
    }),
  /** The list of another app in place of the one that was requested. */
  foreign_feed: (response: StoreResponse) =>
    editReviews(response, (review) => review.with(0, `f0${String(review[0]).slice(2)}`)),
  /** Every page has the same token, so paging never ends. */
  token_cycle: (response: StoreResponse) =>
    editBatch(response, (payload) => [payload[0], null, [null, "again-and-again"]]),
  /** Version, ratings and date of update in an object at the end of the array. */
  trailing_object: (response: StoreResponse) => editDetails(response, moveToTrailingObject),
  /** Blocks under other numbers, as after a redesign. */
  moved_blocks: (response: StoreResponse) => ({
    ...response,
    body: response.body.replace(
      /'ds:(\d+)'/g,
      (_, number: string) => `'ds:${Number(number) + 20}'`,
    ),
  }),
  /** Not released yet: no price, no ratings. */
  pre_registration: (response: StoreResponse) =>
    editDetails(withoutSummary(response), (fields) =>
      fields.map((field, index) => {
        if (index === 18) return [1];
        return index === 51 || index === 57 ? null : field;
      }),
    ),
  /** Not offered in that country: no availability, no price. */
  not_in_region: (response: StoreResponse) =>
    editDetails(response, (fields) =>
      fields.map((field, index) => (index === 18 || index === 57 ? null : field)),
    ),
  /** An app without ratings. */
  unrated: (response: StoreResponse) =>
    editDetails(withoutSummary(response), (fields) =>
      fields.map((field, index) => (index === 51 ? null : field)),
    ),
  /** A report that was saved again by hand: UTF-8, other line ends. */
  resaved_export: ({ bytes, ...response }: StoreResponse) =>
    bytes ? { ...response, body: bytes.toString("utf16le").replace(/\r?\n/g, "\r\n") } : response,
  /** Unreadable blocks: only the ld+json summary is left. */
  no_blocks: (response: StoreResponse) => ({
    ...response,
    body: response.body.replaceAll("AF_initDataCallback", "AF_initElsewhere"),
  }),
} satisfies FaultTable;

function editReviews(
  response: StoreResponse,
  edit: (review: unknown[], index: number) => unknown[],
): StoreResponse {
  return editBatch(response, (payload) =>
    payload.with(
      0,
      itemsOf(payload[0]).map((review, index) => edit(itemsOf(review), index)),
    ),
  );
}

function withoutSummary(response: StoreResponse): StoreResponse {
  return { ...response, body: response.body.replace(/"aggregateRating":\{[^}]*\}/, '"none":{}') };
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

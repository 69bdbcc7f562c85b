// What Google Play does instead of answering well, and the generations of its good answers.

import type { FaultTable } from "./faults.ts";
import { editBatch, editDetails, moveToTrailingObject } from "./response-edits.ts";
import type { StoreResponse } from "./store-response.ts";

export const playFaults = {
  /** No reviews, while the token promises more. */
  hole: (answer: StoreResponse) => editBatch(answer, (payload) => [[], ...payload.slice(1)]),
  /** `null` where the reviews were: how the store says "nothing". */
  null_payload: (answer: StoreResponse) => editBatch(answer, () => null),
  gateway_error: () => ({
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `)]}'\n\n[["wrb.fr",null,null,null,null,[13,null,[["type.googleapis.com/com.google.play.gateway.proto.PlayGatewayError",[null,7]]]],"generic"]]`,
  }),
  /** Length lines before every chunk, the reviews in the first. */
  chunked_framing: (answer: StoreResponse) => {
    const frames = answer.body.slice(answer.body.indexOf("["));
    const end = '[["e",4,null,null,131]]';
    const body = `)]}'\n\n${frames.length}\n${frames}\n${end.length}\n${end}`;
    return { ...answer, body };
  },
  /** Only one of the two calls is answered. */
  frame_missing: (answer: StoreResponse) =>
    answer.body.includes('"oCPfdb"')
      ? { ...answer, body: `)]}'\n\n[["di",12],["af.httprm",12,"0",1]]` }
      : answer,
  /** Reviews as they were in 2021. */
  short_arrays: (answer: StoreResponse) =>
    editBatch(answer, (payload) => [
      itemsOf(payload[0]).map((review, index) => itemsOf(review).slice(0, index % 2 ? 13 : 15)),
      ...payload.slice(1),
    ]),
  /** The token of every page is that of the first. */
  token_cycle: (answer: StoreResponse) =>
    editBatch(answer, (payload) => [payload[0], null, [null, "again-and-again"]]),
  /** Version, ratings and date of update in the object at the end. */
  trailing_object: (answer: StoreResponse) => editDetails(answer, moveToTrailingObject),
  /** Blocks under other numbers, as after a redesign. */
  moved_blocks: (answer: StoreResponse) => ({
    ...answer,
    body: answer.body.replace(/'ds:(\d+)'/g, (_, number: string) => `'ds:${Number(number) + 20}'`),
  }),
  /** Not out yet: no price, no ratings. */
  pre_registration: (answer: StoreResponse) =>
    editDetails(withoutSummary(answer), (fields) =>
      fields.map((field, index) => {
        if (index === 18) return [1];
        return index === 51 || index === 57 ? null : field;
      }),
    ),
  /** Known, and not offered in that country: no availability, no price. */
  not_in_region: (answer: StoreResponse) =>
    editDetails(answer, (fields) =>
      fields.map((field, index) => (index === 18 || index === 57 ? null : field)),
    ),
  /** Nobody has rated it yet. */
  unrated: (answer: StoreResponse) =>
    editDetails(withoutSummary(answer), (fields) =>
      fields.map((field, index) => (index === 51 ? null : field)),
    ),
  /** An export that somebody saved again, in UTF-8 and with other line ends. */
  resaved_export: ({ bytes, ...answer }: StoreResponse) =>
    bytes ? { ...answer, body: bytes.toString("utf16le").replace(/\r?\n/g, "\r\n") } : answer,
  /** The blocks broken: only the ld+json summary is left. */
  no_blocks: (answer: StoreResponse) => ({
    ...answer,
    body: answer.body.replaceAll("AF_initDataCallback", "AF_initElsewhere"),
  }),
} satisfies FaultTable;

function withoutSummary(answer: StoreResponse): StoreResponse {
  return { ...answer, body: answer.body.replace(/"aggregateRating":\{[^}]*\}/, '"none":{}') };
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

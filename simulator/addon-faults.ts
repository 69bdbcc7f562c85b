// Faults of Firefox Add-ons, and the unusual forms of its good answers.
import { hourMs } from "../src/lib/timestamp.ts";
import { editJson, type Fields } from "./response-edits.ts";
import type { FaultDetail, FaultTable, StoreResponse } from "./store-response.ts";

export const addonFaults = {
  /** A gap: a page without ratings while the count says that there are some. */
  hole: (response: StoreResponse) => editList(response, (list) => ({ ...list, results: [] })),
  /** Every list is empty, and ends. */
  network_block: (response: StoreResponse) =>
    editList(response, (list) => ({ ...list, results: [], next: null })),
  /** The link to the next page leads back to the first. */
  wrapped_page: (response: StoreResponse) =>
    editList(response, (list) => ({
      ...list,
      next: String(list["next"] ?? "https://addons.mozilla.org/?page=0").replace(
        /([?&]page=)\d+/,
        "$11",
      ),
    })),
  /** A link to the next page that names none. */
  pageless_link: (response: StoreResponse) =>
    editList(response, (list) => ({ ...list, next: "https://addons.mozilla.org/elsewhere" })),
  /** No counts by stars. */
  no_counts: (response: StoreResponse) =>
    editList(response, ({ grouped_ratings: _, ...list }) => list),
  /** Counts by stars of other ratings. */
  other_counts: (response: StoreResponse) =>
    editList(response, (list) => ({
      ...list,
      grouped_ratings: { 1: 9_000, 2: 0, 3: 0, 4: 0, 5: 1 },
    })),
  /** The add-on was taken out of the public list. */
  not_public: (response: StoreResponse) =>
    isOfAddons(response)
      ? {
          ...response,
          status: 401,
          body: '{"detail":"x","is_disabled_by_developer":true,"is_disabled_by_mozilla":false}',
        }
      : response,
  moved_field: (response: StoreResponse) =>
    editRatings(response, ({ body, ...rating }) => ({ ...rating, text: body })),
  wrong_type: (response: StoreResponse) =>
    editRatings(response, (rating) => ({ ...rating, body: [rating["body"]] })),
  replaced_texts: (response: StoreResponse) =>
    editRatings(response, (rating) => ({ ...rating, body: String(rating["id"]) })),
  undated: (response: StoreResponse) =>
    editRatings(response, ({ created: _, ...rating }) => rating),
  shuffled: (response: StoreResponse) =>
    editList(response, (list) => ({ ...list, results: ratingsOf(list).toReversed() })),
  future_date: (response: StoreResponse) =>
    editRatings(response, (rating, index) =>
      index === 0 ? { ...rating, created: "2099-01-01T00:00:00Z" } : rating,
    ),
  clock_step: (response: StoreResponse, { stepMs = hourMs }: FaultDetail) =>
    editRatings(response, (rating) => ({
      ...rating,
      created: new Date(Date.parse(String(rating["created"])) + stepMs).toISOString(),
    })),
  /** The ratings of another add-on, which say so. */
  foreign_feed: (response: StoreResponse) =>
    editRatings(response, (rating) => ({ ...rating, addon: { id: 987_654 } })),
} satisfies FaultTable;

function isOfAddons({ status, body }: StoreResponse): boolean {
  return status === 200 && /^\{"(id":\d+,"slug|page_size)"/.test(body);
}

function ratingsOf(list: Fields): Fields[] {
  return Array.isArray(list["results"]) ? (list["results"] as Fields[]) : [];
}

/** Lists of ratings have counts by stars where they were asked for, and no other list has them. */
function editList(response: StoreResponse, edit: (list: Fields) => Fields): StoreResponse {
  return editJson(response, (json) => {
    const list = json as Fields | null;
    return list && "page_count" in list ? edit(list) : null;
  });
}

function editRatings(
  response: StoreResponse,
  edit: (rating: Fields, index: number) => Fields,
): StoreResponse {
  return editList(response, (list) => ({ ...list, results: ratingsOf(list).map(edit) }));
}

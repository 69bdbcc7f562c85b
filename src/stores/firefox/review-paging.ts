// One page of an add-on's ratings. The cursor is a page's number, and the length of the list when the page before was read:
// where ratings were deleted meanwhile, others have moved to a page that was read already.

import { foreignCursor, noNextPage, unexpectedContent, unknownOutcome } from "../response-check.ts";
import { firstOfEach } from "../source-reviews.ts";
import type { AppInRegion, FetchedPage, UnknownOutcome } from "../store.ts";
import { type AddonsClient, addonsName, getJson } from "./addons-client.ts";
import { parseRatingList, type RatingList } from "./rating-list.ts";

/** The API's maximum. */
const pageSizeMax = 50;
/** 100,000 ratings: more than any add-on has. */
const pageMax = 2_000;

type Position = { page: number; countBefore: number };

export async function fetchReviews(
  client: AddonsClient,
  { externalAppId: addonId, cursor }: AppInRegion & { cursor: string | null },
): Promise<FetchedPage> {
  const position = cursor === null ? { page: 1, countBefore: 0 } : parseCursor(cursor);
  if (position === null) return foreignCursor;
  const { page, countBefore } = position;
  const list = await fetchRatingList(client, { addonId, page, pageSize: pageSizeMax });
  if ("outcome" in list) return { ...list, ...noNextPage };
  // An unknown add-on, or a page behind the end of the list.
  if ("kind" in list) return { outcome: "empty", ...noNextPage };
  const itemCount = list.reviews.length + list.rejectedCount;
  if (itemCount === 0) return describeEmpty(list, page);
  const { reviews, rejectedCount, count, nextPage, lacksReplies } = list;
  const isMoved = page > 1 && count < countBefore;
  const before = isMoved
    ? await fetchRatingList(client, { addonId, page: page - 1, pageSize: pageSizeMax })
    : null;
  if (before && "outcome" in before) return { ...before, ...noNextPage };
  const earlier = before && "reviews" in before ? before.reviews : [];
  // A link that leads back, or nowhere, ends the crawl before the list does.
  const goesOn = nextPage === page + 1 && nextPage <= pageMax;
  return {
    outcome: "ok",
    value: {
      reviews: firstOfEach([...earlier, ...reviews]),
      rejectedCount,
      copyMadeAt: null,
      ...(lacksReplies && { lacksReplies }),
    },
    next: goesOn ? formatCursor({ page: nextPage, countBefore: count }) : null,
    capped: nextPage !== null && !goesOn,
  };
}

/** Nothing is believed only where all counts agree. */
function describeEmpty({ count, histogram, nextPage }: RatingList, page: number): FetchedPage {
  const isZero = histogram?.every((one) => one === 0) ?? false;
  if (page === 1 && count === 0 && isZero) return { outcome: "empty", ...noNextPage };
  if (page > 1 && nextPage === null) return { outcome: "empty", ...noNextPage };
  const reason = `${addonsName} shows none of the ${count} ratings that it counts`;
  return { ...unknownOutcome(reason), ...noNextPage };
}

/** `absent`: the add-on, or that page of it. */
export async function fetchRatingList(
  client: AddonsClient,
  { addonId, page, pageSize }: { addonId: string; page: number; pageSize: number },
): Promise<RatingList | { kind: "absent" } | UnknownOutcome> {
  const numbers = { page: String(page), page_size: String(pageSize) };
  const query = { addon: addonId, ...numbers, show_grouped_ratings: "1" };
  const expected = "ratings of the add-on";
  const answer = await getJson(client, { path: "ratings/rating/", query, expected });
  if ("outcome" in answer || answer.kind === "absent") return answer;
  return parseRatingList(answer.json, addonId) ?? unexpectedContent(addonsName, expected);
}

function formatCursor({ page, countBefore }: Position): string {
  return `${page}/${countBefore}`;
}

/** null: not a cursor of this store. */
function parseCursor(text: string): Position | null {
  const [, page, countBefore] = /^(\d{1,6})\/(\d{1,15})$/.exec(text) ?? [];
  if (page === undefined || Number(page) < 2) return null;
  return { page: Number(page), countBefore: Number(countBefore) };
}

// Parses a page of an add-on's ratings: the latest one of each user, with a text or with stars alone, newest first. Of the user
// only the name is read.
import { reviewLimits, type SourceReview } from "../../domain/review/review.ts";
import type { Histogram } from "../../domain/review/snapshot.ts";
import { countAt, isObject, listAt, numberAt, textAt, valueAt } from "../../lib/json.ts";
import { canParseUrl } from "../../lib/urls.ts";
import { collectReviews, toReply, toSourceReview } from "../source-reviews.ts";
import { plausibleDate } from "../source-text.ts";

export type RatingList = {
  reviews: SourceReview[];
  rejectedCount: number;
  /** The length of the whole list. */
  count: number;
  /** null on the last page; 0 where the API names a next page without a number. */
  nextPage: number | null;
  /** null where the answer has none. */
  histogram: Histogram | null;
  /** No item says whether it was answered. */
  lacksReplies: boolean;
};

/** null: no page of ratings, or one of another add-on. */
export function parseRatingList(json: unknown, addonId: string): RatingList | null {
  const items = listAt(json, "results");
  const count = countAt(json, "count");
  if (!items || count === null || !isObject(json) || !("next" in json)) return null;
  const next = valueAt(json, "next");
  if (next !== null && typeof next !== "string") return null;
  const isForeign = items.some((item) => {
    const id = countAt(item, "addon", "id");
    return id !== null && String(id) !== addonId;
  });
  if (isForeign) return null;
  const shown = items.filter((item) => valueAt(item, "is_deleted") !== true);
  const lacksReplies = shown.length > 0 && !shown.some((one) => isObject(one) && "reply" in one);
  const nextPage = next === null ? null : pageNumberOf(next);
  const histogram = parseHistogram(valueAt(json, "grouped_ratings"));
  return { ...collectReviews(shown, parseRating), count, nextPage, histogram, lacksReplies };
}

/** The only part of the store's link that is used. */
function pageNumberOf(link: string): number {
  const text = canParseUrl(link) ? new URL(link).searchParams.get("page") : null;
  return /^\d{1,6}$/.test(text ?? "") ? Number(text) : 0;
}

function parseRating(item: unknown): SourceReview | null {
  const id = countAt(item, "id");
  const body = valueAt(item, "body");
  const isStarsAlone = isObject(item) && item["body"] === null;
  const reply = valueAt(item, "reply");
  const raw = {
    id: id === null ? null : String(id),
    author: valueAt(item, "user", "name"),
    rating: numberAt(item, "score"),
    text: isStarsAlone ? "" : body,
    version: valueAt(item, "version", "version"),
    date: dateOf(textAt(item, "created")),
    reply: toReply(valueAt(reply, "body"), dateOf(textAt(reply, "created"))),
  };
  return toSourceReview(raw, isReviewId);
}

function isReviewId(id: string): boolean {
  return /^[1-9]\d{2,15}$/.test(id);
}

function parseHistogram(json: unknown): Histogram | null {
  const counts = [1, 2, 3, 4, 5].map((stars) => countAt(json, String(stars)));
  return counts.every((count) => count !== null) ? (counts as unknown as Histogram) : null;
}

export function dateOf(text: string | null): Date | null {
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/.test(text ?? "");
  const ms = isIso ? Date.parse(text ?? "") : Number.NaN;
  return Number.isNaN(ms) ? null : plausibleDate(ms, reviewLimits.yearMin);
}

// Parses a page of Google Play's reviews: arrays without names that grew from 13 to 17 items over the
// years. Only id and rating of a review are required.

import { type Reply, reviewLimits, type SourceReview } from "../../domain/review.ts";
import { countAt, listAt, numberAt, textAt, valueAt } from "../../lib/json.ts";
import { secondMs } from "../../lib/timestamp.ts";
import {
  isStars,
  plausibleDate,
  plausibleVotes,
  sourceText,
  statedText,
  versionMax,
} from "../source-text.ts";
import { firstOfEach } from "../unique-reviews.ts";

export type ReviewsPayload = {
  reviews: SourceReview[];
  rejectedCount: number;
  /** null on the last page. */
  token: string | null;
};

/** `language`: of the request, in the store's spelling. null: no payload of reviews. */
export function parseReviewsPayload(payload: unknown, language: string): ReviewsPayload | null {
  // The store sends null for an empty list.
  if (payload === null) return { reviews: [], rejectedCount: 0, token: null };
  const list = valueAt(payload, 0);
  if (!Array.isArray(payload) || (list !== null && !Array.isArray(list))) return null;
  const items: unknown[] = list ?? [];
  const reviews = items
    .map((item) => parseReview(item, language))
    .filter((review) => review !== null);
  return {
    reviews: firstOfEach(reviews),
    rejectedCount: items.length - reviews.length,
    token: tokenOf(payload),
  };
}

function parseReview(item: unknown, language: string): SourceReview | null {
  const storeReviewId = textAt(item, 0);
  const rating = numberAt(item, 2);
  if (storeReviewId === null || !isReviewId(storeReviewId)) return null;
  if (!isStars(rating)) return null;
  const text = textOf(item);
  return {
    storeReviewId,
    author: sourceText(valueAt(item, 1, 0), reviewLimits.authorMax),
    rating,
    // The store has no titles any more; an old review can have nothing but a title.
    title: null,
    text,
    version: sourceText(valueAt(item, 10), versionMax),
    country: null,
    languageHint: baseLanguage(language),
    date: dateOf(valueAt(item, 5)),
    votes: plausibleVotes(countAt(item, 6)),
    reply: replyOf(valueAt(item, 7)),
  };
}

/** null: there is something else in its place, as after a change of the layout. */
function textOf(item: unknown): string | null {
  const text = statedText(valueAt(item, 4) ?? "", reviewLimits.textMax);
  return text === "" ? sourceText(valueAt(item, 3), reviewLimits.textMax) : text;
}

/** A UUID now, `gp:` and a long word in 2021. */
function isReviewId(text: string): boolean {
  return text.length <= reviewLimits.storeReviewIdMax && /^(?=.*\d)[\w:.-]+$/.test(text);
}

/**
 * The language of the request. The store also sends reviews in other languages, so this hint counts only where the
 * text of a review is too short for detection.
 */
function baseLanguage(language: string): string {
  return language.split("-")[0]?.toLowerCase() ?? language;
}

/** `[seconds, nanoseconds]`, where the second is a number of its own and not digits after a point. */
function dateOf(value: unknown): Date | null {
  const seconds = numberAt(value, 0);
  const nanos = numberAt(value, 1) ?? 0;
  if (seconds === null) return null;
  const ms = nanos >= 0 && nanos < 1e9 ? Math.floor(nanos / 1e6) : 0;
  return plausibleDate(Math.floor(seconds) * secondMs + ms, reviewLimits.yearMin);
}

/** May be older than the review: an edit keeps the reply. */
function replyOf(value: unknown): Reply | null {
  const text = sourceText(valueAt(value, 1), reviewLimits.textMax);
  return text === "" ? null : { text, at: dateOf(valueAt(value, 2)) };
}

function tokenOf(payload: unknown): string | null {
  // Some payloads have something between the list and the token, some have something behind it.
  const [next, ...others] = listAt(payload)?.slice(1) ?? [];
  const holders = [next, ...others.filter((holder) => valueAt(holder, 0) === null)];
  const tokens = holders.map((holder) => textAt(holder, 1) ?? "");
  return tokens.find((token) => token !== "") ?? null;
}

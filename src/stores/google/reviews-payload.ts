// Parses a page of Google Play's reviews: arrays without names that grew from 13 to 17 items over the
// years. Only id and rating of a review are required.

import { reviewLimits, type SourceReview } from "../../domain/review.ts";
import { countAt, listAt, numberAt, textAt, valueAt } from "../../lib/json.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { collectReviews, toReply, toSourceReview } from "../source-reviews.ts";
import { plausibleDate, plausibleVotes, sourceText, statedText } from "../source-text.ts";

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
  return {
    ...collectReviews(items, (item) => parseReview(item, language)),
    token: tokenOf(payload),
  };
}

function parseReview(item: unknown, language: string): SourceReview | null {
  const raw = {
    id: textAt(item, 0),
    author: valueAt(item, 1, 0),
    rating: numberAt(item, 2),
    text: textOf(item),
    version: valueAt(item, 10),
    languageHint: baseLanguage(language),
    date: dateOf(valueAt(item, 5)),
    votes: plausibleVotes(countAt(item, 6)),
    // May be older than the review: an edit keeps the reply.
    reply: toReply(valueAt(item, 7, 1), dateOf(valueAt(item, 7, 2))),
  };
  return toSourceReview(raw, isReviewId);
}

/**
 * The store has no titles any more; an old review can have nothing but a title. null: there is something else in its
 * place, as after a change of the layout.
 */
function textOf(item: unknown): string | null {
  const text = statedText(valueAt(item, 4) ?? "", reviewLimits.textMax);
  return text === "" ? sourceText(valueAt(item, 3), reviewLimits.textMax) : text;
}

/** A UUID now, `gp:` and a long word in 2021. */
export function isReviewId(text: string): boolean {
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
  return toDate(numberAt(value, 0), numberAt(value, 1));
}

export function toDate(seconds: number | null, nanoseconds: number | null): Date | null {
  const nanos = nanoseconds ?? 0;
  if (seconds === null) return null;
  const ms = nanos >= 0 && nanos < 1e9 ? Math.floor(nanos / 1e6) : 0;
  return plausibleDate(Math.floor(seconds) * secondMs + ms, reviewLimits.yearMin);
}

function tokenOf(payload: unknown): string | null {
  // Some payloads have something between the list and the token, some have something behind it.
  const [next, ...others] = listAt(payload)?.slice(1) ?? [];
  const holders = [next, ...others.filter((holder) => valueAt(holder, 0) === null)];
  const tokens = holders.map((holder) => textAt(holder, 1) ?? "");
  return tokens.find((token) => token !== "") ?? null;
}

// Parses a page of Google Play's reviews: arrays without names that grew from 13 to 17 items over the
// years. Only id and rating of a review are required.

import { reviewLimits, type SourceReview, textOrTitle } from "../../domain/review/review.ts";
import { listAt, textAt, valueAt } from "../../lib/json.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { type GoogleReviewsShape, googleReviews } from "../shapes/google-shapes.ts";
import { type ItemOf, type Path, readItem } from "../shapes/shape.ts";
import { collectReviews, toReply, toSourceReview } from "../source-reviews.ts";
import { plausibleDate, plausibleVotes, sourceText, statedText } from "../source-text.ts";

export type ReviewsPayload = {
  reviews: SourceReview[];
  rejectedCount: number;
  /** null on the last page. */
  token: string | null;
};

/** `language`: of the request, in the store's spelling. null: no payload of reviews. */
export function parseReviewsPayload(
  payload: unknown,
  language: string,
  shape: GoogleReviewsShape = googleReviews,
): ReviewsPayload | null {
  // The store sends null for an empty list.
  if (payload === null) return { reviews: [], rejectedCount: 0, token: null };
  const list = valueAt(payload, ...shape.root);
  if (!Array.isArray(list ?? payload)) return null;
  return {
    ...collectReviews(listAt(list) ?? [], (item) => parseReview(readItem(shape, item), language)),
    token: tokenOf(payload, shape.root),
  };
}

function parseReview(item: ItemOf<GoogleReviewsShape>, language: string): SourceReview | null {
  const { id, author, rating, version } = item;
  // May be older than the review: an edit keeps the reply.
  const repliedAt = toDate(item.replySeconds, item.replyNanoseconds);
  const raw = {
    id,
    author,
    rating,
    version,
    text: textOf(item),
    languageHint: baseLanguage(language),
    date: toDate(item.seconds, item.nanoseconds),
    votes: plausibleVotes(item.votes),
    reply: toReply(item.replyText, repliedAt),
  };
  return toSourceReview(raw, isReviewId);
}

/**
 * The store has no titles any more; an old review can have nothing but a title. null: there is something else in its
 * place, as after a change of the layout.
 */
function textOf(item: ItemOf<GoogleReviewsShape>): string | null {
  const text = statedText(item.text ?? "", reviewLimits.textMax);
  return textOrTitle(text, text === null ? null : sourceText(item.title, reviewLimits.textMax));
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

export function toDate(seconds: number | null, nanoseconds: number | null): Date | null {
  const nanos = nanoseconds ?? 0;
  if (seconds === null) return null;
  const ms = nanos >= 0 && nanos < 1e9 ? Math.floor(nanos / 1e6) : 0;
  return plausibleDate(Math.floor(seconds) * secondMs + ms, reviewLimits.yearMin);
}

/** Beside the list, or beside a list around it. */
function tokenOf(payload: unknown, root: Path): string | null {
  const tokens = root.map((_, depth) => tokenBeside(payload, root.slice(0, root.length - depth)));
  return tokens.find((token) => token !== null) ?? null;
}

function tokenBeside(payload: unknown, path: Path): string | null {
  const around = Object.entries(valueAt(payload, ...path.slice(0, -1)) ?? {});
  const at = around.findIndex(([key]) => key === String(path.at(-1)));
  const holders = around.map(([, holder]) => holder);
  // Some payloads have something between the list and the token, some have something behind it.
  const others = holders.filter((holder) => valueAt(holder, 0) === null);
  const tokens = [holders[at + 1], ...others].map((holder) => textAt(holder, 1) ?? "");
  return tokens.find((token) => token !== "") ?? null;
}

// Parses a page of reviews of the Google Play Developer API: protobuf JSON, which leaves out zero, ""
// and empty lists.

import { reviewLimits, type SourceReview, textOrTitle } from "../../../domain/review/review.ts";
import { splitTabbedTitle } from "../../../domain/store/play-link.ts";
import { countAt, listAt, numberAt, parseJson, textAt, valueAt } from "../../../lib/json.ts";
import { isReviewId, toDate } from "../../../stores/google/reviews-payload.ts";
import { collectReviews, toReply, toSourceReview } from "../../../stores/source-reviews.ts";
import { plausibleVotes, sourceText } from "../../../stores/source-text.ts";

type ApiPage = {
  reviews: SourceReview[];
  rejectedCount: number;
  /** null on the last page. */
  token: string | null;
};

/** null: no page of reviews. */
export function parseApiPage(text: string): ApiPage | null {
  const json = parseJson(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
  // The API leaves out an empty list; an error has none either.
  if (valueAt(json, "error") !== null) return null;
  const listed = valueAt(json, "reviews");
  if (listed !== null && !Array.isArray(listed)) return null;
  const items: unknown[] = listed ?? [];
  const token = textAt(json, "tokenPagination", "nextPageToken");
  return { ...collectReviews(items, parseApiReview), token: token === "" ? null : token };
}

/** One review, as it also comes alone. */
export function parseApiReview(item: unknown): SourceReview | null {
  // The comments of user and developer are in one list, in no promised order.
  const comments = listAt(item, "comments") ?? [];
  const user = comments.map((each) => valueAt(each, "userComment")).find(isThere);
  const developer = comments.map((each) => valueAt(each, "developerComment")).find(isThere);
  const raw = {
    id: textAt(item, "reviewId"),
    author: valueAt(item, "authorName"),
    rating: numberAt(user, "starRating"),
    text: textOf(user),
    version: versionOf(user),
    languageHint: languageOf(textAt(user, "reviewerLanguage")),
    date: dateOf(valueAt(user, "lastModified")),
    votes: plausibleVotes(countAt(user, "thumbsUpCount") ?? 0),
    reply: toReply(valueAt(developer, "text"), dateOf(valueAt(developer, "lastModified"))),
    ...deviceOf(user),
  };
  return toSourceReview(raw, isReviewId);
}

/** The name, or without one the code. */
function versionOf(user: unknown): string {
  const name = textAt(user, "appVersionName") ?? "";
  return name.trim() === "" ? String(countAt(user, "appVersionCode") ?? name) : name;
}

/** The marketing name if present, else the manufacturer's name. */
function deviceOf(user: unknown): Pick<SourceReview, "device" | "osVersion"> {
  const named = valueAt(user, "deviceMetadata", "productName") ?? valueAt(user, "device");
  const device = sourceText(named, reviewLimits.deviceMax);
  const osVersion = countAt(user, "androidOsVersion");
  return {
    ...(device === "" ? {} : { device }),
    ...(osVersion === null || osVersion === 0 ? {} : { osVersion: String(osVersion) }),
  };
}

function isThere(value: unknown): boolean {
  return value !== null;
}

/** The original text, not its translation. Old reviews have their title before a tab. */
function textOf(user: unknown): string {
  const original = textAt(user, "originalText") ?? "";
  const full = original === "" ? (textAt(user, "text") ?? "") : original;
  const { title, text } = splitTabbedTitle(full);
  return textOrTitle(text, title);
}

/** `pt_BR`: the language of the device, which is not a country. */
export function languageOf(text: string | null): string | null {
  return text?.match(/^([a-z]{2,3})(?:[-_]|$)/i)?.[1]?.toLowerCase() ?? null;
}

/** Seconds come as text: protobuf JSON writes 64-bit integers so. */
export function dateOf(value: unknown): Date | null {
  const seconds = textAt(value, "seconds") ?? String(numberAt(value, "seconds") ?? "");
  return /^\d{1,12}$/.test(seconds) ? toDate(Number(seconds), numberAt(value, "nanos")) : null;
}

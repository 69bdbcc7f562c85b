// Parses a page of reviews of the Google Play Developer API: protobuf JSON, which leaves out zero, ""
// and empty lists.

import { type Reply, reviewLimits, type SourceReview } from "../../../domain/review.ts";
import { countAt, listAt, numberAt, parseJson, textAt, valueAt } from "../../../lib/json.ts";
import { secondMs } from "../../../lib/timestamp.ts";
import {
  isStars,
  plausibleDate,
  plausibleVotes,
  sourceText,
  versionMax,
} from "../../source-text.ts";
import { firstOfEach } from "../../unique-reviews.ts";

export type ApiPage = {
  reviews: SourceReview[];
  rejectedCount: number;
  /** null on the last page. */
  token: string | null;
};

/** null: no page of reviews. */
export function parseApiPage(text: string): ApiPage | null {
  const json = parseJson(text);
  if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
  const listed = valueAt(json, "reviews");
  if (listed !== null && !Array.isArray(listed)) return null;
  const items: unknown[] = listed ?? [];
  const reviews = items.map(parseApiReview).filter((review) => review !== null);
  const token = textAt(json, "tokenPagination", "nextPageToken");
  return {
    reviews: firstOfEach(reviews),
    rejectedCount: items.length - reviews.length,
    token: token === "" ? null : token,
  };
}

/** One review, as it also comes alone. */
export function parseApiReview(item: unknown): SourceReview | null {
  const id = textAt(item, "reviewId");
  // The comments of user and developer are in one list, in no promised order.
  const comments = listAt(item, "comments") ?? [];
  const user = comments.map((each) => valueAt(each, "userComment")).find(isThere);
  const developer = comments.map((each) => valueAt(each, "developerComment")).find(isThere);
  const rating = numberAt(user, "starRating");
  if (id === null || !isReviewId(id)) return null;
  if (!isStars(rating)) return null;
  const code = countAt(user, "appVersionCode");
  const name = sourceText(valueAt(user, "appVersionName"), versionMax);
  return {
    storeReviewId: id,
    author: sourceText(valueAt(item, "authorName"), reviewLimits.authorMax),
    rating,
    title: null,
    text: textOf(user),
    version: name === "" && code !== null ? String(code) : name,
    country: null,
    languageHint: languageOf(textAt(user, "reviewerLanguage")),
    date: dateOf(valueAt(user, "lastModified")),
    votes: plausibleVotes(countAt(user, "thumbsUpCount") ?? 0),
    reply: replyOf(developer),
    ...deviceOf(user),
  };
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

/** A UUID, or `gp:` and a long word. */
export function isReviewId(text: string): boolean {
  return text.length <= reviewLimits.storeReviewIdMax && /^(?=.*\d)[\w:.-]+$/.test(text);
}

/** The original text, not its translation. Old reviews have their title before a tab. */
function textOf(user: unknown): string {
  const original = textAt(user, "originalText") ?? "";
  const full = original === "" ? (textAt(user, "text") ?? "") : original;
  const tab = full.indexOf("\t");
  const [title, body] = tab < 0 ? ["", full] : [full.slice(0, tab), full.slice(tab + 1)];
  // An old review can have nothing but a title.
  return sourceText(body.trim() === "" ? title : body, reviewLimits.textMax);
}

/** `pt_BR`: the language of the device, which is not a country. */
export function languageOf(text: string | null): string | null {
  return text?.match(/^([a-z]{2,3})(?:[-_]|$)/i)?.[1]?.toLowerCase() ?? null;
}

/** Seconds come as text: protobuf JSON writes 64-bit integers so. */
function dateOf(value: unknown): Date | null {
  const seconds = textAt(value, "seconds") ?? String(numberAt(value, "seconds") ?? "");
  const nanos = numberAt(value, "nanos") ?? 0;
  if (!/^\d{1,12}$/.test(seconds)) return null;
  const ms = nanos >= 0 && nanos < 1e9 ? Math.floor(nanos / 1e6) : 0;
  return plausibleDate(Number(seconds) * secondMs + ms, reviewLimits.yearMin);
}

function replyOf(developer: unknown): Reply | null {
  const text = sourceText(valueAt(developer, "text"), reviewLimits.textMax);
  return text === "" ? null : { text, at: dateOf(valueAt(developer, "lastModified")) };
}

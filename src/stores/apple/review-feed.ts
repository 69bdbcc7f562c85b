// Parses one page of Apple's customer-review feed (JSON). Of an entry only id and rating are
// required; what is broken is counted, never guessed.
import { reviewLimits, type SourceReview } from "../../reviews/review.ts";
import { firstOfEach } from "../first-of-each.ts";
import { listAt, parseJson, textAt, valueAt } from "../json-value.ts";
import { plausibleDate, sourceText, versionMax } from "../source-text.ts";
import type { ReviewPage } from "../store.ts";

export type FeedPage = ReviewPage & {
  /** The number of the last page, 0 when the paging links are empty, null when there are none. */
  lastPage: number | null;
};

/** null: no feed. */
export function parseReviewFeed(text: string, region: string): FeedPage | null {
  const feed = valueAt(parseJson(text), "feed");
  if (typeof feed !== "object" || feed === null || Array.isArray(feed)) return null;
  const entries = entriesOf(feed);
  // The app itself stands before its reviews in old copies, and it has no rating.
  const candidates = entries.filter((entry) => !isAppEntry(entry));
  const reviews = candidates
    .map((entry) => parseEntry(entry, region))
    .filter((review) => review !== null);
  return {
    reviews: firstOfEach(reviews),
    rejectedCount: candidates.length - reviews.length,
    copyMadeAt: dateOf(textAt(feed, "updated", "label")),
    lastPage: lastPageOf(feed),
  };
}

/** One entry comes without the array, none without the key or as null. */
function entriesOf(feed: unknown): unknown[] {
  const entry = valueAt(feed, "entry");
  if (entry === null) return [];
  return Array.isArray(entry) ? entry : [entry];
}

function isAppEntry(entry: unknown): boolean {
  return valueAt(entry, "im:rating") === null && valueAt(entry, "im:name") !== null;
}

function parseEntry(entry: unknown, region: string): SourceReview | null {
  const storeReviewId = textAt(entry, "id", "label");
  const rating = Number(textAt(entry, "im:rating", "label") ?? Number.NaN);
  if (storeReviewId === null || !/^\d{1,20}$/.test(storeReviewId)) return null;
  if (![1, 2, 3, 4, 5].includes(rating)) return null;
  const labelOf = (name: string) => valueAt(entry, name, "label");
  return {
    storeReviewId,
    author: sourceText(valueAt(entry, "author", "name", "label"), reviewLimits.authorMax),
    rating,
    title: sourceText(labelOf("title"), reviewLimits.titleMax),
    text: sourceText(labelOf("content"), reviewLimits.textMax),
    version: sourceText(labelOf("im:version"), versionMax),
    country: region,
    languageHint: null,
    date: dateOf(textAt(entry, "updated", "label")),
    votes: votesOf(textAt(entry, "im:voteSum", "label")),
    reply: null,
  };
}

/** Without an offset a time would be read in the machine's own zone. */
function dateOf(text: string | null): Date | null {
  if (text === null || !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  return plausibleDate(Date.parse(text), reviewLimits.yearMin);
}

/** Helpful minus not helpful: may be negative. */
function votesOf(text: string | null): number | null {
  return text !== null && /^-?\d{1,9}$/.test(text) ? Number(text) : null;
}

/** Only the number is read: the links name the XML variant and internal hosts. */
function lastPageOf(feed: unknown): number | null {
  const last = listAt(feed, "link")?.find((link) => textAt(link, "attributes", "rel") === "last");
  const href = textAt(last, "attributes", "href");
  if (href === null) return null;
  if (href === "") return 0;
  const page = href.match(/\/page=(\d{1,4})\//)?.[1];
  return page === undefined ? null : Number(page);
}

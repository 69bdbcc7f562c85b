// One entry of Apple's customer-review feed, whatever format it came in. Only id and rating are
// required; what is broken is counted, never guessed.
import { reviewLimits, type SourceReview } from "../../domain/review.ts";
import { plausibleDate, sourceText, versionMax } from "../source-text.ts";
import type { ReviewPage } from "../store.ts";
import { firstOfEach } from "../unique-reviews.ts";

/** What an entry says, before anything is believed; null where it says nothing. */
export type StatedEntry = {
  id: string | null;
  rating: string | null;
  author: unknown;
  title: unknown;
  text: unknown;
  version: unknown;
  updated: string | null;
  voteSum: string | null;
  /** The entry is the app itself, which stands before its reviews in old copies. */
  isApp: boolean;
};

/** The app has a name, a maker and pictures where a review has its rating. */
export function isAppEntry(has: (name: string) => boolean): boolean {
  return !has("im:rating") && ["im:name", "im:artist", "im:image"].some(has);
}

export type FeedPage = ReviewPage & {
  /** The number of the last page, 0 when the paging links are empty, null when there are none. */
  lastPage: number | null;
};

export function feedPage(
  stated: { entries: readonly StatedEntry[]; updated: string | null; lastHref: string | null },
  region: string,
): FeedPage {
  const candidates = stated.entries.filter(({ isApp }) => !isApp);
  const reviews = candidates
    .map((entry) => readEntry(entry, region))
    .filter((review) => review !== null);
  return {
    reviews: firstOfEach(reviews),
    rejectedCount: candidates.length - reviews.length,
    copyMadeAt: dateOf(stated.updated),
    lastPage: lastPageOf(stated.lastHref),
  };
}

function readEntry(entry: StatedEntry, region: string): SourceReview | null {
  const [id, rating, voteSum] = [entry.id, entry.rating, entry.voteSum].map((word) => word?.trim());
  if (id === undefined || !isReviewId(id)) return null;
  if (rating === undefined || !/^[1-5]$/.test(rating)) return null;
  return {
    storeReviewId: id,
    author: sourceText(entry.author, reviewLimits.authorMax),
    rating: Number(rating),
    title: sourceText(entry.title, reviewLimits.titleMax),
    text: sourceText(entry.text, reviewLimits.textMax),
    version: sourceText(entry.version, versionMax),
    country: region,
    languageHint: null,
    date: dateOf(entry.updated),
    // Helpful minus not helpful: may be negative.
    votes: voteSum !== undefined && /^-?\d{1,9}$/.test(voteSum) ? Number(voteSum) : null,
    reply: null,
  };
}

/** The App Store's public pages number their reviews. */
export function isReviewId(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}

/** Without an offset a time would be read in the machine's own zone. */
export function dateOf(text: string | null): Date | null {
  const [, moment, offset] =
    text?.trim().match(/^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)$/) ?? [];
  if (moment === undefined || offset === undefined) return null;
  const colonned = offset.replace(/^(...)(\d\d)$/, "$1:$2");
  return plausibleDate(Date.parse(moment + colonned), reviewLimits.yearMin);
}

/** Only the number is read: the links name the XML variant and internal hosts. None means 1. */
function lastPageOf(href: string | null): number | null {
  if (href === null) return null;
  if (href === "") return 0;
  // Behind the question mark stands what was asked for, with a page of its own.
  const [path = ""] = href.split("?");
  const page = path.match(/\/page=(\d{1,4})(?:\/|$)/)?.[1];
  if (page !== undefined) return Number(page);
  return /\/customerreviews\//.test(path) ? 1 : null;
}

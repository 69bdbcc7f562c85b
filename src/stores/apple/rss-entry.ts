// One entry of Apple's RSS feed of reviews, in either format. Only id and rating are required; broken
// entries are counted, never guessed.
import { reviewLimits, type SourceReview } from "../../domain/review/review.ts";
import { collectReviews, toSourceReview } from "../source-reviews.ts";
import { plausibleDate } from "../source-text.ts";
import type { ReviewPage } from "../store.ts";

/** The fields of an entry before they are validated; null where one is missing. */
export type RawEntry = {
  id: string | null;
  rating: string | null;
  author: unknown;
  title: unknown;
  text: unknown;
  version: unknown;
  updated: string | null;
  voteSum: string | null;
  /** Address of the review in the store. */
  href: string | null;
  /** The entry is the app itself, which stands before its reviews in old copies. */
  isApp: boolean;
};

/** The app has a name, a maker and pictures; its average may be where a review has its rating. */
export function isAppEntry(has: (name: string) => boolean): boolean {
  return ["im:name", "im:artist", "im:image"].some(has);
}

/** `externalAppId`: entries of another app are rejected; without it there is none. */
export type FeedApp = { region: string; externalAppId?: string };

export type RssPage = ReviewPage & {
  /** Entries of another app. */
  foreignCount: number;
  /** Number of the last page; 0 when the paging links are empty, null when there are none. */
  lastPage: number | null;
};

export function toRssPage(
  feed: { entries: readonly RawEntry[]; updated: string | null; lastHref: string | null },
  app: FeedApp,
): RssPage {
  const { region } = app;
  const candidates = feed.entries.filter(({ isApp }) => !isApp);
  const own = candidates.filter((entry) => !isForeign(entry, app));
  const foreignCount = candidates.length - own.length;
  const { reviews, rejectedCount } = collectReviews(own, (entry) => parseEntry(entry, region));
  return {
    reviews,
    rejectedCount: rejectedCount + foreignCount,
    foreignCount,
    copyMadeAt: dateOf(feed.updated),
    lastPage: lastPageOf(feed.lastHref),
  };
}

function parseEntry(entry: RawEntry, region: string): SourceReview | null {
  const [id, rating, voteSum] = [entry.id, entry.rating, entry.voteSum].map((field) =>
    field?.trim(),
  );
  const { author, title, text, version } = entry;
  const raw = {
    id: id ?? null,
    author,
    rating: rating !== undefined && /^[1-5]$/.test(rating) ? Number(rating) : null,
    title,
    text,
    version,
    country: region,
    date: dateOf(entry.updated),
    // Helpful minus not helpful: may be negative.
    votes: voteSum !== undefined && /^-?\d{1,9}$/.test(voteSum) ? Number(voteSum) : null,
  };
  return toSourceReview(raw, isReviewId);
}

/** Caches of the store have sent the feed of one app, or of one storefront, for another: the links name both. */
function isForeign({ href }: RawEntry, { externalAppId, region }: FeedApp): boolean {
  if (externalAppId === undefined) return false;
  const storefront = href?.match(/\/([a-z]{2})\/review\?/i)?.[1];
  const named = href?.match(/\/review\?(?:[^?]*&)?id=(\d+)/)?.[1];
  const isOtherStorefront =
    storefront !== undefined && storefront.toLowerCase() !== region.toLowerCase();
  return isOtherStorefront || (named !== undefined && named !== externalAppId);
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

/** Only the number is used: the links name the XML variant and internal hosts. */
function lastPageOf(href: string | null): number | null {
  if (href === null) return null;
  if (href === "") return 0;
  // The query repeats the request, with a page of its own.
  const [path = ""] = href.split("?");
  const page = path.match(/\/page=(\d{1,4})(?:\/|$)/)?.[1];
  if (page !== undefined) return Number(page);
  return /\/customerreviews\//.test(path) ? 1 : null;
}

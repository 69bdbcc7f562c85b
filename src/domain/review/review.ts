// A review: as its source has it, and as it is stored.
import { dayMs } from "../../lib/timestamp.ts";
import { uuidV5 } from "../../lib/uuid.ts";
import type { StoreId } from "../store/store-id.ts";
import type { Analysis } from "./analysis.ts";

/** A developer's public answer under a review. */
export type Reply = { text: string; at: Date | null };

/** Only from the official sources of Google Play; left out elsewhere. */
export type ReviewOrigin = {
  device?: string;
  /** As the store writes it: a number of the platform's versions. */
  osVersion?: string;
  /** When the user first wrote it, before any edit. */
  submittedAt?: Date;
};

/** One review of a store page or an import row, already cleaned and within limits. */
export type SourceReview = ReviewOrigin & {
  storeReviewId: string;
  /** "" when the store does not name one. */
  author: string;
  /** 1 to 5. */
  rating: number;
  /** null where the store has no titles, or omits this one. */
  title: string | null;
  /** "" for a review without text; null where the source omits it. */
  text: string | null;
  /** App version; "" when the store does not name one. */
  version: string;
  /** Storefront region, lower case; null where the source has none (always on Google Play). */
  country: string | null;
  /** Language that the source names, or null; used only where detection can't decide. */
  languageHint: string | null;
  /** The store's date of this version of the review; null when the source gives none. */
  date: Date | null;
  /** Helpful votes; null when the source has none. */
  votes: number | null;
  reply: Reply | null;
  /** Where it was analysed before its ingest: a new review gets it, a known one stays as it is. */
  readyAnalysis?: Analysis;
  /** From an export of Starpost: a new review gets it, a known one stays as it is. */
  stored?: StoredReviewState;
};

/** The items of a page as one shape of its payload has them. */
export type Reading = {
  reviews: SourceReview[];
  rejectedCount: number;
  lacksReplies?: true;
  shape?: string;
};

export type Review = ReviewOrigin & {
  id: string;
  storeReviewId: string;
  author: string;
  rating: number;
  title: string | null;
  text: string;
  version: string;
  /** Storefront region, `001` where a store has none; for Google Play the detected language. Lower case. */
  country: string;
  languageHint: string | null;
  date: Date;
  /** The source stated no date that can be right: `date` is a guess until it does. */
  isDateAssumed: boolean;
  votes: number | null;
  reply: Reply | null;
  /** null while the review is not analysed. */
  analysis: Analysis | null;
  translation: Translation | null;
  firstSeenAt: Date;
  /** When the last edit was noticed; null for a review that was never edited. */
  editedAt: Date | null;
  /** A list that holds every review of the app had it. */
  isListed?: true;
  /** Since when such a list no longer has it. It is kept and counted all the same. */
  removedAt?: Date;
};

/** Its conditions of an edit. */
export type ReviewContent = Pick<Review, "rating" | "title" | "text">;

/** A review before one of its edits. */
export type ReviewVersion = Pick<Review, "rating" | "title" | "text" | "version" | "date"> & {
  /** Counts from 1, oldest first. */
  number: number;
  replacedAt: Date;
};

/** The state of a review that its source does not have. */
export type StoredReviewState = Pick<
  Review,
  | "firstSeenAt"
  | "editedAt"
  | "isDateAssumed"
  | "isListed"
  | "removedAt"
  | "analysis"
  | "translation"
> & {
  /** Oldest first. */
  versions: EarlierVersion[];
  /** Starpost's id of a review that was erased: its stars count, and it is not saved again from the store. */
  erasedId?: string;
};

/** As a source has it. `replacedAt`: null where it was not seen, so that the next version's date counts. */
export type EarlierVersion = Omit<ReviewVersion, "number" | "replacedAt"> & {
  replacedAt: Date | null;
};

export type Translation = { text: string; from: string };

/** The UUID namespace of reviews: the same review has the same id in every installation. */
const reviewNamespace = "6f0f5a3e-6a52-5d0e-9a39-5b8f6f3c2d11";

/** Version 5 UUID of (store, the app's id in the store, the store's review id). */
export function reviewIdOf(review: {
  store: StoreId;
  externalAppId: string;
  storeReviewId: string;
}): string {
  // Neither a store nor an app id has a slash, so no two reviews share a name.
  return uuidV5(`${review.store}/${review.externalAppId}/${review.storeReviewId}`, reviewNamespace);
}

/**
 * The region of its listing that a review counts for: the language list that it was read from, as on Google
 * Play, else its storefront, else `und`. `reviews_by_region` has the same rule in SQL.
 */
export function regionOf(review: Pick<Review, "country" | "languageHint">): string {
  return review.languageHint ?? (review.country || "und");
}

/** Limits of every review, whatever its source. Lengths are UTF-16 code units. */
export const reviewLimits = {
  storeReviewIdMax: 200,
  authorMax: 200,
  titleMax: 1_000,
  textMax: 100_000,
  deviceMax: 200,
  yearMin: 2008,
  daysAheadMax: 2,
  /** Earlier ones: far more than people edit a review. The oldest of more are dropped. */
  versionsMax: 100,
} as const;

/** One rule for crawls and imports: the date that a source states, or null for one that can't be right. */
export function plausibleReviewDate(date: Date | null, now: Date): Date | null {
  if (date === null || date.getUTCFullYear() < reviewLimits.yearMin) return null;
  return date.getTime() <= now.getTime() + reviewLimits.daysAheadMax * dayMs ? date : null;
}

/** Begins ids that an import made of a row's content, so that other content is another review. */
export const madeIdPrefix = "made-";

/** Whether two versions of a review have the same words and stars. */
export function saysTheSame(one: ReviewContent, other: ReviewContent): boolean {
  return one.rating === other.rating && one.title === other.title && one.text === other.text;
}

/** Whether they can be one version: where one has no title or no text, the other may have it. */
export function agrees(one: ReviewContent, other: ReviewContent): boolean {
  const hasTitles = one.title !== null && other.title !== null;
  const hasTexts = one.text !== "" && other.text !== "";
  return saysTheSame(one, {
    rating: other.rating,
    title: hasTitles ? other.title : one.title,
    text: hasTexts ? other.text : one.text,
  });
}

/**
 * Whether `one` is the later of two versions with one date: it has fewer stars, then more words. The rule gives the same
 * review, whichever version is read first.
 */
export function isLaterVersion(one: ReviewContent, other: ReviewContent): boolean {
  const [title, otherTitle] = [one.title ?? "", other.title ?? ""];
  if (one.rating !== other.rating) return one.rating < other.rating;
  if (one.text.length !== other.text.length) return one.text.length > other.text.length;
  return one.text === other.text ? title > otherTitle : one.text > other.text;
}

/** `versions`: where they change otherwise than by an edit, all earlier ones, oldest first. */
export type ReviewChange = { versions?: readonly EarlierVersion[] } & (
  | { kind: "new"; before: null; after: Review }
  /**
   * Rating, title or text changed. `isCompletion`: a file had a part of the same version that was not known, which is not an
   * event, nor another version.
   */
  | { kind: "edited"; isCompletion?: true; before: Review; after: Review }
  /** Version, votes, reply, author or date changed, or an earlier version came late: saved, and no event. */
  | { kind: "metadata_changed"; before: Review; after: Review }
  | { kind: "unchanged"; before: Review; after: Review }
);

/** Where a store has no titles, one that stands alone is the text of an old review. */
export function textOrTitle<Text extends string | null>(
  text: Text,
  title: string | null,
): string | Text {
  return (text ?? "").trim() === "" && title !== null ? title : text;
}

// The values that a field of a shape must have, from what is stored: of reviews exactly, of ratings and facts of an app with the
// tolerance of a day.
import type { AppFacts } from "../../domain/feed/app-facts.ts";
import type { FeedKind } from "../../domain/feed/feed.ts";
import { type Review, reviewLimits } from "../../domain/review/review.ts";
import type { RatingReading } from "../../domain/review/snapshot.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { dateOf } from "../apple/rss-entry.ts";
import { plainText } from "../google/details-facts.ts";
import { sourceText, versionMax } from "../source-text.ts";
import { appleFeed, appleRatings } from "./apple-shapes.ts";
import { googleApp, googleReviews } from "./google-shapes.ts";
import type { Known, KnownItem, Learning } from "./known-item.ts";
import type { Shape } from "./shape.ts";

/** An app as it is stored: its name, and its facts and ratings of the day before. */
export type KnownApp = {
  externalAppId: string;
  name: string;
  iconUrl: string;
  facts?: AppFacts | null;
  ratings: RatingReading | null;
};

type LearnableShape = { shape: Shape; learning: Learning };

const ofReviews = { isSingle: false, itemCountMin: 20 };
const stars = ["oneStar", "twoStars", "threeStars", "fourStars", "fiveStars"] as const;
const ofRatings = { isSingle: true, itemCountMin: 3, date: null, exact: stars, changeable: [] };

/** The shapes that are learned, by their names. */
export const learnableShapes = {
  "google-reviews": {
    shape: googleReviews,
    learning: {
      ...{ ...ofReviews, date: "seconds", exact: ["nanoseconds"] },
      changeable: ["author", "votes", "replyText", "replySeconds", "replyNanoseconds"],
      required: ["id", "rating", "text", "seconds"],
    },
  },
  "apple-feed": {
    shape: appleFeed,
    learning: {
      ...{ ...ofReviews, date: "updated", exact: ["title"], changeable: ["author", "voteSum"] },
      required: ["id", "rating", "text", "updated"],
    },
  },
  "google-app": {
    shape: googleApp,
    learning: { ...ofRatings, required: ["packageName", "name", "average", "total"] },
  },
  "apple-ratings": {
    shape: appleRatings,
    learning: { ...ofRatings, required: ["average", "total"] },
  },
} as const satisfies Record<string, LearnableShape>;

export type ShapeName = keyof typeof learnableShapes;

/** The shapes that feeds are read by, and the values of what is known. */
type StoreShapes = Readonly<Record<FeedKind, ShapeName>> & {
  knownReview(review: Review): KnownItem;
  knownApp(app: KnownApp): KnownItem;
};

/** Stores that are read from pages have them. */
export const shapesOfStores = {
  appstore: {
    ...{ reviews: "apple-feed", ratings: "apple-ratings" },
    ...{ knownReview: knownAppleReview, knownApp: knownAppleApp },
  },
  googleplay: {
    ...{ reviews: "google-reviews", ratings: "google-app" },
    ...{ knownReview: knownGoogleReview, knownApp: knownGoogleApp },
  },
} as const satisfies Partial<Record<StoreId, StoreShapes>>;
export type ShapedStore = keyof typeof shapesOfStores;

/** null for a store with a documented API, whose fields don't move. */
export function findShapes(store: StoreId): StoreShapes | null {
  return store in shapesOfStores ? shapesOfStores[store as ShapedStore] : null;
}

function knownGoogleReview(review: Review): KnownItem {
  const { storeReviewId, date, reply, votes } = review;
  const ms = date.getTime();
  return {
    ...knownWords(review),
    id: text(storeReviewId, reviewLimits.storeReviewIdMax),
    rating: number(review.rating),
    ...(review.isDateAssumed ? {} : { seconds: seconds(date), nanoseconds: nanoseconds(ms) }),
    ...(votes === null ? {} : { votes: number(votes) }),
    replyText: text(reply?.text ?? "", reviewLimits.textMax),
    ...(reply ? { replySeconds: seconds(reply.at) } : {}),
    ...(reply?.at ? { replyNanoseconds: nanoseconds(reply.at.getTime()) } : {}),
  };
}

function knownAppleReview(review: Review): KnownItem {
  const { date, isDateAssumed, votes } = review;
  const isDate = (found: unknown): boolean =>
    typeof found === "string" && dateOf(found)?.getTime() === date.getTime();
  return {
    ...knownWords(review),
    id: text(review.storeReviewId, reviewLimits.storeReviewIdMax),
    rating: text(String(review.rating), 1),
    title: text(review.title ?? "", reviewLimits.titleMax),
    ...(isDateAssumed ? {} : { updated: { value: date.toISOString(), fits: isDate } }),
    ...(votes === null ? {} : { voteSum: text(String(votes), 20) }),
  };
}

function knownWords({ author, text: words, version }: Review): KnownItem {
  return {
    author: text(author, reviewLimits.authorMax),
    text: text(words, reviewLimits.textMax),
    version: text(version, versionMax),
  };
}

/** The page of an app has its ratings alone. */
function knownAppleApp({ externalAppId, ratings }: KnownApp): KnownItem {
  const isId = (found: unknown): boolean => String(found) === externalAppId;
  return { productId: { value: externalAppId, fits: isId }, ...knownRatings(ratings) };
}

function knownGoogleApp({ facts, ...app }: KnownApp): KnownItem {
  const { version, genre, installs, releaseNotes, releasedAt } = facts ?? {};
  return {
    packageName: text(app.externalAppId, 300),
    name: text(app.name, 300),
    icon: text(app.iconUrl, 2_048),
    ...(version && { version: text(version, versionMax) }),
    ...(genre && { genre: text(genre, 300) }),
    ...(installs && { installs: number(installs) }),
    ...(releaseNotes && { releaseNotes: notes(releaseNotes) }),
    ...(releasedAt && { updatedSeconds: seconds(new Date(releasedAt)) }),
    ...knownRatings(app.ratings),
  };
}

/** Counts grow in a day, and seldom fall. */
const dayShareMax = 0.02;
const dayCountMax = 20;
/** Stores round averages. */
const averageSlack = 0.1;

function knownRatings(ratings: RatingReading | null): KnownItem {
  if (!ratings) return {};
  const near = (stored: number, slack: number): Known => ({
    value: String(stored),
    fits: (found) => typeof found === "number" && Math.abs(found - stored) <= slack,
  });
  const count = (stored: number): Known =>
    near(stored, Math.max(dayCountMax, stored * dayShareMax));
  const counts = (ratings.histogram ?? []).map((stored, index) => [stars[index], count(stored)]);
  return {
    average: near(ratings.average, averageSlack),
    total: count(ratings.total),
    ...Object.fromEntries(counts),
  };
}

function text(stored: string, lengthMax: number): Known {
  if (stored === "") return { value: null, fits: (found) => found === null || found === "" };
  return { value: stored, fits: (found) => sourceText(found, lengthMax) === stored };
}

function notes(stored: string): Known {
  return {
    value: stored,
    fits: (found) => typeof found === "string" && plainText(found)?.trim() === stored,
  };
}

function number(stored: number): Known {
  return { value: String(stored), fits: (found) => found === stored };
}

function seconds(date: Date | null): Known {
  if (date === null) return { value: null, fits: (found) => found === null };
  return number(Math.floor(date.getTime() / secondMs));
}

function nanoseconds(ms: number): Known {
  const stored = ms % secondMs;
  const fits = (found: unknown): boolean =>
    stored === 0 && found === null
      ? true
      : typeof found === "number" && Math.floor(found / 1e6) === stored;
  return { value: String(stored), fits };
}

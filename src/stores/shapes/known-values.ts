// The values that a field of a shape must have, from what is stored: of reviews exactly, of ratings and facts of an app with the
// tolerance of a day.
import type { AppFacts } from "../../domain/app-facts.ts";
import { type Review, reviewLimits } from "../../domain/review.ts";
import type { RatingReading } from "../../domain/snapshot.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { dateOf } from "../apple/rss-entry.ts";
import { plainText } from "../google/details-facts.ts";
import { sourceText, versionMax } from "../source-text.ts";
import { appleFeed } from "./apple-shapes.ts";
import { googleApp, googleReviews } from "./google-shapes.ts";
import type { Known, KnownItem, Learning } from "./learn-shape.ts";
import type { Shape } from "./shape.ts";

/** An app as it is stored: its name, and its facts and ratings of the day before. */
export type KnownApp = {
  externalAppId: string;
  name: string;
  iconUrl: string;
  facts: AppFacts | null;
  ratings: RatingReading | null;
};

export type LearnableShape = { shape: Shape; learning: Learning };

const ofReviews = { isSingle: false, itemCountMin: 20 };

/** The shapes that are learned, by their names. */
export const learnableShapes = {
  "google-reviews": {
    shape: googleReviews,
    learning: {
      ...{ ...ofReviews, date: "seconds", exact: ["nanoseconds"] },
      required: ["id", "rating", "text", "seconds"],
    },
  },
  "apple-feed": {
    shape: appleFeed,
    learning: {
      ...{ ...ofReviews, date: "updated", exact: ["title"] },
      required: ["id", "rating", "text", "updated"],
    },
  },
  "google-app": {
    shape: googleApp,
    learning: {
      ...{ isSingle: true, itemCountMin: 3, date: null },
      exact: ["oneStar", "twoStars", "threeStars", "fourStars", "fiveStars"],
      required: ["packageName", "name", "average", "total"],
    },
  },
} as const satisfies Record<string, LearnableShape>;

export type ShapeName = keyof typeof learnableShapes;

export function knownGoogleReview(review: Review): KnownItem {
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

export function knownAppleReview(review: Review): KnownItem {
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

/** Counts grow in a day, and seldom fall. */
const dayShareMax = 0.02;
const dayCountMax = 20;
const averageSlack = 0.05;

export function knownGoogleApp({
  externalAppId,
  name,
  iconUrl,
  facts,
  ratings,
}: KnownApp): KnownItem {
  const near = (count: number): Known => ({
    value: String(count),
    fits: (found) =>
      typeof found === "number" &&
      Math.abs(found - count) <= Math.max(dayCountMax, count * dayShareMax),
  });
  const average: Known = {
    value: String(ratings?.average),
    fits: (found) =>
      typeof found === "number" && Math.abs(found - (ratings?.average ?? 0)) <= averageSlack,
  };
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = ratings?.histogram ?? [];
  const stars = {
    oneStar: one,
    twoStars: two,
    threeStars: three,
    fourStars: four,
    fiveStars: five,
  };
  const histogram = Object.entries(stars).map(([star, count]) => [star, near(count)]);
  return {
    packageName: text(externalAppId, 300),
    name: text(name, 300),
    icon: text(iconUrl, 2_048),
    ...(facts?.version ? { version: text(facts.version, versionMax) } : {}),
    ...(facts?.genre ? { genre: text(facts.genre, 300) } : {}),
    ...(facts?.installs ? { installs: number(facts.installs) } : {}),
    ...(facts?.releaseNotes ? { releaseNotes: notes(facts.releaseNotes) } : {}),
    ...(facts?.releasedAt ? { updatedSeconds: seconds(new Date(facts.releasedAt)) } : {}),
    ...(ratings ? { average, total: near(ratings.total) } : {}),
    ...(ratings?.histogram ? Object.fromEntries(histogram) : {}),
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

// Fills a world with the life of one app: reviews in every region, edits, replies, and daily rating
// totals that count exactly those reviews and a crowd of star-only ratings.

import type { Histogram } from "../src/domain/snapshot.ts";
import { dayMs, hourMs } from "../src/lib/timestamp.ts";
import { addHistograms } from "./histograms.ts";
import { phraseBookOf } from "./phrases/phrase-books.ts";
import type { Random } from "./random.ts";
import { planReleases, type Release, releaseInUse } from "./release-history.ts";
import { generateReview, generateRevision } from "./review-generator.ts";
import type { SimulatedApp, StoreState } from "./store-state.ts";

export type HistoryPlan = {
  app: SimulatedApp;
  from: Date;
  /** May lie ahead of the clock: then the world goes on as the clock moves. */
  to: Date;
  /** Reviews a day by region: storefront in the App Store, language in Google Play. */
  reviewsPerDay: Readonly<Record<string, number>>;
  /** The country whose ratings count a region's reviews; the region itself unless told. */
  countryOf?: (region: string) => string;
  /** What stood there before the first day, for every country. */
  ratingsBefore: Histogram;
  /** Star-only ratings for every review with text. */
  silentPerReview: number;
};

/** Snapshots are of noon, so that each falls into its own day in every time zone of a reader. */
const snapshotHour = 12;

export function generateAppHistory(
  world: StoreState,
  random: Random,
  plan: HistoryPlan,
): Release[] {
  const releases = planReleases(random, plan);
  world.addApp({ ...plan.app, version: releases.at(-1)?.version ?? plan.app.version });
  const totals = new Map<string, Changes>();
  for (const [region, perDay] of Object.entries(plan.reviewsPerDay)) {
    const country = plan.countryOf?.(region) ?? region;
    const changes = totals.get(country) ?? new Map<number, Histogram>();
    totals.set(country, changes);
    growRegion(world, random, { plan, region, perDay, releases, changes });
  }
  for (const [country, changes] of totals) setDailyRatings(world, { plan, country, changes });
  return releases;
}

/** What is added to (and taken from) a country's ratings, by day number from the plan's start. */
type Changes = Map<number, Histogram>;

type Region = {
  plan: HistoryPlan;
  region: string;
  perDay: number;
  releases: Release[];
  changes: Changes;
};

function growRegion(world: StoreState, random: Random, growth: Region): void {
  const { plan, perDay, releases } = growth;
  const dayCount = Math.floor((plan.to.getTime() - plan.from.getTime()) / dayMs);
  for (let day = 0; day < dayCount; day += 1) {
    const noon = new Date(plan.from.getTime() + (day + 0.5) * dayMs);
    const trouble = releases.filter((release) => release.at <= noon).at(-1)?.isBad ?? false;
    // Anger writes more reviews than content.
    const expected = perDay * (trouble ? 5 : 1);
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let index = 0; index < count; index += 1) writeReview(world, random, { ...growth, day });
  }
}

function writeReview(world: StoreState, random: Random, growth: Region & { day: number }): void {
  const { plan, region, releases, day } = growth;
  const isApple = plan.app.store === "appstore";
  const at = new Date(
    plan.from.getTime() + day * dayMs + random.whole(0, dayMs / 1_000 - 1) * 1_000,
  );
  const release = releaseInUse(random, { releases, at });
  const book = phraseBookOf(region);
  const { version } = release;
  const mood = release.isBad ? "outraged" : "ordinary";
  const { title, ...words } = generateReview(random, { book, version, profile: mood });
  const storeReviewId = world.addReview(plan.app, {
    ...words,
    title: isApple ? title : null,
    region,
    at,
    // Google Play often does not tell the version.
    version: isApple || random.chance(0.77) ? version : "",
    votes: random.chance(0.2) ? random.whole(1, 30) : 0,
  });
  count(growth, { day, rating: words.rating, times: 1 });
  for (let index = 0; index < plan.silentPerReview; index += 1) {
    const silent = generateReview(random, { book, version, profile: mood }).rating;
    // People who only tap stars are kinder than people who write.
    count(growth, { day, rating: random.chance(0.3) ? 5 : silent, times: 1 });
  }
  const later = { storeReviewId, book, version, ...words };
  if (random.chance(0.03)) editLater(world, random, { ...growth, at, review: later });
  if (!isApple && random.chance(0.15)) {
    const repliedAt = new Date(at.getTime() + random.whole(2, 90) * hourMs);
    // The answer of a developer does not move the review in the feed.
    world.addReply(plan.app, {
      storeReviewId,
      reply: { text: random.pick(book.replies), at: repliedAt },
    });
  }
}

type Written = { storeReviewId: string; book: ReturnType<typeof phraseBookOf> } & {
  version: string;
  author: string;
  rating: number;
};

function editLater(
  world: StoreState,
  random: Random,
  growth: Region & { day: number; at: Date; review: Written },
): void {
  const { plan, at, review } = growth;
  const days = random.whole(1, 40);
  const editedAt = new Date(at.getTime() + days * dayMs + random.whole(0, 3_600) * 1_000);
  const { title, ...words } = generateRevision(random, review);
  world.editReview(plan.app, {
    ...words,
    ...(plan.app.store === "appstore" ? { title } : {}),
    storeReviewId: review.storeReviewId,
    at: editedAt,
  });
  const day = Math.floor((editedAt.getTime() - plan.from.getTime()) / dayMs);
  count(growth, { day, rating: review.rating, times: -1 });
  count(growth, { day, rating: words.rating, times: 1 });
}

function count(
  { changes }: Pick<Region, "changes">,
  { day, rating, times }: { day: number; rating: number; times: number },
): void {
  const one = [1, 2, 3, 4, 5].map((stars) => (stars === rating ? times : 0));
  const sum = changes.get(day) ?? [0, 0, 0, 0, 0];
  changes.set(day, addHistograms(sum, one as unknown as Histogram));
}

function setDailyRatings(
  world: StoreState,
  growth: { plan: HistoryPlan; country: string; changes: Changes },
): void {
  const { plan, country, changes } = growth;
  let histogram = plan.ratingsBefore;
  const dayCount = Math.floor((plan.to.getTime() - plan.from.getTime()) / dayMs);
  for (let day = 0; day < dayCount; day += 1) {
    histogram = addHistograms(histogram, changes.get(day) ?? [0, 0, 0, 0, 0]);
    const at = new Date(plan.from.getTime() + day * dayMs + snapshotHour * hourMs);
    world.setRatings(plan.app, { region: country, histogram, at });
  }
}

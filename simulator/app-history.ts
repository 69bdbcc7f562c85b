// Fills a store state with the history of one app: reviews in every region, edits, replies, and daily
// rating totals that count those reviews and further ratings without text.

import type { Histogram } from "../src/domain/review/snapshot.ts";
import { storeTraits } from "../src/domain/store/store-traits.ts";
import { dayMs, hourMs } from "../src/lib/timestamp.ts";
import { addHistograms } from "./histograms.ts";
import { phraseBookOf } from "./phrase-books.ts";
import type { Random } from "./random.ts";
import { type BatteryStory, planReleases, type Release, releaseInUse } from "./release-history.ts";
import { generateReview, generateRevision, mentionBattery } from "./review-generator.ts";
import type { SimulatedApp } from "./store-facts.ts";
import type { StoreState } from "./store-state.ts";

export type HistoryPlan = {
  app: SimulatedApp;
  from: Date;
  /** May lie ahead of the clock: then reviews appear as the clock moves. */
  to: Date;
  /** Reviews a day by region: storefront in the App Store, language in Google Play. */
  reviewsPerDay: Readonly<Record<string, number>>;
  /** The country whose ratings count a region's reviews; by default the region itself. */
  countryOf?: (region: string) => string;
  /** Ratings before the first day, for every country. */
  ratingsBefore: Histogram;
  /** Ratings without text for every review. */
  starOnlyRatingsPerReview: number;
  /** A release that drains the battery, and its fix. */
  story?: BatteryStory;
};

/** Snapshots are taken at noon, so that each belongs to its own day in every time zone. */
const snapshotHour = 12;

export function generateAppHistory(
  storeState: StoreState,
  random: Random,
  plan: HistoryPlan,
): Release[] {
  const releases = planReleases(random, plan);
  const version = currentVersion(releases, storeState.clock.now()) ?? plan.app.version;
  storeState.addApp({ ...plan.app, version });
  const totals = new Map<string, RatingChanges>();
  for (const [region, perDay] of Object.entries(plan.reviewsPerDay)) {
    const country = plan.countryOf?.(region) ?? region;
    const changes = totals.get(country) ?? new Map<number, Histogram>();
    totals.set(country, changes);
    generateRegion(storeState, random, { plan, region, perDay, releases, changes });
  }
  for (const [country, changes] of totals) setDailyRatings(storeState, { plan, country, changes });
  return releases;
}

/** Releases that lie ahead are not out yet. */
export function currentVersion(releases: readonly Release[], now: Date): string | undefined {
  return releases.filter((release) => release.at <= now).at(-1)?.version;
}

/** Changes of a country's ratings by day, counted from the plan's start. */
type RatingChanges = Map<number, Histogram>;

type RegionPlan = {
  plan: HistoryPlan;
  region: string;
  perDay: number;
  releases: Release[];
  changes: RatingChanges;
};

function generateRegion(storeState: StoreState, random: Random, growth: RegionPlan): void {
  const { plan, perDay, releases } = growth;
  const dayCount = Math.floor((plan.to.getTime() - plan.from.getTime()) / dayMs);
  for (let day = 0; day < dayCount; day += 1) {
    const noon = new Date(plan.from.getTime() + (day + 0.5) * dayMs);
    const release = releases.filter(({ at }) => at <= noon).at(-1);
    // Unhappy users write more reviews.
    const expected = perDay * (release?.isBad ? 5 : release?.isDraining ? 2.5 : 1);
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let index = 0; index < count; index += 1)
      generateReviewOf(storeState, random, { ...growth, day });
  }
}

function generateReviewOf(
  storeState: StoreState,
  random: Random,
  growth: RegionPlan & { day: number },
): void {
  const { plan, region, releases, day } = growth;
  const { hasTitles, reviewsBy, hasPublicReplies } = storeTraits[plan.app.store];
  const at = new Date(
    plan.from.getTime() + day * dayMs + random.whole(0, dayMs / 1_000 - 1) * 1_000,
  );
  const release = releaseInUse(random, { releases, at });
  const book = phraseBookOf(region);
  const { version } = release;
  const isDrained = release.isDraining && random.chance(0.65);
  const profile = release.isBad ? "outraged" : isDrained ? "drained" : "ordinary";
  const generated = generateReview(random, { book, version, profile });
  const battery =
    isDrained && plan.story
      ? mentionBattery(plan.story.mentions, {
          book,
          version,
          kind: "drained",
          store: plan.app.store,
          at,
        })
      : {};
  const { title, ...words } = { ...generated, ...battery };
  const storeReviewId = storeState.addReview(plan.app, {
    ...words,
    title: hasTitles ? title : null,
    region,
    at,
    // Google Play often omits the version.
    version: reviewsBy !== "language" || random.chance(0.77) ? version : "",
    votes: random.chance(0.2) ? random.whole(1, 30) : 0,
  });
  count(growth, { day, rating: words.rating, times: 1 });
  for (let index = 0; index < plan.starOnlyRatingsPerReview; index += 1) {
    const silent = generateReview(random, { book, version, profile }).rating;
    // Ratings without text are better on average.
    count(growth, { day, rating: random.chance(0.3) ? 5 : silent, times: 1 });
  }
  const later = { storeReviewId, book, version, ...words };
  const isBeforeFix = at < (releases.at(-1)?.at ?? at);
  const isWonBack = isDrained && isBeforeFix && random.chance(0.4);
  const isEdited = isWonBack || random.chance(0.03);
  // The edit replaces the complaint.
  if (isDrained && isEdited) plan.story?.mentions.pop();
  if (isWonBack) addEditAfterFix(storeState, random, { ...growth, review: later });
  else if (isEdited) addLaterEdit(storeState, random, { ...growth, at, review: later });
  if (hasPublicReplies && random.chance(0.15)) {
    const repliedAt = new Date(at.getTime() + random.whole(2, 90) * hourMs);
    // A developer's reply does not move the review in the feed.
    storeState.addReply(plan.app, {
      storeReviewId,
      reply: { text: random.pick(book.replies), at: repliedAt },
    });
  }
}

type EditableReview = { storeReviewId: string; book: ReturnType<typeof phraseBookOf> } & {
  version: string;
  author: string;
  rating: number;
};

function addLaterEdit(
  storeState: StoreState,
  random: Random,
  growth: RegionPlan & { day: number; at: Date; review: EditableReview },
): void {
  const { plan, at, review } = growth;
  const days = random.whole(1, 40);
  const editedAt = new Date(at.getTime() + days * dayMs + random.whole(0, 3_600) * 1_000);
  const { title, ...words } = generateRevision(random, review);
  storeState.editReview(plan.app, {
    ...words,
    ...(storeTraits[plan.app.store].hasTitles ? { title } : {}),
    storeReviewId: review.storeReviewId,
    at: editedAt,
  });
  const day = Math.floor((editedAt.getTime() - plan.from.getTime()) / dayMs);
  count(growth, { day, rating: review.rating, times: -1 });
  count(growth, { day, rating: words.rating, times: 1 });
}

/** Some of those who complained of the battery come back once it is fixed. */
function addEditAfterFix(
  storeState: StoreState,
  random: Random,
  growth: RegionPlan & { day: number; review: EditableReview },
): void {
  const { plan, releases, review } = growth;
  const fix = releases.at(-1);
  if (!fix || !plan.story) return;
  const { book } = review;
  const { version } = fix;
  const { rating } = generateReview(random, { book, version, profile: "relieved" });
  const at = new Date(fix.at.getTime() + random.whole(4, 60) * hourMs);
  const { store } = plan.app;
  const { title, text } = mentionBattery(plan.story.mentions, {
    book,
    version,
    kind: "fixed",
    store,
    at,
  });
  const { storeReviewId } = review;
  storeState.editReview(plan.app, {
    ...{ storeReviewId, at, rating, text, version },
    ...(storeTraits[plan.app.store].hasTitles ? { title } : {}),
  });
  const day = Math.floor((at.getTime() - plan.from.getTime()) / dayMs);
  count(growth, { day, rating: review.rating, times: -1 });
  count(growth, { day, rating, times: 1 });
}

function count(
  { changes }: Pick<RegionPlan, "changes">,
  { day, rating, times }: { day: number; rating: number; times: number },
): void {
  const one = [1, 2, 3, 4, 5].map((stars) => (stars === rating ? times : 0));
  const sum = changes.get(day) ?? [0, 0, 0, 0, 0];
  changes.set(day, addHistograms(sum, one as unknown as Histogram));
}

function setDailyRatings(
  storeState: StoreState,
  growth: { plan: HistoryPlan; country: string; changes: RatingChanges },
): void {
  const { plan, country, changes } = growth;
  let histogram = plan.ratingsBefore;
  const dayCount = Math.floor((plan.to.getTime() - plan.from.getTime()) / dayMs);
  for (let day = 0; day < dayCount; day += 1) {
    histogram = addHistograms(histogram, changes.get(day) ?? [0, 0, 0, 0, 0]);
    const at = new Date(plan.from.getTime() + day * dayMs + snapshotHour * hourMs);
    storeState.setRatings(plan.app, { region: country, histogram, at });
  }
}

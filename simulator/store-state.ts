// What the simulated stores know: apps, reviews and ratings, each as a log of dated facts. What is
// seen is the state at the clock's moment, so facts may lie ahead and moving the clock reveals them.

import type { Reply } from "../src/domain/review.ts";
import type { Histogram } from "../src/domain/snapshot.ts";
import type { StoreId } from "../src/domain/store-id.ts";
import type { Clock } from "../src/lib/clock.ts";
import { uuidV5 } from "../src/lib/uuid.ts";
import type { Catalogue } from "./catalogue.ts";
import { addHistograms, noRatings } from "./histograms.ts";
import { createReviewList, type ReviewList } from "./review-list.ts";
import type { Timestamped } from "./timestamped.ts";
import { latestAt } from "./timestamped.ts";

export type SimulatedApp = AppKey & {
  name: string;
  developer: string;
  /** Package name or bundle id. */
  bundleId: string;
  iconUrl: string;
  version: string;
};

export type AppKey = { store: StoreId; externalAppId: string };

export type ReviewFacts = {
  author: string;
  rating: number;
  title: string | null;
  text: string;
  version: string;
  votes: number;
};

/** `region`: storefront in the App Store, language in Google Play. `date` is the last edit. */
export type SimulatedReview = ReviewFacts & {
  storeReviewId: string;
  region: string;
  date: Date;
  reply: Reply | null;
};

type ReviewLog = {
  storeReviewId: string;
  region: string;
  /** In no order: a fact may be noted before an older one. */
  versions: Timestamped<ReviewFacts>[];
  reply: Reply | null;
};
type AppLog = {
  app: SimulatedApp;
  removedAt: number | null;
  /** Storefronts that stopped selling it. */
  withdrawnFrom: Set<string>;
  reviews: Map<string, ReviewLog>;
  /** By country, oldest first. */
  ratings: Map<string, Timestamped<Histogram>[]>;
};

export type NewReview = Partial<ReviewFacts> &
  Pick<ReviewFacts, "rating" | "text"> & {
    region: string;
    storeReviewId?: string;
    at?: Date;
    reply?: Reply;
  };

export class StoreState {
  readonly clock: Clock;
  readonly #apps = new Map<string, AppLog>();
  #reviewCount = 0;
  readonly #catalogue: Catalogue | null;

  constructor(clock: Clock, catalogue: Catalogue | null = null) {
    this.clock = clock;
    this.#catalogue = catalogue;
  }

  addApp(app: Partial<SimulatedApp> & AppKey): void {
    this.#apps.set(keyOf(app), {
      app: { ...anonymousApp, bundleId: `app.sample.a${app.externalAppId}`, ...app },
      removedAt: null,
      withdrawnFrom: new Set(),
      reviews: new Map(),
      ratings: new Map(),
    });
  }

  /** From now on the store does not know the app; its reviews and ratings are gone with it. */
  removeApp(app: AppKey): void {
    this.#logOf(app).removedAt = this.clock.now().getTime();
  }

  /** From now on this storefront does not sell it; the others do. */
  withdrawApp(app: AppKey, region: string): void {
    this.#logOf(app).withdrawnFrom.add(region);
  }

  restoreApp(app: AppKey, region: string): void {
    this.#logOf(app).withdrawnFrom.delete(region);
  }

  /** Returns the store's id of the review. */
  addReview(app: AppKey, review: NewReview): string {
    const { region, storeReviewId, at, reply, ...facts } = review;
    const id = storeReviewId ?? this.#mintReviewId(app.store);
    this.#logOf(app).reviews.set(id, {
      storeReviewId: id,
      region,
      reply: reply ?? null,
      versions: [{ at: this.#moment(at), value: { ...silentReview, ...facts } }],
    });
    return id;
  }

  /** A new version under the same id and a new date: the review moves to the top of the feed. */
  editReview(app: AppKey, edit: Partial<ReviewFacts> & { storeReviewId: string; at?: Date }): void {
    const { storeReviewId, at, ...changes } = edit;
    const moment = this.#moment(at);
    const versions = this.#logOf(app).reviews.get(storeReviewId)?.versions ?? [];
    const before = latestAt(versions, moment);
    if (!before) throw new RangeError(`no review ${storeReviewId} to edit`);
    versions.push({ at: moment, value: { ...before.value, ...changes } });
  }

  /** A developer's answer: the review keeps its date and its place. */
  addReply(app: AppKey, answer: { storeReviewId: string; reply: Reply }): void {
    const review = this.#logOf(app).reviews.get(answer.storeReviewId);
    if (!review) throw new RangeError(`no review ${answer.storeReviewId} to answer`);
    review.reply = answer.reply;
  }

  removeReview(app: AppKey, storeReviewId: string): void {
    this.#logOf(app).reviews.delete(storeReviewId);
  }

  /** All-time counts of 1 to 5 stars in one country. Dated calls go from old to new. */
  setRatings(app: AppKey, reading: { region: string; histogram: Histogram; at?: Date }): void {
    const { ratings } = this.#logOf(app);
    const series = ratings.get(reading.region) ?? [];
    series.push({ at: this.#moment(reading.at), value: reading.histogram });
    ratings.set(reading.region, series);
  }

  /** null when the store does not know the app (any more), or does not sell it in that storefront. */
  appNow(app: AppKey, region?: string): SimulatedApp | null {
    const log = this.#apps.get(keyOf(app));
    if (!log) return this.#catalogue?.find(app) ?? null;
    const isSold = region === undefined || !log.withdrawnFrom.has(region);
    return isSold && !this.#isRemoved(log) ? log.app : null;
  }

  /** The apps of one store, in the order they were added; of generated ones the first 200. */
  appsNow(store: StoreId): SimulatedApp[] {
    const added = [...this.#apps.values()]
      .filter((log) => log.app.store === store && !this.#isRemoved(log))
      .map((log) => log.app);
    return [...added, ...(this.#catalogue?.appsFrom(store, { start: 0, count: 200 }) ?? [])];
  }

  /** Newest edit first, as both stores order their feeds. Region `all` is every one. */
  reviewList(app: AppKey, region: string): ReviewList {
    const isGenerated = !this.#apps.has(keyOf(app)) && this.#catalogue?.find(app);
    return isGenerated && this.#catalogue
      ? this.#catalogue.reviews(app, { region, now: this.clock.now() })
      : createReviewList(this.reviewsNow(app, region));
  }

  /** The same as an array, of an app that was added. */
  reviewsNow(app: AppKey, region: string): SimulatedReview[] {
    const log = this.#apps.get(keyOf(app));
    if (!log || this.#isRemoved(log) || log.withdrawnFrom.has(region)) return [];
    const now = this.clock.now().getTime();
    const seen: SimulatedReview[] = [];
    for (const review of log.reviews.values()) {
      const isAsked = region === "all" || review.region === region;
      const version = isAsked ? latestAt(review.versions, now) : null;
      if (!version) continue;
      const { storeReviewId } = review;
      const reply = review.reply && (review.reply.at?.getTime() ?? 0) <= now ? review.reply : null;
      const date = new Date(version.at);
      seen.push({ ...version.value, storeReviewId, region: review.region, date, reply });
    }
    return seen.sort(byLastEdit);
  }

  /** null when the store shows no ratings there. */
  ratingsNow(app: AppKey, region: string): Histogram | null {
    const log = this.#apps.get(keyOf(app));
    if (!log) return this.#catalogue?.ratings(app, { region, now: this.clock.now() }) ?? null;
    if (this.#isRemoved(log) || log.withdrawnFrom.has(region)) return null;
    return latestAt(log.ratings.get(region) ?? [], this.clock.now().getTime())?.value ?? null;
  }

  /** Countries in which the store shows ratings of the app. */
  ratingCountries(app: AppKey): string[] {
    return [...this.#logOf(app).ratings.keys()];
  }

  /** What the store showed at a moment: in one country, or summed over all. */
  ratingsAt(app: AppKey, moment: Date, country?: string): Histogram {
    const { ratings } = this.#logOf(app);
    const series = country === undefined ? [...ratings.values()] : [ratings.get(country) ?? []];
    return series.reduce<Histogram>(
      (sum, readings) =>
        addHistograms(sum, latestAt(readings, moment.getTime())?.value ?? noRatings),
      noRatings,
    );
  }

  #logOf(app: AppKey): AppLog {
    const log = this.#apps.get(keyOf(app));
    if (!log) throw new RangeError(`no app ${keyOf(app)} in this world`);
    return log;
  }

  #isRemoved(log: AppLog): boolean {
    return log.removedAt !== null && log.removedAt <= this.clock.now().getTime();
  }

  #moment(at: Date | undefined): number {
    return (at ?? this.clock.now()).getTime();
  }

  /** Apple's ids are decimals that grow with time, Google's are UUIDs. */
  #mintReviewId(store: StoreId): string {
    this.#reviewCount += 1;
    return store === "appstore"
      ? String(14_600_000_000 + this.#reviewCount)
      : uuidV5(`review ${this.#reviewCount}`, "1f6f7f0e-6d5c-5b7a-8a53-0f3f7f6f9b10");
  }
}

const anonymousApp = {
  name: "Sample",
  developer: "Sample Makers",
  iconUrl: "https://images.sample.invalid/icon/512x512bb.png",
  version: "1.0.0",
};

const silentReview = { author: "reader", title: null, version: "1.0.0", votes: 0 };

function keyOf(app: AppKey): string {
  return `${app.store}/${app.externalAppId}`;
}

function byLastEdit(one: SimulatedReview, other: SimulatedReview): number {
  const difference = other.date.getTime() - one.date.getTime();
  if (difference !== 0) return difference;
  return one.storeReviewId < other.storeReviewId ? 1 : -1;
}

// The content of the simulated stores: apps, reviews and ratings, each as a log of timestamped values. The visible
// state is that at the clock's moment; values may lie ahead, and moving the clock reveals them.

import type { Reply } from "../src/domain/review/review.ts";
import type { Histogram } from "../src/domain/review/snapshot.ts";
import type { StoreId } from "../src/domain/store/store-id.ts";
import { storeTraits } from "../src/domain/store/store-traits.ts";
import type { Clock } from "../src/lib/clock.ts";
import { uuidV5 } from "../src/lib/uuid.ts";
import type { Catalogue } from "./catalogue.ts";
import { addHistograms, noRatings } from "./histograms.ts";
import { createReviewList, type ReviewList } from "./review-list.ts";
import {
  type AppKey,
  appDefaults,
  hasNumbers,
  type ReviewFacts,
  reviewDefaults,
  type SimulatedApp,
  type SimulatedReview,
} from "./store-facts.ts";
import { latestAt, type Timestamped } from "./timestamped.ts";

type ReviewLog = {
  storeReviewId: string;
  region: string;
  /** In no order: a version may be added before an older one. */
  versions: Timestamped<ReviewFacts>[];
  reply: DeveloperReply | null;
};
/** `publicAt`: the store shows it later than it took it. */
type DeveloperReply = Reply & { publicAt?: Date };
type AppLog = {
  app: SimulatedApp;
  removedAt: number | null;
  /** Storefronts that no longer sell it. */
  withdrawnFrom: Set<string>;
  reviews: Map<string, ReviewLog>;
  /** By country. */
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
      app: { ...appDefaults, bundleId: `app.sample.a${app.externalAppId}`, ...app },
      removedAt: null,
      withdrawnFrom: new Set(),
      reviews: new Map(),
      ratings: new Map(),
    });
  }

  /** From now on the app is unknown, with its reviews and ratings. */
  removeApp(app: AppKey): void {
    this.#logOf(app).removedAt = this.clock.now().getTime();
  }

  /** From now on this one storefront does not sell it. */
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
      versions: [
        {
          at: this.#moment(at),
          value: { ...reviewDefaults, author: `reader ${id.slice(-6)}`, ...facts },
        },
      ],
    });
    return id;
  }

  /** A new version with the same id and a new date: the review moves to the top of the feed. */
  editReview(app: AppKey, edit: Partial<ReviewFacts> & { storeReviewId: string; at?: Date }): void {
    const { storeReviewId, at, ...changes } = edit;
    const moment = this.#moment(at);
    const versions = this.#logOf(app).reviews.get(storeReviewId)?.versions ?? [];
    const before = latestAt(versions, moment);
    if (!before) throw new RangeError(`there is no review ${storeReviewId} to edit`);
    versions.push({ at: moment, value: { ...before.value, ...changes } });
  }

  /** A developer's reply: the review keeps its date and its position. null removes it. */
  addReply(
    app: AppKey,
    { storeReviewId, reply }: { storeReviewId: string; reply: DeveloperReply | null },
  ): void {
    const review = this.#logOf(app).reviews.get(storeReviewId);
    if (!review) throw new RangeError(`there is no review ${storeReviewId} to reply to`);
    review.reply = reply;
  }

  /** A review of an added app, with its reply also while the store does not show it yet. */
  findReview(
    store: StoreId,
    isWanted: (storeReviewId: string) => boolean,
  ): { app: SimulatedApp; review: SimulatedReview; reply: DeveloperReply | null } | null {
    for (const { app, reviews } of this.#apps.values()) {
      const log =
        app.store === store && [...reviews.values()].find((one) => isWanted(one.storeReviewId));
      if (!log) continue;
      const { storeReviewId, reply } = log;
      const review = this.reviewsNow(app, "all").find((one) => one.storeReviewId === storeReviewId);
      return review ? { app, review, reply } : null;
    }
    return null;
  }

  removeReview(app: AppKey, storeReviewId: string): void {
    this.#logOf(app).reviews.delete(storeReviewId);
  }

  /** All-time counts of 1 to 5 stars in one country. */
  setRatings(app: AppKey, reading: { region: string; histogram: Histogram; at?: Date }): void {
    const { ratings } = this.#logOf(app);
    const series = ratings.get(reading.region) ?? [];
    series.push({ at: this.#moment(reading.at), value: reading.histogram });
    ratings.set(reading.region, series);
  }

  /** null when the app is unknown or removed, or not sold in that storefront. */
  appNow(app: AppKey, region?: string): SimulatedApp | null {
    const log = this.#apps.get(keyOf(app));
    if (!log) return this.#catalogue?.find(app) ?? null;
    return this.#isSold(log, region) ? log.app : null;
  }

  /** The apps of one store, in the order they were added; of generated ones the first 200. */
  appsNow(store: StoreId): SimulatedApp[] {
    const added = [...this.#apps.values()]
      .filter((log) => log.app.store === store && this.#isSold(log))
      .map((log) => log.app);
    return [...added, ...(this.#catalogue?.appsFrom(store, { start: 0, count: 200 }) ?? [])];
  }

  /** Newest first, by the date that the store shows. `all` means every region. */
  reviewList(app: AppKey, region: string): ReviewList {
    const isGenerated = !this.#apps.has(keyOf(app)) && this.#catalogue?.find(app);
    return isGenerated && this.#catalogue
      ? this.#catalogue.reviews(app, { region, now: this.clock.now() })
      : createReviewList(this.reviewsNow(app, region));
  }

  /** The same as an array; only for an app that was added. */
  reviewsNow(app: AppKey, region: string): SimulatedReview[] {
    const log = this.#apps.get(keyOf(app));
    if (!log || !this.#isSold(log, region)) return [];
    const now = this.clock.now().getTime();
    const isDatedOnce = storeTraits[app.store].keepsDateOfEdits;
    const visible: SimulatedReview[] = [];
    for (const review of log.reviews.values()) {
      const isIncluded = region === "all" || review.region === region;
      const version = isIncluded ? latestAt(review.versions, now) : null;
      if (!version) continue;
      const { storeReviewId, versions } = review;
      const publicAt = review.reply?.publicAt ?? review.reply?.at;
      const reply = review.reply && (publicAt?.getTime() ?? 0) <= now ? review.reply : null;
      const at = isDatedOnce ? Math.min(...versions.map((one) => one.at)) : version.at;
      const date = new Date(at);
      visible.push({ ...version.value, storeReviewId, region: review.region, date, reply });
    }
    return visible.sort(byLastEdit);
  }

  /** null when the store shows no ratings there. */
  ratingsNow(app: AppKey, region: string): Histogram | null {
    const log = this.#apps.get(keyOf(app));
    if (!log) return this.#catalogue?.ratings(app, { region, now: this.clock.now() }) ?? null;
    if (!this.#isSold(log, region)) return null;
    return latestAt(log.ratings.get(region) ?? [], this.clock.now().getTime())?.value ?? null;
  }

  /** Countries in which the store shows ratings of the app. */
  ratingCountries(app: AppKey): string[] {
    return [...this.#logOf(app).ratings.keys()];
  }

  /** The ratings at a moment: in one country, or summed over all. */
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
    if (!log) throw new RangeError(`there is no app ${keyOf(app)}`);
    return log;
  }

  #isSold(log: AppLog, region?: string): boolean {
    const isRemoved = log.removedAt !== null && log.removedAt <= this.clock.now().getTime();
    return !isRemoved && (region === undefined || !log.withdrawnFrom.has(region));
  }

  #moment(at: Date | undefined): number {
    return (at ?? this.clock.now()).getTime();
  }

  #mintReviewId(store: StoreId): string {
    this.#reviewCount += 1;
    return hasNumbers(store)
      ? String(14_600_000_000 + this.#reviewCount)
      : uuidV5(`review ${this.#reviewCount}`, "1f6f7f0e-6d5c-5b7a-8a53-0f3f7f6f9b10");
  }
}

function keyOf(app: AppKey): string {
  return `${app.store}/${app.externalAppId}`;
}

function byLastEdit(one: SimulatedReview, other: SimulatedReview): number {
  const difference = other.date.getTime() - one.date.getTime();
  if (difference !== 0) return difference;
  return one.storeReviewId < other.storeReviewId ? 1 : -1;
}

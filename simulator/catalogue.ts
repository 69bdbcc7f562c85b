// Generated apps of any number and size. Nothing is stored: every page follows from the seed and is
// generated when it is requested, so the same seed gives the same stores everywhere.

import { createHash } from "node:crypto";
import { defaultCountries, defaultLanguages } from "../src/domain/feed/listing.ts";
import type { Histogram } from "../src/domain/review/snapshot.ts";
import { hasReviewsByLanguage, storeTraits } from "../src/domain/store/store-traits.ts";
import { dayMs } from "../src/lib/timestamp.ts";
import { uuidV5 } from "../src/lib/uuid.ts";
import { createFeedSlots } from "./feed-slots.ts";
import { phraseBookOf } from "./phrase-books.ts";
import { createRandom, type Random } from "./random.ts";
import { generateReview, generateRevision } from "./review-generator.ts";
import { countWhile, noReviews, type ReviewList } from "./review-list.ts";
import { type AppKey, hasNumbers, type SimulatedApp, type SimulatedReview } from "./store-facts.ts";

export type CatalogueOptions = {
  /** Apps in each store. */
  appCount: number;
  /** Reviews of each app at `openedAt`, over all regions; more appear as time passes. */
  reviewCount: number;
  seed: number;
  openedAt: Date;
};

/** Age of the oldest review of an app. */
const pastMs = 730 * dayMs;
/** Where a store numbers its apps, they begin here. */
const firstAppId = 2_000_000_001;
const firstReviewId = 15_000_000_000;

export class Catalogue {
  readonly #options: CatalogueOptions;
  readonly #intervalMs: number;
  readonly #startMs: number;

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#intervalMs = Math.max(1, Math.floor(pastMs / Math.max(1, options.reviewCount)));
    this.#startMs = options.openedAt.getTime() - this.#intervalMs * this.#slotCountAtStart();
  }

  /** Apps of one store by index. */
  appsFrom(
    store: AppKey["store"],
    { start, count }: { start: number; count: number },
  ): SimulatedApp[] {
    const end = Math.min(this.#options.appCount, start + count);
    return Array.from({ length: Math.max(0, end - start) }, (_, at) => appOf(store, start + at));
  }

  find(key: AppKey): SimulatedApp | null {
    const index = indexOf(key);
    return index !== null && index < this.#options.appCount ? appOf(key.store, index) : null;
  }

  /** `all`: of every region. */
  reviews(key: AppKey, { region, now }: { region: string; now: Date }): ReviewList {
    const index = indexOf(key);
    const regions = regionsOf(key.store);
    const regionIndex = regions.indexOf(region);
    if (index === null || index >= this.#options.appCount) return noReviews;
    if (regionIndex < 0 && region !== "all") return noReviews;
    const isAll = region === "all";
    const slots = createFeedSlots(isAll ? regions.length : 1);
    const passed = this.#slotsPassed(now.getTime());
    // The regions take turns, slot by slot.
    const slotCount = isAll ? passed : Math.ceil((passed - regionIndex) / regions.length);
    const globalSlot = (slot: number): number =>
      isAll ? slot : slot * regions.length + regionIndex;
    const length = slots.countOf(Math.max(0, slotCount));
    const slotAt = (position: number): number =>
      globalSlot(slots.slotAt(length - 1 - position, slotCount));
    return {
      length,
      slice: (start, count) =>
        Array.from({ length: Math.max(0, Math.min(count, length - start)) }, (_, at) =>
          this.#write({ key, index, slot: slotAt(start + at) }),
        ),
      countBefore: ({ dateMs }) => countWhile(length, (at) => this.#dateMs(slotAt(at)) > dateMs),
    };
  }

  /** Ten ratings for each review; null where the app has none. */
  ratings(key: AppKey, { region, now }: { region: string; now: Date }): Histogram | null {
    const country = hasReviewsByLanguage(key.store) ? "all" : region;
    const { length } = this.reviews(key, { region: country, now });
    if (length === 0) return null;
    const [one, two, three, four] = [0.09, 0.04, 0.07, 0.2].map((share) =>
      Math.floor(length * 10 * share),
    );
    const low = [one ?? 0, two ?? 0, three ?? 0, four ?? 0] as const;
    return [...low, length * 10 - low.reduce((sum, count) => sum + count, 0)];
  }

  /** Slots that must pass until `reviewCount` reviews are visible. */
  #slotCountAtStart(): number {
    const { reviewCount } = this.#options;
    const { countOf } = createFeedSlots(defaultCountries.length);
    let slots = reviewCount;
    while (countOf(slots) < reviewCount) slots += reviewCount - countOf(slots);
    return slots;
  }

  #slotsPassed(nowMs: number): number {
    return Math.max(0, Math.floor((nowMs - this.#startMs) / this.#intervalMs));
  }

  #dateMs(slot: number): number {
    return this.#startMs + (slot + 1) * this.#intervalMs;
  }

  #write(at: { key: AppKey; index: number; slot: number }): SimulatedReview {
    const { key, index, slot } = at;
    const regions = regionsOf(key.store);
    const origin = createFeedSlots(regions.length).originalSlot(slot);
    const region = regions[slot % regions.length] ?? "us";
    const random = this.#randomOf(at, origin);
    const book = phraseBookOf(region);
    const version = `${1 + Math.floor(origin / 5_000)}.${Math.floor(origin / 250) % 20}.0`;
    const original = generateReview(random, { book, version, profile: "ordinary" });
    const content =
      slot === origin ? original : generateRevision(random, { ...original, book, version });
    return {
      ...content,
      title: storeTraits[key.store].hasTitles ? content.title : null,
      storeReviewId: hasNumbers(key.store)
        ? String(firstReviewId + index * 10_000_000 + origin)
        : uuidV5(`${this.#options.seed}/${index}/${origin}`, reviewNamespace),
      region,
      version,
      votes: random.chance(0.1) ? random.whole(1, 20) : 0,
      date: new Date(this.#dateMs(slot)),
      reply: null,
    };
  }

  #randomOf({ key, index }: { key: AppKey; index: number }, slot: number): Random {
    const name = `${this.#options.seed}/${key.store}/${index}/${slot}`;
    return createRandom(createHash("sha256").update(name).digest().readUInt32BE());
  }
}

const reviewNamespace = "1f6f7f0e-6d5c-5b7a-8a53-0f3f7f6f9b10";

function regionsOf(store: AppKey["store"]): readonly string[] {
  const { soleRegion, reviewsBy } = storeTraits[store];
  if (soleRegion !== null) return [soleRegion];
  return reviewsBy === "language" ? defaultLanguages : defaultCountries;
}

function appOf(store: AppKey["store"], index: number): SimulatedApp {
  const bundleId = `app.sample.a${index + 1}`;
  return {
    store,
    externalAppId: hasNumbers(store) ? String(firstAppId + index) : bundleId,
    name: `Sample ${index + 1}`,
    developer: "Sample Makers",
    bundleId,
    iconUrl: `https://images.sample.invalid/icon/${index + 1}.png`,
    version: "1.0.0",
  };
}

function indexOf({ store, externalAppId }: AppKey): number | null {
  const number = hasNumbers(store)
    ? Number(externalAppId) - firstAppId + 1
    : Number(externalAppId.match(/^app\.sample\.a(\d{1,9})$/)?.[1]);
  return Number.isSafeInteger(number) && number >= 1 ? number - 1 : null;
}

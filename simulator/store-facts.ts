// A simulated store's facts about an app besides its name, and the defaults of apps and reviews in tests.
import type { Reply } from "../src/domain/review/review.ts";
import type { StoreId } from "../src/domain/store/store-id.ts";
import { uuidV7 } from "../src/lib/uuid.ts";

export type SimulatedApp = AppKey & {
  name: string;
  developer: string;
  /** Package name or bundle id. */
  bundleId: string;
  iconUrl: string;
  version: string;
  /** Facts of that version; omitted where the store has none. */
  facts?: StoreFacts;
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

export type StoreFacts = {
  releasedAt: Date;
  releaseNotes: string;
  price: number;
  currency: string;
  genre: string;
  /** Google Play only. */
  installs: number;
};

export const appDefaults = {
  name: "Sample",
  developer: "Sample Makers",
  iconUrl: "https://images.sample.invalid/icon/512x512bb.png",
  version: "1.0.0",
};

/** An id as the store makes it, of a moment. */
export function mintReviewId(store: StoreId, at: Date): string {
  return hasNumbers(store) ? String(at.getTime()) : uuidV7(at);
}

/** Google's ids are package names and UUIDs; those of others are decimals, which grow with time for reviews. */
export function hasNumbers(store: StoreId): boolean {
  return store !== "googleplay";
}

export const reviewDefaults = { title: null, version: "1.0.0", votes: 0 };

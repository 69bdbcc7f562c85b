// What a store tells of an app itself, in the storefront that it goes by.

/** null where the store does not tell. */
export type AppFacts = {
  version: string | null;
  /** When that version came out; ISO 8601. */
  releasedAt: string | null;
  /** Plain text. */
  releaseNotes: string | null;
  /** `Free` or `4.99 USD`. */
  price: string | null;
  genre: string | null;
  /** Google Play only. */
  installs: number | null;
};

/** Thousands of apps are remembered for an hour: their notes must not take all the memory. */
export const releaseNotesMax = 2_000;

// A store's facts about an app, from its main storefront.

/** null where the store has none. */
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

// Rating totals of one day: point-in-time counts as a store shows them, not ratings of that day.
import type { Day } from "../lib/timestamp.ts";

/** Counts of 1 to 5 stars, in that order. */
export type Histogram = readonly [number, number, number, number, number];

/** What a store says of an app's ratings in one storefront at one moment. */
export type RatingReading = {
  /** 0 when there are no ratings. */
  average: number;
  total: number;
  /** null when the source gives none. */
  histogram: Histogram | null;
};

/** One a day per listing and storefront. Region "" is the whole app (imports). */
export type Snapshot = RatingReading & { listingId: string; region: string; day: Day };

/** All-time totals over an app's storefronts as of one day. */
export type RatingSummary = RatingReading & { capturedOn: Day };

// Snapshots of rating totals: all-time counts as a store shows them on one day, not ratings of that day.
import type { Day } from "../../lib/timestamp.ts";

/** Counts of 1 to 5 stars, in that order. */
export type Histogram = readonly [number, number, number, number, number];

/** An app's ratings in one storefront at one moment, as the store shows them. */
export type RatingReading = {
  /** 0 without ratings. */
  average: number;
  total: number;
  /** null when the source gives none. */
  histogram: Histogram | null;
  /** Which of a store's sources it is from, in words; their totals differ a little. */
  source?: string;
};

/** A doubtful reading; `since`: when one like it was read first. */
export type QuarantinedReading = RatingReading & { since: Date };

// Stores refresh a histogram and its total at different times. A share alone is less than that in a small app.
const mismatchShareMax = 0.005;
const mismatchCountMax = 10;

/** Whether a histogram, if there is one, fits its total. */
export function addsUp({ histogram, total }: Pick<RatingReading, "histogram" | "total">): boolean {
  if (!histogram || total === 0) return !histogram || sum(histogram) === 0;
  const counted = sum(histogram);
  const missingCount = Math.abs(counted - total);
  return counted > 0 && missingCount <= Math.max(mismatchCountMax, total * mismatchShareMax);
}

/** At most one a day per listing and storefront. Region "" is the whole app (imports). */
export type Snapshot = RatingReading & { listingId: string; region: string; day: Day };

/** All-time totals over an app's storefronts as of one day. */
export type RatingSummary = RatingReading & { capturedOn: Day };

/**
 * All-time totals over storefronts: counts summed, the average weighted by count (4 decimals), of
 * the newest day. Snapshots of the whole app (imports) and of storefronts never mix: whichever is
 * newer counts. null without any snapshot.
 *
 * @param snapshots at most one per region
 */
export function sumSnapshots(
  snapshots: readonly Snapshot[],
  countries: readonly string[],
): (RatingSummary & { regions: string[] }) | null {
  const chosen = chooseScope(snapshots, countries);
  if (chosen.length === 0) return null;
  const total = sum(chosen.map((snapshot) => snapshot.total));
  const weighted = sum(chosen.map((snapshot) => snapshot.average * snapshot.total));
  return {
    average: total === 0 ? 0 : Math.round((weighted / total) * 10_000) / 10_000,
    total,
    histogram: sumHistograms(chosen),
    capturedOn: newestDay(chosen),
    regions: chosen.map((snapshot) => snapshot.region),
  };
}

/**
 * Only storefronts with a snapshot of both days are compared: one that was added since does not count as a drop.
 * Neither is the step from a worldwide import to collected storefronts: nothing says that they rated alike. null when
 * there is nothing to compare.
 */
export function compareSnapshots(compared: {
  countries: readonly string[];
  newest: readonly Snapshot[];
  earlier: readonly Snapshot[];
}): { current: RatingSummary; baseline: RatingSummary | null } | null {
  const { countries, newest, earlier } = compared;
  const regions = sumSnapshots(newest, countries)?.regions ?? [];
  const shared = regions.filter((region) => earlier.some((one) => one.region === region));
  const sumShared = (snapshots: readonly Snapshot[]): RatingSummary | null =>
    sumSnapshots(
      snapshots.filter(({ region }) => shared.includes(region)),
      countries,
    );
  const current = sumShared(newest);
  return current && { current, baseline: sumShared(earlier) };
}

function chooseScope(snapshots: readonly Snapshot[], countries: readonly string[]): Snapshot[] {
  const whole = snapshots.filter((snapshot) => snapshot.region === "");
  const parts = snapshots.filter((snapshot) => countries.includes(snapshot.region));
  return newestDay(whole) >= newestDay(parts) ? whole : parts;
}

/** "" when there is none, which is before any day. */
function newestDay(snapshots: readonly Snapshot[]): Day {
  return (
    snapshots
      .map(({ day }) => day)
      .sort()
      .at(-1) ?? ""
  );
}

function sumHistograms(snapshots: readonly Snapshot[]): Histogram | null {
  const counts: [number, number, number, number, number] = [0, 0, 0, 0, 0];
  for (const { histogram, total } of snapshots) {
    if (!histogram && total > 0) return null;
    histogram?.forEach((count, index) => {
      counts[index] = (counts[index] ?? 0) + count;
    });
  }
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

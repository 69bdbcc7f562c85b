// Whether an app's rating fell past a channel's threshold. A drop is announced once; the next one counts
// again when this one has fallen below half the threshold.
import { type Channel, openChannelFilter } from "../domain/channel/channel.ts";
import type { RatingDrop } from "../domain/channel/event.ts";
import type { App } from "../domain/feed/listing.ts";

/** The totals of one day. */
type RatingSample = { average: number; total: number };

export type RatingDropMatch =
  | { kind: "drop"; ratingDrop: RatingDrop }
  /** The alert ends: the next drop counts again. */
  | { kind: "rearm" }
  | { kind: "none" };

/**
 * @param input.baseline the newest totals at least the channel's `periodDays` older, if there are any
 * @param input.isOpen whether the channel's alert for this app is still open
 */
export function matchRatingDrop(input: {
  channel: Channel;
  app: Pick<App, "id" | "store">;
  current: RatingSample;
  baseline: RatingSample | null;
  isOpen: boolean;
}): RatingDropMatch {
  const { channel, app, current, baseline, isOpen } = input;
  const { minSampleSize } = channel;
  if (!baseline || baseline.total < minSampleSize || current.total < minSampleSize)
    return { kind: "none" };
  const dropHundredths = toHundredths(baseline.average - current.average);
  const threshold = toFineHundredths(channel.dropThreshold);
  if (isOpen) return dropHundredths < threshold / 2 ? { kind: "rearm" } : { kind: "none" };
  if (dropHundredths < threshold || !isEnabled(channel, app)) return { kind: "none" };
  return {
    kind: "drop",
    ratingDrop: {
      currentAvg: current.average,
      baselineAvg: baseline.average,
      drop: dropHundredths / 100,
      sampleSize: current.total,
      baselineSampleSize: baseline.total,
      periodDays: channel.periodDays,
    },
  };
}

function isEnabled(channel: Channel, app: Pick<App, "id" | "store">): boolean {
  const { digest, events, isPaused } = channel;
  // A paused channel is compared all the same: its drop can end during the pause.
  const isChosen = !isPaused && digest === null && events.includes("review.rating_drop");
  return isChosen && openChannelFilter(channel).takesApp(app);
}

// The drop as the body shows it is what the rule compares, in whole hundredths: 4.5 - 4.4 is less
// than 0.1 in binary. Averages carry 4 decimals, so the first rounding is exact.
function toHundredths(stars: number): number {
  return Math.round(Math.round(stars * 10_000) / 100);
}

// A threshold may be finer than a hundredth; 0.07 * 100 is more than 7 in binary.
function toFineHundredths(stars: number): number {
  return Math.round(stars * 1_000_000) / 10_000;
}

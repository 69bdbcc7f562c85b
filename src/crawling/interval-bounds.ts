// Between which bounds the reviews of a feed are read: the interval of the operator while all feeds of the store can be
// read within it, and longer for quiet ones where they can't.
import type { Database } from "../database/database.ts";
import type { IntervalBounds } from "../domain/feed/feed-interval.ts";
import type { Listing } from "../domain/feed/listing.ts";
import { isCrowded, type ReadingPace } from "../domain/feed/reading-round.ts";
import { createCachedValue } from "../lib/cached-value.ts";
import type { Clock } from "../lib/clock.ts";
import { minuteMs } from "../lib/timestamp.ts";

export type FindIntervalBounds = (listing: Listing) => Promise<IntervalBounds>;

// It changes with the apps that are followed, and finding it out reads all feeds.
const cachedMs = 10 * minuteMs;

export function createIntervalBounds(
  deps: Pick<Database, "readStoreLoads"> & { clock: Clock },
  { pace, intervalMinutesMax }: { pace: ReadingPace; intervalMinutesMax: number },
): FindIntervalBounds {
  const { intervalMinutes } = pace;
  const readLoads = createCachedValue({ clock: deps.clock, cachedMs }, () =>
    deps.readStoreLoads(pace),
  );
  return async ({ store, credentialId = null }) => {
    // Google's API has the reviews of a week, and an account of one's own has a pace of its own.
    const isPublic = credentialId === null;
    const load = isPublic ? (await readLoads()).find((one) => one.store === store) : undefined;
    const max = load && isCrowded(load, pace) ? intervalMinutesMax : intervalMinutes;
    return { intervalMinutes, intervalMinutesMax: Math.max(intervalMinutes, max) };
  };
}

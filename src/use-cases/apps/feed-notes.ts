// Notes on the feeds of an app, in words: those that can't be read, and those that are read less often than others.

import { reviewRegionInText, storefrontInText } from "../../domain/store/region-name.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import type { AppWithCoverage } from "./apps.ts";
import type { Coverage } from "./coverage.ts";

/** `Tidepool Journal: reviews of Germany and Japan can't be read: The App Store has trouble (HTTP 503)` */
export function describeFailingFeeds({ name, store, feeds }: AppWithCoverage): string[] {
  const regionsByCause = new Map<string, string[]>();
  for (const feed of feeds) {
    const reason = failureOf(feed);
    if (reason === null) continue;
    const isOfReviews = feed.kind === "reviews";
    const region = isOfReviews
      ? reviewRegionInText(feed.region, store)
      : storefrontInText(feed.region);
    const cause = `can't be read: ${reason}`;
    const key = [feed.kind, cause].join("\n");
    regionsByCause.set(key, [...(regionsByCause.get(key) ?? []), region]);
  }
  const list = new Intl.ListFormat("en");
  return [...regionsByCause].map(([key, regions]) => {
    const [kind, cause] = key.split("\n");
    return `${name}: ${kind} of ${list.format(regions)} ${cause}`;
  });
}

function failureOf({ outcome, alarm, lastError, stopReason }: Coverage): string | null {
  if (alarm !== null) return alarm;
  if (outcome !== "unknown") return null;
  return lastError ?? stopReason ?? "the last response was inconclusive";
}

const units = [
  { unit: "day", minutes: 1_440 },
  { unit: "hour", minutes: 60 },
  { unit: "minute", minutes: 1 },
] as const;

// A line for each of so many apps; of more, one for all.
const linesMax = 10;

export function describeQuietApps(
  apps: readonly AppWithCoverage[],
  pace: { intervalMinutes: number },
): string[] {
  const lines = apps.flatMap((app) => describeQuietFeeds(app, pace) ?? []);
  if (lines.length <= linesMax) return lines;
  return [
    `${lines.length} apps have storefronts or languages with few reviews, or none, which are read less often; --json has each`,
  ];
}

/** `Tidepool: 7 of 10 storefronts have few reviews, or none, and are read every 5 hours to 3 days`; null without any. */
function describeQuietFeeds(
  { name, store, feeds }: AppWithCoverage,
  { intervalMinutes }: { intervalMinutes: number },
): string | null {
  const reviewFeeds = feeds.filter(({ kind }) => kind === "reviews");
  const intervals = reviewFeeds
    .map((feed) => feed.intervalMinutes ?? 0)
    .filter((minutes) => minutes > intervalMinutes)
    .sort((one, other) => one - other);
  const [shortest, longest] = [intervals[0], intervals.at(-1)];
  if (shortest === undefined || longest === undefined) return null;
  const regions = `${storeTraits[store].reviewsBy}s`;
  const [from, to] = [formatMinutes(shortest), formatMinutes(longest)];
  const every = from === to ? from : `${from} to ${to}`;
  return `${name}: ${intervals.length} of ${reviewFeeds.length} ${regions} have few reviews, or none, and are read every ${every}`;
}

function formatMinutes(minutes: number): string {
  const { unit, minutes: size } = units.find((one) => minutes >= one.minutes) ?? units[2];
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(
    Math.round(minutes / size),
  );
}

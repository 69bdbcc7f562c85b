// The feeds of an app that are read less often than others, because they have few reviews, in words.
import { storeTraits } from "../../domain/store-traits.ts";
import type { AppWithCoverage } from "./apps.ts";

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

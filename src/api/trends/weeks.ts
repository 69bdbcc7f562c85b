// Turns counts per week into the numbers of GET /trends. Pure.
import type { WeekCounts } from "../../database/read-models/trends.ts";
import { type StoreId, storeIds } from "../../domain/store-id.ts";
import { addDays, type Day, mondayOf } from "../../lib/timestamp.ts";
import type { TrendsResponse } from "../contract.ts";

type Week = TrendsResponse["weekly"][number];

/** Every week that overlaps `from` to `to`, oldest first; zeros in weeks without reviews. */
export function fillWeeks({
  weeks,
  from,
  to,
  store,
}: {
  weeks: readonly WeekCounts[];
  from: Day;
  to: Day;
  store: StoreId;
}): Week[] {
  const countsOf = new Map(weeks.map((counts) => [counts.week, counts]));
  const filled: Week[] = [];
  if (from > to) return filled;
  for (let week = mondayOf(from); week <= to; week = addDays(week, 7)) {
    filled.push(toWeek(countsOf.get(week) ?? zeroWeek(week), store));
  }
  return filled;
}

export function sumTotals(weeks: readonly WeekCounts[]): TrendsResponse["totals"] {
  return {
    total: sum(weeks.map((week) => week.total)),
    analyzed: sum(weeks.map(countAnalyzed)),
  };
}

export function distributeStars(
  weeks: readonly WeekCounts[],
): TrendsResponse["ratingDistribution"] {
  return [1, 2, 3, 4, 5].map((score) => ({
    score,
    count: sum(weeks.map((week) => week.stars[score - 1] ?? 0)),
  }));
}

/** The Sunday of the day's week. */
export function lastDayOfWeek(day: Day): Day {
  return addDays(mondayOf(day), 6);
}

function toWeek(counts: WeekCounts, store: StoreId): Week {
  const [appstore, googleplay] = storeIds.map((id) => (id === store ? counts.total : 0));
  return {
    week: counts.week,
    label: labelOf(counts.week),
    appstore: appstore ?? 0,
    googleplay: googleplay ?? 0,
    total: counts.total,
    positive: counts.positive,
    neutral: counts.neutral,
    negative: counts.negative,
    mixed: counts.mixed,
    analyzed: countAnalyzed(counts),
    avgScore: averageStars(counts),
  };
}

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `Nov 16`. */
function labelOf(day: Day): string {
  return `${months[Number(day.slice(5, 7)) - 1]} ${Number(day.slice(8))}`;
}

function averageStars({ total, stars }: WeekCounts): number {
  if (total === 0) return 0;
  const points = sum(stars.map((count, index) => count * (index + 1)));
  // Integers until the one division, so that halves round up and do not depend on floating point.
  return Math.round((points * 100) / total) / 100;
}

function countAnalyzed({ positive, neutral, negative, mixed }: WeekCounts): number {
  return positive + neutral + negative + mixed;
}

function zeroWeek(week: Day): WeekCounts {
  return { week, total: 0, stars: [0, 0, 0, 0, 0], positive: 0, neutral: 0, negative: 0, mixed: 0 };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

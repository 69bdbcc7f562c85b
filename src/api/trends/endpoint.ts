// GET /trends: weekly volume and sentiment, stars and topics of apps, from the daily rollups.

import type { TopicCount, WeekCounts } from "../../database/reviews/review-counts.ts";
import type { SentimentLabel } from "../../domain/review/analysis.ts";
import { monthName } from "../../lib/readable-date.ts";
import { addDays, type Day, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { storeCounts, type TrendsResponse, trendsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { trendParameters } from "../parameters.ts";

const topicCountMax = 10;

export const trendsEndpoint = defineEndpoint({
  path: "/trends",
  id: "getTrends",
  tag: "Figures",
  summary: "Get weekly trends",
  description:
    "Counts of one app, or of several together, per ISO week (Monday, UTC), from `from` (else the first review's week) to `to` (else the current week). Weeks without reviews are zeros; a range that cuts a week counts the days inside.",
  parameters: trendParameters,
  appIdsOf: ({ app }) => app,
  responseSchema: trendsResponse,
  problems: ["invalid_parameter", "app_not_found"],
  async handle({ database, now, workspaceId, query, apps }) {
    const scope = { apps, workspaceId };
    const to = query.to ?? lastDayOfWeek(dayOf(now));
    // Without reviews and without `from` the list of weeks is empty.
    const from = query.from ?? (await database.findFirstReviewDayOfApps(scope)) ?? addDays(to, 1);
    const range = { ...scope, from, to };
    const weeks = await database.countWeeks(range);
    const builtIn =
      query.topics === "own" ? [] : await database.countTopics({ ...range, limit: topicCountMax });
    const own = apps.some(({ hasOwnTopics }) => hasOwnTopics)
      ? await database.countOwnTopicDays(range)
      : [];
    const topTopics = mergeTopics(builtIn, own);
    return {
      weekly: fillWeeks({ weeks, from, to }),
      totals: sumTotals(weeks),
      ratingDistribution: distributeStars(weeks),
      topTopics,
    };
  },
});

/** By count, then by name in the order of code points. */
function mergeTopics(
  builtIn: readonly TopicCount[],
  own: readonly { topic: string; total: number }[],
): TopicCount[] {
  const counts = new Map(builtIn.map(({ topic, count }) => [topic, count]));
  for (const { topic, total } of own) counts.set(topic, (counts.get(topic) ?? 0) + total);
  return [...counts]
    .map(([topic, count]) => ({ topic, count }))
    .sort((one, other) => other.count - one.count || (one.topic < other.topic ? -1 : 1))
    .slice(0, topicCountMax);
}

type Week = TrendsResponse["weekly"][number];

/** Every week that overlaps `from` to `to`, oldest first; zeros in weeks without reviews. */
function fillWeeks({
  weeks,
  from,
  to,
}: {
  weeks: readonly WeekCounts[];
  from: Day;
  to: Day;
}): Week[] {
  const countsOf = new Map<Day, WeekCounts[]>();
  for (const counts of weeks) {
    countsOf.set(counts.week, [...(countsOf.get(counts.week) ?? []), counts]);
  }
  const filled: Week[] = [];
  if (from > to) return filled;
  for (let week = mondayOf(from); week <= to; week = addDays(week, 7)) {
    filled.push(toWeek(week, countsOf.get(week) ?? []));
  }
  return filled;
}

function sumTotals(weeks: readonly WeekCounts[]): TrendsResponse["totals"] {
  return {
    total: sum(weeks.map((week) => week.total)),
    analyzed: sum(weeks.map(countAnalyzed)),
  };
}

function distributeStars(weeks: readonly WeekCounts[]): TrendsResponse["ratingDistribution"] {
  return [1, 2, 3, 4, 5].map((score) => ({
    score,
    count: sum(weeks.map((week) => week.stars[score - 1] ?? 0)),
  }));
}

/** The Sunday of the day's week. */
function lastDayOfWeek(day: Day): Day {
  return addDays(mondayOf(day), 6);
}

/** @param counts of each store */
function toWeek(week: Day, counts: readonly WeekCounts[]): Week {
  const { total, analyzed } = sumTotals(counts);
  const sumOf = (name: SentimentLabel) => sum(counts.map((one) => one[name]));
  const volumeOf = (store: string) =>
    sum(counts.map((one) => (one.store === store ? one.total : 0)));
  const volumes = Object.keys(storeCounts).map((store) => [store, volumeOf(store)]);
  return {
    week,
    label: labelOf(week),
    ...(Object.fromEntries(volumes) as Record<keyof typeof storeCounts, number>),
    total,
    positive: sumOf("positive"),
    neutral: sumOf("neutral"),
    negative: sumOf("negative"),
    mixed: sumOf("mixed"),
    analyzed,
    avgScore: averageStars(total, distributeStars(counts)),
  };
}

/** `Nov 16`. */
function labelOf(day: Day): string {
  return `${monthName(day)} ${Number(day.slice(8))}`;
}

function averageStars(total: number, distribution: TrendsResponse["ratingDistribution"]): number {
  if (total === 0) return 0;
  const points = sum(distribution.map(({ score, count }) => score * count));
  // Integers until the one division, so that halves round up and do not depend on floating point.
  return Math.round((points * 100) / total) / 100;
}

function countAnalyzed({ positive, neutral, negative, mixed }: WeekCounts): number {
  return positive + neutral + negative + mixed;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

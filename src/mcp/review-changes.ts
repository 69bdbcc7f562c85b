// What changed in the reviews: the last days compared with as many before them, from two answers of the
// trends endpoint.
import type { StarpostClient } from "../../sdk/src/client.ts";
import type { Trends } from "../../sdk/src/types.ts";
import { addDays, type Day, dayOf } from "../lib/timestamp.ts";

export const daysMax = 180;

export type PeriodSummary = {
  from: Day;
  to: Day;
  reviews: number;
  /** Two decimals; null without reviews. */
  averageStars: number | null;
  /** Reviews by sentiment. */
  sentiment: { positive: number; neutral: number; negative: number; mixed: number };
};

export type ReviewChanges = {
  current: PeriodSummary;
  previous: PeriodSummary;
  /** The largest differences first, of topics that are among the ten most frequent of a period. */
  topics: { topic: string; current: number; previous: number }[];
};

/**
 * A topic outside a period's ten most frequent has no count there and is left out, unless that period has fewer
 * than ten: then it is 0.
 *
 * @throws ApiError or ConnectionError, as the client does
 */
export async function compareReviewPeriods(
  client: Pick<StarpostClient, "getTrends">,
  { app, days, now }: { app: readonly string[]; days: number; now: Date },
): Promise<ReviewChanges> {
  const to = addDays(dayOf(now), -1);
  const from = addDays(to, 1 - days);
  const periods = [
    { from, to },
    { from: addDays(from, -days), to: addDays(from, -1) },
  ] as const;
  const [current, previous] = await Promise.all([
    client.getTrends({ app, ...periods[0] }),
    client.getTrends({ app, ...periods[1] }),
  ]);
  return {
    current: { ...periods[0], ...summarize(current) },
    previous: { ...periods[1], ...summarize(previous) },
    topics: compareTopics(current.topTopics, previous.topTopics),
  };
}

function summarize(trends: Trends): Omit<PeriodSummary, "from" | "to"> {
  const { totals, ratingDistribution, weekly } = trends;
  const stars = ratingDistribution.reduce((sum, { score, count }) => sum + score * count, 0);
  const sum = (label: "positive" | "neutral" | "negative" | "mixed") =>
    weekly.reduce((count, week) => count + week[label], 0);
  return {
    reviews: totals.total,
    averageStars: totals.total === 0 ? null : Math.round((stars / totals.total) * 100) / 100,
    sentiment: {
      positive: sum("positive"),
      neutral: sum("neutral"),
      negative: sum("negative"),
      mixed: sum("mixed"),
    },
  };
}

type TopicCounts = Trends["topTopics"];
/** As many topics as an answer has at most. */
const topTopicsMax = 10;

function compareTopics(current: TopicCounts, previous: TopicCounts): ReviewChanges["topics"] {
  const names = [...new Set([...current, ...previous].map(({ topic }) => topic))];
  return names
    .flatMap((topic) => {
      const counts = { current: countOf(current, topic), previous: countOf(previous, topic) };
      if (counts.current === null || counts.previous === null) return [];
      return [{ topic, current: counts.current, previous: counts.previous }];
    })
    .sort((a, b) => Math.abs(b.current - b.previous) - Math.abs(a.current - a.previous));
}

/** null where the answer does not say. */
function countOf(counts: TopicCounts, topic: string): number | null {
  const found = counts.find((one) => one.topic === topic);
  return found?.count ?? (counts.length < topTopicsMax ? 0 : null);
}

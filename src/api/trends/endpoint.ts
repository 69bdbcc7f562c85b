// GET /trends: weekly volume and sentiment, stars and topics of apps, from the daily rollups.
import type { TopicCount } from "../../database/reviews/review-counts.ts";
import { addDays, dayOf } from "../../lib/timestamp.ts";
import { trendsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { trendParameters } from "../parameters.ts";
import { distributeStars, fillWeeks, lastDayOfWeek, sumTotals } from "./weeks.ts";

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

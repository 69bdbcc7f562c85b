// GET /trends: weekly volume and sentiment, stars and topics of one app, from the daily rollups.
import { addDays, dayOf } from "../../lib/timestamp.ts";
import { trendsResponse } from "../contract.ts";
import { defineEndpoint, requireApp } from "../endpoint.ts";
import { exampleTrends } from "../examples.ts";
import { trendParameters } from "../parameters.ts";
import { distributeStars, fillWeeks, lastDayOfWeek, sumTotals } from "./weeks.ts";

const topicCountMax = 10;

export const trendsEndpoint = defineEndpoint({
  path: "/trends",
  id: "getTrends",
  summary: "Get weekly trends",
  description:
    "Counts per ISO week (Monday, UTC), from `from` (else the first review's week) to `to` (else the current week). Weeks without reviews are zeros; a range that cuts a week counts the days inside.",
  parameters: trendParameters,
  responseSchema: trendsResponse,
  example: exampleTrends,
  problems: ["invalid_parameter", "app_not_found"],
  async handle({ database, now, workspaceId, query }) {
    const app = await requireApp(database, { id: query.app, workspaceId });
    const scope = { appId: app.id, workspaceId };
    const to = query.to ?? lastDayOfWeek(dayOf(now));
    // Without reviews and without `from` there is no week to show.
    const from = query.from ?? (await database.findFirstReviewDayOfApp(scope)) ?? addDays(to, 1);
    const range = { ...scope, from, to };
    const weeks = await database.countWeeks(range);
    const topTopics = await database.countTopics({
      ...range,
      appIds: [app.id],
      limit: topicCountMax,
    });
    return {
      weekly: fillWeeks({ weeks, from, to, store: app.store }),
      totals: sumTotals(weeks),
      ratingDistribution: distributeStars(weeks),
      topTopics,
    };
  },
});

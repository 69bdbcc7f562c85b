// GET /ratings/history: all-time ratings of an app as of each day or week, together or by storefront.
import { z } from "zod";
import { failField } from "../../domain/validation-errors.ts";
import { addDays, dayMs, dayOf } from "../../lib/timestamp.ts";
import { everyDayMax, readRatingHistory } from "../../use-cases/apps/rating-days.ts";
import { dayText, histogramSchema, toHistogram } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { ratingHistoryParameters } from "../parameters.ts";

const defaultDays = { day: 90, week: 364 };

export const ratingHistoryResponse = z
  .object({
    history: z
      .array(
        z
          .object({
            day: dayText,
            region: z
              .string()
              .nullable()
              .describe("The storefront; null for all that the app follows together."),
            average: z.number().describe("All-time average, at most 4 decimals."),
            total: z
              .int()
              .min(0)
              .nullable()
              .describe(
                "Number of ratings; null where a Play Console export had the average alone.",
              ),
            histogram: histogramSchema.nullable(),
          })
          .meta({ id: "RatingDay" }),
      )
      .describe("Oldest first; a day without a snapshot is left out."),
  })
  .meta({ id: "RatingHistory" });

export const ratingHistoryEndpoint = defineEndpoint({
  path: "/ratings/history",
  id: "listRatingHistory",
  tag: "Figures",
  summary: "List past ratings",
  description: `All-time totals as of each day with a snapshot, or with \`by=week\` as of Mondays. Without \`from\` the last ${defaultDays.day} days, by week a year; at most ${everyDayMax} days by day.`,
  parameters: ratingHistoryParameters,
  appIdsOf: ({ app }) => [app],
  // Without `to` it ends today.
  dependsOnDay: true,
  responseSchema: ratingHistoryResponse,
  problems: ["invalid_parameter", "app_not_found"],
  async handle({ database, now, workspaceId, query, apps: [app] }) {
    if (!app) throw new Error("the app of the query is missing");
    const { by, region: regions = null, to = dayOf(now) } = query;
    const from = query.from ?? addDays(to, 1 - defaultDays[by]);
    const dayCount = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (dayCount < 1) failField("from", "must not be after today");
    if (by === "day" && dayCount > everyDayMax) {
      failField("from", `must be at most ${everyDayMax} days before the end; \`by=week\` has more`);
    }
    const read = { app: { ...app, workspaceId }, from, to, mondaysOnly: by === "week", regions };
    const history = await readRatingHistory(database, read);
    return {
      history: history.map((one) => ({
        ...one,
        histogram: one.histogram && toHistogram(one.histogram),
      })),
    };
  },
});

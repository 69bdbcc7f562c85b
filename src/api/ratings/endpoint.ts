// GET /ratings: all-time totals of the latest daily snapshot over the app's storefronts.
import { AppError } from "../../domain/error.ts";
import { sumSnapshots } from "../../domain/snapshot.ts";
import { ratingsResponse } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { exampleRatings } from "../examples.ts";
import { appParameters } from "../parameters.ts";

export const ratingsEndpoint = defineEndpoint({
  path: "/ratings",
  id: "getRatings",
  tag: "Figures",
  summary: "Get the rating summary",
  description:
    "All-time totals over the app's storefronts, from the latest daily snapshot: counts are summed, the average is weighted by count.",
  parameters: appParameters,
  appIdsOf: ({ app }) => [app],
  responseSchema: ratingsResponse,
  example: exampleRatings,
  problems: ["invalid_parameter", "app_not_found", "no_ratings_yet"],
  async handle({ database, apps: [app] }) {
    if (!app) throw new Error("the app of the query is missing");
    const { id, store, externalAppId, listingId, countries } = app;
    const latest = { listingId, day: null, withHistogram: true };
    const summary = sumSnapshots(await database.listSnapshotsAsOf(latest), countries);
    if (!summary?.histogram) {
      throw new AppError("no_ratings_yet", "No ratings of this app were captured yet.");
    }
    const [one, two, three, four, five] = summary.histogram;
    return {
      app: { id, store, externalAppId },
      rating: {
        average: summary.average,
        total: summary.total,
        histogram: { "1": one, "2": two, "3": three, "4": four, "5": five },
        capturedOn: summary.capturedOn,
      },
    };
  },
});

// GET /ratings: all-time totals of the latest daily snapshot over the app's storefronts.
import { AppError } from "../../domain/error.ts";
import { type RatingSummary, sumSnapshots } from "../../domain/review/snapshot.ts";
import { dayOf } from "../../lib/timestamp.ts";
import { ratingsResponse, toHistogram } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
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
  problems: ["invalid_parameter", "app_not_found", "no_ratings_yet", "no_histogram_yet"],
  async handle({ database, now, apps: [app] }) {
    if (!app) throw new Error("the app of the query is missing");
    const { id, store, externalAppId, listingId, countries } = app;
    // A snapshot of a later day is from a clock that was wrong.
    const latest = { listingId, day: dayOf(now), withHistogram: true };
    const summary = sumSnapshots(await database.listSnapshotsAsOf(latest), countries);
    if (!summary?.histogram) {
      const known = await database.listSnapshotsAsOf({ ...latest, withHistogram: false });
      throw describeMissing(sumSnapshots(known, countries));
    }
    return {
      app: { id, store, externalAppId },
      rating: {
        average: summary.average,
        total: summary.total,
        histogram: toHistogram(summary.histogram),
        capturedOn: summary.capturedOn,
      },
    };
  },
});

function describeMissing(known: RatingSummary | null): AppError {
  if (!known) return new AppError("no_ratings_yet", "No ratings of this app were captured yet.");
  const { average, total, capturedOn } = known;
  return new AppError(
    "no_histogram_yet",
    `The store shows ${total} ratings with an average of ${average} on ${capturedOn}, and not yet how many there are of each star.`,
  );
}

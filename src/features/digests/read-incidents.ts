// The incidents of apps up to a day: each release of the last four weeks with its verdict, and each rise without one, with the ratings before and after and a review that says it. The number of statements does not depend on the
// number of apps.

import type { DatabaseTransaction } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { DayCounts } from "../../database/reviews/review-counts.ts";
import type { FeedReviewRow } from "../../database/reviews/review-feed.ts";
import type { Incident } from "../../domain/changes/incident.ts";
import { worseByDefault } from "../../domain/changes/verdict.ts";
import { chooseQuoted, shorten } from "../../domain/review/quote.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { readCoveredDays } from "../../use-cases/apps/covered-days.ts";
import { type ReadIncidents, readVerdicts } from "../../use-cases/apps/feature-readers.ts";
import { noCounts, toReviewCounts } from "../../use-cases/apps/review-counts.ts";
import {
  countedDays,
  type FoundIncident,
  findIncidents,
  incidentDays,
} from "./compose/incidents.ts";
import * as statements from "./sql.ts";

/** Those with the most reviews: of each, some hundred rows are read. */
const appsMax = 12;
const incidentsMax = 12;
/** For each the newest reviews are looked at for one that says it best. */
const candidatesMax = 10;

export const readIncidents: ReadIncidents = async (database, query) => {
  const { workspaceId, to } = query;
  const ids = query.appIds.slice(0, appsMax);
  const followed = await database.listFollowedApps({ workspaceId, ids });
  const scope = { workspaceId, apps: followed };
  const releases = { since: addDays(to, 1 - incidentDays), max: incidentsMax };
  const days = countedDays(to);
  const [covered, counts, ownCounts, verdicts] = await Promise.all([
    readCoveredDays(database, scope),
    database.with(statements).countTopicDays({ ...scope, ...days }),
    database.countOwnTopicDays({ ...scope, ...days }),
    readVerdicts(database, { ...scope, worseBy: worseByDefault, releases }),
  ]);
  const appIds = followed.map(({ id }) => id);
  const known = { counts: [...counts, ...ownCounts], covered };
  const incidents = findIncidents({ appIds, verdicts, ...known, to });
  const found = incidents.slice(0, incidentsMax);
  const appOf = ({ appId }: FoundIncident) => followed.filter(({ id }) => id === appId);
  const ranges = found.flatMap((one) =>
    appOf(one).flatMap((app) => [
      { app, ...daysOf(one.range) },
      { app, ...daysOf(one.before ?? one.range) },
    ]),
  );
  const [rated, keys] = await Promise.all([
    database.countDateRanges({ workspaceId, ranges }),
    Promise.all(found.map((one) => listCandidates(database, { ...scope, apps: appOf(one), one }))),
  ]);
  const reviews = await database.loadFeedReviews({ workspaceId, reviews: keys.flat() });
  const described = found.map((one, index) => ({
    ...one,
    averageRating: averageOf(rated[2 * index]),
    averageRatingBefore: one.before === null ? null : averageOf(rated[2 * index + 1]),
    quote: chooseQuote(reviews.filter(({ id }) => keys[index]?.some((key) => key.id === id))),
  }));
  return { incidents: described, verdicts };
};

function daysOf({ from, to }: { from: Day; to: Day }): { from: Day; to: Day } {
  return { from, to };
}

async function listCandidates(
  database: DatabaseTransaction,
  query: { workspaceId: string; apps: readonly FollowedApp[]; one: FoundIncident },
) {
  const { workspaceId, apps, one } = query;
  if (one.state === "quiet" || one.negativeCount === 0) return [];
  const filters = {
    ...one.range,
    version: one.version ?? undefined,
    sentiment: "negative" as const,
    topic: one.topic ?? undefined,
  };
  const page = { workspaceId, apps, filters, after: null, limit: candidatesMax };
  return (await database.listReviewKeys(page)).keys;
}

function chooseQuote(reviews: readonly FeedReviewRow[]): Incident["quote"] {
  const best = chooseQuoted(reviews);
  if (!best) return null;
  const { id: reviewId, rating, text, translatedText, language } = best;
  return translatedText === null
    ? { reviewId, rating, text: shorten(text), language: language ?? "und" }
    : { reviewId, rating, text: shorten(translatedText), language: "en" };
}

function averageOf(counts: DayCounts = noCounts()): number | null {
  return toReviewCounts(counts).averageRating;
}

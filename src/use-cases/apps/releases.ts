// Versions of apps with the reviews of the days before and after each came out, from the rollups.
import type { Database } from "../../database/database.ts";
import type { ScopedApp } from "../../database/reviews/followed-apps.ts";
import type { DateRange } from "../../database/reviews/review-counts.ts";
import type { AppVersion } from "../../database/reviews/rollups.ts";
import { addDays, type Day, dayMs } from "../../lib/timestamp.ts";
import { noCounts, type ReviewCounts, toReviewCounts } from "./review-counts.ts";

export const comparedDays = 14;

/** All reviews of the days, whatever version they are of. */
type RangeCounts = ReviewCounts & { from: Day; to: Day };
export type ComparedRelease = AppVersion & { before: RangeCounts; after: RangeCounts };

type ReleaseQuery = {
  workspaceId: string;
  apps: readonly ScopedApp[];
  /** The newest first: those that end the days after earlier ones. */
  known: readonly AppVersion[];
  versions: readonly AppVersion[];
};

/** The 14 days before each version, and the 14 days from its first day on or up to the next version. */
export async function compareReleases(
  database: Pick<Database, "countDateRanges">,
  query: ReleaseQuery,
): Promise<ComparedRelease[]> {
  const { workspaceId, versions } = query;
  const spans = listSpans(query);
  const ranges = [...spans.map(({ before }) => before), ...spans.map(({ after }) => after)];
  const counted = await database.countDateRanges({ workspaceId, ranges });
  const compare = (index: number): ComparedRelease["before"] => {
    const { from = "", to = "" } = ranges[index] ?? {};
    return { ...toReviewCounts(counted[index] ?? noCounts()), from, to };
  };
  return versions.map(({ appId, version, firstDay }, index) => ({
    appId,
    version,
    firstDay,
    before: compare(index),
    after: compare(spans.length + index),
  }));
}

/** The most frequent topics of the days from each version on, those of the workspace itself left out. */
export async function listReleaseTopics(
  database: Pick<Database, "countTopicsOfRanges">,
  query: ReleaseQuery & { limit: number },
): Promise<{ topic: string; count: number }[][]> {
  const ranges = listSpans(query).map(({ after }) => after);
  const { workspaceId } = query;
  const counted = await database.countTopicsOfRanges({ workspaceId, ranges });
  return counted.map((topics) => topics.slice(0, query.limit));
}

function listSpans(query: ReleaseQuery): { before: DateRange; after: DateRange }[] {
  const apps = new Map(query.apps.map((app) => [app.id, app]));
  return query.versions.map(({ appId, firstDay }) => {
    const app = apps.get(appId);
    if (!app) throw new Error("the app of a version is missing");
    // The reviews after the next version are no longer due to this one.
    const next = query.known.findLast((one) => one.appId === appId && one.firstDay > firstDay);
    const untilNext = next ? (Date.parse(next.firstDay) - Date.parse(firstDay)) / dayMs : Infinity;
    const dayCount = Math.min(untilNext, comparedDays);
    return {
      before: { app, from: addDays(firstDay, -comparedDays), to: addDays(firstDay, -1) },
      after: { app, from: firstDay, to: addDays(firstDay, dayCount - 1) },
    };
  });
}

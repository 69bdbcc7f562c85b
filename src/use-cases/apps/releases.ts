// Versions of apps with the reviews of the days before and after each came out, from the rollups. Everything that says
// what a release did reads them here: the same days, the same reviews, the same counts.
import type { Database } from "../../database/database.ts";
import type { ScopedApp } from "../../database/reviews/followed-apps.ts";
import type { DateRange, TopicCounts } from "../../database/reviews/review-counts.ts";
import type { AppVersion } from "../../database/reviews/rollups.ts";
import { type ReleasePeriods, releasePeriods } from "../../domain/changes/release-periods.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import type { CoveredDays } from "./covered-days.ts";
import { noCounts, type ReviewCounts, toReviewCounts } from "./review-counts.ts";
import { namedDays, walkVersions } from "./walk-versions.ts";

/** All reviews of the days, whatever version they are of. */
export type RangeCounts = ReviewCounts & { from: Day; to: Day };
export type ComparedRelease = AppVersion & { before: RangeCounts | null; after: RangeCounts };

type ReleaseSpan = AppVersion & ReleasePeriods;

type ReleaseQuery = {
  workspaceId: string;
  apps: readonly ScopedApp[];
  /** All that are known, the newest first. */
  known: readonly AppVersion[];
  versions: readonly AppVersion[];
  /** By the ids of apps. */
  covered: ReadonlyMap<string, CoveredDays>;
};

/** The days before and after each version, in the order of `versions`. */
export async function listReleaseSpans(
  database: Pick<Database, "listVersionWeeks">,
  query: ReleaseQuery,
): Promise<ReleaseSpan[]> {
  const { workspaceId, apps, known, versions, covered } = query;
  const oldest = versions.map(({ firstDay }) => firstDay).sort()[0];
  if (oldest === undefined) return [];
  const weeks = { workspaceId, apps, from: addDays(oldest, -namedDays) };
  const named = await database.listVersionWeeks(weeks);
  const nextDays = new Map<string, Day | null>();
  for (const { id } of apps) {
    const isOwn = ({ appId }: { appId: string }) => appId === id;
    for (const one of walkVersions(known.filter(isOwn), named.filter(isOwn))) {
      if (one.firstDay < oldest) break;
      nextDays.set(`${id} ${one.version}`, one.nextDay);
    }
  }
  return versions.map((one) => {
    const nextDay = nextDays.get(`${one.appId} ${one.version}`) ?? null;
    const coveredSince = covered.get(one.appId)?.since ?? null;
    return { ...one, ...releasePeriods({ day: one.firstDay, nextDay, coveredSince }) };
  });
}

/** Counts of the reviews on both sides of each version. */
export async function compareReleases(
  database: Pick<Database, "countDateRanges" | "listVersionWeeks">,
  query: ReleaseQuery,
): Promise<ComparedRelease[]> {
  const { workspaceId, apps } = query;
  const spans = await listReleaseSpans(database, query);
  const ranges = spans.flatMap(({ appId, before, after }) =>
    [before ?? [], after].flat().map((period) => ({ app: appOf(apps, appId), ...period })),
  );
  const counted = await database.countDateRanges({ workspaceId, ranges });
  const counts = ranges.map(({ from, to }, at) => ({
    ...toReviewCounts(counted[at] ?? noCounts()),
    ...{ from, to },
  }));
  const rest = counts.values();
  const take = (): RangeCounts => rest.next().value as RangeCounts;
  return spans.map(({ appId, version, firstDay, before }) => ({
    ...{ appId, version, firstDay },
    before: before && take(),
    after: take(),
  }));
}

/** The most frequent topics of the days from each version on, those of the workspace itself left out. */
export async function listReleaseTopics(
  database: Pick<Database, "countTopicsOfRanges">,
  query: {
    workspaceId: string;
    apps: readonly ScopedApp[];
    releases: readonly ComparedRelease[];
    limit: number;
  },
): Promise<{ topic: string; count: number }[][]> {
  const { workspaceId, apps, releases, limit } = query;
  const ranges = releases.map(({ appId, after: { from, to } }) => ({
    app: appOf(apps, appId),
    ...{ from, to },
  }));
  const counted = await database.countTopicsOfRanges({ workspaceId, ranges });
  return counted.map((topics) =>
    topics.slice(0, limit).map(({ topic, count }) => ({ topic, count })),
  );
}

/** Reviews of some days, and how many of them answer a question of verdicts with yes. */
export type BaselineCounts = RangeCounts & { topics: readonly TopicCounts[] };

/** The same counts by topic, for verdicts; null where no day before is covered. */
export async function countBaselines(
  database: Pick<Database, "countDateRanges" | "countTopicsOfRanges">,
  query: { workspaceId: string; ranges: readonly (DateRange | null)[] },
): Promise<(BaselineCounts | null)[]> {
  const { workspaceId } = query;
  const ranges = query.ranges.filter((range) => range !== null);
  const [counted, topics] = await Promise.all([
    database.countDateRanges({ workspaceId, ranges }),
    database.countTopicsOfRanges({ workspaceId, ranges }),
  ]);
  let at = -1;
  return query.ranges.map((range) => {
    if (range === null) return null;
    at += 1;
    const { from, to } = range;
    const counts = toReviewCounts(counted[at] ?? noCounts());
    return { ...counts, from, to, topics: topics[at] ?? [] };
  });
}

function appOf(apps: readonly ScopedApp[], id: string): ScopedApp {
  const app = apps.find((one) => one.id === id);
  if (!app) throw new Error("the app of a version is missing");
  return app;
}

// Composes the overview from rollups and snapshots, so that its cost does not grow with the number of reviews.

import type { Database } from "../../database/database.ts";
import type { DayCounts, FeltTopic } from "../../database/read-models/overview.ts";
import type { AppVersion } from "../../database/repositories/app-versions.ts";
import type { App } from "../../domain/listing.ts";
import { sumSnapshots } from "../../domain/snapshot.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import type {
  Overview,
  OverviewApp,
  RatingNow,
  ReviewCounts,
  TopicTrend,
  VersionRow,
} from "../contract/overview.ts";
import { readRatingHistory } from "./rating-days.ts";
import { addCounts, noCounts, toReviewCounts } from "./review-counts.ts";
import { toWeekVolumes } from "./weeks.ts";

type Range = { from: Day; to: Day };
type OverviewQuery = { workspaceId: string; apps: readonly App[]; range: Range; before: Range };
type OverviewDatabase = Pick<
  Database,
  | "countAppWeeks"
  | "countDateRanges"
  | "countFeltTopics"
  | "countRegions"
  | "findFirstReviewDayOfApps"
  | "listAppVersions"
  | "listTopicWeeks"
  | "listSnapshotDays"
  | "listRatingAverages"
  | "listSnapshotsAsOf"
>;

const topicsMax = 30;
const regionsMax = 30;
/** More than any analysis finds, so that the trend of a listed topic is never missing. */
const countedTopicsMax = 500;
const releasesMax = 200;
const versionsMax = 12;
const comparedDays = 14;
/** A chart is unreadable with more lines, and each costs a few queries. */
const ratedAppsMax = 12;

export async function composeOverview(
  database: OverviewDatabase,
  query: OverviewQuery,
): Promise<Overview> {
  const { workspaceId, apps, range, before } = query;
  const appIds = apps.map(({ id }) => id);
  const scope = { workspaceId, appIds };
  const [weeks, counted, topics, topicsBefore, regions, firstReviewDay, releases] =
    await Promise.all([
      database.countAppWeeks({ ...scope, ...range }),
      countApps(database, query),
      database.countFeltTopics({ ...scope, ...range, limit: topicsMax }),
      database.countFeltTopics({ ...scope, ...before, limit: countedTopicsMax }),
      database.countRegions({ ...scope, ...range, limit: regionsMax }),
      database.findFirstReviewDayOfApps(scope),
      database.listAppVersions({ ...scope, ...range, limit: releasesMax }),
    ]);
  const names = topics.map(({ topic }) => topic);
  const topicWeeks = await database.listTopicWeeks({ ...scope, ...range, topics: names });
  const overviewApps = apps.map((app, index) =>
    toOverviewApp(database, {
      app,
      range,
      isRated: index < ratedAppsMax,
      counts: counted.now[index],
    }),
  );
  return {
    range,
    before,
    firstReviewDay,
    apps: await Promise.all(overviewApps),
    reviews: toReviewCounts(counted.now.reduce(addCounts, noCounts())),
    reviewsBefore: toReviewCounts(counted.before.reduce(addCounts, noCounts())),
    weeks: toWeekVolumes({ weeks, apps, range }),
    topics: topics.map((topic) => toTrend(topic, topicsBefore)),
    topicWeeks: topicWeeks.map(({ week, topic, total: count, ...opinions }) => ({
      ...{ week, topic, count, opinions },
    })),
    regions: regions.map(({ store, region, ...counts }) => ({
      ...{ store, region },
      ...toReviewCounts(counts),
    })),
    releases: releases
      .toReversed()
      .map(({ appId, version, firstDay: day }) => ({ appId, version, day })),
    versions: await listVersionRows(database, {
      workspaceId,
      versions: releases.slice(0, versionsMax),
    }),
  };
}

async function countApps(
  database: OverviewDatabase,
  { workspaceId, apps, range, before }: OverviewQuery,
): Promise<{ now: DayCounts[]; before: DayCounts[] }> {
  const spansOf = (span: Range) => apps.map(({ id: appId }) => ({ appId, ...span }));
  const spans = [...spansOf(range), ...spansOf(before)];
  const counted =
    spans.length === 0 ? [] : await database.countDateRanges({ workspaceId, ranges: spans });
  return { now: counted.slice(0, apps.length), before: counted.slice(apps.length) };
}

async function toOverviewApp(
  database: OverviewDatabase,
  input: { app: App; range: Range; isRated: boolean; counts: DayCounts | undefined },
): Promise<OverviewApp> {
  const { app, range, isRated, counts } = input;
  return {
    appId: app.id,
    name: app.name,
    store: app.store,
    rating: await readRating(database, { app, range }),
    ratingDays: isRated ? await readRatingHistory(database, { app, ...range }) : [],
    reviews: toReviewCounts(counts ?? noCounts()),
  };
}

async function readRating(
  database: OverviewDatabase,
  { app, range }: { app: App; range: Range },
): Promise<RatingNow | null> {
  const { listingId, countries } = app;
  const read = async (day: Day, withHistogram: boolean) =>
    sumSnapshots(await database.listSnapshotsAsOf({ listingId, day, withHistogram }), countries);
  const now = await read(range.to, false);
  if (!now) return null;
  const before = await read(addDays(range.from, -1), false);
  // A source without a histogram may be newer than one that has it.
  const detailed = await read(range.to, true);
  const histogram = detailed?.histogram ?? null;
  return {
    average: now.average,
    total: now.total,
    histogram: histogram && [...histogram],
    capturedOn: now.capturedOn,
    change: before && {
      average: Math.round((now.average - before.average) * 10_000) / 10_000,
      total: now.total - before.total,
      since: before.capturedOn,
    },
  };
}

function toTrend(found: FeltTopic, before: readonly FeltTopic[]): TopicTrend {
  const { topic, total: count, good, bad, starsLost, ...sentiment } = found;
  const negativeBefore = before.find((one) => one.topic === topic)?.negative ?? 0;
  return { topic, count, sentiment, negativeBefore, opinions: { good, bad, starsLost } };
}

/** All reviews of the days before a version and from its first day on, whatever version they are of. */
async function listVersionRows(
  database: OverviewDatabase,
  query: { workspaceId: string; versions: readonly AppVersion[] },
): Promise<VersionRow[]> {
  const { workspaceId, versions } = query;
  if (versions.length === 0) return [];
  const spans = versions.flatMap(({ appId, firstDay }) => [
    { appId, from: addDays(firstDay, -comparedDays), to: addDays(firstDay, -1) },
    { appId, from: firstDay, to: addDays(firstDay, comparedDays - 1) },
  ]);
  const counted = await database.countDateRanges({ workspaceId, ranges: spans });
  const compare = (index: number): ReviewCounts & Range => {
    const { from = "", to = "" } = spans[index] ?? {};
    return { ...toReviewCounts(counted[index] ?? noCounts()), from, to };
  };
  return versions.map(({ appId, version, firstDay }, index) => ({
    appId,
    version,
    firstDay,
    before: compare(2 * index),
    after: compare(2 * index + 1),
  }));
}

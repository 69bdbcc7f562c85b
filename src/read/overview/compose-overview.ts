// Composes the overview from rollups and snapshots, so that its cost does not grow with the number of reviews.

import type { DatabaseTransaction } from "../../database/database.ts";
import type { OwnTopicDay } from "../../database/reviews/own-labels.ts";
import {
  addTotals,
  type DayCounts,
  type TopicTotals,
  type TopicTotalsByWeek,
  type WeekCounts,
} from "../../database/reviews/review-counts.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type Snapshot, sumSnapshots } from "../../domain/review/snapshot.ts";
import { ofEachStore } from "../../domain/store/store-id.ts";
import { addDays, type Day, mondayOf } from "../../lib/timestamp.ts";
import { type CoveredDays, readCoveredDays } from "../../use-cases/apps/covered-days.ts";
import { readRatingHistories } from "../../use-cases/apps/rating-days.ts";
import { compareReleases } from "../../use-cases/apps/releases.ts";
import { addCounts, noCounts, toReviewCounts } from "../../use-cases/apps/review-counts.ts";
import { versionsMax as knownMax } from "../../use-cases/apps/walk-versions.ts";
import type { Overview, RatingNow, TopicTrend, WeekVolume } from "./overview.ts";

type Range = { from: Day; to: Day };
type OverviewQuery = { workspaceId: string; apps: readonly App[]; range: Range; before: Range };

const topicsMax = 30;
const regionsMax = 30;
const releasesMax = 200;
const versionsMax = 40;
/** Weeks would be two or three bars. */
const rangeByDayMax = 31;
/** A chart is unreadable with more lines, and each costs a few queries. */
const ratedAppsMax = 12;

export async function composeOverview(
  database: DatabaseTransaction,
  query: OverviewQuery,
): Promise<Overview> {
  const { workspaceId, apps, range, before } = query;
  const ids = apps.map(({ id }) => id);
  const followed = await database.listFollowedApps({ workspaceId, ids });
  const scope = { workspaceId, apps: followed };
  const rangesBefore = followed.map((app) => ({ app, ...before }));
  const [felt, feltBefore, own, counted, countedBefore, regions, covered, known, ratings] =
    await Promise.all([
      database.countTopicOpinions({ ...scope, ...range }),
      database.countNegativeTopics({ ...scope, ...before }),
      database.countOwnTopicDays({ ...scope, from: before.from, to: range.to }),
      database.countAppsAndWeeks({ ...scope, ...range, unit: unitOf(range) }),
      database.countDateRanges({ workspaceId, ranges: rangesBefore }),
      database.countRegions({ ...scope, ...range, limit: regionsMax }),
      readCoveredDays(database, scope),
      // All: which of them are releases depends on the others.
      database.listAppVersions({ ...scope, from: null, to: null, limit: knownMax }),
      readRatings(database, { apps, range }),
    ]);
  const releases = known
    .filter(({ firstDay }) => firstDay >= range.from && firstDay <= range.to)
    .slice(0, releasesMax);
  const ownFelt = addUpOwn(own, range);
  const topics = [...felt.topics, ...ownFelt.topics].sort(byComplaints).slice(0, topicsMax);
  const weeks = [...felt.weeks, ...ownFelt.weeks];
  const negativeBefore = [...feltBefore, ...addUpOwn(own, before).topics];
  const rated = apps.slice(0, ratedAppsMax).map((app, index) => ({
    app,
    before: ratings[index]?.before ?? [],
  }));
  const [histories, versions] = await Promise.all([
    readRatingHistories(database, { apps: rated, ...range }),
    compareReleases(database, {
      ...{ ...scope, known, covered },
      versions: releases.slice(0, versionsMax),
    }),
  ]);
  return {
    range,
    before,
    ...joinCovered([...covered.values()]),
    apps: apps.map((app, index) => ({
      appId: app.id,
      name: app.name,
      store: app.store,
      rating: ratings[index]?.now ?? null,
      ratingDays: histories[index] ?? [],
      reviews: toReviewCounts(counted.apps.get(app.id) ?? noCounts()),
    })),
    reviews: toReviewCounts([...counted.apps.values()].reduce(addCounts, noCounts())),
    reviewsBefore: toReviewCounts(countedBefore.reduce(addCounts, noCounts())),
    weeks: toVolumes({ counted: counted.weeks, range }),
    topics: topics.map((topic) => toTrend(topic, negativeBefore)),
    topicWeeks: toTopicWeeks(weeks, new Set(topics.map(({ topic }) => topic))),
    regions: regions.map(({ store, region, ...counts }) => ({
      store,
      region,
      ...toReviewCounts(counts),
    })),
    releases: releases
      .toReversed()
      .map(({ appId, version, firstDay: day }) => ({ appId, version, day })),
    versions,
  };
}

/** The first day of any app, and the day from which all of them are covered. */
function joinCovered(
  apps: readonly CoveredDays[],
): Pick<Overview, "coveredSince" | "firstReviewDay"> {
  const [firstReviewDay = null] = apps.map(({ firstDay }) => firstDay).sort();
  const [coveredSince = null] = apps
    .map(({ since }) => since)
    .sort()
    .reverse();
  return { firstReviewDay, coveredSince };
}

type Rated = { now: RatingNow | null; before: Snapshot[] };

/**
 * Figures of each app: as of the last day, with the newest histogram that there is, and as of the day before the range.
 */
async function readRatings(
  database: DatabaseTransaction,
  { apps, range }: { apps: readonly App[]; range: Range },
): Promise<Rated[]> {
  const asOf = (of: readonly App[], day: Day, withHistogram: boolean): Promise<Snapshot[][]> =>
    database.listSnapshotsAsOfEach(of.map(({ listingId }) => ({ listingId, day, withHistogram })));
  const [newest, earlier] = await Promise.all([
    asOf(apps, range.to, false),
    asOf(apps, addDays(range.from, -1), false),
  ]);
  // A source without a histogram may be newer than one that has it.
  const isPlain = ({ histogram, total }: Snapshot): boolean => histogram === null && total > 0;
  const plain = apps.filter((_, index) => newest[index]?.some(isPlain));
  const detailed = new Map(
    (await asOf(plain, range.to, true)).map((found, index) => [plain[index], found]),
  );
  return apps.map((app, index) => {
    const now = newest[index] ?? [];
    const before = earlier[index] ?? [];
    const read = { now, before, detailed: detailed.get(app) ?? now, countries: app.countries };
    return { now: toRating(read), before };
  });
}

function toRating(read: {
  now: readonly Snapshot[];
  before: readonly Snapshot[];
  detailed: readonly Snapshot[];
  countries: readonly string[];
}): RatingNow | null {
  const sum = (snapshots: readonly Snapshot[]) => sumSnapshots(snapshots, read.countries);
  const now = sum(read.now);
  if (!now) return null;
  const before = sum(read.before);
  const histogram = sum(read.detailed)?.histogram ?? null;
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

/** A review with one of the workspace's own topics has no opinion of that topic alone: its sentiment counts. */
function addUpOwn(days: readonly OwnTopicDay[], { from, to }: Range): TopicTotalsByWeek {
  const inside = days.filter(({ day }) => day >= from && day <= to);
  const weeks = new Map<string, TopicTotalsByWeek["weeks"][number]>();
  const topics = new Map<string, TopicTotals>();
  for (const { topic, day, positive, neutral, negative, mixed, total, starsLost } of inside) {
    const counts = { total, positive, neutral, negative, mixed, good: positive, bad: negative };
    const found = { topic, ...counts, starsLost };
    const week = mondayOf(day);
    topics.set(topic, addTotals(topics.get(topic), found));
    if (week < from) continue;
    const key = `${week} ${topic}`;
    weeks.set(key, { ...addTotals(weeks.get(key), found), week });
  }
  return { topics: [...topics.values()], weeks: [...weeks.values()] };
}

/** The most negative first. */
function byComplaints(one: TopicTotals, other: TopicTotals): number {
  const byName = one.topic < other.topic ? -1 : 1;
  return other.negative - one.negative || other.total - one.total || byName;
}

function toTopicWeeks(
  weeks: TopicTotalsByWeek["weeks"],
  topics: ReadonlySet<string>,
): Overview["topicWeeks"] {
  const keyOf = ({ week, topic }: { week: Day; topic: string }): string => `${week} ${topic}`;
  return weeks
    .filter(({ topic }) => topics.has(topic))
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map(({ week, topic, total: count, good, bad, starsLost }) => ({
      week,
      topic,
      count,
      opinions: { good, bad, starsLost },
    }));
}

function toTrend(
  found: TopicTotals,
  before: readonly { topic: string; negative: number }[],
): TopicTrend {
  const { topic, total: count, good, bad, starsLost, ...sentiment } = found;
  const negativeBefore = before.find((one) => one.topic === topic)?.negative ?? 0;
  return { topic, count, sentiment, negativeBefore, opinions: { good, bad, starsLost } };
}

function unitOf({ from, to }: Range): "day" | "week" {
  return addDays(from, rangeByDayMax) > to ? "day" : "week";
}

function toVolumes(input: { counted: readonly WeekCounts[]; range: Range }): WeekVolume[] {
  const { range, counted } = input;
  const [days, first] = unitOf(range) === "day" ? [1, range.from] : [7, mondayOf(range.from)];
  const volumes: WeekVolume[] = [];
  for (let week = first; week <= range.to; week = addDays(week, days)) {
    const found = counted.filter((one) => one.week === week);
    const byStore = ofEachStore(() => 0);
    for (const { store, total } of found) byStore[store] += total;
    const last = addDays(week, days - 1);
    volumes.push({
      week,
      from: week < range.from ? range.from : week,
      to: last > range.to ? range.to : last,
      byStore,
      ...toReviewCounts(found.reduce<DayCounts>(addCounts, noCounts())),
    });
  }
  return volumes;
}

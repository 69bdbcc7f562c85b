// Counts of reviews for trends and the overview, from the rollups alone: the cost depends on days, weeks and
// topics, never on the number of reviews. Every query names the workspace beside the listings.
import sql, { raw, type Sql } from "sql-template-tag";
import type { SentimentLabel } from "../../domain/review/analysis.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { addDays, type Day, mondayOf } from "../../lib/timestamp.ts";
import { readListings } from "../cluster/coordinator.ts";
import type { Db } from "../query.ts";
import { parameter, unnest } from "../sql.ts";
import {
  type AppScope,
  type ScopedApp,
  type ScopedRows,
  scopeListings,
  scopeRollups,
} from "./followed-apps.ts";

export type DayCounts = {
  total: number;
  /** Reviews with 1 to 5 stars, in that order. */
  stars: number[];
} & Record<SentimentLabel, number>;

/** The counts of days `d`, added up. */
const daySums = sql`sum(d.total)::integer as total,
  array[sum(d.stars_1)::integer, sum(d.stars_2)::integer, sum(d.stars_3)::integer, sum(d.stars_4)::integer,
    sum(d.stars_5)::integer] as stars,
  sum(d.positive)::integer as positive, sum(d.neutral)::integer as neutral, sum(d.negative)::integer as negative,
  sum(d.mixed)::integer as mixed`;

const counts = sql`total, stars_1, stars_2, stars_3, stars_4, stars_5, positive, neutral, negative, mixed`;

type Period = { from: Sql; to: Sql };

const reviewTables = ["review_weeks", "review_days"] as const;
const topicTables = ["topic_weeks", "topic_days"] as const;

const ofRegions = { listing: sql`s.listing_id`, region: sql`s.region` };
const ofRanges: Period = { from: sql`s.first_day`, to: sql`s.last_day` };

function periodOf({ from, to }: { from: Day; to: Day }): Period {
  return { from: sql`${parameter(from)}::date`, to: sql`${parameter(to)}::date` };
}

/**
 * To join with: the counts of a listing's region between two days as `d`, each with its `day`, which is the Monday of a
 * whole week.
 */
function joinCounts(period: Period, keys = ofRegions): Sql {
  const parts = { weeks: sql`d.week as day, ${counts}`, days: sql`d.day, ${counts}` };
  return joinPeriods({ ...period, ...keys, tables: "review", parts, as: sql`d` });
}

/** To join with: topics of the days as `t (topic, count, negative)`. */
function joinTopics(period: Period): Sql {
  const part = sql`d.topic, d.total as count, d.negative_reviews as negative`;
  const parts = { weeks: part, days: part };
  return joinPeriods({ ...period, ...ofRegions, tables: "topic", parts, as: sql`t` });
}

// Parts without days are left out of the statement.
function joinPeriods(
  of: Period & {
    listing: Sql;
    region: Sql;
    tables: "review" | "topic";
    parts: { weeks: Sql; days: Sql };
    as: Sql;
  },
): Sql {
  const { listing, region, from, to, parts, as } = of;
  const [weeks, days] = [raw(`${of.tables}_weeks`), raw(`${of.tables}_days`)];
  const ofRegion = sql`d.listing_id = ${listing} and d.region = ${region}`;
  const rest = sql`greatest(first_monday, end_monday)`;
  return sql`cross join lateral (select date_trunc('week', (${from} + 6)::timestamp)::date as first_monday,
       date_trunc('week', (${to} + 1)::timestamp)::date as end_monday offset 0) whole
     cross join lateral (
       select ${parts.weeks} from ${weeks} d
       where ${ofRegion} and first_monday < end_monday and d.week >= first_monday and d.week < end_monday
       union all
       select ${parts.days} from ${days} d
       where ${ofRegion} and ${from} < first_monday and d.day >= ${from} and d.day < least(first_monday, ${to} + 1)
       union all
       select ${parts.days} from ${days} d
       where ${ofRegion} and ${rest} <= ${to} and d.day >= ${rest} and d.day <= ${to}
       offset 0
     ) ${as}`;
}

/** Apps of a workspace, and the days that count, both inclusive. */
type TrendScope = AppScope & { from: Day; to: Day };

export type WeekCounts = DayCounts & {
  store: StoreId;
  /** The week's Monday, also where the range cuts the week. */
  week: Day;
};

/** Counts per store and ISO week, oldest first; weeks without reviews are left out. */
export function countWeeks(db: Db, scope: TrendScope): Promise<WeekCounts[]> {
  const scoped = scopeRollups(scope);
  return readListings(db, "countWeeks", { ...scoped, tables: reviewTables })`
    select l.store, date_trunc('week', d.day::timestamp)::date as week, ${daySums}
    from ${scoped.rows} join listings l on l.id = a.listing_id
    ${joinCounts(periodOf(scope))}
    group by 1, 2 order by 2, 1`;
}

/** The day of the oldest review of these apps; null without any. */
export async function findFirstReviewDayOfApps(db: Db, scope: AppScope): Promise<Day | null> {
  const scoped = scopeRollups(scope);
  const read = readListings(db, "findFirstReviewDayOfApps", { ...scoped, tables: ["review_days"] });
  const [found] = await read<{ day: Day | null }>`select min(f.day) as day from ${scoped.rows}
    cross join lateral (
      select d.day from review_days d
      where d.listing_id = s.listing_id and d.region = s.region order by d.day limit 1
    ) f`;
  return found?.day ?? null;
}

type FirstReviewDay = {
  appId: string;
  region: string;
  day: Day;
  /** Reviews of that day and the 13 days after it. */
  earlyCount: number;
};

/** The day of the oldest review of each of these regions that has any; "" is the whole listing. */
export function listFirstReviewDays(db: Db, scope: AppScope): Promise<FirstReviewDay[]> {
  const scoped = scopeRollups(scope);
  return readListings(db, "listFirstReviewDays", { ...scoped, tables: ["review_days"] })`
    select a.id as "appId", s.region, f.day, e.total as "earlyCount" from ${scoped.rows}
    cross join lateral (
      select d.day from review_days d
      where d.listing_id = s.listing_id and d.region = s.region order by d.day limit 1
    ) f
    cross join lateral (
      select sum(d.total)::integer as total from review_days d
      where d.listing_id = s.listing_id and d.region = s.region and d.day between f.day and f.day + 13
    ) e`;
}

export type TopicCount = { topic: string; count: number };

/**
 * The most frequent topics of these apps together: by count, then by name in the order of code points. Whole
 * weeks are read from the weekly rollup, so that the cost does not grow with the number of reviews.
 */
export function countTopics(db: Db, scope: TrendScope & { limit: number }): Promise<TopicCount[]> {
  const scoped = scopeRollups(scope);
  return readListings(db, "countTopics", { ...scoped, tables: topicTables })`
    select t.topic, sum(t.count)::integer as count
    from ${scoped.rows} ${joinTopics(periodOf(scope))}
    group by t.topic order by count desc, t.topic collate "C" limit ${scope.limit}`;
}

export type TopicCounts = TopicCount & { negative: number };

/** Counts of topics in ranges of days, in the order of `ranges`; each most frequent first. */
export async function countTopicsOfRanges(db: Db, query: Ranges): Promise<TopicCounts[][]> {
  if (query.ranges.length === 0) return [];
  const scoped = scopeRanges(query);
  const counted = await readListings(db, "countTopicsOfRanges", { ...scoped, tables: topicTables })<
    TopicCounts & { number: number }
  >`
    select s.number, t.topic, sum(t.count)::integer as count, sum(t.negative)::integer as negative
    from ${scoped.rows} ${joinTopics(ofRanges)}
    group by s.number, t.topic order by count desc, t.topic collate "C"`;
  const found = new Map<number, TopicCounts[]>(query.ranges.map((_, number) => [number, []]));
  for (const { number, ...count } of counted) found.get(number)?.push(count);
  return [...found.values()];
}

export type DateRange = { app: ScopedApp; from: Day; to: Day };

type Ranges = { workspaceId: string; ranges: readonly DateRange[] };

/** Each region of each range, as `s (listing_id, region, first_day, last_day, number)`, with its app `a`. */
function scopeRanges({ workspaceId, ranges }: Ranges): ScopedRows {
  const parts = ranges.flatMap(({ app: { listingId, regions }, from, to }, number) =>
    (regions ?? [""]).map((region) => ({ listingId, region, from, to, number })),
  );
  const listingIds = parameter(parts.map(({ listingId }) => listingId));
  const rows = sql`unnest(${listingIds}::uuid[], ${parts.map(({ region }) => region)}::text[],
        ${parts.map(({ from }) => from)}::date[], ${parts.map(({ to }) => to)}::date[],
        ${parts.map(({ number }) => number)}::integer[])
      s (listing_id, region, first_day, last_day, number)
    join apps a on a.workspace_id = ${workspaceId} and a.listing_id = s.listing_id`;
  return { listingIds, rows };
}

/** Counts of ranges of days, in the order of `ranges`; zeros for an app of another workspace. */
export async function countDateRanges(db: Db, query: Ranges): Promise<DayCounts[]> {
  const { ranges } = query;
  if (ranges.length === 0) return [];
  const scoped = scopeRanges(query);
  const counted = await readListings(db, "countDateRanges", { ...scoped, tables: reviewTables })<
    DayCounts & { number: number }
  >`
    select s.number, ${daySums}
    from ${scoped.rows} ${joinCounts(ofRanges)} group by s.number`;
  const none = { total: 0, stars: [0, 0, 0, 0, 0], positive: 0, neutral: 0, negative: 0, mixed: 0 };
  const found = new Map(counted.map(({ number, ...counts }) => [number, counts]));
  return ranges.map((_, number) => found.get(number) ?? none);
}

type CountsByAppAndWeek = {
  /** By the ids of apps; without those that have no reviews of these days. */
  apps: Map<string, DayCounts>;
  /** As `countWeeks` has them, or each with its day in place of the Monday. */
  weeks: WeekCounts[];
};

/** The same without the weekly rollup: each with its own day. */
function joinDays({ from, to }: Period): Sql {
  return sql`join review_days d on d.listing_id = s.listing_id and d.region = s.region
    and d.day between ${from} and ${to}`;
}

/** Counts of a range by app, and by week or day, of which each row is read once. */
export async function countAppsAndWeeks(
  db: Db,
  { unit, ...scope }: TrendScope & { unit: "day" | "week" },
): Promise<CountsByAppAndWeek> {
  type Row = DayCounts & ({ appId: string } | ({ appId: null } & WeekCounts));
  const scoped = scopeRollups(scope);
  const isByDay = unit === "day";
  const join = isByDay ? joinDays : joinCounts;
  const rows = await readListings(db, isByDay ? "countAppsAndDays" : "countAppsAndWeeks", {
    ...scoped,
    tables: reviewTables,
  })<Row>`
    select a.id as "appId", l.store,
      date_trunc(${unit}, d.day::timestamp)::date as week, ${daySums}
    from ${scoped.rows} join listings l on l.id = a.listing_id
    ${join(periodOf(scope))}
    group by grouping sets ((1), (2, 3)) order by 3, 2`;
  return {
    apps: new Map(rows.flatMap((row) => (row.appId === null ? [] : [[row.appId, row]]))),
    weeks: rows.flatMap((row) => (row.appId === null ? [row] : [])),
  };
}

/** How many reviews are stored of each app of a workspace. */
export function countReviewsOfApps(
  db: Db,
  scope: AppScope,
): Promise<{ appId: string; count: number }[]> {
  const scoped = scopeRollups(scope);
  return readListings(db, "countReviewsOfApps", { ...scoped, tables: ["review_weeks"] })`
    select a.id as "appId", sum(d.total)::integer as count
    from ${scoped.rows}
    cross join lateral (
      select d.total from review_weeks d
      where d.listing_id = s.listing_id and d.region = s.region offset 0
    ) d
    group by a.id`;
}

/** Counts by store and region, the most reviews first: storefronts, or the languages of Google Play's lists. */
export function countRegions(
  db: Db,
  scope: TrendScope & { limit: number },
): Promise<({ store: StoreId; region: string } & DayCounts)[]> {
  const scoped = scopeListings(scope);
  const keys = { listing: sql`l.listing_id`, region: sql`g.region` };
  return readListings(db, "countRegions", { ...scoped, tables: reviewTables })`
    select l.store, g.region, ${daySums}
    from (
      select l.store, s.listing_id, coalesce(followed.regions, l.regions) as regions
      from ${scoped.rows} join listings l on l.id = s.listing_id offset 0
    ) l
    cross join lateral unnest(l.regions) g (region)
    ${joinCounts(periodOf(scope), keys)}
    where g.region <> ''
    group by 1, 2 order by total desc, 1, 2 limit ${scope.limit}`;
}

// Opinions on topics, for the overview: by week, and for the days at the ends of two ranges that are not whole weeks.
// Whole weeks are read from the rollup by week, each row once, whatever it counts for.

/** Opinions of reviews on the topic itself, regardless of other topics. */
export type TopicOpinions = {
  good: number;
  bad: number;
  /** Stars lost (5 − rating) in reviews with a bad opinion of the topic. */
  starsLost: number;
};

export type TopicTotals = { topic: string; total: number } & Record<SentimentLabel, number> &
  TopicOpinions;

export type TopicTotalsByWeek = {
  /** Totals of the range, unordered. */
  topics: TopicTotals[];
  /** Weeks that begin in the range, as a whole. */
  weeks: (TopicTotals & { week: Day })[];
};

type Range = { from: Day; to: Day };
type Row = TopicTotals & { week: Day | null };

const opinionSums = sql`sum(d.total)::integer as total, sum(d.positive_reviews)::integer as positive,
  sum(d.neutral_reviews)::integer as neutral, sum(d.negative_reviews)::integer as negative,
  sum(d.mixed_reviews)::integer as mixed, sum(d.positive)::integer as good, sum(d.negative)::integer as bad,
  sum(d.stars_lost)::integer as "starsLost"`;

/** Opinions on each topic in the reviews of these days, in total and by week. */
export async function countTopicOpinions(db: Db, scope: TrendScope): Promise<TopicTotalsByWeek> {
  const { from, to } = scope;
  const scoped = scopeRollups(scope);
  const ends = unnest("e", listEnds({ from, to }), {
    first_day: ["date", (end) => end.from],
    last_day: ["date", (end) => end.to],
  });
  const rows = await readListings(db, "countTopicOpinions", {
    ...scoped,
    tables: topicTables,
  })<Row>`
    select d.week, d.topic, ${opinionSums}
    from ${scoped.rows}
    cross join lateral (
      select * from topic_weeks d where d.listing_id = s.listing_id and d.region = s.region
        and d.week between ${from}::date and ${to}::date offset 0
    ) d
    group by 1, 2
    union all
    select null, d.topic, ${opinionSums}
    from ${scoped.rows}
    cross join ${ends}
    cross join lateral (
      select * from topic_days d where d.listing_id = s.listing_id and d.region = s.region
        and d.day between e.first_day and e.last_day offset 0
    ) d
    group by 2`;
  const isInside = ({ week }: Row): boolean => week === null || addDays(week, 6) <= to;
  return {
    topics: addUp(rows.filter(isInside)),
    weeks: rows.flatMap(({ week, ...row }) => (week === null ? [] : [{ ...row, week }])),
  };
}

/** How many negative reviews of these days have each topic; in no order. */
export function countNegativeTopics(
  db: Db,
  scope: TrendScope,
): Promise<{ topic: string; negative: number }[]> {
  const scoped = scopeRollups(scope);
  return readListings(db, "countNegativeTopics", { ...scoped, tables: topicTables })`
    select t.topic, sum(t.negative)::integer as negative
    from ${scoped.rows} ${joinTopics(periodOf(scope))}
    group by t.topic`;
}

/** The days of a range that belong to no whole week of it. */
function listEnds({ from, to }: Range): Range[] {
  const firstMonday = mondayOf(addDays(from, 6));
  const endMonday = mondayOf(addDays(to, 1));
  if (firstMonday >= endMonday) return [{ from, to }];
  const ends = [
    { from, to: addDays(firstMonday, -1) },
    { from: endMonday, to },
  ];
  return ends.filter((end) => end.from <= end.to);
}

function addUp(rows: readonly Row[]): TopicTotals[] {
  const sumsOf = new Map<string, TopicTotals>();
  for (const { week: _, ...row } of rows)
    sumsOf.set(row.topic, addTotals(sumsOf.get(row.topic), row));
  return [...sumsOf.values()];
}

export function addTotals(sum: TopicTotals | undefined, more: TopicTotals): TopicTotals {
  if (!sum) return more;
  const added = { ...more };
  for (const name of totalNames) added[name] += sum[name];
  return added;
}

const totalNames = [
  "total",
  "positive",
  "neutral",
  "negative",
  "mixed",
  "good",
  "bad",
  "starsLost",
] as const satisfies readonly (keyof TopicTotals)[];

// Counts of reviews by day and by week, by topic, language and version, written in the same transaction as the reviews, so
// that trends cost weeks and not reviews. At any moment they equal a recount. Each review counts for its region, and for the
// whole listing, whose region is ''.
import { raw } from "sql-template-tag";
import { listTopicOpinions, sentimentLabels } from "../../domain/review/analysis.ts";
import { type Review, regionOf } from "../../domain/review/review.ts";
import { type Day, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { readListings } from "../cluster/coordinator.ts";
import { type Db, queryRows } from "../query.ts";
import { type UnnestedColumns, unnest } from "../sql.ts";
import { type AppScope, scopeListings, scopeRollups } from "./followed-apps.ts";
import type { RollupChange } from "./reviews.ts";

const reviewCounts = [
  "total",
  "stars_1",
  "stars_2",
  "stars_3",
  "stars_4",
  "stars_5",
  ...sentimentLabels,
] as const;

const topicCounts = [
  "total",
  ...sentimentLabels.map((label) => `${label}_reviews`),
  // Opinions on the topic itself, and the stars below five of the bad ones.
  "positive",
  "negative",
  "stars_lost",
];

/** By table, the columns of the key behind listing and region, and those that are added up: the first is the total. */
export const rollups = {
  review_days: { key: { day: "date" }, counts: reviewCounts },
  review_weeks: { key: { week: "date" }, counts: reviewCounts },
  topic_days: { key: { day: "date", topic: "text" }, counts: topicCounts },
  topic_weeks: { key: { week: "date", topic: "text" }, counts: topicCounts },
  facet_days: {
    key: { day: "date", facet: "text", value: "text" },
    counts: ["total", "negative"],
  },
} as const;
type RollupTable = keyof typeof rollups;
const rollupTables = Object.keys(rollups) as RollupTable[];

/** Rows to add, by the text of their keys. */
type Steps = Record<RollupTable, Map<string, RollupStep>>;
type RollupStep = { key: readonly string[]; counts: number[] };

/** Adds the changes of one ingest to the counts of their days, topics and versions. */
export async function addToRollups(
  db: Db,
  add: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const steps: Steps = {
    review_days: new Map(),
    review_weeks: new Map(),
    topic_days: new Map(),
    topic_weeks: new Map(),
    facet_days: new Map(),
  };
  for (const { before, after } of add.changes) {
    if (before) countReview(before, -1, steps);
    countReview(after, 1, steps);
  }
  for (const table of rollupTables) {
    await addRows(db, { listingId: add.listingId, table, rows: steps[table] });
  }
  await saveReviewTopics(db, add);
  await moveOwnTopicReviews(db, add);
  await saveAppVersions(db, add);
}

const starsMax = 5;

function countReview(review: Review, step: 1 | -1, steps: Steps): void {
  const { rating, version, analysis } = review;
  const day = dayOf(review.date);
  const week = mondayOf(day);
  const label = analysis?.sentiment?.label;
  const labels = sentimentLabels.map((one) => Number(one === label));
  const counts = [1, ...[1, 2, 3, 4, 5].map((stars) => Number(stars === rating)), ...labels];
  const topics = listTopicOpinions(analysis);
  for (const region of ["", regionOf(review)]) {
    const count = (table: RollupTable, key: readonly string[], added: readonly number[]): void =>
      addStep(steps[table], [region, ...key], { counts: added, step });
    count("review_days", [day], counts);
    count("review_weeks", [week], counts);
    for (const { topic, opinion } of topics) {
      const isBad = opinion === "negative";
      const opinions = [Number(opinion === "positive"), Number(isBad)];
      const added = [1, ...labels, ...opinions, isBad ? starsMax - rating : 0];
      count("topic_days", [day, topic], added);
      count("topic_weeks", [week, topic], added);
    }
    const facets = { language: analysis?.language ?? "", version };
    for (const [facet, value] of Object.entries(facets)) {
      if (value !== "") count("facet_days", [day, facet, value], [1, Number(label === "negative")]);
    }
  }
}

function addStep(
  rows: Steps[RollupTable],
  key: readonly string[],
  added: { counts: readonly number[]; step: 1 | -1 },
): void {
  const text = key.join(" ");
  const row = rows.get(text) ?? { key, counts: added.counts.map(() => 0) };
  rows.set(text, row);
  for (const [index, count] of added.counts.entries()) {
    row.counts[index] = (row.counts[index] ?? 0) + added.step * count;
  }
}

async function addRows(
  db: Db,
  add: { listingId: string; table: RollupTable; rows: Steps[RollupTable] },
): Promise<void> {
  const { listingId, table } = add;
  const { key, counts } = rollups[table];
  // In one order everywhere, so that two transactions never deadlock.
  const rows = [...add.rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
    .filter((row) => row.counts.some((count) => count !== 0));
  if (rows.length === 0) return;
  const columnsOf = (names: Readonly<Record<string, string>>): UnnestedColumns<RollupStep> =>
    Object.fromEntries(
      Object.entries({ region: "text", ...names }).map(([name, type], index) => [
        name,
        [type, ({ key }) => key[index] ?? ""],
      ]),
    );
  const keyColumns = columnsOf(key);
  const countColumns: UnnestedColumns<RollupStep> = Object.fromEntries(
    counts.map((name, index) => [name, ["integer", (row) => row.counts[index] ?? 0]]),
  );
  const columns = { ...keyColumns, ...countColumns };
  const names = Object.keys(keyColumns);
  await queryRows(db, `addRollup-${table}`)`
    insert into ${raw(table)} as d (listing_id, ${raw(Object.keys(columns).join(", "))})
    select ${listingId}::uuid, * from ${unnest("given", rows, columns)}
    on conflict (listing_id, ${raw(names.join(", "))}) do update set
      ${raw(counts.map((name) => `${name} = d.${name} + excluded.${name}`).join(", "))}`;
  // Rows can only become empty by losing a review.
  if (rows.every((row) => (row.counts[0] ?? 0) >= 0)) return;
  await queryRows(db, `deleteEmptyRollup-${table}`)`
    delete from ${raw(table)} d using ${unnest("e", rows, keyColumns)}
    where d.listing_id = ${listingId} and ${raw(names.map((name) => `d.${name} = e.${name}`).join(" and "))}
      and d.total = 0`;
}

// The topics of reviews as rows of their own, so that pages by topic are index ranges. Written in the same
// transaction as the reviews, so that they always agree with them.

async function saveReviewTopics(
  db: Db,
  save: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const moved = save.changes.filter(({ before, after }) => !before || !isSame(before, after));
  const gone = moved.flatMap(({ before }) => (before ? listTopics(before) : []));
  const come = moved.flatMap(({ after }) => listTopics(after));
  if (gone.length > 0) {
    const { topic, date, review_id } = topicColumns;
    await queryRows(db, "deleteReviewTopics")`delete from review_topics t
      using ${unnest("g", gone, { topic, date, review_id })}
      where t.listing_id = ${save.listingId} and t.topic = g.topic and t.date = g.date
        and t.review_id = g.review_id`;
  }
  if (come.length === 0) return;
  await queryRows(db, "insertReviewTopics")`insert into review_topics
      (listing_id, ${raw(Object.keys(topicColumns).join(", "))})
    select ${save.listingId}, * from ${unnest("given", come, topicColumns)}`;
}

type TopicRow = { topic: string; review: Review };

function listTopics(review: Review): TopicRow[] {
  return (review.analysis?.topics ?? []).map((topic) => ({ topic, review }));
}

const topicColumns = {
  topic: ["text", ({ topic }) => topic],
  date: ["timestamptz", ({ review }) => review.date],
  review_id: ["uuid", ({ review }) => review.id],
  rating: ["smallint", ({ review }) => review.rating],
  sentiment: ["text", ({ review }) => review.analysis?.sentiment?.label ?? ""],
} satisfies UnnestedColumns<TopicRow>;

/** Whether both versions have the same rows. */
function isSame(before: Review, after: Review): boolean {
  const [topicsBefore, topicsAfter] = [before, after].map(({ analysis }) => analysis?.topics ?? []);
  return isSameKind(before, after) && topicsBefore?.join() === topicsAfter?.join();
}

function isSameKind(before: Review, after: Review): boolean {
  return (
    before.date.getTime() === after.date.getTime() &&
    before.rating === after.rating &&
    before.analysis?.sentiment?.label === after.analysis?.sentiment?.label
  );
}

/** Rows of own topics follow their reviews where date, stars or sentiment changed and the words did not. */
async function moveOwnTopicReviews(
  db: Db,
  move: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const moved = move.changes.flatMap(({ before, after }) =>
    before && !isSameKind(before, after) ? [after] : [],
  );
  if (moved.length === 0) return;
  const rows = unnest("r", moved, {
    id: ["uuid", ({ id }) => id],
    date: ["timestamptz", ({ date }) => date],
    rating: ["smallint", ({ rating }) => rating],
    sentiment: ["text", (review) => review.analysis?.sentiment?.label ?? ""],
  });
  await queryRows(db, "moveOwnTopicReviews")`update own_topic_reviews o
    set date = r.date, rating = r.rating, sentiment = r.sentiment
    from apps a, ${rows}
    where a.listing_id = ${move.listingId} and o.app_id = a.id and o.review_id = r.id`;
}

// Versions of an app and the day each was first seen in a review: the release marks of the charts.

/** Saves the versions that the reviews of one ingest name. */
async function saveAppVersions(
  db: Db,
  save: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const firstDays = new Map<string, Day>();
  for (const { before, after } of save.changes) {
    if (after.version === "" || before?.version === after.version) continue;
    const day = dayOf(after.date);
    const known = firstDays.get(after.version);
    if (known === undefined || day < known) firstDays.set(after.version, day);
  }
  if (firstDays.size === 0) return;
  // In one order everywhere, so that two transactions never deadlock.
  const versions = [...firstDays.keys()].sort();
  await queryRows(db, "saveAppVersions")`insert into app_versions as v (listing_id, version,
    first_day) select ${save.listingId}::uuid, *
    from unnest(${versions}::text[], ${versions.map((version) => firstDays.get(version))}::date[])
    on conflict (listing_id, version) do update set first_day = excluded.first_day
    where excluded.first_day < v.first_day`;
}

export type AppVersion = { appId: string; version: string; firstDay: Day };

/** Versions of apps of a workspace that came out on these days, the newest first. */
export function listAppVersions(
  db: Db,
  query: AppScope & { from: Day | null; to: Day | null; limit: number },
): Promise<AppVersion[]> {
  const scoped = scopeListings(query);
  // Others may follow the listing in more regions, whose versions are not those of this workspace.
  return readListings(db, "listAppVersions", { ...scoped, tables: ["app_versions", "facet_days"] })`
    select a.id as "appId", v.version, v.first_day as "firstDay"
    from ${scoped.rows} cross join lateral (
      select version, first_day from app_versions where listing_id = s.listing_id and followed.regions is null
      union all
      select value, min(day) from facet_days where listing_id = s.listing_id and region = any(followed.regions)
        and facet = 'version' and total > 0 group by value
    ) v
    where v.first_day between coalesce(${query.from}::date, '-infinity')
      and coalesce(${query.to}::date, 'infinity')
    order by v.first_day desc, v.version desc limit ${query.limit}`;
}

export type VersionWeek = { appId: string; version: string; week: Day; total: number };

/** How many reviews of each week name each version; `week` is its Monday. */
export function listVersionWeeks(db: Db, query: AppScope & { from: Day }): Promise<VersionWeek[]> {
  const scoped = scopeRollups(query);
  return readListings(db, "listVersionWeeks", { ...scoped, tables: ["facet_days"] })`
    select a.id as "appId", d.value as version,
      date_trunc('week', d.day::timestamp)::date as week, sum(d.total)::integer as total
    from ${scoped.rows} cross join lateral (
      select day, value, total from facet_days where listing_id = s.listing_id and region = s.region
        and day >= ${query.from}::date and facet = 'version' offset 0
    ) d
    group by 1, 2, 3`;
}

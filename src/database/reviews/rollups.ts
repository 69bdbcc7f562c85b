// Counts of reviews by day and by week, by language and by version, written in the same transaction as the reviews, so that
// trends cost weeks and not reviews. At any moment they equal a recount. Each review counts for its region, and for the
// whole listing, whose region is ''.

import type { SentimentLabel } from "../../domain/analysis.ts";
import { type Review, regionOf } from "../../domain/review.ts";
import { type Day, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { isDistributed } from "../cluster/distributed-reads.ts";
import { ofListings } from "../cluster/distributed-sql.ts";
import { addRows, insertListingValues } from "../collecting/listing-values.ts";
import { moveOwnTopicReviews } from "../enrichment/own-topic-reviews.ts";
import { type Db, queryRows } from "../query.ts";
import { inOrder, toArrayText } from "../values.ts";
import { listingValues, type SeenScope, seenListings } from "./followed-apps.ts";
import type { RollupChange } from "./reviews.ts";
import { addToTopicRollups, listTopicRollups } from "./topic-rollups.ts";

/** Adds the changes of one ingest to the counts of their days, topics and versions. */
export async function addToRollups(
  db: Db,
  add: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const steps: Steps = { days: new Map(), weeks: new Map() };
  for (const { before, after } of add.changes) {
    if (before) count(before, -1, steps);
    count(after, 1, steps);
  }
  const { listingId } = add;
  await addCounts(db, { listingId, steps: steps.days, period: "day" });
  await addCounts(db, { listingId, steps: steps.weeks, period: "week" });
  await addToTopicRollups(db, add);
  await addToFacetDays(db, add);
  await saveReviewTopics(db, add);
  await moveOwnTopicReviews(db, add);
  await saveAppVersions(db, add);
}

const counted = [
  "total",
  "stars_1",
  "stars_2",
  "stars_3",
  "stars_4",
  "stars_5",
  "positive",
  "neutral",
  "negative",
  "mixed",
] as const;
type DayCounts = Record<(typeof counted)[number], number>;

const stars = [undefined, "stars_1", "stars_2", "stars_3", "stars_4", "stars_5"] as const;

type RegionDay = { region: string; day: Day };
/** By the text of their keys. */
type DayMap = Map<string, RegionDay & { counts: DayCounts }>;
type Steps = { days: DayMap; weeks: DayMap };

function count(review: Review, step: 1 | -1, { days, weeks }: Steps): void {
  const day = dayOf(review.date);
  for (const region of ["", regionOf(review)]) {
    addStep(days, { region, day }, { review, step });
    addStep(weeks, { region, day: mondayOf(day) }, { review, step });
  }
}

function addStep(
  steps: DayMap,
  { region, day }: RegionDay,
  { review, step }: { review: Review; step: 1 | -1 },
): void {
  const star = stars[review.rating];
  const label: SentimentLabel | undefined = review.analysis?.sentiment?.label;
  const key = `${region} ${day}`;
  const { counts } = steps.get(key) ?? { counts: zeroCounts() };
  steps.set(key, { region, day, counts });
  counts.total += step;
  if (star) counts[star] += step;
  if (label) counts[label] += step;
}

function zeroCounts(): DayCounts {
  return {
    total: 0,
    stars_1: 0,
    stars_2: 0,
    stars_3: 0,
    stars_4: 0,
    stars_5: 0,
    positive: 0,
    neutral: 0,
    negative: 0,
    mixed: 0,
  };
}

async function addCounts(
  db: Db,
  add: { listingId: string; steps: DayMap; period: "day" | "week" },
): Promise<void> {
  const { listingId, period } = add;
  const changed = inOrder(add.steps).filter(({ counts }) =>
    counted.some((name) => counts[name] !== 0),
  );
  if (changed.length === 0) return;
  const keys = [changed.map(({ region }) => region), changed.map(({ day }) => day)];
  const table = `review_${period}s`;
  await addRows(db, {
    name: `addReviews-${period}`,
    into: `${table} as d (listing_id, region, ${period}, ${counted.join(", ")})`,
    types: ["text", "date", ...counted.map(() => "integer")],
    listingId,
    columns: [...keys, ...counted.map((name) => changed.map(({ counts }) => counts[name]))],
    rest: `on conflict (listing_id, region, ${period}) do update set
      ${counted.map((name) => `${name} = d.${name} + excluded.${name}`).join(", ")}`,
  });
  // Only a day or week that lost a review can be empty.
  if (!changed.some(({ counts }) => counted.some((name) => counts[name] < 0))) return;
  await queryRows(
    db,
    `deleteEmptyReviews-${period}`,
    `delete from ${table} d using unnest($2::text[], $3::date[]) as e (region, day)
     where d.listing_id = $1 and d.region = e.region and d.${period} = e.day and d.total = 0`,
    [listingId, ...keys],
  );
}

/** All rollups of a listing, in order, the whole listing first: for checks against a recount. */
export async function readRollups(
  db: Db,
  listingId: string,
): Promise<{
  days: [day: string, counts: number[]][];
  weeks: [week: string, counts: number[]][];
  /** In total, then by sentiment. */
  topics: [key: string, counts: number[]][];
  topicWeeks: [key: string, counts: number[]][];
  topicRows: string[];
  facets: [key: string, total: number, negative: number][];
}> {
  return {
    days: await listCounts(db, { listingId, period: "day" }),
    weeks: await listCounts(db, { listingId, period: "week" }),
    topics: await listTopicRollups(db, { listingId, period: "day" }),
    topicWeeks: await listTopicRollups(db, { listingId, period: "week" }),
    topicRows: await listReviewTopicRows(db, listingId),
    facets: await listFacetDays(db, listingId),
  };
}

async function listCounts(
  db: Db,
  { listingId, period }: { listingId: string; period: "day" | "week" },
): Promise<[key: string, counts: number[]][]> {
  const rows = await queryRows<{ key: string } & DayCounts>(
    db,
    `readReviews-${period}`,
    `select concat_ws(' ', nullif(region, ''), ${period}) as key, ${counted.join(", ")}
     from review_${period}s where listing_id = $1 order by region collate "C", ${period}`,
    [listingId],
  );
  return rows.map((row) => [row.key, counted.map((name) => row[name])]);
}

// Daily counts of reviews by language and by version, written in the same transaction as the reviews. At any
// moment they equal a recount, like the other rollups.

type FacetStep = {
  region: string;
  day: Day;
  facet: "language" | "version";
  value: string;
  total: number;
  negative: number;
};

export async function addToFacetDays(
  db: Db,
  add: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const steps = new Map<string, FacetStep>();
  for (const { before, after } of add.changes) {
    if (before) countFacets(before, -1, steps);
    countFacets(after, 1, steps);
  }
  // In one order everywhere, so that two transactions never deadlock.
  const changed = [...steps]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, step]) => step)
    .filter(({ total, negative }) => total !== 0 || negative !== 0);
  if (changed.length === 0) return;
  const keys = [
    changed.map(({ region }) => region),
    changed.map(({ day }) => day),
    changed.map(({ facet }) => facet),
    changed.map(({ value }) => value),
  ];
  await addRows(db, {
    name: "addFacetDays",
    into: "facet_days as d (listing_id, region, day, facet, value, total, negative)",
    types: ["text", "date", "text", "text", "integer", "integer"],
    listingId: add.listingId,
    columns: [...keys, changed.map(({ total }) => total), changed.map(({ negative }) => negative)],
    rest: `on conflict (listing_id, region, day, facet, value)
      do update set total = d.total + excluded.total, negative = d.negative + excluded.negative`,
  });
  // Only a row that lost a review can be empty.
  if (changed.every(({ total }) => total >= 0)) return;
  await queryRows(
    db,
    "deleteEmptyFacetDays",
    `delete from facet_days d
     using unnest($2::text[], $3::date[], $4::text[], $5::text[]) as e (region, day, facet, value)
     where d.listing_id = $1 and d.region = e.region and d.day = e.day and d.facet = e.facet
       and d.value = e.value and d.total = 0`,
    [add.listingId, ...keys],
  );
}

function countFacets(review: Review, step: 1 | -1, steps: Map<string, FacetStep>): void {
  const day = dayOf(review.date);
  const negative = review.analysis?.sentiment?.label === "negative" ? step : 0;
  const facets = [
    { facet: "language", value: review.analysis?.language ?? "" },
    { facet: "version", value: review.version },
  ] as const;
  for (const region of ["", regionOf(review)]) {
    for (const { facet, value } of facets) {
      if (value === "") continue;
      const key = `${region} ${day} ${facet} ${value}`;
      const known = steps.get(key) ?? { region, day, facet, value, total: 0, negative: 0 };
      steps.set(key, {
        ...known,
        total: known.total + step,
        negative: known.negative + negative,
      });
    }
  }
}

/** All rows of a listing in order, the whole listing first: for checks against a recount. */
export async function listFacetDays(
  db: Db,
  listingId: string,
): Promise<[key: string, total: number, negative: number][]> {
  const rows = await queryRows<{ key: string; total: number; negative: number }>(
    db,
    "listFacetDays",
    `select concat_ws(' ', nullif(region, ''), day, facet, value) as key, total, negative from facet_days
     where listing_id = $1 order by region collate "C", day, facet, value collate "C"`,
    [listingId],
  );
  return rows.map(({ key, total, negative }) => [key, total, negative]);
}

// The topics of reviews as rows of their own, so that pages by topic are index ranges. Written in the same
// transaction as the reviews, so that they always agree with them.

export async function saveReviewTopics(
  db: Db,
  save: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const moved = save.changes.filter(({ before, after }) => !before || !isSame(before, after));
  const gone = moved.flatMap(({ before }) => (before ? listTopics(before) : []));
  const come = moved.flatMap(({ after }) => listTopics(after));
  if (gone.length > 0) {
    await queryRows(
      db,
      "deleteReviewTopics",
      `delete from review_topics t
       using unnest($2::text[], $3::timestamptz[], $4::uuid[]) as g (topic, date, review_id)
       where t.listing_id = $1 and t.topic = g.topic and t.date = g.date
         and t.review_id = g.review_id`,
      [save.listingId, ...toArrays(gone).slice(0, 3)],
    );
  }
  if (come.length === 0) return;
  const columns = "topic, date, review_id, rating, sentiment";
  if (await isDistributed(db)) {
    const into = `review_topics (listing_id, ${columns})`;
    const rows = come.map(toRow);
    return insertListingValues(db, { into, listingId: save.listingId, rows });
  }
  await queryRows(
    db,
    "insertReviewTopics",
    `insert into review_topics (listing_id, ${columns})
     select $1, * from unnest($2::text[], $3::timestamptz[], $4::uuid[], $5::smallint[], $6::text[])`,
    [save.listingId, ...toArrays(come)],
  );
}

/** All rows of a listing as text, sorted: for checks against the reviews. */
export async function listReviewTopicRows(db: Db, listingId: string): Promise<string[]> {
  const found = await queryRows<{ text: string }>(
    db,
    "listReviewTopicRows",
    `select concat_ws(' ', review_id, topic, rating, sentiment, extract(epoch from date)::bigint)
       as text
     from review_topics where listing_id = $1`,
    [listingId],
  );
  return found.map(({ text }) => text).sort();
}

type TopicRow = { topic: string; review: Review };

function listTopics(review: Review): TopicRow[] {
  return (review.analysis?.topics ?? []).map((topic) => ({ topic, review }));
}

function toRow({ topic, review }: TopicRow) {
  const { date, id, rating, analysis } = review;
  return [topic, date, id, rating, analysis?.sentiment?.label ?? ""] as const;
}

function toArrays(list: readonly TopicRow[]): string[] {
  const rows = list.map(toRow);
  return [
    toArrayText(rows.map(([topic]) => topic)),
    toArrayText(rows.map(([, date]) => date)),
    toArrayText(rows.map(([, , id]) => id)),
    toArrayText(rows.map(([, , , rating]) => rating)),
    toArrayText(rows.map(([, , , , sentiment]) => sentiment)),
  ];
}

/** Whether both versions have the same rows. */
function isSame(before: Review, after: Review): boolean {
  const { label: labelBefore } = before.analysis?.sentiment ?? { label: null };
  const { label: labelAfter } = after.analysis?.sentiment ?? { label: null };
  return (
    before.date.getTime() === after.date.getTime() &&
    before.rating === after.rating &&
    labelBefore === labelAfter &&
    (before.analysis?.topics ?? []).join() === (after.analysis?.topics ?? []).join()
  );
}

// Versions of an app and the day each was first seen in a review: the release marks of the charts.

/** Saves the versions that the reviews of one ingest name. */
export async function saveAppVersions(
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
  await addRows(db, {
    name: "saveAppVersions",
    into: "app_versions as v (listing_id, version, first_day)",
    types: ["text", "date"],
    listingId: save.listingId,
    columns: [versions, versions.map((version) => firstDays.get(version))],
    rest: `on conflict (listing_id, version) do update set first_day = excluded.first_day
      where excluded.first_day < v.first_day`,
  });
}

export type AppVersion = { appId: string; version: string; firstDay: Day };

/** Versions of apps of a workspace that came out on these days, the newest first. */
export function listAppVersions(
  db: Db,
  query: SeenScope & { from: Day | null; to: Day | null; limit: number },
): Promise<AppVersion[]> {
  return queryRows(
    db,
    "listAppVersions",
    `${ofListings("$2")}select a.id as "appId", v.version, v.first_day as "firstDay"
     from ${seenListings} join app_versions v on v.listing_id = s.listing_id
     where v.first_day between coalesce($4::date, '-infinity') and coalesce($5::date, 'infinity')
     order by v.first_day desc, v.version desc limit $6`,
    [...listingValues(query), query.from, query.to, query.limit],
  );
}

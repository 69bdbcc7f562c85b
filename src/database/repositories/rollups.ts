// Daily counts of reviews, written in the same transaction as the reviews, so that trends cost days and not
// reviews. At any moment they equal a recount. Each review counts for its region, and for the whole listing,
// whose region is ''.
import type { SentimentLabel } from "../../domain/analysis.ts";
import { type Review, regionOf } from "../../domain/review.ts";
import { type Day, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { type Db, queryRows } from "../query.ts";
import { saveAppVersions } from "./app-versions.ts";
import { addToFacetDays, listFacetDays } from "./facet-days.ts";
import { listReviewTopicRows, saveReviewTopics } from "./review-topics.ts";

/** A review before and after a change; null before it was first seen. */
export type RollupChange = { before: Review | null; after: Review };

/** Adds the changes of one ingest to the counts of their days, topics and versions. */
export async function addToRollups(
  db: Db,
  add: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const counts: Counts = { days: new Map(), topics: new Map(), weekTopics: new Map() };
  for (const { before, after } of add.changes) {
    if (before) count(before, -1, counts);
    count(after, 1, counts);
  }
  await addDays(db, add.listingId, counts.days);
  await addTopics(db, { listingId: add.listingId, steps: counts.topics, period: "day" });
  await addTopics(db, { listingId: add.listingId, steps: counts.weekTopics, period: "week" });
  await addToFacetDays(db, add);
  await saveReviewTopics(db, add);
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

const countedOfTopics = [
  "total",
  "positive_reviews",
  "neutral_reviews",
  "negative_reviews",
  "mixed_reviews",
] as const;
type TopicCounts = Record<(typeof countedOfTopics)[number], number>;

const stars = [undefined, "stars_1", "stars_2", "stars_3", "stars_4", "stars_5"] as const;

type RegionDay = { region: string; day: Day };
type TopicStep = RegionDay & { topic: string; counts: TopicCounts };
/** By the text of their keys. */
type Counts = {
  days: Map<string, RegionDay & { counts: DayCounts }>;
  topics: Map<string, TopicStep>;
  weekTopics: Map<string, TopicStep>;
};

function count(review: Review, step: 1 | -1, { days, topics, weekTopics }: Counts): void {
  const day = dayOf(review.date);
  const week = mondayOf(day);
  const star = stars[review.rating];
  const label: SentimentLabel | undefined = review.analysis?.sentiment?.label;
  for (const region of ["", regionOf(review)]) {
    const key = `${region} ${day}`;
    const { counts } = days.get(key) ?? { counts: zeroCounts() };
    days.set(key, { region, day, counts });
    counts.total += step;
    if (star) counts[star] += step;
    if (label) counts[label] += step;
    for (const topic of review.analysis?.topics ?? []) {
      addStep(topics, { region, day, topic, label, step });
      addStep(weekTopics, { region, day: week, topic, label, step });
    }
  }
}

function addStep(
  steps: Map<string, TopicStep>,
  add: RegionDay & { topic: string; label: SentimentLabel | undefined; step: 1 | -1 },
): void {
  const { label, step, ...key } = add;
  const name = `${key.region} ${key.day} ${key.topic}`;
  const { counts } = steps.get(name) ?? { counts: zeroTopicCounts() };
  counts.total += step;
  if (label) counts[`${label}_reviews`] += step;
  steps.set(name, { ...key, counts });
}

function zeroTopicCounts(): TopicCounts {
  return {
    total: 0,
    positive_reviews: 0,
    neutral_reviews: 0,
    negative_reviews: 0,
    mixed_reviews: 0,
  };
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

/** In the order of their keys, so that two transactions never deadlock. */
function inOrder<Value>(map: ReadonlyMap<string, Value>): Value[] {
  return [...map].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value);
}

async function addDays(db: Db, listingId: string, days: Counts["days"]): Promise<void> {
  const changed = inOrder(days).filter(({ counts }) => counted.some((name) => counts[name] !== 0));
  if (changed.length === 0) return;
  const keys = [changed.map(({ region }) => region), changed.map(({ day }) => day)];
  await queryRows(
    db,
    "addReviewDays",
    `insert into review_days as d (listing_id, region, day, ${counted.join(", ")})
     select $1, * from unnest($2::text[], $3::date[],
       ${counted.map((_, index) => `$${index + 4}::integer[]`).join(", ")})
     on conflict (listing_id, region, day) do update set
       ${counted.map((name) => `${name} = d.${name} + excluded.${name}`).join(", ")}`,
    [listingId, ...keys, ...counted.map((name) => changed.map(({ counts }) => counts[name]))],
  );
  // Only a day that lost a review can be empty.
  if (!changed.some(({ counts }) => counted.some((name) => counts[name] < 0))) return;
  await queryRows(
    db,
    "deleteEmptyReviewDays",
    `delete from review_days d using unnest($2::text[], $3::date[]) as e (region, day)
     where d.listing_id = $1 and d.region = e.region and d.day = e.day and d.total = 0`,
    [listingId, ...keys],
  );
}

async function addTopics(
  db: Db,
  add: { listingId: string; steps: ReadonlyMap<string, TopicStep>; period: "day" | "week" },
): Promise<void> {
  const { listingId, period } = add;
  const steps = inOrder(add.steps).filter(({ counts }) =>
    countedOfTopics.some((name) => counts[name] !== 0),
  );
  if (steps.length === 0) return;
  const keys = [
    steps.map(({ region }) => region),
    steps.map(({ day }) => day),
    steps.map(({ topic }) => topic),
  ];
  const table = `topic_${period}s`;
  await queryRows(
    db,
    `addTopics-${period}`,
    `insert into ${table} as d (listing_id, region, ${period}, topic, ${countedOfTopics.join(", ")})
     select $1, * from unnest($2::text[], $3::date[], $4::text[],
       ${countedOfTopics.map((_, index) => `$${index + 5}::integer[]`).join(", ")})
     on conflict (listing_id, region, ${period}, topic) do update set
       ${countedOfTopics.map((name) => `${name} = d.${name} + excluded.${name}`).join(", ")}`,
    [
      ...[listingId, ...keys],
      ...countedOfTopics.map((name) => steps.map(({ counts }) => counts[name])),
    ],
  );
  if (steps.every(({ counts }) => counts.total > 0)) return;
  await queryRows(
    db,
    `deleteEmptyTopics-${period}`,
    `delete from ${table} d using unnest($2::text[], $3::date[], $4::text[]) as e (region, day, topic)
     where d.listing_id = $1 and d.region = e.region and d.${period} = e.day and d.topic = e.topic
       and d.total = 0`,
    [listingId, ...keys],
  );
}

/** All rollups of a listing, in order, the whole listing first: for checks against a recount. */
export async function readRollups(
  db: Db,
  listingId: string,
): Promise<{
  days: [day: string, counts: number[]][];
  /** In total, then by sentiment. */
  topics: [key: string, counts: number[]][];
  topicWeeks: [key: string, counts: number[]][];
  topicRows: string[];
  facets: [key: string, total: number, negative: number][];
}> {
  const days = await queryRows<{ day: string } & DayCounts>(
    db,
    "readReviewDays",
    `select concat_ws(' ', nullif(region, ''), day) as day, ${counted.join(", ")} from review_days
     where listing_id = $1 order by region collate "C", day`,
    [listingId],
  );
  const topics = await readTopics(db, { listingId, period: "day" });
  const topicWeeks = await readTopics(db, { listingId, period: "week" });
  return {
    days: days.map((row) => [row.day, counted.map((name) => row[name])]),
    topics: topics.map((row) => [row.key, countedOfTopics.map((name) => row[name])]),
    topicWeeks: topicWeeks.map((row) => [row.key, countedOfTopics.map((name) => row[name])]),
    topicRows: await listReviewTopicRows(db, listingId),
    facets: await listFacetDays(db, listingId),
  };
}

function readTopics(
  db: Db,
  { listingId, period }: { listingId: string; period: "day" | "week" },
): Promise<({ key: string } & TopicCounts)[]> {
  return queryRows(
    db,
    `readTopics-${period}`,
    `select concat_ws(' ', nullif(region, ''), ${period}, topic) as key, ${countedOfTopics.join(", ")}
     from topic_${period}s
     where listing_id = $1 order by region collate "C", ${period}, topic collate "C"`,
    [listingId],
  );
}

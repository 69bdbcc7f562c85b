// Daily counts of reviews, written in the same transaction as the reviews, so that trends cost days and not
// reviews. At any moment they equal a recount.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Review } from "../../domain/review.ts";
import { type Day, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { type Db, queryRows } from "../query.ts";
import { saveAppVersions } from "./app-versions.ts";
import { listReviewTopicRows, saveReviewTopics } from "./review-topics.ts";

/** A review before and after a change; null before it was first seen. */
export type RollupChange = { before: Review | null; after: Review };

/** Adds the changes of one ingest to the counts of their days, topics and versions. */
export async function addToRollups(
  db: Db,
  add: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const days = new Map<string, DayCounts>();
  const topics = new Map<string, number>();
  for (const { before, after } of add.changes) {
    if (before) count({ review: before, step: -1, days, topics });
    count({ review: after, step: 1, days, topics });
  }
  await addDays(db, add.listingId, days);
  await addTopics(db, add.listingId, topics);
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

const stars = [undefined, "stars_1", "stars_2", "stars_3", "stars_4", "stars_5"] as const;

function count(step: {
  review: Review;
  step: 1 | -1;
  days: Map<string, DayCounts>;
  topics: Map<string, number>;
}): void {
  const { review, days, topics } = step;
  const day = dayOf(review.date);
  const counts = days.get(day) ?? zeroCounts();
  days.set(day, counts);
  counts.total += step.step;
  const star = stars[review.rating];
  if (star) counts[star] += step.step;
  const label: SentimentLabel | undefined = review.analysis?.sentiment?.label;
  if (label) counts[label] += step.step;
  for (const topic of review.analysis?.topics ?? []) {
    const key = `${day} ${topic}`;
    topics.set(key, (topics.get(key) ?? 0) + step.step);
  }
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

async function addDays(db: Db, listingId: string, days: Map<string, DayCounts>): Promise<void> {
  // In the order of the days, so that two transactions never deadlock.
  const changed = [...days]
    .filter(([, counts]) => counted.some((name) => counts[name] !== 0))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  if (changed.length === 0) return;
  await queryRows(
    db,
    "addReviewDays",
    `insert into review_days as d (listing_id, day, ${counted.join(", ")})
     select $1, * from unnest($2::date[], ${counted.map((_, index) => `$${index + 3}::integer[]`).join(", ")})
     on conflict (listing_id, day) do update set
       ${counted.map((name) => `${name} = d.${name} + excluded.${name}`).join(", ")}`,
    [
      listingId,
      changed.map(([day]) => day),
      ...counted.map((name) => changed.map(([, counts]) => counts[name])),
    ],
  );
  // Only a day that lost a review can be empty.
  if (!changed.some(([, counts]) => counted.some((name) => counts[name] < 0))) return;
  await queryRows(
    db,
    "deleteEmptyReviewDays",
    "delete from review_days where listing_id = $1 and day = any($2::date[]) and total = 0",
    [listingId, changed.map(([day]) => day)],
  );
}

async function addTopics(db: Db, listingId: string, topics: Map<string, number>): Promise<void> {
  const changed = [...topics].filter(([, step]) => step !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (changed.length === 0) return;
  // A day has ten characters; the topic follows after one space.
  const steps = changed.map(([key, step]) => ({
    day: key.slice(0, 10),
    topic: key.slice(11),
    step,
  }));
  await addTopicSteps(db, { listingId, steps, period: "day" });
  const weeks = new Map<string, TopicStep>();
  for (const { day, topic, step } of steps) {
    const monday = mondayOf(day);
    const key = `${monday} ${topic}`;
    weeks.set(key, { day: monday, topic, step: (weeks.get(key)?.step ?? 0) + step });
  }
  // Weeks in order as well, against deadlocks.
  await addTopicSteps(db, { listingId, steps: [...weeks.values()].sort(byKey), period: "week" });
}

type TopicStep = { day: Day; topic: string; step: number };

function byKey(one: TopicStep, other: TopicStep): number {
  return `${one.day} ${one.topic}` < `${other.day} ${other.topic}` ? -1 : 1;
}

async function addTopicSteps(
  db: Db,
  add: { listingId: string; steps: readonly TopicStep[]; period: "day" | "week" },
): Promise<void> {
  const { listingId, period } = add;
  const steps = add.steps.filter(({ step }) => step !== 0);
  if (steps.length === 0) return;
  const days = steps.map(({ day }) => day);
  const names = steps.map(({ topic }) => topic);
  const table = `topic_${period}s`;
  await queryRows(
    db,
    `addTopics-${period}`,
    `insert into ${table} as d (listing_id, ${period}, topic, total)
     select $1, * from unnest($2::date[], $3::text[], $4::integer[])
     on conflict (listing_id, ${period}, topic) do update set total = d.total + excluded.total`,
    [listingId, days, names, steps.map(({ step }) => step)],
  );
  if (steps.every(({ step }) => step > 0)) return;
  await queryRows(
    db,
    `deleteEmptyTopics-${period}`,
    `delete from ${table} d using unnest($2::date[], $3::text[]) as e (day, topic)
     where d.listing_id = $1 and d.${period} = e.day and d.topic = e.topic and d.total = 0`,
    [listingId, days, names],
  );
}

/** All rollups of a listing, in order: for checks against a recount. Counts are in column order. */
export async function readRollups(
  db: Db,
  listingId: string,
): Promise<{
  days: [day: string, counts: number[]][];
  topics: [key: string, total: number][];
  topicWeeks: [key: string, total: number][];
  topicRows: string[];
}> {
  const days = await queryRows<{ day: string } & DayCounts>(
    db,
    "readReviewDays",
    `select day, ${counted.join(", ")} from review_days where listing_id = $1 order by day`,
    [listingId],
  );
  const topics = await readTopics(db, { listingId, period: "day" });
  const topicWeeks = await readTopics(db, { listingId, period: "week" });
  return {
    days: days.map((row) => [row.day, counted.map((name) => row[name])]),
    topics: topics.map((row) => [row.key, row.total]),
    topicWeeks: topicWeeks.map((row) => [row.key, row.total]),
    topicRows: await listReviewTopicRows(db, listingId),
  };
}

function readTopics(
  db: Db,
  { listingId, period }: { listingId: string; period: "day" | "week" },
): Promise<{ key: string; total: number }[]> {
  return queryRows(
    db,
    `readTopics-${period}`,
    `select ${period} || ' ' || topic as key, total from topic_${period}s where listing_id = $1
     order by ${period}, topic collate "C"`,
    [listingId],
  );
}

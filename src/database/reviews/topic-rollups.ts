// Counts of reviews by topic, by day and by week, with how the reviews feel and what they say of the topic
// itself. Written in the same transaction as the reviews, like the other rollups.

import {
  listTopicOpinions,
  type SentimentLabel,
  type TopicOpinion,
} from "../../domain/analysis.ts";
import { type Review, regionOf } from "../../domain/review.ts";
import { type Day, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { addRows } from "../collecting/listing-values.ts";
import { type Db, queryRows } from "../query.ts";
import { inOrder } from "../values.ts";
import type { RollupChange } from "./reviews.ts";

const counted = [
  "total",
  "positive_reviews",
  "neutral_reviews",
  "negative_reviews",
  "mixed_reviews",
  // Opinions on the topic itself, and the stars below five of the bad ones.
  "positive",
  "negative",
  "stars_lost",
] as const;
type TopicCounts = Record<(typeof counted)[number], number>;

type RegionDay = { region: string; day: Day };
type TopicStep = RegionDay & { topic: string; counts: TopicCounts };
/** By the text of their keys. */
type Steps = { days: Map<string, TopicStep>; weeks: Map<string, TopicStep> };

export async function addToTopicRollups(
  db: Db,
  add: { listingId: string; changes: readonly RollupChange[] },
): Promise<void> {
  const { listingId } = add;
  const steps: Steps = { days: new Map(), weeks: new Map() };
  for (const { before, after } of add.changes) {
    if (before) count(before, -1, steps);
    count(after, 1, steps);
  }
  await addTopics(db, { listingId, steps: steps.days, period: "day" });
  await addTopics(db, { listingId, steps: steps.weeks, period: "week" });
}

function count(review: Review, step: 1 | -1, { days, weeks }: Steps): void {
  const day = dayOf(review.date);
  const week = mondayOf(day);
  const label: SentimentLabel | undefined = review.analysis?.sentiment?.label;
  for (const region of ["", regionOf(review)]) {
    for (const { topic, opinion } of listTopicOpinions(review.analysis)) {
      const added = { label, opinion, rating: review.rating, step };
      addStep(days, { region, day, topic }, added);
      addStep(weeks, { region, day: week, topic }, added);
    }
  }
}

const starsMax = 5;

function addStep(
  steps: Map<string, TopicStep>,
  key: RegionDay & { topic: string },
  added: {
    label: SentimentLabel | undefined;
    opinion: TopicOpinion;
    rating: number;
    step: 1 | -1;
  },
): void {
  const { label, opinion, rating, step } = added;
  const name = `${key.region} ${key.day} ${key.topic}`;
  const { counts } = steps.get(name) ?? { counts: zeroTopicCounts() };
  counts.total += step;
  if (label) counts[`${label}_reviews`] += step;
  if (opinion !== "none") counts[opinion] += step;
  if (opinion === "negative") counts.stars_lost += step * (starsMax - rating);
  steps.set(name, { ...key, counts });
}

function zeroTopicCounts(): TopicCounts {
  return {
    total: 0,
    positive_reviews: 0,
    neutral_reviews: 0,
    negative_reviews: 0,
    mixed_reviews: 0,
    positive: 0,
    negative: 0,
    stars_lost: 0,
  };
}

async function addTopics(
  db: Db,
  add: { listingId: string; steps: ReadonlyMap<string, TopicStep>; period: "day" | "week" },
): Promise<void> {
  const { listingId, period } = add;
  const steps = inOrder(add.steps).filter(({ counts }) =>
    counted.some((name) => counts[name] !== 0),
  );
  if (steps.length === 0) return;
  const keys = [
    steps.map(({ region }) => region),
    steps.map(({ day }) => day),
    steps.map(({ topic }) => topic),
  ];
  const table = `topic_${period}s`;
  await addRows(db, {
    name: `addTopics-${period}`,
    into: `${table} as d (listing_id, region, ${period}, topic, ${counted.join(", ")})`,
    types: ["text", "date", "text", ...counted.map(() => "integer")],
    listingId,
    columns: [...keys, ...counted.map((name) => steps.map(({ counts }) => counts[name]))],
    rest: `on conflict (listing_id, region, ${period}, topic) do update set
      ${counted.map((name) => `${name} = d.${name} + excluded.${name}`).join(", ")}`,
  });
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

/** All rows of a listing in order, the whole listing first: for checks against a recount. */
export async function listTopicRollups(
  db: Db,
  { listingId, period }: { listingId: string; period: "day" | "week" },
): Promise<[key: string, counts: number[]][]> {
  const rows = await queryRows<{ key: string } & TopicCounts>(
    db,
    `readTopics-${period}`,
    `select concat_ws(' ', nullif(region, ''), ${period}, topic) as key, ${counted.join(", ")}
     from topic_${period}s
     where listing_id = $1 order by region collate "C", ${period}, topic collate "C"`,
    [listingId],
  );
  return rows.map((row) => [row.key, counted.map((name) => row[name])]);
}

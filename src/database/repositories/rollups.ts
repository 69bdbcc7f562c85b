// Counts of reviews by day and by week, written in the same transaction as the reviews, so that trends cost weeks
// and not reviews. At any moment they equal a recount. Each review counts for its region, and for the whole listing,
// whose region is ''.
import type { SentimentLabel } from "../../domain/analysis.ts";
import { type Review, regionOf } from "../../domain/review.ts";
import { type Day, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { type Db, queryRows } from "../query.ts";
import { saveAppVersions } from "./app-versions.ts";
import { addToFacetDays, listFacetDays } from "./facet-days.ts";
import { addRows } from "./listing-values.ts";
import { moveOwnTopicReviews } from "./own-topic-reviews.ts";
import { listReviewTopicRows, saveReviewTopics } from "./review-topics.ts";
import { addToTopicRollups, inOrder, listTopicRollups } from "./topic-rollups.ts";

/** A review before and after a change; null before it was first seen. */
export type RollupChange = { before: Review | null; after: Review };

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

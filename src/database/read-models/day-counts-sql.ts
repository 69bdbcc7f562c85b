// Counts of reviews of a range of days, added up in a statement: whole weeks from the rollup by week, the days before
// and after them from the one by day.
import type { SentimentLabel } from "../../domain/analysis.ts";

export type DayCounts = {
  total: number;
  /** Reviews with 1 to 5 stars, in that order. */
  stars: number[];
} & Record<SentimentLabel, number>;

export const sumOf = (name: string): string => `sum(d.${name})::integer`;

/** The counts of days `d`, added up. */
export const daySums = `${sumOf("total")} as total,
       array[${[1, 2, 3, 4, 5].map((star) => sumOf(`stars_${star}`)).join(", ")}] as stars,
       ${["positive", "neutral", "negative", "mixed"].map((name) => `${sumOf(name)} as ${name}`).join(", ")}`;

const counts =
  "total, stars_1, stars_2, stars_3, stars_4, stars_5, positive, neutral, negative, mixed";

/**
 * To join with: the counts of a listing's region between two days as `d`, each with its `day`, which is the Monday of a
 * whole week. `listing`, `region`, `from` and `to` are expressions.
 */
export function joinCounts(
  range: { from: string; to: string },
  { listing = "s.listing_id", region = "s.region" } = {},
): string {
  const parts = { weeks: `d.week as day, ${counts}`, days: `d.day, ${counts}` };
  return joinPeriods({ ...range, listing, region, tables: "review", parts, as: "d" });
}

/** To join with: topics of the days from `$4` to `$5` as `t (topic, count)`. */
export function joinTopics(counted: "total" | "negative_reviews"): string {
  const part = `d.topic, d.${counted} as count`;
  const of = { listing: "s.listing_id", region: "s.region", from: "$4::date", to: "$5::date" };
  return joinPeriods({ ...of, tables: "topic", parts: { weeks: part, days: part }, as: "t" });
}

// A part that can't have a day is not looked for.
function joinPeriods(of: {
  listing: string;
  region: string;
  from: string;
  to: string;
  tables: "review" | "topic";
  parts: { weeks: string; days: string };
  as: string;
}): string {
  const { listing, region, from, to, tables, parts, as } = of;
  const ofRegion = `d.listing_id = ${listing} and d.region = ${region}`;
  const rest = "greatest(first_monday, end_monday)";
  return `cross join lateral (select date_trunc('week', (${from} + 6)::timestamp)::date as first_monday,
       date_trunc('week', (${to} + 1)::timestamp)::date as end_monday offset 0) whole
     cross join lateral (
       select ${parts.weeks} from ${tables}_weeks d
       where ${ofRegion} and first_monday < end_monday and d.week >= first_monday and d.week < end_monday
       union all
       select ${parts.days} from ${tables}_days d
       where ${ofRegion} and ${from} < first_monday and d.day >= ${from} and d.day < least(first_monday, ${to} + 1)
       union all
       select ${parts.days} from ${tables}_days d
       where ${ofRegion} and ${rest} <= ${to} and d.day >= ${rest} and d.day <= ${to}
       offset 0
     ) ${as}`;
}

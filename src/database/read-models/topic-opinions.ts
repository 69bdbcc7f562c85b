// What reviews say about topics, for the overview: by week, and for the days at the ends of two ranges that are no
// whole weeks. Whole weeks are read from the rollup by week, each row once, whatever it counts for.
import type { SentimentLabel } from "../../domain/analysis.ts";
import { addDays, type Day, mondayOf } from "../../lib/timestamp.ts";
import { ofListings } from "../distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { joinTopics, sumOf } from "./day-counts-sql.ts";
import { rollupValues, seenRollups } from "./seen-listings-sql.ts";
import type { TrendScope } from "./trends.ts";

/** What reviews say of a topic itself, whatever else they are about. */
export type TopicOpinions = {
  good: number;
  bad: number;
  /** How many stars below five the reviews gave that speak ill of it. */
  starsLost: number;
};

export type FeltTopic = { topic: string; total: number } & Record<SentimentLabel, number> &
  TopicOpinions;

export type FeltTopics = {
  /** Of the range, in no order. */
  topics: FeltTopic[];
  /** Weeks that begin in the range, as a whole. */
  weeks: (FeltTopic & { week: Day })[];
};

type Range = { from: Day; to: Day };
type Row = FeltTopic & { week: Day | null };

const sums = [
  `${sumOf("total")} as total`,
  ...["positive", "neutral", "negative", "mixed"].map(
    (label) => `${sumOf(`${label}_reviews`)} as ${label}`,
  ),
  `${sumOf("positive")} as good, ${sumOf("negative")} as bad, ${sumOf("stars_lost")} as "starsLost"`,
].join(", ");

/** What the reviews of these days say of each topic, as a whole and by week. */
export async function countFeltTopics(db: Db, scope: TrendScope): Promise<FeltTopics> {
  const { from, to } = scope;
  const ends = listEnds({ from, to });
  const rows = await queryRows<Row>(
    db,
    "countFeltTopics",
    `${ofListings("$2")}select d.week, d.topic, ${sums}
     from ${seenRollups}
     cross join lateral (
       select * from topic_weeks d where d.listing_id = s.listing_id and d.region = s.region
         and d.week between $4::date and $5::date offset 0
     ) d
     group by 1, 2
     union all
     select null, d.topic, ${sums}
     from ${seenRollups}
     cross join unnest($6::date[], $7::date[]) e (first_day, last_day)
     cross join lateral (
       select * from topic_days d where d.listing_id = s.listing_id and d.region = s.region
         and d.day between e.first_day and e.last_day offset 0
     ) d
     group by 2`,
    [...rollupValues(scope), from, to, ends.map((end) => end.from), ends.map((end) => end.to)],
  );
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
  return queryRows(
    db,
    "countNegativeTopics",
    `${ofListings("$2")}select t.topic, sum(t.count)::integer as negative
     from ${seenRollups}
     ${joinTopics("negative_reviews")}
     group by t.topic`,
    [...rollupValues(scope), scope.from, scope.to],
  );
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

function addUp(rows: readonly Row[]): FeltTopic[] {
  const sumsOf = new Map<string, FeltTopic>();
  for (const { week: _, ...row } of rows) {
    const sum = sumsOf.get(row.topic);
    if (!sum) sumsOf.set(row.topic, row);
    else for (const name of counted) sum[name] += row[name];
  }
  return [...sumsOf.values()];
}

const counted = [
  ...["total", "positive", "neutral", "negative", "mixed"],
  ...["good", "bad", "starsLost"],
] as Exclude<keyof FeltTopic, "topic">[];

// What reviews say about topics, for the overview: by week, and for the days at the ends of two ranges that are no
// whole weeks. Whole weeks are read from the rollup by week, each row once, whatever it counts for.
import type { SentimentLabel } from "../../domain/analysis.ts";
import { addDays, type Day, mondayOf } from "../../lib/timestamp.ts";
import { ofListings } from "../distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { sumOf } from "./day-counts-sql.ts";
import { rollupValues, type SeenScope, seenRollups } from "./seen-listings-sql.ts";

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
  /** Of the range and of the range before, in no order. */
  now: FeltTopic[];
  before: FeltTopic[];
  /** Weeks that begin in the range, as a whole. */
  weeks: (FeltTopic & { week: Day })[];
};

type Range = { from: Day; to: Day };
type Row = FeltTopic & { week: Day | null; number: number | null };

const sums = [
  `${sumOf("total")} as total`,
  ...["positive", "neutral", "negative", "mixed"].map(
    (label) => `${sumOf(`${label}_reviews`)} as ${label}`,
  ),
  `${sumOf("positive")} as good, ${sumOf("negative")} as bad, ${sumOf("stars_lost")} as "starsLost"`,
].join(", ");

/** `before` ends on the day before `range` begins. */
export async function countFeltTopics(
  db: Db,
  query: SeenScope & { range: Range; before: Range },
): Promise<FeltTopics> {
  const { range, before } = query;
  const ends = [...listEnds(range, true), ...listEnds(before, false)];
  const rows = await queryRows<Row>(
    db,
    "countFeltTopics",
    `${ofListings("$2")}select d.week, null::integer as number, d.topic, ${sums}
     from ${seenRollups}
     cross join lateral (
       select * from topic_weeks d where d.listing_id = s.listing_id and d.region = s.region
         and d.week between $4::date and $5::date offset 0
     ) d
     group by 1, 3
     union all
     select null, e.number::integer, d.topic, ${sums}
     from ${seenRollups}
     cross join unnest($6::date[], $7::date[]) with ordinality e (first_day, last_day, number)
     cross join lateral (
       select * from topic_days d where d.listing_id = s.listing_id and d.region = s.region
         and d.day between e.first_day and e.last_day offset 0
     ) d
     group by 2, 3`,
    [
      ...rollupValues(query),
      before.from,
      range.to,
      ends.map(({ from }) => from),
      ends.map(({ to }) => to),
    ],
  );
  const ofRange = (of: Range, isNow: boolean): FeltTopic[] =>
    addUp(
      rows.filter(({ week, number }) =>
        week === null
          ? ends[(number ?? 0) - 1]?.isNow === isNow
          : week >= of.from && addDays(week, 6) <= of.to,
      ),
    );
  return {
    now: ofRange(range, true),
    before: ofRange(before, false),
    weeks: rows.flatMap(({ week, ...row }) =>
      week !== null && week >= range.from ? [{ ...row, week }] : [],
    ),
  };
}

/** The days of a range that belong to no whole week of it. */
function listEnds({ from, to }: Range, isNow: boolean): (Range & { isNow: boolean })[] {
  const firstMonday = mondayOf(addDays(from, 6));
  const endMonday = mondayOf(addDays(to, 1));
  if (firstMonday >= endMonday) return [{ from, to, isNow }];
  const ends = [
    { from, to: addDays(firstMonday, -1), isNow },
    { from: endMonday, to, isNow },
  ];
  return ends.filter((end) => end.from <= end.to);
}

function addUp(rows: readonly Row[]): FeltTopic[] {
  const sumsOf = new Map<string, FeltTopic>();
  for (const { week: _, number: __, ...row } of rows) {
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

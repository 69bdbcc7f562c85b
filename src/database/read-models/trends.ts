// Trends from the rollups alone: the cost depends on the number of weeks and topics, never on the
// number of reviews. Every query names the workspace beside the listings, and counts what it follows of them.
import type { StoreId } from "../../domain/store-id.ts";
import type { Day } from "../../lib/timestamp.ts";
import { ofListings } from "../distributed-sql.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { type DayCounts, daySums, joinCounts, joinTopics } from "./day-counts-sql.ts";
import { rollupValues, type SeenScope, seenRollups } from "./seen-listings-sql.ts";

/** Apps of a workspace, and the days that count, both inclusive. */
export type TrendScope = SeenScope & { from: Day; to: Day };

export type WeekCounts = DayCounts & {
  store: StoreId;
  /** The week's Monday, also where the range cuts the week. */
  week: Day;
};

/** Counts per store and ISO week, oldest first; weeks without reviews are left out. */
export function countWeeks(db: Db, scope: TrendScope): Promise<WeekCounts[]> {
  return queryRows(
    db,
    "countWeeks",
    `${ofListings("$2")}select l.store, date_trunc('week', d.day::timestamp)::date as week, ${daySums}
     from ${seenRollups} join listings l on l.id = a.listing_id
     ${joinCounts({ from: "$4::date", to: "$5::date" })}
     group by 1, 2 order by 2, 1`,
    [...rollupValues(scope), scope.from, scope.to],
  );
}

/** The day of the oldest review of these apps; null without any. */
export async function findFirstReviewDayOfApps(db: Db, scope: SeenScope): Promise<Day | null> {
  const found = await queryFirstRow<{ day: Day | null }>(
    db,
    "findFirstReviewDayOfApps",
    `${ofListings("$2")}select min(f.day) as day from ${seenRollups}
     cross join lateral (
       select d.day from review_days d
       where d.listing_id = s.listing_id and d.region = s.region order by d.day limit 1
     ) f`,
    rollupValues(scope),
  );
  return found?.day ?? null;
}

export type TopicCount = { topic: string; count: number };

/**
 * The most frequent topics of these apps together: by count, then by name in the order of code points. Whole
 * weeks are read from the weekly rollup, so that the cost does not grow with the number of reviews.
 */
export function countTopics(db: Db, scope: TrendScope & { limit: number }): Promise<TopicCount[]> {
  return queryRows(
    db,
    "countTopics",
    `${ofListings("$2")}select t.topic, sum(t.count)::integer as count
     from ${seenRollups}
     ${joinTopics("total")}
     group by t.topic order by count desc, t.topic collate "C" limit $6`,
    [...rollupValues(scope), scope.from, scope.to, scope.limit],
  );
}

// Trends from the daily rollups alone: the cost depends on the number of days and topics, never on the
// number of reviews. Every query names the workspace beside the apps, and counts what it follows of them.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { StoreId } from "../../domain/store-id.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type Db, queryRows } from "../query.ts";

/** Apps of a workspace, and the days that count, both inclusive. */
export type TrendScope = {
  appIds: readonly string[];
  workspaceId: string;
  from: Day;
  to: Day;
};

export type WeekCounts = {
  store: StoreId;
  /** The week's Monday, also where the range cuts the week. */
  week: Day;
  total: number;
  /** Reviews with 1 to 5 stars, in that order. */
  stars: number[];
} & Record<SentimentLabel, number>;

const sum = (name: string) => `sum(d.${name})::integer`;

/** Counts per store and ISO week, oldest first; weeks without reviews are left out. */
export function countWeeks(db: Db, scope: TrendScope): Promise<WeekCounts[]> {
  return queryRows(
    db,
    "countWeeks",
    `select a.store, date_trunc('week', d.day::timestamp)::date as week, ${sum("total")} as total,
       array[${["stars_1", "stars_2", "stars_3", "stars_4", "stars_5"].map(sum).join(", ")}] as stars,
       ${["positive", "neutral", "negative", "mixed"].map((name) => `${sum(name)} as ${name}`).join(", ")}
     from followed_apps a join review_days d
       on d.listing_id = a.listing_id and d.region = any(a.rollup_regions)
     where a.id = any($1::uuid[]) and a.workspace_id = $2 and d.day between $3::date and $4::date
     group by 1, 2 order by 2, 1`,
    [scope.appIds, scope.workspaceId, scope.from, scope.to],
  );
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
    `select t.topic, sum(t.total)::integer as count
     from followed_apps a cross join lateral unnest(a.rollup_regions) g (region)
     cross join (select date_trunc('week', ($3::date + 6)::timestamp)::date as first_monday,
       date_trunc('week', ($4::date + 1)::timestamp)::date as end_monday) whole
     cross join lateral (
       select w.topic, w.total from topic_weeks w
       where w.listing_id = a.listing_id and w.region = g.region and w.week >= first_monday and w.week < end_monday
       union all
       select d.topic, d.total from topic_days d
       where d.listing_id = a.listing_id and d.region = g.region and d.day >= $3::date
         and d.day < least(first_monday, $4::date + 1)
       union all
       select d.topic, d.total from topic_days d
       where d.listing_id = a.listing_id and d.region = g.region and d.day >= greatest(first_monday, end_monday)
         and d.day <= $4::date
     ) t
     where a.workspace_id = $1 and a.id = any($2::uuid[])
     group by t.topic order by count desc, t.topic collate "C" limit $5`,
    [scope.workspaceId, scope.appIds, scope.from, scope.to, scope.limit],
  );
}

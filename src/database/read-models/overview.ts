// Counts for the overview, from the rollups and snapshots alone: the cost depends on days, weeks and
// topics, never on the number of reviews. Every query names the workspace beside the apps.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Snapshot } from "../../domain/snapshot.ts";
import type { StoreId } from "../../domain/store-id.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";

export type DayCounts = { total: number; stars: number[] } & Record<SentimentLabel, number>;

type AppsScope = { workspaceId: string; appIds: readonly string[]; from: Day; to: Day };

const sum = (name: string) => `coalesce(sum(d.${name}), 0)::integer`;
const sums = `${sum("total")} as total,
  array[${[1, 2, 3, 4, 5].map((star) => sum(`stars_${star}`)).join(", ")}] as stars,
  ${["positive", "neutral", "negative", "mixed"].map((name) => `${sum(name)} as ${name}`).join(", ")}`;

/** Counts of each app by ISO week, oldest first; weeks without reviews are left out. */
export function countAppWeeks(
  db: Db,
  scope: AppsScope,
): Promise<({ appId: string; week: Day } & DayCounts)[]> {
  return queryRows(
    db,
    "countAppWeeks",
    `select a.id as "appId", date_trunc('week', d.day::timestamp)::date as week, ${sums}
     from followed_apps a join review_days d
       on d.listing_id = a.listing_id and d.region = any(a.rollup_regions)
     where a.workspace_id = $1 and a.id = any($2::uuid[]) and d.day between $3::date and $4::date
     group by 1, 2 order by 2, 1`,
    [scope.workspaceId, scope.appIds, scope.from, scope.to],
  );
}

/** Counts of ranges of days, in the order of `ranges`; zeros for an app of another workspace. */
export function countDateRanges(
  db: Db,
  query: { workspaceId: string; ranges: readonly { appId: string; from: Day; to: Day }[] },
): Promise<DayCounts[]> {
  const { workspaceId, ranges } = query;
  return queryRows(
    db,
    "countDateRanges",
    `select ${sums}
     from unnest($2::uuid[], $3::date[], $4::date[])
       with ordinality as s (app_id, first_day, last_day, number)
     left join followed_apps a on a.id = s.app_id and a.workspace_id = $1
     left join review_days d on d.listing_id = a.listing_id and d.region = any(a.rollup_regions)
       and d.day between s.first_day and s.last_day
     group by s.number order by s.number`,
    [
      workspaceId,
      ranges.map(({ appId }) => appId),
      ranges.map(({ from }) => from),
      ranges.map(({ to }) => to),
    ],
  );
}

/** The day of the oldest review of these apps; null without any. */
export async function findFirstReviewDayOfApps(
  db: Db,
  scope: Pick<AppsScope, "workspaceId" | "appIds">,
): Promise<Day | null> {
  const found = await queryFirstRow<{ day: Day | null }>(
    db,
    "findFirstReviewDayOfApps",
    `select min(f.day) as day
     from followed_apps a cross join lateral unnest(a.rollup_regions) g (region)
     cross join lateral (
       select d.day from review_days d
       where d.listing_id = a.listing_id and d.region = g.region order by d.day limit 1
     ) f
     where a.workspace_id = $1 and a.id = any($2::uuid[])`,
    [scope.workspaceId, scope.appIds],
  );
  return found?.day ?? null;
}

/** How many reviews are stored of each app of a workspace. */
export function countReviewsOfApps(
  db: Db,
  workspaceId: string,
): Promise<{ appId: string; count: number }[]> {
  return queryRows(
    db,
    "countReviewsOfApps",
    `select a.id as "appId", coalesce(sum(d.total), 0)::integer as count
     from followed_apps a left join review_days d
       on d.listing_id = a.listing_id and d.region = any(a.rollup_regions)
     where a.workspace_id = $1 group by a.id`,
    [workspaceId],
  );
}

/** Snapshots of an app's days, oldest first; `mondaysOnly` thins a range of years. */
export function listSnapshotDays(
  db: Db,
  query: { appId: string; workspaceId: string; from: Day; to: Day; mondaysOnly: boolean },
): Promise<Omit<Snapshot, "histogram">[]> {
  return queryRows(
    db,
    "listSnapshotDays",
    `select s.listing_id as "listingId", s.region, s.day, s.average, s.total
     from apps a join snapshots s on s.listing_id = a.listing_id
     where a.id = $1 and a.workspace_id = $2 and s.day between $3::date and $4::date
       and (not $5::boolean or extract(isodow from s.day) = 1)
       and (s.region = '' or s.region = any(a.countries))
     order by s.day, s.region`,
    [query.appId, query.workspaceId, query.from, query.to, query.mondaysOnly],
  );
}

export type FeltTopic = { topic: string; total: number } & Record<SentimentLabel, number> &
  TopicOpinions;

/** What reviews say of a topic itself, whatever else they are about. */
export type TopicOpinions = {
  good: number;
  bad: number;
  /** How many stars below five the reviews gave that speak ill of it. */
  starsLost: number;
};

const opinionColumns = 'positive as good, negative as bad, stars_lost as "starsLost"';
const opinionSums = ["good", "bad", '"starsLost"'];

/** Topics with how their reviews feel, the most negative first. Whole weeks are read from the rollup by week. */
export function countFeltTopics(
  db: Db,
  scope: AppsScope & { limit: number },
): Promise<FeltTopic[]> {
  const labels = ["positive", "neutral", "negative", "mixed"];
  const felt = labels.map((label) => `${label}_reviews as ${label}`);
  const columns = ["topic", "total", ...felt, opinionColumns].join(", ");
  const of = (table: string) => `select ${columns} from ${table} t
       where t.listing_id = a.listing_id and t.region = g.region`;
  return queryRows(
    db,
    "countFeltTopics",
    `select d.topic, ${["total", ...labels, ...opinionSums].map((name) => `${sum(name)} as ${name}`).join(", ")}
     from followed_apps a cross join lateral unnest(a.rollup_regions) g (region)
     cross join (select date_trunc('week', ($3::date + 6)::timestamp)::date as first_monday,
       date_trunc('week', ($4::date + 1)::timestamp)::date as end_monday) whole
     cross join lateral (
       ${of("topic_weeks")} and t.week >= first_monday and t.week < end_monday
       union all
       ${of("topic_days")} and t.day >= $3::date and t.day < least(first_monday, $4::date + 1)
       union all
       ${of("topic_days")} and t.day >= greatest(first_monday, end_monday) and t.day <= $4::date
     ) d
     where a.workspace_id = $1 and a.id = any($2::uuid[])
     group by d.topic order by negative desc, total desc, d.topic collate "C" limit $5`,
    [scope.workspaceId, scope.appIds, scope.from, scope.to, scope.limit],
  );
}

/** Counts by store and region, the most reviews first: storefronts, or the languages of Google Play's lists. */
export function countRegions(
  db: Db,
  scope: AppsScope & { limit: number },
): Promise<({ store: StoreId; region: string } & DayCounts)[]> {
  return queryRows(
    db,
    "countRegions",
    `select a.store, d.region, ${sums}
     from followed_apps a join review_days d on d.listing_id = a.listing_id and d.region <> ''
       and (a.regions is null or d.region = any(a.regions))
     where a.workspace_id = $1 and a.id = any($2::uuid[]) and d.day between $3::date and $4::date
     group by 1, 2 order by total desc, 1, 2 limit $5`,
    [scope.workspaceId, scope.appIds, scope.from, scope.to, scope.limit],
  );
}

export type TopicWeek = { week: Day; topic: string; total: number } & TopicOpinions;

/** Opinions on these topics by ISO week, oldest first: the weeks that begin in the range. */
export function listTopicWeeks(
  db: Db,
  scope: AppsScope & { topics: readonly string[] },
): Promise<TopicWeek[]> {
  return queryRows(
    db,
    "listTopicWeeks",
    `select d.week, d.topic, ${["total", ...opinionSums].map((name) => `${sum(name)} as ${name}`).join(", ")}
     from followed_apps a cross join lateral unnest(a.rollup_regions) g (region)
     cross join lateral (
       select week, topic, total, ${opinionColumns} from topic_weeks t
       where t.listing_id = a.listing_id and t.region = g.region and t.week between $3::date and $4::date
         and t.topic = any($5::text[])
     ) d
     where a.workspace_id = $1 and a.id = any($2::uuid[])
     group by 1, 2 order by 1, 2`,
    [scope.workspaceId, scope.appIds, scope.from, scope.to, scope.topics],
  );
}

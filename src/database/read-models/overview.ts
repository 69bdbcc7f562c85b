// Counts for the overview, from the rollups and snapshots alone: the cost depends on days, weeks and
// topics, never on the number of reviews. Every query names the workspace beside the listings.
import type { Snapshot } from "../../domain/snapshot.ts";
import type { StoreId } from "../../domain/store-id.ts";
import type { Day } from "../../lib/timestamp.ts";
import { ofListings } from "../distributed-sql.ts";
import { type Db, queryRows } from "../query.ts";
import { type DayCounts, daySums, joinCounts } from "./day-counts-sql.ts";
import {
  listingValues,
  rollupValues,
  type SeenApp,
  type SeenScope,
  seenListings,
  seenRollups,
} from "./seen-listings-sql.ts";
import type { TrendScope, WeekCounts } from "./trends.ts";

export type DateRange = { app: SeenApp; from: Day; to: Day };

/** Counts of ranges of days, in the order of `ranges`; zeros for an app of another workspace. */
export async function countDateRanges(
  db: Db,
  query: { workspaceId: string; ranges: readonly DateRange[] },
): Promise<DayCounts[]> {
  const { workspaceId, ranges } = query;
  if (ranges.length === 0) return [];
  const parts = ranges.flatMap(({ app: { listingId, regions }, from, to }, number) =>
    (regions ?? [""]).map((region) => ({ listingId, region, from, to, number })),
  );
  const counted = await queryRows<DayCounts & { number: number }>(
    db,
    "countDateRanges",
    `${ofListings("$2")}select s.number, ${daySums}
     from unnest($2::uuid[], $3::text[], $4::date[], $5::date[], $6::integer[])
       s (listing_id, region, first_day, last_day, number)
     join apps a on a.workspace_id = $1 and a.listing_id = s.listing_id
     ${joinCounts({ from: "s.first_day", to: "s.last_day" })}
     group by s.number`,
    [
      workspaceId,
      parts.map(({ listingId }) => listingId),
      parts.map(({ region }) => region),
      parts.map(({ from }) => from),
      parts.map(({ to }) => to),
      parts.map(({ number }) => number),
    ],
  );
  const none = { total: 0, stars: [0, 0, 0, 0, 0], positive: 0, neutral: 0, negative: 0, mixed: 0 };
  const found = new Map(counted.map(({ number, ...counts }) => [number, counts]));
  return ranges.map((_, number) => found.get(number) ?? none);
}

export type SeenCounts = {
  /** By the ids of apps; without those that have no reviews of these days. */
  apps: Map<string, DayCounts>;
  /** As `countWeeks` has them. */
  weeks: WeekCounts[];
};

/** Counts of the days of a range by app and by week, of which each row is read once. */
export async function countAppsAndWeeks(db: Db, scope: TrendScope): Promise<SeenCounts> {
  type Row = DayCounts & ({ appId: string } | ({ appId: null } & WeekCounts));
  const rows = await queryRows<Row>(
    db,
    "countAppsAndWeeks",
    `${ofListings("$2")}select a.id as "appId", l.store, date_trunc('week', d.day::timestamp)::date as week, ${daySums}
     from ${seenRollups} join listings l on l.id = a.listing_id
     ${joinCounts({ from: "$4::date", to: "$5::date" })}
     group by grouping sets ((1), (2, 3)) order by 3, 2`,
    [...rollupValues(scope), scope.from, scope.to],
  );
  return {
    apps: new Map(rows.flatMap((row) => (row.appId === null ? [] : [[row.appId, row]]))),
    weeks: rows.flatMap((row) => (row.appId === null ? [row] : [])),
  };
}

/** How many reviews are stored of each app of a workspace. */
export function countReviewsOfApps(
  db: Db,
  scope: SeenScope,
): Promise<{ appId: string; count: number }[]> {
  return queryRows(
    db,
    "countReviewsOfApps",
    `${ofListings("$2")}select a.id as "appId", sum(d.total)::integer as count
     from ${seenRollups}
     cross join lateral (
       select d.total from review_weeks d
       where d.listing_id = s.listing_id and d.region = s.region offset 0
     ) d
     group by a.id`,
    rollupValues(scope),
  );
}

/** Snapshots of the days of apps of one workspace, oldest first; `mondaysOnly` thins a range of years. */
export function listSnapshotDays(
  db: Db,
  query: {
    apps: readonly { id: string; listingId: string; workspaceId: string }[];
    from: Day;
    to: Day;
    mondaysOnly: boolean;
  },
): Promise<Omit<Snapshot, "histogram">[]> {
  const { apps, from, to, mondaysOnly } = query;
  return queryRows(
    db,
    "listSnapshotDays",
    `${ofListings("$3")}select p.listing_id as "listingId", s.region, s.day, s.average, s.total
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) p (id, workspace_id, listing_id)
     join apps a on a.id = p.id and a.workspace_id = p.workspace_id and a.listing_id = p.listing_id
     cross join lateral (
       select * from snapshots s where s.listing_id = p.listing_id
         and (s.region = '' or s.region = any(a.countries)) and s.day between $4::date and $5::date
         and (not $6::boolean or extract(isodow from s.day) = 1) offset 0
     ) s
     order by s.day, s.region`,
    [
      apps.map(({ id }) => id),
      apps.map(({ workspaceId }) => workspaceId),
      apps.map(({ listingId }) => listingId),
      ...[from, to, mondaysOnly],
    ],
  );
}

/** Counts by store and region, the most reviews first: storefronts, or the languages of Google Play's lists. */
export function countRegions(
  db: Db,
  scope: TrendScope & { limit: number },
): Promise<({ store: StoreId; region: string } & DayCounts)[]> {
  return queryRows(
    db,
    "countRegions",
    `${ofListings("$2")}select l.store, g.region, ${daySums}
     from (
       select l.store, s.listing_id, coalesce(seen.regions, l.regions) as regions
       from ${seenListings} join listings l on l.id = s.listing_id offset 0
     ) l
     cross join lateral unnest(l.regions) g (region)
     ${joinCounts({ from: "$4::date", to: "$5::date" }, { listing: "l.listing_id", region: "g.region" })}
     where g.region <> ''
     group by 1, 2 order by total desc, 1, 2 limit $6`,
    [...listingValues(scope), scope.from, scope.to, scope.limit],
  );
}

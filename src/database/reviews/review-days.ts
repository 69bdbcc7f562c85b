// The reviews that match filters by UTC day. The newest reviews of the date range are scanned, up to a limit.
import sql, { join } from "sql-template-tag";
import { readByApp } from "../cluster/coordinator.ts";
import { type Db, queryRows } from "../query.ts";
import type { ScopedFilters } from "./review-facets.ts";
import { writeConditions } from "./review-filters.ts";
import { isFollowed, keysOf, writeApps } from "./review-page-sql.ts";
import { listByDate, wholeRange, writeScanned } from "./review-ranges.ts";

/** `stars` is their sum. */
export type MatchingDay = { day: string; count: number; stars: number; negative: number };

type Scan = { filters: ScopedFilters; scanMax: number };

/** Days with matching reviews, oldest first. */
export async function countMatchingDays(
  db: Db,
  { filters, scanMax }: Scan,
): Promise<MatchingDay[]> {
  if (filters.apps.length === 0) return [];
  const parts = await readByApp(db, filters.apps, (apps) =>
    countDaysOf(db, { filters: { ...filters, apps }, scanMax }),
  );
  return parts.length === 1 ? parts[0] : addUp(parts.flat());
}

function countDaysOf(db: Db, { filters, scanMax }: Scan): Promise<MatchingDay[]> {
  const { apps } = filters;
  const keys = keysOf(filters);
  const list = listByDate(filters, null);
  const ranges = [wholeRange(list, keys)];
  const checks = [isFollowed, ...Object.values(writeConditions(filters, keys))];
  // Planned for its values: how much it reads depends on them.
  return queryRows(
    db,
    "",
  )(sql`with ${writeApps(apps, keys)},
  ${writeScanned(list, { ranges, countMax: scanMax, appCount: apps.length })}
  select to_char(r.date at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as count,
    sum(r.rating) as stars, count(*) filter (where r.sentiment = 'negative') as negative
  from scanned a join reviews r on r.listing_id = ${keys.listingId} and r.id = a.id
  where ${join(checks, " and ")}
  group by 1 order by 1`);
}

function addUp(days: readonly MatchingDay[]): MatchingDay[] {
  const sums = new Map<string, MatchingDay>();
  for (const { day, count, stars, negative } of days) {
    const sum = sums.get(day) ?? { day, count: 0, stars: 0, negative: 0 };
    sums.set(day, {
      day,
      count: sum.count + count,
      stars: sum.stars + stars,
      negative: sum.negative + negative,
    });
  }
  return [...sums.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
}

// The newest reviews of many listings. Reading as many of each listing as of all of them together would cost listings ×
// limit, so the first few of each are read, and more of those whose first few are all among the newest.
import { distinctOf } from "./review-ranges-sql.ts";
import { seenListings } from "./seen-listings-sql.ts";

/** Fewer listings are read in one step. */
const manyMin = 8;

/**
 * How many of each listing are read first; null for few of them. Twice its share of the limit, as a power of two so
 * that there are few forms of a statement.
 */
export function shareOf({ appCount, limit }: { appCount: number; limit: number }): number | null {
  if (appCount < manyMin) return null;
  return Math.min(limit, 2 ** Math.ceil(Math.log2((2 * limit) / appCount + 1)));
}

export type NewestOfApps = {
  /** A subquery of `id, listing_id, regions`. */
  apps: string;
  share: number | null;
  /** `date, id` of one of these apps, `a`: the newest, up to that many, those since an expression. */
  readRange: (limit: number, since?: string) => string;
  /** How many are wanted: an expression, and what it can't exceed. */
  count: string;
  countMax: number;
  /** How often a review can come: once for each topic that is asked for. */
  repeatMax?: number;
  /**
   * Where each app has several ranges: `date, id, is_found` of the newest of one of these apps, `a`, whether they are in
   * its ranges or not.
   */
  readRecent?: ((limit: number) => string) | undefined;
};

/** A query of the newest of all apps, `listing_id, id, date, regions, app_id`, in the order of pages. */
export function writeNewest(newest: NewestOfApps): string {
  const { apps, share, readRange, count, countMax, repeatMax = 1 } = newest;
  const isRepeated = repeatMax > 1;
  const readAll = (since?: string): string => {
    const range = readRange(countMax * repeatMax, since);
    return `select q.* from (${isRepeated ? distinctOf(range) : range}) q limit ${count}`;
  };
  const columns = "a.listing_id, f.id, f.date, a.regions, a.id as app_id";
  const order = `order by n.date desc, n.id desc limit ${count}`;
  if (share === null) {
    return `select n.* from (
      select ${columns} from ${apps} a cross join lateral (${readAll()}) f
    ) n ${order}`;
  }
  const bound = "(select date from bound)";
  const { heads, ofThese } = writeHeads(newest, { share, columns });
  return `with ${heads},
    bound as materialized (
      select coalesce((
        select h.date from ${isRepeated ? "(select distinct date, id from heads)" : "heads"} h
        order by h.date desc offset ${count} - 1 limit 1
      ), '-infinity') as date
    ),
    crowded as materialized (
      select h.app_id as id, h.listing_id, h.regions from heads h ${ofThese} group by 1, 2, 3
      having count(*) >= ${share} and min(h.date) >= ${bound}
    )
    select ${isRepeated ? "distinct on (n.date, n.id) " : ""}n.* from (
      select h.* from heads h where h.date >= ${bound} and h.app_id not in (select c.id from crowded c)
      union all
      select ${columns} from crowded a cross join lateral (${readAll(bound)}) f
    ) n ${order}`;
}

type Heads = {
  /** The common table expression `heads`, and what it needs. */
  heads: string;
  /** Which of them can stand for more of their app. */
  ofThese: string;
};

/**
 * The first few of each app. To look into five ranges of each of a hundred apps takes three times as long as to look into
 * one, so where there are several, the newest of each app are read first, whatever they are. Mostly the page is among
 * them; then the ranges are read of those apps alone whose newest are all newer than its end.
 */
function writeHeads(
  { apps, readRange, count, readRecent }: NewestOfApps,
  { share, columns }: { share: number; columns: string },
): Heads {
  if (!readRecent) {
    const all = `select ${columns} from ${apps} a cross join lateral (${readRange(share)}) f`;
    return { heads: `heads as materialized (${all})`, ofThese: "" };
  }
  const recentMax = 2 * share;
  const end = "(select date from recent_end)";
  const heads = `recent as materialized (
      select ${columns}, f.is_found from ${apps} a cross join lateral (${readRecent(recentMax)}) f
    ),
    recent_end as materialized (
      select coalesce((
        select r.date from recent r where r.is_found order by r.date desc offset ${count} - 1 limit 1
      ), '-infinity') as date
    ),
    unread as materialized (
      select r.app_id as id, r.listing_id, r.regions from recent r group by 1, 2, 3
      having count(*) >= ${recentMax} and min(r.date) >= ${end}
    ),
    heads as materialized (
      select r.listing_id, r.id, r.date, r.regions, r.app_id from recent r
      where r.is_found and r.date >= ${end} and r.app_id not in (select u.id from unread u)
      union all
      select ${columns} from unread a cross join lateral (${readRange(share, end)}) f
    )`;
  return { heads, ofThese: "where h.app_id in (select u.id from unread u)" };
}

/**
 * The common table expression `newest` of a search. `$1` to `$3` are those of `seenListings`, `$4` the earliest date,
 * `$5` and `$6` the position after which they stand; `$7` is `scanMax` once more, which the text holds as well: with a
 * parameter PostgreSQL plans for a tenth of the table.
 */
export function newestReviews({
  appCount,
  scanMax,
}: {
  appCount: number;
  scanMax: number;
}): string {
  const readRange = (limit: number, since?: string): string => `select r.id, r.date from reviews r
      where r.listing_id = a.listing_id and r.date >= $4::timestamptz
        ${since ? `and r.date >= ${since}` : ""} and (r.date, r.id) < ($5::timestamptz, $6::uuid)
      order by r.date desc, r.id desc limit ${limit}`;
  const apps = `(select a.id, s.listing_id, seen.regions from ${seenListings})`;
  const share = shareOf({ appCount, limit: scanMax });
  const count = "$7::integer";
  return `newest as (${writeNewest({ apps, share, readRange, count, countMax: scanMax })})`;
}

// The newest reviews of many listings. Reading as many of each listing as of all of them together would cost listings ×
// limit, so the first few of each are read before: so many newer ones are known then that nothing older is needed.
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

/** The common table expression `bound`: no review before its date is among the `limit` newest; `heads` are the first few, `h`. */
export function writeBound({ heads, limit }: { heads: string; limit: number }): string {
  return `bound as materialized (select coalesce((
      select h.date from ${heads} order by h.date desc offset ${limit - 1} limit 1
    ), '-infinity') as date)`;
}

/**
 * Common table expressions, the last of them `newest (listing_id, id, date, regions, app_id)`. `$1` to `$3` are those
 * of `seenListings`, `$4` the earliest date, `$5` and `$6` the position after which they stand; `$7` is `scanMax` once
 * more, which the text holds as well: with a parameter PostgreSQL plans for a tenth of the table.
 */
export function newestReviews({
  appCount,
  scanMax,
}: {
  appCount: number;
  scanMax: number;
}): string {
  const share = shareOf({ appCount, limit: scanMax });
  const heads = share && `${seenListings} cross join lateral (${readRange(share, "")}) h`;
  const isNewer = heads ? "and r.date >= (select date from bound)" : "";
  return `${heads ? `${writeBound({ heads, limit: scanMax })}, ` : ""}newest as (
    select f.listing_id, f.id, f.date, seen.regions, a.id as app_id from ${seenListings}
    cross join lateral (${readRange(scanMax, isNewer)}) f
    order by f.date desc, f.id desc limit $7::integer
  )`;
}

function readRange(limit: number, condition: string): string {
  return `select r.listing_id, r.id, r.date from reviews r
      where r.listing_id = s.listing_id and r.date >= $4::timestamptz ${condition}
        and (r.date, r.id) < ($5::timestamptz, $6::uuid)
      order by r.date desc, r.id desc limit ${limit}`;
}

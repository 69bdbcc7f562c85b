// The reviews that have the words of a search, of all times, found by the search index.
import { mayHaveAny } from "../search-index-sql.ts";
import { seenListings } from "./seen-listings-sql.ts";

/**
 * The common table expression `newest` of a search, like that of `newestReviews`, which it stands for: `$1` to `$6` are
 * the same. Of more than `$7` it holds one more than that, whichever: then it answers nothing.
 */
export function indexedReviews(patterns: string): string {
  return `newest as materialized (
    select s.listing_id, f.id, f.date, seen.regions, a.id as app_id
    from ${seenListings} cross join lateral (
      select r.id, r.date from reviews r
      where r.listing_id = s.listing_id and r.date >= $4::timestamptz
        and (r.date, r.id) < ($5::timestamptz, $6::uuid) and ${mayHaveAny("r", patterns)}
      offset 0
    ) f
    limit $7::integer + 1
  )`;
}

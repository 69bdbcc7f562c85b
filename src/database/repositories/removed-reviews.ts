// Reviews that a list of all reviews no longer has: marked, and kept.
import { type Db, execute, queryRows } from "../query.ts";
import { raiseListingVersion } from "./listings.ts";

/**
 * Marks those of a listing that such a list had once, dated in between and not among the shown ones. Nothing is marked
 * where there are more than `countMax`. Returns how many were.
 */
export async function markRemovedReviews(
  db: Db,
  mark: {
    listingId: string;
    above: Date | null;
    below: Date | null;
    shownIds: readonly string[];
    countMax: number;
    now: Date;
  },
): Promise<number> {
  const { listingId, countMax } = mark;
  const gone = await queryRows<{ id: string }>(
    db,
    "listRemovedReviews",
    `select id from reviews
     where listing_id = $1 and is_listed and removed_at is null and not is_date_assumed
       and ($2::timestamptz is null or date > $2) and ($3::timestamptz is null or date < $3)
       and id <> all($4::uuid[])
     limit $5`,
    [listingId, mark.above, mark.below, mark.shownIds, countMax + 1],
  );
  if (gone.length === 0 || gone.length > countMax) return 0;
  const { changedAt } = await raiseListingVersion(db, { listingId });
  return execute(
    db,
    "markRemovedReviews",
    `update reviews set removed_at = $3, changed_at = $4::timestamptz
     where listing_id = $1 and id = any($2::uuid[])`,
    [listingId, gone.map(({ id }) => id), mark.now, changedAt],
  );
}

// Listings that nobody follows any more: marked at once, and deleted with all their rows in batches small enough
// that nobody waits behind one.
import { distributed } from "../distributed-sql.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/**
 * Marks a listing without apps as removed, with its feeds: nothing is crawled or saved for it any more, and another
 * one of the same app may be made. Says whether it was one.
 */
export async function removeUnusedListing(
  db: Db,
  listing: { id: string; now: Date },
): Promise<boolean> {
  const count = await execute(
    db,
    "removeUnusedListing",
    // Its workspace and its account can go at once, without all of its rows.
    `update listings l set removed_at = $2, workspace_id = null, credential_id = null
     where l.id = $1 and removed_at is null
       and not exists (select from apps a where a.listing_id = l.id)`,
    [listing.id, listing.now],
  );
  if (count === 0) return false;
  await queryRows(db, "deleteFeedsOfListing", "delete from feeds where listing_id = $1", [
    listing.id,
  ]);
  return true;
}

/** The removed listing that waits the longest; null without one. */
export async function findRemovedListing(db: Db): Promise<string | null> {
  const found = await queryFirstRow<{ id: string }>(
    db,
    "findRemovedListing",
    "select id from listings where removed_at is not null order by removed_at limit 1",
  );
  return found?.id ?? null;
}

/**
 * Deletes some rows of a removed listing, at most `limit` of each kind, and the listing itself once it has none.
 * Returns how many; 0 after the last.
 */
export async function deleteRowsOfRemovedListing(
  db: Db,
  batch: { id: string; limit: number },
): Promise<number> {
  const deleted = await queryFirstRow<{ count: number }>(
    db,
    "deleteRowsOfRemovedListing",
    deleteRowsText,
    [batch.id, batch.limit],
  );
  const count = deleted?.count ?? 0;
  if (count > 0) return count;
  // Another process may be deleting the very rows that this one looked for.
  const rest = await queryRows(
    db,
    "findRestOfRemovedListing",
    `select where ${tables.map((table) => `exists (select from ${table} where listing_id = $1)`).join(" or ")}`,
    [batch.id],
  );
  if (rest.length === 0) {
    const text = "delete from listings where id = $1 and removed_at is not null";
    await execute(db, "deleteRemovedListing", text, [batch.id]);
  }
  return count;
}

// Versions and jobs go with their reviews.
const tables = [
  "reviews",
  "review_topics",
  "review_days",
  "review_weeks",
  "topic_days",
  "topic_weeks",
  "facet_days",
  "app_versions",
  "snapshots",
  "rating_averages",
] as const;

const deleteRowsText = `${distributed}with ${tables
  .map(
    (table) => `${table}_gone as (
      delete from ${table} where /*distributed listing_id = $1 and */ ctid = any(array(
        select t.ctid from ${table} t where t.listing_id = $1
          and exists (select from listings where id = $1 and removed_at is not null) limit $2))
      returning 1)`,
  )
  .join(", ")}
  select ${tables.map((table) => `(select count(*) from ${table}_gone)`).join(" + ")} as count`;

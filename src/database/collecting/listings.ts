// Listings: one app in one store through one source, public or private to a workspace. A listing without apps is marked
// as removed at once, and its rows are deleted in small batches.
import type { AppFacts } from "../../domain/app-facts.ts";
import type { Listing } from "../../domain/listing.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { distributed } from "../cluster/distributed-sql.ts";
import { advisoryLocks } from "../platform/locks.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { withinTransaction } from "../transaction.ts";
import { type ListingChange, noteListingChange } from "./listing-changes.ts";

const columns = `id, store, external_app_id as "externalAppId", workspace_id as "workspaceId",
  credential_id as "credentialId"`;

/**
 * The listing of this source, inserted when there is none yet.
 *
 * @throws Error when it is neither there nor inserted, which is a bug
 */
export async function ensureListing(db: Db, listing: Listing & { now: Date }): Promise<Listing> {
  await queryRows(
    db,
    "insertListing",
    `insert into listings (id, store, external_app_id, workspace_id, created_at, credential_id)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [
      listing.id,
      listing.store,
      listing.externalAppId,
      listing.workspaceId,
      listing.now,
      listing.credentialId ?? null,
    ],
  );
  const found = await findListingBySource(db, listing);
  if (!found) throw new Error("a listing that was just made is gone");
  return found;
}

/** A null workspace means the public listing. */
export function findListingBySource(
  db: Db,
  source: Pick<Listing, "store" | "externalAppId" | "workspaceId">,
): Promise<Listing | null> {
  return queryFirstRow(
    db,
    "findListingBySource",
    `select ${columns} from listings
     where store = $1 and external_app_id = $2 and workspace_id is not distinct from $3
       and removed_at is null`,
    [source.store, source.externalAppId, source.workspaceId],
  );
}

/** null for one that was removed, whose rows may still be there. */
export function findListing(db: Db, id: string): Promise<Listing | null> {
  const text = `select ${columns} from listings where id = $1 and removed_at is null`;
  return queryFirstRow(db, "findListing", text, [id]);
}

/** Ids in the store of apps whose ratings are read in a storefront, those first that are due next. */
export async function listAppsOfStorefront(
  db: Db,
  query: { store: StoreId; region: string; limit: number },
): Promise<string[]> {
  const found = await queryRows<{ id: string }>(
    db,
    "listAppsOfStorefront",
    `select l.external_app_id as id from feeds f join listings l on l.id = f.listing_id
     where f.store = $1 and not f.is_official and f.kind = 'ratings' and f.region = $2
     order by f.next_due_at limit $3`,
    [query.store, query.region, query.limit],
  );
  return found.map(({ id }) => id);
}

/**
 * Locks the listing until the transaction ends: changes to one listing come one after another. null for one that was
 * removed: nothing changes there any more.
 */
export async function lockListing(db: Db, id: string): Promise<Listing | null> {
  // On a Citus a lock on the row, of which each server has a copy, would hold up the changes of all listings.
  const text = "select pg_advisory_xact_lock($1, hashtext($2))";
  await queryRows(db, "lockListing", text, [advisoryLocks.listing, id]);
  return findListing(db, id);
}

export async function saveListingDetails(
  db: Db,
  details: { id: string; name: string; iconUrl: string; facts?: AppFacts },
): Promise<void> {
  await queryRows(
    db,
    "saveListingDetails",
    `update listings set name = $2, icon_url = $3, facts = coalesce($4::jsonb, facts), version = version + 1
     where id = $1 and (name, icon_url, facts) is distinct from ($2, $3, coalesce($4::jsonb, facts))`,
    [
      details.id,
      details.name,
      details.iconUrl,
      details.facts ? JSON.stringify(details.facts) : null,
    ],
  );
}

/**
 * Raises the version of a listing whose reviews or ratings change, and adds the regions of new reviews; both are written
 * at the end of the transaction. An answer with an older version is no longer true after it.
 * Call it before reviews are written: they get the moment that it returns, as text, because a Date has no microseconds.
 * It is null for a deleted listing, which has no reviews.
 */
export async function raiseListingVersion(
  db: Db,
  change: ListingChange,
): Promise<{ changedAt: string | null }> {
  return { changedAt: await withinTransaction(db, (tx) => noteListingChange(tx, change)) };
}

/** Makes a public listing that no other workspace follows the workspace's own, with all that was collected. */
export async function adoptListing(
  db: Db,
  adopted: { id: string; workspaceId: string },
): Promise<void> {
  await queryRows(
    db,
    "adoptListing",
    "update listings set workspace_id = $2, version = version + 1 where id = $1",
    [adopted.id, adopted.workspaceId],
  );
}

// Listings without followers: marked at once, and deleted with all their rows in batches small enough not to delay
// other statements.

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

// A place is that of one row within one listing only: partitions of a table have the same places.
const deleteRowsText = `${distributed}with ${tables
  .map(
    (table) => `${table}_gone as (
      delete from ${table} where listing_id = $1 and ctid = any(array(
        select t.ctid from ${table} t where t.listing_id = $1
          and exists (select from listings where id = $1 and removed_at is not null) limit $2))
      returning 1)`,
  )
  .join(", ")}
  select ${tables.map((table) => `(select count(*) from ${table}_gone)`).join(" + ")} as count`;

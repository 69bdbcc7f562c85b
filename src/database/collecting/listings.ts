// Listings: one app in one store through one source, public or private to a workspace. A listing without apps is marked
// as removed at once, and its rows are deleted in small batches.
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { AppFacts } from "../../domain/feed/app-facts.ts";
import type { Listing } from "../../domain/feed/listing.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { isDistributed } from "../cluster/coordinator.ts";
import { listingTables } from "../cluster/distribution.ts";
import { writeListingLast } from "../cluster/last-writes.ts";
import { advisoryLocks } from "../locks.ts";
import {
  type Db,
  execute,
  queryCount,
  queryFirstRow,
  queryRows,
  queryValue,
  queryValues,
} from "../query.ts";
import { nextRowVersion, parameter } from "../sql.ts";

const columns = sql`id, store, external_app_id as "externalAppId", workspace_id as "workspaceId",
  credential_id as "credentialId"`;

/**
 * The listing of this source, inserted when there is none yet.
 *
 * @throws Error when it is neither there nor inserted, which is a bug
 */
export async function ensureListing(db: Db, listing: Listing & { now: Date }): Promise<Listing> {
  await queryRows(db, "insertListing")`insert into listings (id, store, external_app_id,
      workspace_id, created_at, credential_id)
    values (${listing.id}, ${listing.store}, ${listing.externalAppId}, ${listing.workspaceId},
      ${listing.now}, ${listing.credentialId ?? null}) on conflict do nothing`;
  const found = await findListingBySource(db, listing);
  if (!found) throw new Error("a listing that was just made is gone");
  return found;
}

/** A null workspace means the public listing. */
export function findListingBySource(
  db: Db,
  source: Pick<Listing, "store" | "externalAppId" | "workspaceId">,
): Promise<Listing | null> {
  return queryFirstRow(db, "findListingBySource")`select ${columns} from listings
    where store = ${source.store} and external_app_id = ${source.externalAppId}
      and workspace_id is not distinct from ${source.workspaceId}
      and removed_at is null`;
}

/** null for one that was removed, whose rows may still be there. */
export function findListing(db: Db, id: string): Promise<Listing | null> {
  return queryFirstRow(db, "findListing")`select ${columns} from listings
    where id = ${id} and removed_at is null`;
}

/** Ids in the store of apps whose ratings are read in a storefront, those first that are due next. */
export function listAppsOfStorefront(
  db: Db,
  query: { store: StoreId; region: string; limit: number },
): Promise<string[]> {
  return queryValues(db, "listAppsOfStorefront")<string>`select l.external_app_id as id from feeds f
      join listings l on l.id = f.listing_id
    where f.store = ${query.store} and not f.is_official and f.kind = 'ratings'
      and f.region = ${query.region}
    order by f.next_due_at limit ${query.limit}`;
}

/**
 * Locks the listing until the transaction ends: changes to one listing come one after another. null for one that was
 * removed: nothing changes there any more.
 */
export async function lockListing(db: Db, id: string): Promise<Listing | null> {
  // On a Citus a lock on the row, of which each server has a copy, would hold up the changes of all listings.
  await queryRows(db, "lockListing")`select pg_advisory_xact_lock(${advisoryLocks.listing},
    hashtext(${id}))`;
  return findListing(db, id);
}

/** `name` is null where no store was read yet. */
export function findListingDetails(
  db: Db,
  id: string,
): Promise<{ name: string | null; iconUrl: string; facts: AppFacts | null } | null> {
  return queryFirstRow(db, "findListingDetails")`select name, coalesce(icon_url, '') as "iconUrl",
    facts from listings where id = ${id}`;
}

type PendingDetails = { details: string; since: Date };
type DetailsOnTrial = {
  /** An earlier reading that was not saved; null without one. */
  pending: PendingDetails | null;
  /** Other apps of the store whose details wait, and all other apps. */
  otherPendingCount: number;
  otherCount: number;
  /** Versions that the newest reviews of the app name. */
  reviewVersions: readonly string[];
};

const newestReviewCount = 200;

/** @throws Error when the listing was deleted meanwhile, which its crawl reports */
export async function readDetailsOnTrial(
  db: Db,
  { id, store }: { id: string; store: StoreId },
): Promise<DetailsOnTrial> {
  const found = await queryFirstRow(db, "readDetailsOnTrial")<
    Omit<DetailsOnTrial, "pending"> & { details: string | null; since: Date | null }
  >`select own.pending_details as details, own.pending_since as since,
      others.pending as "otherPendingCount", others.all as "otherCount",
      array(select distinct version from (select version from reviews
        where listing_id = ${id} and version <> '' order by date desc limit ${newestReviewCount}) newest) as "reviewVersions"
    from listings own cross join lateral (
      select count(pending_details)::int as pending, count(*)::int as all from listings
      where store = ${store} and id <> ${id} and removed_at is null) others
    where own.id = ${id}`;
  if (!found) throw new Error("a listing was deleted while its details were read");
  const { details, since, ...rest } = found;
  return { ...rest, pending: details === null || since === null ? null : { details, since } };
}

/** Nothing of them is saved until a second day shows the same. */
export async function holdListingDetails(
  db: Db,
  held: { id: string } & PendingDetails,
): Promise<void> {
  await execute(db, "holdListingDetails")`update listings
    set pending_details = ${held.details}, pending_since = ${held.since} where id = ${held.id}`;
}

/** `details`: the name, the genre and the version that were read. `name` and `facts` are those that are shown meanwhile. */
type HeldDetails = PendingDetails & {
  listingId: string;
  store: StoreId;
  externalAppId: string;
  name: string | null;
  facts: AppFacts | null;
};

/** Details that wait for a second day, of some listings or of all; the oldest first. */
export function listHeldDetails(
  db: Db,
  { listingIds, limit }: { listingIds: readonly string[] | null; limit: number },
): Promise<HeldDetails[]> {
  const ids = parameter(listingIds);
  return queryRows(db, "listHeldDetails")<HeldDetails>`select id as "listingId", store,
      external_app_id as "externalAppId", name, facts, pending_details as details, pending_since as since
    from listings where (${ids}::uuid[] is null or id = any(${ids}::uuid[])) and pending_details is not null and removed_at is null
    order by since, id limit ${limit}`;
}

export async function saveListingDetails(
  db: Db,
  details: { id: string; name: string; iconUrl: string; facts?: AppFacts },
): Promise<void> {
  const { id, name, iconUrl } = details;
  const facts = sql`coalesce(${details.facts ? JSON.stringify(details.facts) : null}::jsonb, facts)`;
  await queryRows(db, "saveListingDetails")`update listings
      set name = ${name}, icon_url = ${iconUrl}, facts = ${facts}, version = ${nextRowVersion},
        pending_details = null, pending_since = null
    where id = ${id} and (pending_details is not null
      or (name, icon_url, facts) is distinct from (${name}, ${iconUrl}, ${facts}))`;
}

/**
 * Raises the version of a listing whose reviews or ratings change, and adds the regions of new reviews: an answer with an
 * older version is no longer true after it.
 * Call it before reviews are written: they get the moment that it returns, as text, because a Date has no microseconds.
 * It is the same throughout a transaction, later than that of any earlier one, and null for a deleted listing, which has
 * no reviews.
 */
export async function raiseListingVersion(
  db: Db,
  { listingId, regions = [] }: { listingId: string; regions?: readonly string[] },
): Promise<{ changedAt: string | null }> {
  const added = parameter(regions);
  const isSpread = await isDistributed(db);
  // Citus returns only what no setting changes, and knows the moment before.
  const returning = isSpread ? empty : sql`returning changed_at::text`;
  const write = (tx: Db, moment: Sql): Promise<string | null> => {
    // In UTC an interval depends on nothing else, which a copy on each server needs.
    return queryValue(tx, "raiseListingVersion")<string>`update listings l
        set version = ${nextRowVersion}, changed_at = case when changed_at = b.at then b.at else
          greatest(b.at, (changed_at at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC') end,
        regions = case when ${added}::text[] <@ regions then regions
          else array(select unnest(regions) union select unnest(${added}::text[]) order by 1) end
      from (select ${moment} as at offset 0) b
      where l.id = ${listingId} ${returning}`;
  };
  const changedAt = isSpread
    ? await writeListingLast(db, { listingId, moment: momentOfTransaction, write })
    : await write(db, momentOfTransaction);
  return { changedAt };
}

const momentOfTransaction = sql`coalesce(nullif(current_setting('starpost.change', true), '')::timestamptz,
  set_config('starpost.change', begin_change()::text, true)::timestamptz)`;

/** Makes a public listing that no other workspace follows the workspace's own, with all that was collected. */
export async function adoptListing(
  db: Db,
  adopted: { id: string; workspaceId: string },
): Promise<void> {
  await queryRows(db, "adoptListing")`update listings
    set workspace_id = ${adopted.workspaceId}, version = ${nextRowVersion}
    where id = ${adopted.id}`;
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
  // Its workspace and its account can go at once, without all of its rows.
  const count = await execute(db, "removeUnusedListing")`update listings l
      set removed_at = ${listing.now}, workspace_id = null, credential_id = null
    where l.id = ${listing.id} and removed_at is null
      and not exists (select from apps a where a.listing_id = l.id)`;
  if (count === 0) return false;
  await queryRows(db, "deleteFeedsOfListing")`delete from feeds where listing_id = ${listing.id}`;
  return true;
}

/** The removed listing that waits the longest; null without one. */
export function findRemovedListing(db: Db): Promise<string | null> {
  return queryValue(db, "findRemovedListing")<string>`select id from listings
    where removed_at is not null order by removed_at limit 1`;
}

/**
 * Deletes some rows of a removed listing, at most `limit` of each kind, and the listing itself once it has none.
 * Returns how many; 0 after the last.
 */
export async function deleteRowsOfRemovedListing(
  db: Db,
  batch: { id: string; limit: number },
): Promise<number> {
  const deletion = writeDelete(batch);
  const count = await queryCount(db, "deleteRowsOfRemovedListing")(deletion);
  if (count > 0) return count;
  // Another process may be deleting the very rows that this one looked for.
  const left = tables.map(
    (table) => sql`exists (select from ${raw(table)} where listing_id = ${batch.id})`,
  );
  const rest = await queryRows(db, "findRestOfRemovedListing")`select where ${join(left, " or ")}`;
  if (rest.length === 0) {
    await execute(db, "deleteRemovedListing")`delete from listings
      where id = ${batch.id} and removed_at is not null`;
  }
  return count;
}

const ofReviews: readonly string[] = ["review_versions", "provider_jobs", "translation_waits"];
const tables = listingTables.filter((table) => !ofReviews.includes(table));

// A place is that of one row within one listing only: partitions of a table have the same places.
function writeDelete({ id, limit }: { id: string; limit: number }): Sql {
  const listingId = parameter(id);
  const deletions = tables.map((name) => {
    const table = raw(name);
    return sql`${table}_gone as (
      delete from ${table} where listing_id = ${listingId} and ctid = any(array(
        select t.ctid from ${table} t where t.listing_id = ${listingId}
          and exists (select from listings where id = ${listingId} and removed_at is not null) limit ${limit}))
      returning 1)`;
  });
  const counts = tables.map((name) => sql`(select count(*) from ${raw(name)}_gone)`);
  return sql`with ${join(deletions, ", ")} select ${join(counts, " + ")} as count`;
}

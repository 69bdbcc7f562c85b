// Listings: one app in one store through one source, public or private to a workspace.
import type { Listing } from "../../domain/listing.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

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
  const found = await queryFirstRow<Listing>(
    db,
    "findListingBySource",
    `select ${columns} from listings
     where store = $1 and external_app_id = $2 and workspace_id is not distinct from $3`,
    [listing.store, listing.externalAppId, listing.workspaceId],
  );
  if (!found) throw new Error("a listing that was just made is gone");
  return found;
}

export function findListing(db: Db, id: string): Promise<Listing | null> {
  return queryFirstRow(db, "findListing", `select ${columns} from listings where id = $1`, [id]);
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

/** Locks the listing until the transaction ends: changes to one listing come one after another. */
export async function lockListing(db: Db, id: string): Promise<Listing | null> {
  return queryFirstRow(
    db,
    "lockListing",
    `select ${columns} from listings where id = $1 for update`,
    [id],
  );
}

export async function saveListingDetails(
  db: Db,
  details: { id: string; name: string; iconUrl: string },
): Promise<void> {
  await queryRows(
    db,
    "saveListingDetails",
    `update listings set name = $2, icon_url = $3, version = version + 1
     where id = $1 and (name, icon_url) is distinct from ($2, $3)`,
    [details.id, details.name, details.iconUrl],
  );
}

/**
 * Raises the version of a listing whose reviews or ratings change, in the transaction that changes them, and
 * adds the regions of new reviews. What was answered with an older version is no longer true after it.
 * Call it before reviews are written: they take the moment of their change from the listing.
 */
export async function raiseListingVersion(
  db: Db,
  change: { listingId: string; regions?: readonly string[] },
): Promise<void> {
  await queryRows(
    db,
    "raiseListingVersion",
    // Of one listing moments only go forward, even when the clock is set back.
    `update listings set version = version + 1,
       changed_at = greatest(begin_change(), changed_at + interval '1 microsecond'),
       regions = case when $2::text[] <@ regions then regions
         else array(select unnest(regions) union select unnest($2::text[]) order by 1) end
     where id = $1`,
    [change.listingId, change.regions ?? []],
  );
}

/** Deletes a listing without apps, with everything that was collected for it. */
export async function deleteUnusedListing(db: Db, id: string): Promise<boolean> {
  const count = await execute(
    db,
    "deleteUnusedListing",
    `delete from listings l where l.id = $1
     and not exists (select from apps a where a.listing_id = l.id)`,
    [id],
  );
  return count === 1;
}

/** Copies all that was collected for one listing to another that has nothing yet. */
export async function copyListing(
  db: Db,
  copy: { fromId: string; toId: string; now: Date },
): Promise<void> {
  for (const table of copiedTables) {
    await queryRows(
      db,
      `copyListing-${table.name}`,
      `insert into ${table.name} (listing_id, ${table.columns})
       select $2, ${table.columns} from ${table.name} where listing_id = $1`,
      [copy.fromId, copy.toId],
    );
  }
  await copyTranslationWaits(db, copy);
  await queryRows(
    db,
    "copyListingFacts",
    `update listings t set name = f.name, icon_url = f.icon_url, regions = f.regions,
       version = t.version + 1
     from listings f where f.id = $1 and t.id = $2`,
    [copy.fromId, copy.toId],
  );
}

/** Drafts of the workspace wait for the copy's jobs, too: the original may be deleted before its own are done. */
async function copyTranslationWaits(
  db: Db,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await queryRows(
    db,
    "copyTranslationWaits",
    `insert into translation_waits (listing_id, review_id, kind, content_hash, delivery_id)
     select l.id, w.review_id, w.kind, w.content_hash, w.delivery_id
     from listings l join channels c on c.workspace_id = l.workspace_id
     join pending p on p.channel_id = c.id and p.is_draft
     join translation_waits w on w.listing_id = $1 and w.delivery_id = p.id
     where l.id = $2`,
    [fromId, toId],
  );
}

const topicCounts = `topic, total, positive_reviews, neutral_reviews, negative_reviews, mixed_reviews,
  positive, negative, stars_lost`;

// Leases, checkpoints and quarantined readings belong to the work on the original.
const copiedTables = [
  {
    name: "reviews",
    columns: `id, store_review_id, author, rating, title, body, version, country, language_hint,
      date, votes, reply_text, reply_at, analysis_version, language, sentiment, sentiment_score,
      clause_min, clause_max, topics, translated_text, translated_from, first_seen_at, edited_at,
      fine_tuning, analysis_provider, is_date_assumed, topic_scores, changed_at`,
  },
  {
    name: "review_versions",
    columns: "review_id, number, rating, title, body, version, date, replaced_at",
  },
  {
    name: "review_days",
    columns: `region, day, total, stars_1, stars_2, stars_3, stars_4, stars_5,
      positive, neutral, negative, mixed`,
  },
  { name: "topic_days", columns: `region, day, ${topicCounts}` },
  { name: "topic_weeks", columns: `region, week, ${topicCounts}` },
  { name: "facet_days", columns: "region, day, facet, value, total, negative" },
  { name: "app_versions", columns: "version, first_day" },
  { name: "review_topics", columns: "topic, rating, sentiment, date, review_id" },
  { name: "snapshots", columns: "region, day, average, total, histogram, captured_at" },
  {
    name: "provider_jobs",
    columns: `review_id, kind, content_hash, language, rating, title, body, is_urgent, queued_at,
      due_at, attempt_count, last_error`,
  },
  {
    name: "feeds",
    columns: `kind, region, baseline_at, watermark, outcome, next_due_at, checked_at, good_at,
      failure_count, last_error, page_count, review_count, rejected_count, truncated, stop_reason,
      full_crawl_at, full_crawl_due_at, full_page_count, store, is_official`,
  },
] as const;

/** Stores of which a listing exists. */
export function listStoresInUse(db: Db): Promise<{ store: StoreId }[]> {
  return queryRows(db, "listStoresInUse", "select distinct store from listings");
}

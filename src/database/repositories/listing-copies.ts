// Private copies of public listings, made batch by batch: what changes in the original meanwhile is copied once more.
import { lowestUuid } from "../../lib/uuid.ts";
import { useServersInTurn } from "../distributed-reads.ts";
import { distributed } from "../distributed-sql.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";
import { readBuckets } from "./delivery-buckets.ts";
import { loadReviews, reviewsByIds } from "./reviews.ts";
import { addToRollups } from "./rollups.ts";

export type ListingCopy = {
  listingId: string;
  fromId: string;
  /** As text: a Date has no microseconds. */
  lastDate: string | null;
  lastId: string | null;
  changesUntil: string;
  changesUntilId: string;
};

/** What the app sees of the original; null is all of it. */
type Scope = { regions: readonly string[] | null };

const columns = `listing_id as "listingId", from_id as "fromId", last_date::text as "lastDate", last_id as "lastId",
  changes_until::text as "changesUntil", changes_until_id as "changesUntilId"`;

export function findListingCopy(db: Db, listingId: string): Promise<ListingCopy | null> {
  return queryFirstRow(
    db,
    "findListingCopy",
    `select ${columns} from listing_copies where listing_id = $1`,
    [listingId],
  );
}

/** Begins a copy. What changes in the original from now on is copied at the end. */
export async function insertListingCopy(
  db: Db,
  copy: { listingId: string; fromId: string },
): Promise<void> {
  await queryRows(
    db,
    "insertListingCopy",
    `insert into listing_copies (listing_id, from_id, changes_until, changes_until_id)
     select $1, id, changed_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff' from listings where id = $2`,
    [copy.listingId, copy.fromId],
  );
}

/**
 * Copies the next reviews, or those that changed after they were copied, and says whether there were any. The
 * caller has locked both listings.
 */
export async function copyNextReviews(
  db: Db,
  copy: ListingCopy & Scope & { limit: number },
): Promise<boolean> {
  const next = await listNextReviews(db, copy);
  const changed = next.length > 0 ? [] : await listChangedReviews(db, copy);
  const [last, lastChanged] = [next.at(-1), changed.at(-1)];
  await copyReviews(db, { ...copy, ids: [...next, ...changed].map(({ id }) => id) });
  await queryRows(
    db,
    "saveListingCopy",
    `update listing_copies set last_date = coalesce($2, last_date), last_id = coalesce($3, last_id),
       changes_until = coalesce($4, changes_until), changes_until_id = coalesce($5, changes_until_id)
     where listing_id = $1`,
    [
      copy.listingId,
      ...[last?.date ?? null, last?.id ?? null],
      ...[lastChanged?.changedAt ?? null, lastChanged?.id ?? null],
    ],
  );
  return next.length + changed.length > 0;
}

/** By date: those of one batch then share days, and with them the rows of the rollups. */
function listNextReviews(
  db: Db,
  { fromId, lastDate, lastId, limit }: ListingCopy & { limit: number },
): Promise<{ id: string; date: string }[]> {
  return queryRows(
    db,
    "listReviewsToCopy",
    `select id, date::text as date from reviews
     where listing_id = $1 and (date, id) > ($2::timestamptz, $3::uuid)
     order by date, id limit $4`,
    [fromId, lastDate ?? "-infinity", lastId ?? lowestUuid, limit],
  );
}

function listChangedReviews(
  db: Db,
  copy: ListingCopy & { limit: number },
): Promise<{ id: string; changedAt: string }[]> {
  return queryRows(
    db,
    "listChangedReviewsToCopy",
    `select id, changed_at::text as "changedAt" from reviews
     where listing_id = $1 and (changed_at, id) > ($2::timestamptz, $3::uuid)
     order by changed_at, id limit $4`,
    [copy.fromId, copy.changesUntil, copy.changesUntilId, copy.limit],
  );
}

/** The reviews with what belongs to each of them, in place of what was copied before. */
async function copyReviews(
  db: Db,
  copy: ListingCopy & Scope & { ids: readonly string[] },
): Promise<void> {
  const { listingId, fromId, ids, regions } = copy;
  if (ids.length === 0) return;
  const before = await loadReviews(db, { listingId, ids });
  // Versions and jobs go with the reviews.
  await execute(
    db,
    "",
    `${distributed}delete from reviews r using (
       select $1::uuid as listing_id, * from unnest($2::uuid[]) as ids (review_id) offset 0
     ) copied where r.listing_id = copied.listing_id and r.id = copied.review_id
       /*distributed and r.listing_id = $1 */`,
    [listingId, before.map(({ id }) => id)],
  );
  await queryRows(
    db,
    "",
    `${distributed}insert into reviews (listing_id, ${reviewColumns})
     select $2::uuid, ${reviewColumns} from ${reviewsByIds("$1", "$3")}
     where $4::text[] is null or coalesce(language_hint, nullif(country, ''), 'und') = any($4)`,
    [fromId, listingId, ids, regions],
  );
  const after = await loadReviews(db, { listingId, ids });
  for (const { name, columns: copied } of tablesOfReviews) {
    await queryRows(
      db,
      "",
      `${distributed}insert into ${name} (listing_id, ${copied})
       select $2::uuid, ${copied} from (select $1::uuid as listing_id offset 0) only_listing
       cross join unnest($3::uuid[]) as ids (copied_id)
       cross join lateral (
         select * from ${name} t
         where t.listing_id = only_listing.listing_id and t.review_id = ids.copied_id
           /*distributed and t.listing_id = $1 */ offset 0
       ) found`,
      [fromId, listingId, after.map(({ id }) => id)],
    );
  }
  const known = new Map(before.map((review) => [review.id, review]));
  const changes = after.map((review) => ({ before: known.get(review.id) ?? null, after: review }));
  await addToRollups(db, { listingId, changes });
}

const reviewColumns = `id, store_review_id, author, rating, title, body, version, country, language_hint,
  date, votes, reply_text, reply_at, analysis_version, language, sentiment, sentiment_score, clause_min,
  clause_max, topics, translated_text, translated_from, first_seen_at, edited_at, fine_tuning,
  analysis_provider, is_date_assumed, topic_scores, changed_at, device, os_version, submitted_at,
  is_listed, removed_at`;

// Leases belong to the work on the original.
const tablesOfReviews = [
  {
    name: "review_versions",
    columns: "review_id, number, rating, title, body, version, date, replaced_at",
  },
  {
    name: "provider_jobs",
    columns: `review_id, kind, content_hash, language, rating, title, body, is_urgent, queued_at,
      due_at, attempt_count, last_error`,
  },
] as const;

/** Ends a copy: what is no review, and what waits for translations of the workspace's own. */
export async function finishListingCopy(db: Db, copy: ListingCopy & Scope): Promise<void> {
  const { listingId, fromId } = copy;
  await useServersInTurn(db);
  for (const { name, columns: copied, onConflict } of tablesOfListings) {
    await queryRows(
      db,
      `finishCopy-${name}`,
      // Read as a whole first: the two listings may be on different servers.
      `with original as materialized (select ${copied} from ${name} where listing_id = $1)
       insert into ${name} as t (listing_id, ${copied})
       select $2::uuid, ${copied} from original ${onConflict}`,
      [fromId, listingId],
    );
  }
  await copyTranslationWaits(db, copy);
  await queryRows(
    db,
    "copyListingFacts",
    `update listings t set name = f.name, icon_url = f.icon_url, facts = f.facts, version = t.version + 1,
       changed_at = greatest(t.changed_at, f.changed_at),
       regions = case when $3::text[] is null then f.regions
         else array(select unnest(f.regions) intersect select unnest($3::text[]) order by 1) end
     from listings f where f.id = $1 and t.id = $2`,
    [fromId, listingId, copy.regions],
  );
  await execute(db, "deleteListingCopy", "delete from listing_copies where listing_id = $1", [
    listingId,
  ]);
}

// Checkpoints and quarantined readings belong to the work on the original, like leases.
const tablesOfListings = [
  {
    name: "app_versions",
    columns: "version, first_day",
    // The copied reviews brought some already, with the day of what is left of each version.
    onConflict: `on conflict (listing_id, version)
      do update set first_day = least(t.first_day, excluded.first_day)`,
  },
  {
    name: "snapshots",
    columns: "region, day, average, total, histogram, captured_at",
    onConflict: "",
  },
  { name: "rating_averages", columns: "region, day, average", onConflict: "" },
  {
    name: "feeds",
    columns: `kind, region, baseline_at, watermark, outcome, next_due_at, checked_at, good_at,
      failure_count, last_error, page_count, review_count, rejected_count, truncated, stop_reason,
      full_crawl_at, full_crawl_due_at, full_page_count, interval_minutes, store, is_official`,
    onConflict: "",
  },
] as const;

/** Drafts of the workspace wait for the copy's jobs, too: the original may be deleted before its own are done. */
async function copyTranslationWaits(
  db: Db,
  { fromId, listingId }: { fromId: string; listingId: string },
): Promise<void> {
  await queryRows(
    db,
    "copyTranslationWaits",
    `with drafts as materialized (
       select p.id from channels c
       join pending p on p.bucket = any($3::smallint[]) and p.channel_id = c.id and p.is_draft
       where c.workspace_id = (select workspace_id from listings where id = $2)
     ),
     waits as materialized (
       select w.review_id, w.kind, w.content_hash, w.delivery_id from drafts
       join translation_waits w on w.listing_id = $1 and w.delivery_id = drafts.id
     )
     insert into translation_waits (listing_id, review_id, kind, content_hash, delivery_id)
     select j.listing_id, w.review_id, w.kind, w.content_hash, w.delivery_id from waits w
     -- Without a job of the copy the draft goes on waiting for that of the original.
     join provider_jobs j on j.listing_id = $2 and j.review_id = w.review_id and j.kind = w.kind
       and j.content_hash = w.content_hash`,
    [fromId, listingId, (await readBuckets(db)).all],
  );
}

// Private copies of public listings. The caller holds the original: nothing in it changes until the copy is complete.
import sql, { empty, raw } from "sql-template-tag";
import { lowestUuid } from "../../lib/uuid.ts";
import { constantKey, useServersInTurn } from "../cluster/coordinator.ts";
import { type Db, queryRows } from "../query.ts";
import { parameter } from "../sql.ts";
import { regionColumn } from "./followed-apps.ts";
import { loadReviews, reviewsByIds } from "./reviews.ts";
import { addToRollups } from "./rollups.ts";

/** From one listing into another, with the regions that the app follows of it; null is all of it. */
type Copy = { fromId: string; listingId: string; regions: readonly string[] | null };
/** The last review of a batch. The date is text: a Date has no microseconds. */
type Position = { date: string; id: string };

export async function hasMoreReviews(
  db: Db,
  query: { listingId: string; count: number },
): Promise<boolean> {
  const found = await queryRows(db, "hasMoreReviews")`select from reviews
    where listing_id = ${query.listingId} order by date, id offset ${query.count} limit 1`;
  return found.length > 0;
}

/** Copies the next reviews with what belongs to each of them; null at the end. */
export async function copyReviews(
  db: Db,
  copy: Copy & { after: Position | null; limit: number },
): Promise<Position | null> {
  const { listingId, fromId } = copy;
  const next = await listNextReviews(db, copy);
  const ids = next.map(({ id }) => id);
  if (ids.length === 0) return null;
  const from = parameter(fromId);
  await queryRows(db, "")`insert into reviews (listing_id, ${reviewColumns})
    select ${listingId}::uuid, ${reviewColumns} from ${await reviewsByIds({ db, listingId: from, ids })}`;
  const isConstant = await constantKey(db, sql`t.listing_id = ${from}`);
  for (const { table, columns } of tablesOfReviews) {
    await queryRows(db, "")`insert into ${table} (listing_id, ${columns})
      select ${listingId}::uuid, ${columns}
      from (select ${from}::uuid as listing_id offset 0) only_listing
      cross join unnest(${ids}::uuid[]) as ids (copied_id)
      cross join lateral (
        select * from ${table} t
        where t.listing_id = only_listing.listing_id and t.review_id = ids.copied_id
          ${isConstant} offset 0
      ) found`;
  }
  const reviews = await loadReviews(db, { listingId, ids });
  const changes = reviews.map((after) => ({ before: null, after }));
  await addToRollups(db, { listingId, changes });
  return next.at(-1) ?? null;
}

/** By date: those of one batch then share days, and with them the rows of the rollups. */
function listNextReviews(
  db: Db,
  { fromId, regions, after, limit }: Copy & { after: Position | null; limit: number },
): Promise<Position[]> {
  return queryRows(db, "listReviewsToCopy")`select id, date::text as date from reviews r
    where listing_id = ${fromId}
      and (date, id) > (${after?.date ?? "-infinity"}::timestamptz, ${after?.id ?? lowestUuid}::uuid)
      and (${regions}::text[] is null or ${regionColumn} = any(${regions}))
    order by date, id limit ${limit}`;
}

const reviewColumns = sql`id, store_review_id, author, rating, title, body, version, country, language_hint,
  date, votes, reply_text, reply_at, analysis_version, language, sentiment, sentiment_score, clause_min,
  clause_max, topics, translated_text, translated_from, first_seen_at, edited_at,
  analysis_provider, is_date_assumed, topic_scores, changed_at, device, os_version, submitted_at,
  is_listed, removed_at`;

// Leases are not copied: they belong to the work on the original.
const tablesOfReviews = [
  {
    table: sql`review_versions`,
    columns: sql`review_id, number, rating, title, body, version, date, replaced_at, sentiment, topics,
      topic_scores`,
  },
  {
    table: sql`provider_jobs`,
    columns: sql`review_id, kind, content_hash, language, rating, title, body, is_urgent, queued_at,
      due_at, attempt_count, last_error`,
  },
] as const;

/** Everything but reviews, and which of the workspace's deliveries wait for translations. */
export async function copyListingFacts(db: Db, copy: Copy): Promise<void> {
  const { listingId, fromId } = copy;
  await useServersInTurn(db);
  for (const { name, columns, onConflict } of tablesOfListings) {
    const table = raw(name);
    // The rows are read first: the two listings may be on different servers.
    await queryRows(db, `finishCopy-${name}`)`
      with original as materialized (
        select ${columns} from ${table} where listing_id = ${fromId}
      )
      insert into ${table} as t (listing_id, ${columns})
      select ${listingId}::uuid, ${columns} from original ${onConflict}`;
  }
  await copyTranslationWaits(db, copy);
  await queryRows(db, "copyListingFacts")`update listings t
      set name = f.name, icon_url = f.icon_url, facts = f.facts,
      version = t.version + 1, changed_at = greatest(t.changed_at, f.changed_at),
      regions = case when ${copy.regions}::text[] is null then f.regions
        else array(select unnest(f.regions) intersect select unnest(${copy.regions}::text[])
          order by 1) end
    from listings f where f.id = ${fromId} and t.id = ${listingId}`;
}

// Without checkpoints and quarantined readings, which belong to the work on the original, like leases.
const tablesOfListings = [
  {
    name: "app_versions",
    columns: sql`version, first_day`,
    // The copied reviews brought some already, with the day of what is left of each version.
    onConflict: sql`on conflict (listing_id, version)
      do update set first_day = least(t.first_day, excluded.first_day)`,
  },
  {
    name: "snapshots",
    columns: sql`region, day, average, total, histogram, captured_at`,
    onConflict: empty,
  },
  { name: "rating_averages", columns: sql`region, day, average`, onConflict: empty },
  {
    name: "feeds",
    columns: sql`kind, region, baseline_at, watermark, outcome, next_due_at, checked_at, good_at,
      failure_count, last_error, missing_part, page_count, review_count, rejected_count, truncated, stop_reason,
      full_crawl_at, full_crawl_due_at, full_page_count, head_count, interval_minutes, store, is_official`,
    onConflict: empty,
  },
] as const;

/** Drafts of the workspace wait for the copy's jobs, too: the original may be deleted before its own are done. */
async function copyTranslationWaits(
  db: Db,
  { fromId, listingId }: { fromId: string; listingId: string },
): Promise<void> {
  await queryRows(db, "copyTranslationWaits")`with drafts as materialized (
      select p.id from channels c
      join pending p on p.channel_id = c.id and p.is_draft
      where c.workspace_id = (select workspace_id from listings where id = ${listingId})
    ),
    waits as materialized (
      select w.review_id, w.kind, w.content_hash, w.delivery_id from drafts
      join translation_waits w on w.listing_id = ${fromId} and w.delivery_id = drafts.id
    )
    insert into translation_waits (listing_id, review_id, kind, content_hash, delivery_id)
    select j.listing_id, w.review_id, w.kind, w.content_hash, w.delivery_id from waits w
    -- Without a job of the copy the draft goes on waiting for that of the original.
    join provider_jobs j on j.listing_id = ${listingId} and j.review_id = w.review_id and j.kind = w.kind
      and j.content_hash = w.content_hash`;
}

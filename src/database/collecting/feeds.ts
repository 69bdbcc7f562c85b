// Feeds: which regions of a listing are crawled, when each is due, what is known of it, and repairs after killed processes
// and wrong clocks.

import sql, { type Sql } from "sql-template-tag";
import { z } from "zod";
import {
  type ClaimedFeed,
  type CrawlCheckpoint,
  type Feed,
  type FeedKey,
  type FeedKind,
  overBudget,
} from "../../domain/feed/feed.ts";
import {
  nothingUnconfirmed,
  type QuarantinedPage,
  sourceKinds,
  suspicionKinds,
  type Unconfirmed,
} from "../../domain/feed/page-quarantine.ts";
import type { QuarantinedReading } from "../../domain/review/snapshot.ts";
import { storeIds } from "../../domain/store/store-id.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { leaseSql } from "../lease.ts";
import { type Db, queryRows } from "../query.ts";
import { type Parameter, parameter } from "../sql.ts";

/** Makes the feeds of these regions and deletes those of other regions. */
export async function setFeeds(
  db: Db,
  feeds: {
    listingId: string;
    kind: FeedKind;
    regions: readonly string[];
    now: Date;
    /** The workspace whose line new feeds wait in. */
    line?: string | null;
  },
): Promise<void> {
  const { listingId, kind, regions, now, line } = feeds;
  await queryRows(db, "insertFeeds")`insert into feeds (listing_id, kind, region, next_due_at,
    store, is_official, line) select id, ${kind}, unnest(${regions}::text[]), ${now}, store,
      credential_id is not null and ${kind} = 'reviews', ${line ?? lowestUuid}
    from listings where id = ${listingId} on conflict do nothing`;
  await queryRows(db, "deleteOtherFeeds")`delete from feeds
    where listing_id = ${listingId} and kind = ${kind} and region <> all(${regions}::text[])`;
}

/** The feeds of a listing wait in the line of this workspace from now on. */
export async function setLineOfFeeds(
  db: Db,
  { listingId, line }: { listingId: string; line: string },
): Promise<void> {
  await queryRows(db, "setLineOfFeeds")`update feeds set line = ${line}
    where listing_id = ${listingId} and line <> ${line}`;
}

export function listFeeds(db: Db, listingId: string): Promise<Feed[]> {
  return listFeedsOfListings(db, [listingId]);
}

/** The feeds of several listings, each in the order of `listFeeds`. */
export async function listFeedsOfListings(db: Db, listingIds: readonly string[]): Promise<Feed[]> {
  const found = await queryRows(db, "listFeedsOfListings")<FeedRow>`select ${feedColumns}
    from feeds f where f.listing_id = any(${listingIds}::uuid[])
    order by f.kind desc, f.region`;
  return found.map(toFeed);
}

/** Makes one feed due now, unless it is due already or postponed. When it was due is kept: see `plannedDueAt`. */
export async function makeFeedDueNow(db: Db, feed: FeedKey & { now: Date }): Promise<void> {
  const { listingId, kind, region } = feed;
  const now = parameter(feed.now);
  await queryRows(db, "makeFeedDueNow")`update feeds f
    set next_due_at = least(next_due_at, ${now}), ${keepPlan(now)}
    where listing_id = ${listingId} and kind = ${kind} and region = ${region} and not ${isPostponed(now)}`;
}

/** For a crawl that a user asks for ahead of its time. Part of a statement on `feeds f`. */
export const keepPlan = (now: Date | Parameter): Sql =>
  sql`planned_due_at = case when f.next_due_at > ${now} then f.next_due_at else f.planned_due_at end`;

// Repairs feeds after killed processes and wrong clocks.

/**
 * Postpones feeds whose crawl ended with its process twice, without a page in between: one of them may be what
 * ends it. By an hour, doubled with every further time up to a day.
 */
export async function postponeLostFeeds(db: Db, now: Date): Promise<FeedKey[]> {
  return queryRows(db, "postponeLostFeeds")<FeedKey>`update feeds f
      set ${leaseSql.release}, outcome = 'unknown', checked_at = ${now},
      last_error = 'the process ended during the crawl, twice in a row; the feed is read later',
      next_due_at = ${now}::timestamptz + 
        least(interval '1 hour' * 2 ^ least(failure_count, 10), interval '1 day'),
      failure_count = failure_count + 1, planned_due_at = null
    where lease_token is not null and leased_until <= ${now} and stop_reason = ${endedWithProcess}
    returning listing_id as "listingId", kind, region`;
}

/** Half an hour more than a day with its spread, in minutes: ratings, and what failed, wait no longer. */
const waitMinutesMax = sql`28 * 60`;

/**
 * Makes feeds due that are due later than a crawl of now could have scheduled them: a clock was wrong. Those that are
 * due within the interval are none of them, so they are not looked at.
 */
export async function pullFeedsForward(
  db: Db,
  { now, intervalMinutes }: { now: Date; intervalMinutes: number },
): Promise<void> {
  await queryRows(db, "pullFeedsForward")`update feeds f set next_due_at = ${now}
      where f.ctid = any(array( select w.ctid from (${lanesSql}) lanes join feeds w on ${isInLane}
        and w.next_due_at > ${now}::timestamptz + interval '1 minute' * (1.1 * ${intervalMinutes}::integer + 1)
        and w.next_due_at > ${now}::timestamptz + interval '1 minute' * (1 + greatest(
          1.1 * coalesce(w.interval_minutes, ${intervalMinutes}::integer),
          case when w.kind = 'reviews' and w.outcome = 'ok' then 0 else ${waitMinutesMax} end))
      for update of w
    ))`;
}

// A row of the table feeds as the domain's Feed: which columns are read, and what their JSON must look like.

export const feedColumns = sql`f.listing_id as "listingId", f.kind, f.region,
  f.baseline_at as "baselineAt", f.watermark, f.outcome, f.next_due_at as "nextDueAt", f.planned_due_at as "plannedDueAt",
  f.checked_at as "checkedAt", f.good_at as "goodAt", f.failure_count as "failureCount",
  f.last_error as "lastError", f.missing_part as "missingPart", f.page_count as "pageCount", f.review_count as "reviewCount",
  f.rejected_count as "rejectedCount", f.truncated, f.stop_reason as "stopReason",
  f.quarantined_reading as "quarantinedReading", f.quarantined_page as "quarantinedPage", f.full_crawl_at as "fullCrawlAt",
  f.full_crawl_due_at as "fullCrawlDueAt", f.full_page_count as "fullPageCount", f.head_count as "headCount",
  f.interval_minutes as "intervalMinutes",
  f.checkpoint, f.lease_token as "leaseToken"`;

export type FeedRow = Omit<Feed, "checkpoint" | "quarantinedReading" | "quarantinedPage"> & {
  checkpoint: unknown;
  quarantinedPage: unknown;
  quarantinedReading: unknown;
  leaseToken: string | null;
};

const moment = z.iso.datetime().transform((text) => new Date(text));
const count = z.int().nonnegative();

const checkpointSchema: z.ZodType<CrawlCheckpoint> = z.object({
  startedAt: moment,
  savedAt: moment,
  isFullCrawl: z.boolean(),
  pageCount: count,
  reviewCount: count,
  rejectedCount: count,
  newCount: count,
  editedCount: count,
  gapCount: count,
  sawFirstPage: z.boolean(),
  headCount: count.default(0),
  // Absent from checkpoints of earlier versions.
  isUnordered: z.boolean().default(false),
  acceptedKind: z.enum(suspicionKinds).nullable().default(null),
  latest: z.array(moment).default([]),
  newest: moment.nullable(),
  oldest: moment.nullable().default(null),
  cursor: z.string().nullable(),
});

const readingSchema: z.ZodType<QuarantinedReading> = z.object({
  average: z.number(),
  total: z.number(),
  histogram: z.tuple([count, count, count, count, count]).nullable(),
  source: z.string().exactOptional(),
  since: moment,
});

const unconfirmedSchema: z.ZodType<Unconfirmed> = z.object({
  count,
  examples: z.array(
    z.object({
      rating: z.number(),
      title: z.string().nullable(),
      text: z.string().nullable(),
      date: moment.nullable(),
    }),
  ),
});

const quarantinedPageSchema: z.ZodType<QuarantinedPage> = z.object({
  kind: z.enum(suspicionKinds),
  source: z.enum(sourceKinds),
  reason: z.string(),
  contents: z.record(z.string(), z.string()),
  since: moment,
  // Absent from pages that an earlier version held back.
  unconfirmed: unconfirmedSchema.default(nothingUnconfirmed),
});

/** JSON that does not fit counts as none: a crawl then begins anew, and a reading is read again. */
function toFeed({ leaseToken: _, ...row }: FeedRow): Feed {
  return {
    ...row,
    checkpoint: parseOrNull(checkpointSchema, row.checkpoint),
    quarantinedReading: parseOrNull(readingSchema, row.quarantinedReading),
    quarantinedPage: parseOrNull(quarantinedPageSchema, row.quarantinedPage),
  };
}

/** Maps a row that was just claimed. @throws Error when the row has no lease, which is a bug */
export function toClaimedFeed(row: FeedRow): ClaimedFeed {
  if (row.leaseToken === null) throw new Error("a feed was claimed without a token");
  return { ...toFeed(row), leaseToken: row.leaseToken };
}

function parseOrNull<T>(schema: z.ZodType<T>, value: unknown): T | null {
  return value === null ? null : (schema.safeParse(value).data ?? null);
}

// Parts of statements on feeds that are due, by lane, and on those whose process ended.

/** The index of feeds by lanes has no other beginnings. */
export const lanesSql = sql`select * from unnest(${[...storeIds]}::text[]) as stores (store)
  cross join (values (false), (true)) as sources (official) cross join (values (false), (true)) as lengths (long)`;
export const isInLane = sql`w.store = lanes.store and w.is_official = lanes.official
  and w.is_long = lanes.long`;

/**
 * The `stop_reason` of a claimed feed whose last lease was never given back: its crawl ended with its process.
 * Parts of a statement on `feeds f`.
 */
export const endedWithProcess = sql`'process ended'`;
/**
 * Postponed by `postponeLostFeeds`, or over its budget: nothing reads such a feed before its time, a user's request
 * included.
 */
export const isPostponed = (now: Date | Parameter): Sql =>
  sql`(f.lease_token is null and f.next_due_at > ${now}
    and coalesce(f.stop_reason, '') in (${endedWithProcess}, ${overBudget}))`;
export const noteLostLease = sql`stop_reason =
  case when f.lease_token is null then f.stop_reason else ${endedWithProcess} end`;

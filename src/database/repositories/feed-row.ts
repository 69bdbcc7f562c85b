// A row of the table feeds as the domain's Feed: which columns are read, and what their JSON must look like.
import { z } from "zod";
import type { ClaimedFeed, CrawlCheckpoint, Feed } from "../../domain/feed.ts";
import { type QuarantinedPage, suspicionKinds } from "../../domain/page-quarantine.ts";
import type { RatingReading } from "../../domain/snapshot.ts";

export const feedColumns = `f.listing_id as "listingId", f.kind, f.region,
  f.baseline_at as "baselineAt", f.watermark, f.outcome, f.next_due_at as "nextDueAt",
  f.checked_at as "checkedAt", f.good_at as "goodAt", f.failure_count as "failureCount",
  f.last_error as "lastError", f.page_count as "pageCount", f.review_count as "reviewCount",
  f.rejected_count as "rejectedCount", f.truncated, f.stop_reason as "stopReason",
  f.quarantined_reading as "quarantinedReading", f.quarantined_page as "quarantinedPage", f.full_crawl_at as "fullCrawlAt",
  f.full_crawl_due_at as "fullCrawlDueAt", f.full_page_count as "fullPageCount",
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
  // Absent from checkpoints of earlier versions.
  isUnordered: z.boolean().default(false),
  acceptedKind: z.enum(suspicionKinds).nullable().default(null),
  latest: z.array(moment).default([]),
  newest: moment.nullable(),
  oldest: moment.nullable().default(null),
  cursor: z.string().nullable(),
});

const readingSchema: z.ZodType<RatingReading> = z.object({
  average: z.number(),
  total: z.number(),
  histogram: z.tuple([count, count, count, count, count]).nullable(),
  source: z.string().exactOptional(),
});

const quarantinedPageSchema: z.ZodType<QuarantinedPage> = z.object({
  kind: z.enum(suspicionKinds),
  reason: z.string(),
  contents: z.record(z.string(), z.string()),
  since: moment,
});

/** JSON that does not fit counts as none: a crawl then begins anew, and a reading is read again. */
export function toFeed({ leaseToken: _, ...row }: FeedRow): Feed {
  return {
    ...row,
    checkpoint: parseOrNull(checkpointSchema, row.checkpoint),
    quarantinedReading: parseOrNull(readingSchema, row.quarantinedReading),
    quarantinedPage: parseOrNull(quarantinedPageSchema, row.quarantinedPage),
  };
}

/** Of a row that was just claimed. @throws Error when the row has no lease, which is a bug */
export function toClaimedFeed(row: FeedRow): ClaimedFeed {
  if (row.leaseToken === null) throw new Error("a feed was claimed without a token");
  return { ...toFeed(row), leaseToken: row.leaseToken };
}

function parseOrNull<T>(schema: z.ZodType<T>, value: unknown): T | null {
  return value === null ? null : (schema.safeParse(value).data ?? null);
}

// The queue of what providers are asked about. Jobs are made with the reviews, claimed under a lease
// by any number of processes, and deleted once they are answered or given up.
import type { NewProviderJob, ProviderJob, ProviderKind } from "../../domain/provider.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/** Returns how many are new. One that is there already only becomes more urgent. */
export async function insertProviderJobs(
  db: Db,
  insert: { jobs: readonly NewProviderJob[]; now: Date },
): Promise<number> {
  const jobs = distinct(insert.jobs);
  if (jobs.length === 0) return 0;
  const inserted = await queryFirstRow<{ count: number }>(
    db,
    "insertProviderJobs",
    `with saved as (
       insert into provider_jobs as p (kind, listing_id, review_id, content_hash, language, rating,
         title, body, is_urgent, queued_at, due_at)
       select *, $10, $10 from unnest($1::text[], $2::uuid[], $3::uuid[], $4::bytea[], $5::text[],
         $6::smallint[], $7::text[], $8::text[], $9::boolean[])
       on conflict (listing_id, review_id, kind, content_hash) do update set
         is_urgent = p.is_urgent or excluded.is_urgent
       -- A row that was there already carries the number of this transaction.
       returning p.xmax = 0 as is_new
     )
     select count(*) from saved where is_new`,
    [
      jobs.map((job) => job.kind),
      jobs.map((job) => job.listingId),
      jobs.map((job) => job.reviewId),
      jobs.map((job) => job.contentHash),
      jobs.map((job) => job.language),
      jobs.map((job) => job.rating),
      jobs.map((job) => job.title),
      jobs.map((job) => job.text),
      jobs.map((job) => job.isUrgent),
      insert.now,
    ],
  );
  return inserted?.count ?? 0;
}

// One statement can't touch a row twice.
function distinct(jobs: readonly NewProviderJob[]): NewProviderJob[] {
  const byKey = new Map<string, NewProviderJob>();
  for (const job of jobs) {
    const key = `${job.kind}/${job.listingId}/${job.reviewId}/${job.contentHash.toString("hex")}`;
    const isUrgent = job.isUrgent || (byKey.get(key)?.isUrgent ?? false);
    byKey.set(key, { ...job, isUrgent });
  }
  return [...byKey.values()];
}

/** What has come due, urgent ones first; leased jobs are passed over while their lease lasts. */
export function claimProviderJobs(
  db: Db,
  claim: { kind: ProviderKind; token: string; limit: number; now: Date; leasedUntil: Date },
): Promise<ProviderJob[]> {
  return queryRows(
    db,
    "claimProviderJobs",
    `with due as (
       select listing_id, review_id, content_hash from provider_jobs
       where kind = $1 and due_at <= $2
       order by is_urgent desc, due_at limit $3 for update skip locked
     )
     update provider_jobs j set lease_token = $4, due_at = $5
     from due d
     where j.kind = $1 and j.listing_id = d.listing_id and j.review_id = d.review_id
       and j.content_hash = d.content_hash
     returning j.kind, j.listing_id as "listingId", j.review_id as "reviewId",
       j.content_hash as "contentHash", j.language, j.rating, j.title, j.body as text,
       j.attempt_count as "attemptCount", j.lease_token as "leaseToken"`,
    [claim.kind, claim.now, claim.limit, claim.token, claim.leasedUntil],
  );
}

/** Gives jobs back until later. Without a reason they were not asked about, and no attempt counts. */
export async function releaseProviderJobs(
  db: Db,
  postpone: { jobs: readonly ProviderJob[]; dueAt: Date; reason: string | null },
): Promise<void> {
  if (postpone.jobs.length === 0) return;
  await queryRows(
    db,
    "releaseProviderJobs",
    `update provider_jobs j set lease_token = null, due_at = $6,
       last_error = coalesce($7, last_error),
       attempt_count = attempt_count + case when $7::text is null then 0 else 1 end
     from unnest($1::text[], $2::uuid[], $3::uuid[], $4::bytea[], $5::uuid[])
       as g (kind, listing_id, review_id, content_hash, lease_token)
     where j.kind = g.kind and j.listing_id = g.listing_id and j.review_id = g.review_id
       and j.content_hash = g.content_hash and j.lease_token = g.lease_token`,
    [...keysOf(postpone.jobs), postpone.dueAt, postpone.reason],
  );
}

/** Deletes jobs that are done, and with them what is noted of deliveries that waited. */
export function finishProviderJobs(db: Db, jobs: readonly ProviderJob[]): Promise<number> {
  return execute(
    db,
    "finishProviderJobs",
    `delete from provider_jobs j
     using unnest($1::text[], $2::uuid[], $3::uuid[], $4::bytea[], $5::uuid[])
       as g (kind, listing_id, review_id, content_hash, lease_token)
     where j.kind = g.kind and j.listing_id = g.listing_id and j.review_id = g.review_id
       and j.content_hash = g.content_hash and j.lease_token = g.lease_token`,
    keysOf(jobs),
  );
}

/** Deletes jobs that nobody has answered for too long, and old translations; returns how many. */
export async function pruneProviderJobs(
  db: Db,
  old: { jobsBefore: Date; translationsBefore: Date },
): Promise<number> {
  const jobCount = await execute(
    db,
    "deleteOldProviderJobs",
    "delete from provider_jobs where queued_at < $1 and lease_token is null",
    [old.jobsBefore],
  );
  const translationCount = await execute(
    db,
    "deleteOldTranslations",
    "delete from translations where saved_at < $1",
    [old.translationsBefore],
  );
  return jobCount + translationCount;
}

/** What waits: jobs of each kind, and how many of them were tried before. */
export function countProviderJobs(
  db: Db,
): Promise<{ kind: ProviderKind; jobCount: number; triedCount: number }[]> {
  return queryRows(
    db,
    "countProviderJobs",
    `select kind, count(*) as "jobCount", count(*) filter (where attempt_count > 0) as "triedCount"
     from provider_jobs group by kind`,
  );
}

function keysOf(jobs: readonly ProviderJob[]): unknown[][] {
  return [
    jobs.map((job) => job.kind),
    jobs.map((job) => job.listingId),
    jobs.map((job) => job.reviewId),
    jobs.map((job) => job.contentHash),
    jobs.map((job) => job.leaseToken),
  ];
}

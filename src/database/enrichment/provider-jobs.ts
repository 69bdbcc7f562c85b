// The queue of reviews for providers. Jobs are inserted with the reviews, claimed under a lease (lease.ts)
// by any number of processes, and deleted once they are finished or given up. Beside it, the health of each provider.
import type {
  NewProviderJob,
  ProviderJob,
  ProviderKind,
  ProviderState,
} from "../../domain/provider.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type LeaseClaim, leaseSql } from "../lease.ts";
import { type Db, execute, queryFirstRow, queryRows } from "../query.ts";

/** Returns how many are new. A job that exists only becomes more urgent. */
export async function insertProviderJobs(
  db: Db,
  insert: { jobs: readonly NewProviderJob[]; now: Date },
): Promise<number> {
  const jobs = withoutRepeats(insert.jobs);
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
       -- xmax is 0 for a row that this statement inserted.
       returning p.xmax = 0 as is_new
     )
     select count(*) from saved where is_new`,
    [
      ...keyColumns(jobs),
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
function withoutRepeats(jobs: readonly NewProviderJob[]): NewProviderJob[] {
  const byKey = new Map<string, NewProviderJob>();
  for (const job of jobs) {
    const key = keyOf(job);
    const isUrgent = job.isUrgent || (byKey.get(key)?.isUrgent ?? false);
    byKey.set(key, { ...job, isUrgent });
  }
  return [...byKey.values()];
}

/**
 * Jobs that are due and free: urgent ones first, then the longest due. Found and leased in two statements, because rows of
 * several servers can't be locked in one order: the second of two workers finds jobs leased, and gets fewer.
 */
export async function claimProviderJobs(
  db: Db,
  claim: LeaseClaim & { kind: ProviderKind; limit: number },
): Promise<ProviderJob[]> {
  const due = await queryRows<JobKey>(
    db,
    "listDueProviderJobs",
    `select kind, listing_id as "listingId", review_id as "reviewId", content_hash as "contentHash"
     from provider_jobs where kind = $1 and due_at <= $2 and ${leaseSql.isFree("$2")}
     order by is_urgent desc, due_at limit $3`,
    [claim.kind, claim.now, claim.limit],
  );
  if (due.length === 0) return [];
  const leased = await queryRows<ProviderJob>(
    db,
    "leaseProviderJobs",
    `update provider_jobs j set ${leaseSql.claim("$5", "$6")}
     from unnest($1::text[], $2::uuid[], $3::uuid[], $4::bytea[]) as h (kind, listing_id, review_id, content_hash)
     where j.kind = h.kind and j.listing_id = h.listing_id and j.review_id = h.review_id
       and j.content_hash = h.content_hash and (j.leased_until is null or j.leased_until <= $7)
     returning ${claimedColumns}`,
    [...keyColumns(due), claim.token, claim.leasedUntil, claim.now],
  );
  // The urgent first, as they were found.
  const byKey = new Map(leased.map((job) => [keyOf(job), job]));
  return due.flatMap((job) => byKey.get(keyOf(job)) ?? []);
}

const claimedColumns = `j.kind, j.listing_id as "listingId", j.review_id as "reviewId",
  j.content_hash as "contentHash", j.language, j.rating, j.title, j.body as text,
  j.attempt_count as "attemptCount", j.lease_token as "leaseToken"`;

// Jobs and the tokens of their leases, as the first five parameters.
const heldJobs = `unnest($1::text[], $2::uuid[], $3::uuid[], $4::bytea[], $5::uuid[])
  as h (kind, listing_id, review_id, content_hash, lease_token)`;
const isHeld = `j.kind = h.kind and j.listing_id = h.listing_id and j.review_id = h.review_id
  and j.content_hash = h.content_hash and j.lease_token = h.lease_token`;

function heldValues(jobs: readonly ProviderJob[]): unknown[][] {
  return [...keyColumns(jobs), jobs.map((job) => job.leaseToken)];
}

/** Gives jobs back until `dueAt`. Without a reason nothing was sent, and no attempt is counted. */
export async function releaseProviderJobs(
  db: Db,
  release: { jobs: readonly ProviderJob[]; dueAt: Date; reason: string | null },
): Promise<void> {
  if (release.jobs.length === 0) return;
  await queryRows(
    db,
    "releaseProviderJobs",
    `update provider_jobs j set ${leaseSql.release}, due_at = $6,
       last_error = coalesce($7, last_error),
       attempt_count = attempt_count + case when $7::text is null then 0 else 1 end
     from ${heldJobs} where ${isHeld}`,
    [...heldValues(release.jobs), release.dueAt, release.reason],
  );
}

/** Deletes finished jobs, and with them the record of deliveries that waited. Returns how many. */
export function finishProviderJobs(db: Db, jobs: readonly ProviderJob[]): Promise<number> {
  return execute(
    db,
    "finishProviderJobs",
    `delete from provider_jobs j using ${heldJobs} where ${isHeld}`,
    heldValues(jobs),
  );
}

/** Deletes jobs that waited for too long, and old translations; returns how many. */
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

/** The backlog: jobs of each kind, and how many of them were attempted before. */
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

type JobKey = Pick<NewProviderJob, "kind" | "listingId" | "reviewId" | "contentHash">;

function keyOf(job: JobKey): string {
  return `${job.kind}/${job.listingId}/${job.reviewId}/${job.contentHash.toString("hex")}`;
}

function keyColumns(jobs: readonly JobKey[]): unknown[][] {
  return [
    jobs.map((job) => job.kind),
    jobs.map((job) => job.listingId),
    jobs.map((job) => job.reviewId),
    jobs.map((job) => job.contentHash),
  ];
}

// The health of each provider and its use today, shared by all processes: a cooldown holds for all of them,
// and so does the limit of a day.

const columns = `kind, provider, failure_count as "failureCount", cooldown_until as "cooldownUntil",
  good_at as "goodAt", failed_at as "failedAt", last_error as "lastError"`;

export function findProviderState(db: Db, kind: ProviderKind): Promise<ProviderState | null> {
  return queryFirstRow(
    db,
    "findProviderState",
    `select ${columns} from provider_states where kind = $1`,
    [kind],
  );
}

/** Ends the cooldown and clears the error. */
export async function recordProviderSuccess(
  db: Db,
  success: { kind: ProviderKind; provider: string; now: Date },
): Promise<void> {
  await queryRows(
    db,
    "recordProviderSuccess",
    `insert into provider_states as s (kind, provider, good_at) values ($1, $2, $3)
     on conflict (kind) do update set provider = excluded.provider, good_at = excluded.good_at,
       failure_count = 0, cooldown_until = null, last_error = null`,
    [success.kind, success.provider, success.now],
  );
}

/** Counts a failure and begins a cooldown. */
export async function recordProviderFailure(
  db: Db,
  failure: { kind: ProviderKind; provider: string; reason: string; now: Date; cooldownUntil: Date },
): Promise<void> {
  await queryRows(
    db,
    "recordProviderFailure",
    `insert into provider_states as s
       (kind, provider, failure_count, cooldown_until, failed_at, last_error)
     values ($1, $2, 1, $5, $4, $3)
     on conflict (kind) do update set provider = excluded.provider,
       failure_count = case when s.provider = excluded.provider then s.failure_count + 1 else 1 end,
       cooldown_until = excluded.cooldown_until, failed_at = excluded.failed_at,
       last_error = excluded.last_error`,
    [failure.kind, failure.provider, failure.reason, failure.now, failure.cooldownUntil],
  );
}

/** Counts a request and its cost before it goes out; false when that would exceed the day's limit. */
export async function reserveProviderCost(
  db: Db,
  reserve: { kind: ProviderKind; day: Day; cost: number; costMax: number },
): Promise<boolean> {
  if (reserve.cost > reserve.costMax) return false;
  const count = await execute(
    db,
    "reserveProviderCost",
    `insert into provider_days as d (kind, day, request_count, cost) values ($1, $2, 1, $3)
     on conflict (kind, day) do update set request_count = d.request_count + 1,
       cost = d.cost + excluded.cost
     where d.cost + excluded.cost <= $4`,
    [reserve.kind, reserve.day, reserve.cost, reserve.costMax],
  );
  return count === 1;
}

export async function findProviderDay(
  db: Db,
  query: { kind: ProviderKind; day: Day },
): Promise<{ requestCount: number; cost: number }> {
  const found = await queryFirstRow<{ requestCount: number; cost: number }>(
    db,
    "findProviderDay",
    `select request_count as "requestCount", cost from provider_days where kind = $1 and day = $2`,
    [query.kind, query.day],
  );
  return found ?? { requestCount: 0, cost: 0 };
}

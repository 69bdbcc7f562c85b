// The queue of reviews for providers. Jobs are inserted with the reviews, claimed under a lease (lease.ts)
// by any number of processes, and deleted once they are finished or given up. Beside it, the health of each provider.
import sql, { type Sql } from "sql-template-tag";
import type {
  NewProviderJob,
  ProviderJob,
  ProviderKind,
  ProviderState,
} from "../../domain/review/provider.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type LeaseClaim, leaseSql } from "../lease.ts";
import { changesRow, type Db, execute, queryCount, queryFirstRow, queryRows } from "../query.ts";
import { parameter, type UnnestedColumns, unnest } from "../sql.ts";

/** Returns how many are new. A job that exists only becomes more urgent. */
export async function insertProviderJobs(
  db: Db,
  insert: { jobs: readonly NewProviderJob[]; now: Date },
): Promise<number> {
  const jobs = withoutRepeats(insert.jobs);
  if (jobs.length === 0) return 0;
  const now = parameter(insert.now);
  const rows = unnest("given", jobs, {
    ...keyColumns,
    language: ["text", ({ language }) => language],
    rating: ["smallint", ({ rating }) => rating],
    title: ["text", ({ title }) => title],
    body: ["text", ({ text }) => text],
    is_urgent: ["boolean", ({ isUrgent }) => isUrgent],
  });
  return queryCount(db, "insertProviderJobs")`with saved as (
      insert into provider_jobs as p (kind, listing_id, review_id, content_hash, language, rating,
        title, body, is_urgent, queued_at, due_at)
      select *, ${now}, ${now} from ${rows}
      on conflict (listing_id, review_id, kind, content_hash) do update set
        is_urgent = p.is_urgent or excluded.is_urgent
      -- xmax is 0 for a row that this statement inserted.
      returning p.xmax = 0 as is_new
    )
    select count(*) from saved where is_new`;
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
 * Jobs that are due and free: urgent ones first, in turns of their apps, then the longest due. Found and leased in two statements, because rows of
 * several servers can't be locked in one order: the second of two workers finds jobs leased, and gets fewer.
 */
export async function claimProviderJobs(
  db: Db,
  claim: LeaseClaim & { kind: ProviderKind; limit: number },
): Promise<ProviderJob[]> {
  const { now } = claim;
  const found = sql`select kind, listing_id as "listingId", review_id as "reviewId", content_hash as "contentHash"
    from (
      select kind, listing_id, review_id, content_hash, is_urgent, due_at,
        row_number() over (partition by listing_id order by is_urgent desc, due_at) as place
      from provider_jobs where kind = ${claim.kind} and due_at <= ${now} and ${leaseSql.isFree(now)}
    ) due
    order by is_urgent desc, place, due_at limit ${claim.limit}`;
  const due = await queryRows(db, "listDueProviderJobs")<JobKey>(found);
  if (due.length === 0) return [];
  const leased = await queryRows(db, "leaseProviderJobs")<ProviderJob>`update provider_jobs j
    set ${leaseSql.claim(claim)} from ${unnest("h", due, keyColumns)}
    where ${isNamed} and (j.leased_until is null or j.leased_until <= ${now})
    returning ${claimedColumns}`;
  // The urgent first, as they were found.
  const byKey = new Map(leased.map((job) => [keyOf(job), job]));
  return due.flatMap((job) => byKey.get(keyOf(job)) ?? []);
}

const claimedColumns = sql`j.kind, j.listing_id as "listingId", j.review_id as "reviewId",
  j.content_hash as "contentHash", j.language, j.rating, j.title, j.body as text,
  j.attempt_count as "attemptCount", j.lease_token as "leaseToken"`;

const isNamed = sql`j.kind = h.kind and j.listing_id = h.listing_id and j.review_id = h.review_id
  and j.content_hash = h.content_hash`;
const isHeld = sql`${isNamed} and j.lease_token = h.lease_token`;

/** Jobs and the tokens of their leases. */
function heldJobs(jobs: readonly ProviderJob[]): Sql {
  return unnest("h", jobs, {
    ...keyColumns,
    lease_token: ["uuid", ({ leaseToken }) => leaseToken],
  });
}

/** Gives jobs back until `dueAt`. Without a reason nothing was sent, and no attempt is counted. */
export async function releaseProviderJobs(
  db: Db,
  release: { jobs: readonly ProviderJob[]; dueAt: Date; reason: string | null },
): Promise<void> {
  if (release.jobs.length === 0) return;
  const { jobs, dueAt, reason } = release;
  await queryRows(db, "releaseProviderJobs")`update provider_jobs j
      set ${leaseSql.release}, due_at = ${dueAt}, last_error = coalesce(${reason}, last_error),
      attempt_count = attempt_count + case when ${reason}::text is null then 0 else 1 end
    from ${heldJobs(jobs)} where ${isHeld}`;
}

/** Deletes finished jobs, and with them the record of deliveries that waited. Returns how many. */
export function finishProviderJobs(db: Db, jobs: readonly ProviderJob[]): Promise<number> {
  return execute(db, "finishProviderJobs")`delete from provider_jobs j using ${heldJobs(jobs)}
    where ${isHeld}`;
}

/** Deletes jobs that waited for too long, and old translations; returns how many. */
export async function pruneProviderJobs(
  db: Db,
  old: { jobsBefore: Date; translationsBefore: Date },
): Promise<number> {
  const jobCount = await execute(db, "deleteOldProviderJobs")`delete from provider_jobs
      where queued_at < ${old.jobsBefore} and lease_token is null`;
  const translationCount = await execute(db, "deleteOldTranslations")`delete from translations
    where saved_at < ${old.translationsBefore}`;
  return jobCount + translationCount;
}

/** The backlog: jobs of each kind, and how many of them were attempted before. */
export function countProviderJobs(
  db: Db,
): Promise<{ kind: ProviderKind; jobCount: number; triedCount: number }[]> {
  return queryRows(db, "countProviderJobs")`select kind, count(*) as "jobCount",
      count(*) filter (where attempt_count > 0) as "triedCount"
    from provider_jobs group by kind`;
}

type JobKey = Pick<NewProviderJob, "kind" | "listingId" | "reviewId" | "contentHash">;

function keyOf(job: JobKey): string {
  return `${job.kind}/${job.listingId}/${job.reviewId}/${job.contentHash.toString("hex")}`;
}

const keyColumns: UnnestedColumns<JobKey> = {
  kind: ["text", ({ kind }) => kind],
  listing_id: ["uuid", ({ listingId }) => listingId],
  review_id: ["uuid", ({ reviewId }) => reviewId],
  content_hash: ["bytea", ({ contentHash }) => contentHash],
};

// The health of each provider and its use today, shared by all processes: a cooldown holds for all of them,
// and so does the limit of a day.

const columns = sql`kind, provider, failure_count as "failureCount", cooldown_until as "cooldownUntil",
  good_at as "goodAt", failed_at as "failedAt", last_error as "lastError"`;

export function findProviderState(db: Db, kind: ProviderKind): Promise<ProviderState | null> {
  return queryFirstRow(db, "findProviderState")`select ${columns} from provider_states
    where kind = ${kind}`;
}

/** Ends the cooldown and clears the error. */
export async function recordProviderSuccess(
  db: Db,
  success: { kind: ProviderKind; provider: string; now: Date },
): Promise<void> {
  await queryRows(db, "recordProviderSuccess")`insert into provider_states as s (kind, provider,
    good_at) values (${success.kind}, ${success.provider}, ${success.now})
    on conflict (kind) do update set provider = excluded.provider, good_at = excluded.good_at,
      failure_count = 0, cooldown_until = null, last_error = null`;
}

/** Counts a failure and begins a cooldown. */
export async function recordProviderFailure(
  db: Db,
  failure: { kind: ProviderKind; provider: string; reason: string; now: Date; cooldownUntil: Date },
): Promise<void> {
  await queryRows(db, "recordProviderFailure")`insert into provider_states as s
      (kind, provider, failure_count, cooldown_until, failed_at, last_error)
    values (${failure.kind}, ${failure.provider}, 1, ${failure.cooldownUntil}, ${failure.now},
      ${failure.reason})
    on conflict (kind) do update set provider = excluded.provider,
      failure_count = case when s.provider = excluded.provider then s.failure_count + 1 else 1 end,
      cooldown_until = excluded.cooldown_until, failed_at = excluded.failed_at,
      last_error = excluded.last_error`;
}

/** Counts a request and its cost before it goes out; false when that would exceed the day's limit. */
export async function reserveProviderCost(
  db: Db,
  reserve: { kind: ProviderKind; day: Day; cost: number; costMax: number },
): Promise<boolean> {
  if (reserve.cost > reserve.costMax) return false;
  return changesRow(db, "reserveProviderCost")`insert into provider_days as d (kind, day,
    request_count, cost) values (${reserve.kind}, ${reserve.day}, 1, ${reserve.cost})
    on conflict (kind, day) do update set request_count = d.request_count + 1,
      cost = d.cost + excluded.cost
    where d.cost + excluded.cost <= ${reserve.costMax}`;
}

export async function findProviderDay(
  db: Db,
  query: { kind: ProviderKind; day: Day },
): Promise<{ requestCount: number; cost: number }> {
  const found = await queryFirstRow(db, "findProviderDay")<{ requestCount: number; cost: number }>`
    select request_count as "requestCount", cost from provider_days
    where kind = ${query.kind} and day = ${query.day}`;
  return found ?? { requestCount: 0, cost: 0 };
}

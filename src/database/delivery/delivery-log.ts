// The delivery log of a channel: what people see, send again and cancel.
import type { DeliveryStatus, LoggedAttempt, LoggedDelivery } from "../../domain/delivery.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { readBuckets } from "./buckets.ts";

/** Joined to a delivery `d` of that bucket. */
export const stateOf = (bucket: string): string => `
  left join pending p on p.channel_id = d.channel_id and p.id = d.id and p.bucket = ${bucket}
  left join ended_deliveries e on e.channel_id = d.channel_id and e.id = d.id and e.bucket = ${bucket}`;

export const statusOf = `case when p.id is not null then 'pending'
    when e.id is not null then e.status else 'delivered' end`;

/** The attempt that is stored in a page, if any: a delivery's first. */
const pagedAttempt = (
  bucket: string,
): string => `select 1 as number, t.started_at, t.duration_ms, t.status::integer,
    null::text as reason, null::bytea as answer
  from (
    select ids, started_at, durations_ms, statuses from delivered_pages g
    where g.channel_id = d.channel_id and g.last_id >= d.id and g.first_id <= d.id
      and g.bucket = ${bucket} and d.id = any(g.ids)
    order by g.last_id limit 1
  ) g cross join lateral unnest(g.ids, g.started_at, g.durations_ms, g.statuses)
    as t (id, started_at, duration_ms, status)
  where t.id = d.id`;

/** Joined to a delivery with its state. */
const lastAttemptOf = (bucket: string): string => `
  left join lateral (
    select number, started_at, duration_ms, status, reason from attempts
    where delivery_id = d.id and bucket = ${bucket} order by number desc limit 1
  ) f on true
  left join lateral (
    select number, started_at, duration_ms, status, reason from (${pagedAttempt(bucket)}) paged
    where f.number is null and coalesce(p.attempt_count, e.attempt_count, 1) > 0
  ) s on true`;

// The delivery log of a channel: what people see, send again and cancel.

const columns = `d.id, d.channel_id as "channelId", d.app_id as "appId", d.review_id as "reviewId",
  d.event, d.is_test as "isTest", ${statusOf} as status, d.created_at as "createdAt",
  coalesce(p.due_at, e.finished_at, f.started_at, s.started_at, d.created_at) as "dueAt",
  coalesce(p.attempt_count, e.attempt_count, f.number, s.number, 1) as "attemptCount",
  case when p.id is null then coalesce(e.finished_at,
    coalesce(f.started_at, s.started_at, d.created_at)
      + coalesce(f.duration_ms, s.duration_ms, 0) * interval '1 ms') end as "finishedAt",
  coalesce(f.status, s.status) as "lastStatus", f.reason as "lastReason"`;

// A page of one state is read from where that state stands: however long the log is.
const chosen = {
  any: `select id from deliveries where channel_id = $1 and bucket = $5 and ($3::uuid is null or id < $3)
    order by id desc limit $4`,
  pending: `select id from pending where channel_id = $1 and bucket = $5 and ($3::uuid is null or id < $3)
    order by id desc limit $4`,
  // Failed before, and waits for its next attempt.
  retrying: `select id from pending where channel_id = $1 and bucket = $5 and ($3::uuid is null or id < $3)
    and is_retry order by id desc limit $4`,
  delivered: `select d.id from deliveries d ${stateOf("$5")}
    where d.channel_id = $1 and d.bucket = $5 and ($3::uuid is null or d.id < $3) and p.id is null and e.id is null
    order by d.id desc limit $4`,
  expired: `select id from ended_deliveries
    where channel_id = $1 and bucket = $5 and ($3::uuid is null or id < $3) and status = 'expired'
    order by id desc limit $4`,
  cancelled: `select id from ended_deliveries
    where channel_id = $1 and bucket = $5 and ($3::uuid is null or id < $3) and status = 'cancelled'
    order by id desc limit $4`,
} as const;

/** Newest first; a null workspace means any: for the operator alone. */
export async function listDeliveries(
  db: Db,
  query: {
    channelId: string;
    workspaceId: string | null;
    status: DeliveryStatus | "retrying" | null;
    /** The id of the last delivery of the page before; null for the first page. */
    beforeId: string | null;
    limit: number;
  },
): Promise<LoggedDelivery[]> {
  const state = query.status ?? "any";
  return queryRows(
    db,
    `listDeliveries.${state}`,
    `select ${columns} from (${chosen[state]}) h
     join deliveries d on d.channel_id = $1 and d.bucket = $5 and d.id = h.id
     join channels c on c.id = d.channel_id ${stateOf("$5")} ${lastAttemptOf("$5")}
     where $2::uuid is null or d.workspace_id = $2
     order by d.id desc`,
    [
      query.channelId,
      query.workspaceId,
      query.beforeId,
      query.limit,
      (await readBuckets(db)).of(query.channelId),
    ],
  );
}

/** The sent bodies of a channel's deliveries, in any order. */
export async function listDeliveryBodies(
  db: Db,
  query: { channelId: string; workspaceId: string; ids: readonly string[] },
): Promise<{ id: string; body: Buffer }[]> {
  return queryRows(
    db,
    "listDeliveryBodies",
    `select id, body from deliveries
     where channel_id = $1 and bucket = $4 and workspace_id = $2 and id = any($3)`,
    [query.channelId, query.workspaceId, query.ids, (await readBuckets(db)).of(query.channelId)],
  );
}

/** One delivery with the bytes of its body and every attempt, oldest first. */
export async function findDelivery(
  db: Db,
  query: { id: string; workspaceId: string | null },
): Promise<(LoggedDelivery & { body: Buffer; attempts: LoggedAttempt[] }) | null> {
  const bucket = (await readBuckets(db)).of(query.id);
  const found = await queryFirstRow<LoggedDelivery & { body: Buffer }>(
    db,
    "findDelivery",
    `select ${columns}, d.body from deliveries d join channels c on c.id = d.channel_id
     ${stateOf("$3")} ${lastAttemptOf("$3")}
     where d.id = $1 and d.bucket = $3 and ($2::uuid is null or d.workspace_id = $2)`,
    [query.id, query.workspaceId, bucket],
  );
  return found && { ...found, attempts: await listAttempts(db, { ...found, bucket }) };
}

function listAttempts(
  db: Db,
  { id, attemptCount, bucket }: Pick<LoggedDelivery, "id" | "attemptCount"> & { bucket: number },
): Promise<LoggedAttempt[]> {
  if (attemptCount === 0) return Promise.resolve([]);
  return queryRows(
    db,
    "listAttempts",
    `select number, started_at as "startedAt", duration_ms as "durationMs", status, reason, answer
     from (
       select number, started_at, duration_ms, status, reason, answer
       from attempts where delivery_id = $1 and bucket = $2
       union all
       select s.* from deliveries d cross join lateral (${pagedAttempt("$2")}) s
       where d.id = $1 and d.bucket = $2
     ) every order by number`,
    [id, bucket],
  );
}

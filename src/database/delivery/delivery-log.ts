// The delivery log of a channel: what people see, send again and cancel.
import sql, { type Sql } from "sql-template-tag";
import type {
  DeliveryStatus,
  LoggedAttempt,
  LoggedDelivery,
} from "../../domain/channel/delivery.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { parameter } from "../sql.ts";

/** Joined to a delivery `d`. */
export const state = sql`
  left join pending p on p.channel_id = d.channel_id and p.id = d.id
  left join ended_deliveries e on e.channel_id = d.channel_id and e.id = d.id`;

export const statusOf = sql`case when p.id is not null then 'pending'
    when e.id is not null then e.status else 'delivered' end`;

/** Joined to a delivery. */
const lastAttempt = sql`
  left join lateral (
    select number, started_at, duration_ms, status, reason from attempts
    where delivery_id = d.id order by number desc limit 1
  ) a on true`;

const columns = sql`d.id, d.channel_id as "channelId", d.app_id as "appId", d.review_id as "reviewId",
  d.event, d.is_test as "isTest", ${statusOf} as status, d.created_at as "createdAt",
  coalesce(p.due_at, e.finished_at, a.started_at, d.created_at) as "dueAt",
  coalesce(p.attempt_count, e.attempt_count, a.number, 1) as "attemptCount",
  case when p.id is null then coalesce(e.finished_at,
    a.started_at + a.duration_ms * interval '1 ms', d.created_at) end as "finishedAt",
  a.status as "lastStatus", a.reason as "lastReason"`;

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
  const { workspaceId } = query;
  const chosen = query.status ?? "any";
  return queryRows(db, `listDeliveries.${chosen}`)`
    select ${columns} from (${writeChosen({ ...query, chosen })}) h
    join deliveries d on d.channel_id = ${query.channelId} and d.id = h.id
    join channels c on c.id = d.channel_id ${state} ${lastAttempt}
    where ${workspaceId}::uuid is null or d.workspace_id = ${workspaceId}
    order by d.id desc`;
}

// A page of one state is read from where that state stands: however long the log is.
function writeChosen(page: {
  chosen: DeliveryStatus | "retrying" | "any";
  channelId: string;
  beforeId: string | null;
  limit: number;
}): Sql {
  const { chosen, channelId, beforeId, limit } = page;
  const before = parameter(beforeId);
  const isChosen = sql`d.channel_id = ${channelId}
    and (${before}::uuid is null or d.id < ${before})`;
  const sources = {
    any: sql`deliveries d where ${isChosen}`,
    pending: sql`pending d where ${isChosen}`,
    // Failed before, and waits for its next attempt.
    retrying: sql`pending d where ${isChosen} and d.is_retry`,
    delivered: sql`deliveries d ${state} where ${isChosen} and p.id is null and e.id is null`,
    expired: sql`ended_deliveries d where ${isChosen} and d.status = 'expired'`,
    cancelled: sql`ended_deliveries d where ${isChosen} and d.status = 'cancelled'`,
  };
  return sql`select d.id from ${sources[chosen]} order by d.id desc limit ${limit}`;
}

/** The sent bodies of a channel's deliveries, in any order. */
export async function listDeliveryBodies(
  db: Db,
  query: { channelId: string; workspaceId: string; ids: readonly string[] },
): Promise<{ id: string; body: Buffer }[]> {
  return queryRows(db, "listDeliveryBodies")`select id, body from deliveries
    where channel_id = ${query.channelId} and workspace_id = ${query.workspaceId} and id = any(${query.ids})`;
}

/** One delivery with the bytes of its body and every attempt, oldest first. */
export async function findDelivery(
  db: Db,
  query: { id: string; workspaceId: string | null },
): Promise<(LoggedDelivery & { body: Buffer; attempts: LoggedAttempt[] }) | null> {
  const { id, workspaceId } = query;
  const statement = sql`select ${columns}, d.body from deliveries d join channels c on c.id = d.channel_id
      ${state} ${lastAttempt}
    where d.id = ${id} and (${workspaceId}::uuid is null or d.workspace_id = ${workspaceId})`;
  type Found = LoggedDelivery & { body: Buffer };
  const found = await queryFirstRow(db, "findDelivery")<Found>(statement);
  return found && { ...found, attempts: await listAttempts(db, id) };
}

function listAttempts(db: Db, id: string): Promise<LoggedAttempt[]> {
  return queryRows(db, "listAttempts")`select number, started_at as "startedAt",
    duration_ms as "durationMs", status, reason, answer
    from attempts where delivery_id = ${id} order by number`;
}

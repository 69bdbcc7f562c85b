// Leases: a channel belongs to the process in its row of the queue, as long as that process renews its row of
// delivery_workers. Channels of processes that ended are freed.
import sql, { type Sql } from "sql-template-tag";
import { changesRow, type Db, execute, queryValue, queryValues } from "../query.ts";
import { toArrayText } from "../values.ts";
import { isFailing } from "./health.ts";

const until = (leaseMs: number): Sql => sql`clock_timestamp() + ${leaseMs} * interval '1 ms'`;

/**
 * Registers a process that delivers; returns its number.
 * @throws Error when the insert returns nothing
 */
export async function addWorker(db: Db, add: { leaseMs: number }): Promise<number> {
  const id = await queryValue(db, "addWorker")<number>`insert into delivery_workers (leased_until)
    values (${until(add.leaseMs)}) returning id`;
  if (id === null) throw new Error("an insert that returns a row returned none");
  return id;
}

/** Whether the worker still is one: false once another process has taken over its channels. */
export function renewWorker(
  db: Db,
  renew: { workerId: number; leaseMs: number },
): Promise<boolean> {
  return changesRow(db, "renewWorker")`update delivery_workers
    set leased_until = ${until(renew.leaseMs)} where id = ${renew.workerId}`;
}

export async function removeWorker(db: Db, workerId: number): Promise<void> {
  await execute(db, "removeWorker")`delete from delivery_workers where id = ${workerId}`;
}

/** Frees channels whose worker is gone or has let its lease end; returns how many. Those that are locked now are left for later. */
export async function freeAbandonedChannels(db: Db, now: Date): Promise<number> {
  await execute(db, "removeSilentWorkers")`delete from delivery_workers
    where leased_until < clock_timestamp()`;
  // A channel that the last statement finds with another owner since then is not abandoned.
  const owners = await queryValues(db, "listOwnersWithoutLease")<number>`select distinct lease_owner
    from channel_queue q
    where lease_owner is not null and not exists (select from delivery_workers w where w.id = q.lease_owner)`;
  if (owners.length === 0) return 0;
  return execute(db, "freeAbandonedChannels")`with abandoned as (
      select channel_id from channel_queue where lease_owner = any(${owners}::integer[])
      order by channel_id for update skip locked
    )
    update channel_queue q set lease_owner = null, next_due_at = least(next_due_at, ${now})
    from abandoned a where q.channel_id = a.channel_id`;
}

/** The channels that the worker holds. */
export function listHeldChannels(db: Db, workerId: number): Promise<string[]> {
  return queryValues(db, "listHeldChannels")<string>`select channel_id from channel_queue
    where lease_owner = ${workerId}`;
}

/**
 * Gives channels back. Each is due again when its first delivery is, by the rows of the database: whatever
 * its holder knew. A channel whose row is locked by another transaction is left for the next claim.
 */
export function releaseChannels(
  db: Db,
  release: { workerId: number; channelIds: readonly string[] },
): Promise<string[]> {
  // A transaction that queued after this statement began, and is invisible to it, has set next_due_at of the locked row.
  return queryValues(db, "releaseChannels")<string>`with held as materialized (
      select channel_id, next_due_at from channel_queue
      where channel_id = any(${toArrayText(release.channelIds)}::uuid[])
        and lease_owner = ${release.workerId}
      order by channel_id for update skip locked
    ),
    next as materialized (
      select h.channel_id, least(h.next_due_at, (
        select min(first.due_at) from (values (false), (true)) lane (is_retry) cross join lateral (
          select due_at from pending
          where channel_id = h.channel_id and is_retry = lane.is_retry
            and due_at > '-infinity'
          order by due_at, id limit 1
        ) first
      )) as due_at
      from held h
    ),
    kept as (
      update channel_queue q set lease_owner = null, next_due_at = n.due_at,
        is_failing = ${isFailing(sql`c.id`)}, host = c.host
      from next n join channels c on c.id = n.channel_id
      where q.channel_id = n.channel_id and n.due_at < 'infinity'
      returning q.channel_id
    ),
    emptied as (
      delete from channel_queue q using next n
      where q.channel_id = n.channel_id and n.due_at = 'infinity'
      returning q.channel_id
    )
    select channel_id from kept union all select channel_id from emptied`;
}

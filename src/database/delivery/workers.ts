// The delivering processes as the database knows them: a renewed lease, and a session that holds a lock; and
// what becomes of the channels of those that are gone.
import sql from "sql-template-tag";
import { advisoryLocks } from "../platform/locks.ts";
import { changesRow, type Db, execute, queryRows, queryValues } from "../query.ts";
import { toArrayText } from "../values.ts";
import { readBuckets } from "./buckets.ts";

/** Whether the worker still is one: false once another process has taken over what it held. */
export function renewWorker(
  db: Db,
  renew: { workerId: number; leaseMs: number },
): Promise<boolean> {
  const statement = sql`update delivery_workers
    set leased_until = clock_timestamp() + ${renew.leaseMs} * interval '1 ms'
    where id = ${renew.workerId}`;
  return changesRow(db, "renewWorker", statement);
}

/** Workers whose lease has ended, or whose session has. */
export function listSilentWorkers(db: Db): Promise<{ id: number; isOver: boolean }[]> {
  const statement = sql`select id, leased_until < clock_timestamp() as "isOver" from delivery_workers w
    where leased_until < clock_timestamp() or not ${hasSession}`;
  return queryRows(db, "listSilentWorkers", statement);
}

const hasSession = sql`exists (
    select from pg_locks l where l.locktype = 'advisory' and l.classid = ${advisoryLocks.deliveryWorker}
      and l.objid = w.id and l.objsubid = 2 and l.granted
      and l.database = (select oid from pg_database where datname = current_database())
  )`;

/** Ends workers unless they renew their lease; their channels are due at once. Returns how many ended. */
export function removeSilentWorkers(db: Db, remove: { ids: readonly number[] }): Promise<number> {
  const statement = sql`delete from delivery_workers w where id = any(${remove.ids}::int[])
    and (leased_until < clock_timestamp() or not ${hasSession})`;
  return execute(db, "removeSilentWorkers", statement);
}

/** Frees channels whose worker is gone; returns how many. Those that are locked now are left for later. */
export async function freeAbandonedChannels(db: Db, now: Date): Promise<number> {
  let count = 0;
  for (const bucket of (await readBuckets(db)).all) {
    const gone = await listGoneOwners(db, bucket);
    if (gone.length === 0) continue;
    const statement = sql`with abandoned as (
        select channel_id from channel_queue where bucket = ${bucket}
          and lease_owner = any(${toArrayText(gone)}::integer[])
        order by channel_id for update skip locked
      )
      update channel_queue q set lease_owner = null, next_due_at = least(next_due_at, ${now})
      from abandoned a where q.channel_id = a.channel_id and q.bucket = ${bucket}`;
    count += await execute(db, "freeAbandonedChannels", statement);
  }
  return count;
}

/** First the owners, then who is there: a worker is there before it owns anything, and never comes back. */
async function listGoneOwners(db: Db, bucket: number): Promise<number[]> {
  const leased = sql`select distinct lease_owner from channel_queue
    where bucket = ${bucket} and lease_owner is not null`;
  const owners = await queryValues<number>(db, "listLeaseOwners", leased);
  if (owners.length === 0) return [];
  const gone = sql`select id from unnest(${toArrayText(owners)}::integer[]) id
    where not exists (select from delivery_workers w where w.id = id.id)`;
  return queryValues<number>(db, "listGoneWorkers", gone);
}

// Retention: days of the log are dropped as a whole, and leftovers of them and of deleted channels are deleted in
// batches small enough not to delay other statements.
import sql, { empty, raw, type Sql } from "sql-template-tag";
import { AppError } from "../../domain/error.ts";
import { uuidV7Floor } from "../../lib/uuid.ts";
import { type Db, execute, queryCount, queryRows, queryValue } from "../query.ts";
import { parameter } from "../sql.ts";
import { withinTransaction } from "../transaction.ts";
import { toArrayText } from "../values.ts";

const logTables = ["deliveries", "attempts", "ended_deliveries"] as const;

/** Makes the partitions of the days from this one on, where they are missing. */
export async function addDeliveryDays(
  db: Db,
  add: { from: Date; dayCount: number },
): Promise<void> {
  await waitBriefly(db);
  await queryRows(db, "addDeliveryDays")`select add_delivery_day((${add.from}::timestamptz at time
    zone 'UTC')::date + n) from generate_series(0, ${add.dayCount}::int - 1) n
    where to_regclass('deliveries_'
      || to_char((${add.from}::timestamptz at time zone 'UTC')::date + n, 'YYYYMMDD')) is null`;
}

type Part = { parent: string; name: string; firstId: string | null; endId: string };

/**
 * Drops the partitions of the oldest day that ended before that moment and of which nothing is pending: one day in a
 * call, so that a wrong moment costs no more than that. Returns their names. Runs inside a transaction; gives up rather
 * than make others wait.
 */
export async function dropOldestDay(db: Db, before: Date): Promise<string[]> {
  await waitBriefly(db);
  const old = await queryRows(db, "listDeliveryDays")<Part>`select * from (
      select parent, c.relname as name,
        substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \\('([^']+)'\\)$$)::uuid as "firstId",
        substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \\('([^']+)'\\)$$)::uuid as "endId"
      from unnest(${logTables}::text[]) parent join pg_inherits i on i.inhparent = parent::regclass
      join pg_class c on c.oid = i.inhrelid
    ) part where "endId" <= ${uuidV7Floor(before)} order by "endId", parent`;
  for (const endId of new Set(old.map((part) => part.endId))) {
    const parts = old.filter((part) => part.endId === endId);
    // The names come from PostgreSQL's own catalogue. Locked before the look at what waits: a redelivery either is
    // seen there or finds no delivery.
    await lockAtOnce(db, parts);
    const [{ firstId } = { firstId: null }] = parts;
    if (await hasPending(db, { firstId, endId })) continue;
    for (const { name } of parts) await queryRows(db, "")(raw(`drop table "${name}"`));
    return parts.map(({ name }) => name);
  }
  return [];
}

async function hasPending(
  db: Db,
  ids: { firstId: string | null; endId: string },
): Promise<boolean> {
  const found = await queryValue(db, "hasPending")<boolean>`select exists (select 1 from pending
    where (${ids.firstId}::uuid is null or id >= ${ids.firstId}) and id < ${ids.endId}) as is`;
  return found ?? false;
}

/** @throws AppError `unavailable` behind a longer reader: it isn't tried again at once, so that others wait once */
async function lockAtOnce(db: Db, parts: readonly Part[]): Promise<void> {
  const tables = parts.map(({ parent, name }) => `only ${parent}, only "${name}"`).join(", ");
  try {
    await queryRows(db, "")(raw(`lock table ${tables} in access exclusive mode`));
  } catch (cause) {
    throw new AppError("unavailable", "a day of the delivery log is being read", { cause });
  }
}

// A table that is locked for long, by a backup for example, must not make deliveries wait behind us.
async function waitBriefly(db: Db): Promise<void> {
  await queryRows(db, "waitBriefly")`select set_config('lock_timeout', '50ms', true)`;
}

/** Deletes finished deliveries of before that moment that no dropped day took along; returns how many. */
export function deleteOldDeliveries(
  db: Db,
  batch: { before: Date; limit: number },
): Promise<number> {
  // Two statements: the second sees every redelivery that locked a delivery before the first one could.
  return withinTransaction(db, async (tx) => {
    const old = await queryRows(tx, "lockOldDeliveries")<{ id: string }>`select d.id
      from deliveries d where d.id < ${uuidV7Floor(batch.before)}
        and d.created_at < ${batch.before} and not exists (
        select from pending p
        where p.channel_id = d.channel_id and p.id = d.id
      )
      order by d.id limit ${batch.limit} for update skip locked`;
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await execute(tx, "deleteOldDeliveries")(writeDeleteOld(ids));
    return old.length;
  });
}

function writeDeleteOld(ids: readonly string[]): Sql {
  return sql`with old as materialized (
    delete from deliveries d where d.id = any(${toArrayText(ids)}::uuid[]) and not exists (
      select from pending p where p.channel_id = d.channel_id and p.id = d.id
    ) returning d.channel_id, d.id
  ),
  attempts_gone as (
    delete from attempts a using old o where a.delivery_id = o.id
  )
  delete from ended_deliveries e using old o
  where e.channel_id = o.channel_id and e.id = o.id`;
}

/** When the oldest delivery from before that moment was queued; null without one. */
export async function findOldestDelivery(db: Db, before: Date): Promise<Date | null> {
  return queryValue(db, "findOldestDelivery")<Date>`select created_at as "createdAt" from deliveries
    where id < ${uuidV7Floor(before)} and created_at < ${before} order by id limit 1`;
}

/** A channel that is deleted and has rows left; null when there is none. */
export function findDeletedChannel(db: Db): Promise<string | null> {
  return queryValue(db, "findDeletedChannel")<string>`select channel_id as "channelId"
    from deleted_channels order by deleted_at limit 1`;
}

/** Deletes some of what a deleted channel left behind, at most `limit` rows of each kind; returns how many. */
export async function deleteRemains(
  db: Db,
  remains: { channelId: string; limit: number },
): Promise<number> {
  const count = await queryCount(db, "deleteRemains")(writeDeleteRemains(remains));
  if (count === 0) {
    await execute(db, "forgetDeletedChannel")`delete from deleted_channels
      where channel_id = ${remains.channelId}`;
  }
  return count;
}

function writeDeleteRemains(remains: { channelId: string; limit: number }): Sql {
  const channelId = parameter(remains.channelId);
  const limit = parameter(remains.limit);
  // Each row is named by an array of its key: joined, a plan for a million rows compared each of them with each one to be
  // deleted. In order, or all of a channel's index entries are read for each batch.
  const deleteFirst = (table: Sql, key: Sql, lock = empty): Sql =>
    sql`delete from ${table} where channel_id = ${channelId} and ${key} = any(array(
      select ${key} from ${table} where channel_id = ${channelId} order by ${key} limit ${limit} ${lock}
    )) returning ${key} as id`;
  const unlocked = sql`for update skip locked`;
  return sql`with waiting as (${deleteFirst(sql`pending`, sql`id`, unlocked)}),
  announced as (${deleteFirst(sql`channel_reviews`, sql`review_id`, unlocked)}),
  ended as (${deleteFirst(sql`ended_deliveries`, sql`id`)}),
  delivered as (${deleteFirst(sql`deliveries`, sql`id`)}),
  attempted as (delete from attempts where delivery_id = any(array(select id from delivered))),
  health as (delete from channel_health where channel_id = ${channelId}),
  queued as (delete from channel_queue where channel_id = ${channelId})
  select (select count(*) from waiting) + (select count(*) from announced)
    + (select count(*) from ended) + (select count(*) from delivered) as count`;
}

// Channels that the queue has forgotten. Nothing should ever be found, but an overlooked delivery would be lost.
import sql, { raw, type Sql } from "sql-template-tag";
import { lowestUuid } from "../../lib/uuid.ts";
import { type Db, execute, queryRows, queryValues } from "../query.ts";
import { parameter } from "../sql.ts";
import { toArrayText } from "../values.ts";
import { readBuckets } from "./buckets.ts";
import { advanceQueue } from "./enqueue.ts";

/**
 * Finds channels that no worker holds and whose queue row is missing or late, and puts them right; returns how
 * many. Pending rows of deleted channels are marked for deletion.
 */
export async function repairQueue(db: Db, now: Date): Promise<number> {
  const { all } = await readBuckets(db);
  let count = 0;
  for (const bucket of all) {
    const found = await queryRows<{ channelId: string; dueAt: Date; isGone: boolean }>(
      db,
      "listForgottenChannels",
      writeForgotten({ bucket, now }),
    );
    const gone = found.filter(({ isGone }) => isGone).map(({ channelId }) => channelId);
    if (gone.length > 0) await noteDeleted(db, { channelIds: gone, now });
    const late = found.filter(({ isGone }) => !isGone);
    await advanceQueue(db, late);
    count += late.length;
  }
  return count;
}

async function noteDeleted(
  db: Db,
  gone: { channelIds: readonly string[]; now: Date },
): Promise<void> {
  const statement = sql`insert into deleted_channels (channel_id, deleted_at) select id, ${gone.now}
    from unnest(${gone.channelIds}::uuid[]) id
    on conflict do nothing`;
  await execute(db, "noteDeletedChannels", statement);
}

// A few index probes per channel with work, however many deliveries it has.
function writeForgotten({ now, ...place }: { bucket: number; now: Date }): Sql {
  const bucket = parameter(place.bucket);
  return sql`with recursive busy (channel_id) as (
    (select channel_id from pending where bucket = ${bucket} order by channel_id limit 1)
    union all
    select n.channel_id from busy b cross join lateral (
      select channel_id from pending
      where bucket = ${bucket} and channel_id > b.channel_id order by channel_id limit 1
    ) n
  ),
  heads as (
    select b.channel_id, min(h.due_at) as due_at
    from busy b cross join (values (false), (true)) lane (is_retry) cross join lateral (
      select due_at from pending
      where bucket = ${bucket} and channel_id = b.channel_id and is_retry = lane.is_retry
        and due_at > '-infinity'
      order by due_at, id limit 1
    ) h
    group by b.channel_id
  )
  select h.channel_id as "channelId", h.due_at as "dueAt", c.id is null as "isGone"
  from heads h left join channels c on c.id = h.channel_id
  left join channel_queue k on k.bucket = ${bucket} and k.channel_id = h.channel_id
  where c.id is null or k.channel_id is null
    or (k.lease_owner is null and k.next_due_at > greatest(h.due_at, ${now}))`;
}

export type OrphanSearch = { after: { channelId: string; id: string } | null; limit: number };

/**
 * Deletes rows of `pending` and `ended_deliveries` without a delivery, among the next `limit` rows after that one of
 * each table and bucket. Nothing should ever be found. Returns where to go on, null at the end.
 */
export async function removeOrphans(
  db: Db,
  table: "pending" | "ended_deliveries",
  search: OrphanSearch,
): Promise<{ removedIds: string[]; after: OrphanSearch["after"] }> {
  const parts = [];
  for (const bucket of (await readBuckets(db)).all) {
    parts.push(await removeOrphansOfBucket(db, table, { ...search, bucket }));
  }
  // The first place where a bucket has more: what others have behind it is looked at again.
  const ends = parts.flatMap(({ after }) => after ?? []);
  ends.sort((one, other) => (one.channelId + one.id < other.channelId + other.id ? -1 : 1));
  return { removedIds: parts.flatMap(({ removedIds }) => removedIds), after: ends[0] ?? null };
}

async function removeOrphansOfBucket(
  db: Db,
  table: "pending" | "ended_deliveries",
  { after, limit, bucket }: OrphanSearch & { bucket: number },
): ReturnType<typeof removeOrphans> {
  const rows = raw(table);
  const statement = sql`with looked as materialized (
      select channel_id, id from ${rows} where bucket = ${bucket}
        and (channel_id, id) > (${after?.channelId ?? lowestUuid}, ${after?.id ?? lowestUuid})
      order by channel_id, id limit ${limit}
    ),
    orphans as (
      delete from ${rows} o using looked l
      where o.bucket = ${bucket} and o.channel_id = l.channel_id and o.id = l.id and not exists (
        select from deliveries d where d.bucket = ${bucket} and d.channel_id = l.channel_id
          and d.id = l.id
      ) returning o.channel_id, o.id
    )
    select l.channel_id as "channelId", l.id, o.id is not null as "isOrphan"
    from looked l left join orphans o on o.channel_id = l.channel_id and o.id = l.id
    order by l.channel_id, l.id`;
  const found = await queryRows<{ channelId: string; id: string; isOrphan: boolean }>(
    db,
    `removeOrphans.${table}`,
    statement,
  );
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    removedIds: found.filter(({ isOrphan }) => isOrphan).map(({ id }) => id),
    after: last ? { channelId: last.channelId, id: last.id } : null,
  };
}

/** Deletes those of the pending rows whose delivery is not stored. Returns their ids. */
export async function removeOrphansOfChannel(
  db: Db,
  orphans: { channelId: string; ids: readonly string[] },
): Promise<string[]> {
  const { channelId, ids } = orphans;
  const bucket = (await readBuckets(db)).of(channelId);
  const statement = sql`delete from pending p
    where p.bucket = ${bucket} and p.channel_id = ${channelId} and p.id = any(${toArrayText(ids)}::uuid[])
      and not exists (
        select from deliveries d where d.bucket = ${bucket} and d.channel_id = ${channelId} and d.id = p.id
      ) returning p.id`;
  return queryValues<string>(db, "removeOrphansOfChannel", statement);
}

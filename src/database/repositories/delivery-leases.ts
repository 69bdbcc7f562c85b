// Who delivers for which channel. A lease is held by a process, a row of delivery_workers, and stands on the
// channel's row of the queue: one process at a time sends for a channel. It ends with the process: with its
// database session at once, or, when the session hangs, with the clock of the database.
import type { ChannelLease, LeaseCheck } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, execute, queryRows } from "../query.ts";
import { isFailing } from "./channel-health-row.ts";
import { inEachBucket, listBucketsWithWork, readBuckets } from "./delivery-buckets.ts";
import {
  type FoundRow,
  foundColumns,
  joinStored,
  pendingColumns,
  toDueDelivery,
} from "./due-delivery-sql.ts";

/**
 * Takes due channels, and notes that those held already have something new. What is due first comes along, so that a
 * single event need not wait for a second question. What was committed between the snapshot of this statement and its
 * lock is missing there: whoever holds a channel reads it anew afterwards.
 */
export async function leaseChannels(
  db: Db,
  lease: {
    workerId: number;
    now: Date;
    /** How many channels may be taken that answer, and how many that fail. */
    answeringMax: number;
    failingMax: number;
    /** Hosts that nothing can be sent to right now. */
    fullHosts: readonly string[];
    /** How many deliveries may come along, of each channel that answers. */
    firstMax: number;
  },
): Promise<ChannelLease[]> {
  const leases: ChannelLease[] = [];
  const { isDistributed } = await readBuckets(db);
  const [name, text] = isDistributed
    ? ["leaseChannelsThere", leaseTexts.distributed]
    : ["leaseChannels", leaseTexts.whole];
  for (const bucket of await listBucketsWithWork(db, lease.now)) {
    const failingCount = leases.filter(({ failingSince }) => failingSince !== null).length;
    const rows = await queryRows<LeasedRow>(db, name, text, [
      bucket,
      lease.now,
      lease.workerId,
      toArrayText(lease.fullHosts),
      Math.max(0, lease.answeringMax - (leases.length - failingCount)),
      Math.max(0, lease.failingMax - failingCount),
      lease.firstMax,
    ]);
    leases.push(...toLeases(rows));
  }
  return leases;
}

type LeasedRow = Omit<ChannelLease, "firstDeliveries"> & FoundRow;

/** One row for each delivery, or one for a channel without any. */
function toLeases(rows: readonly LeasedRow[]): ChannelLease[] {
  const leases = new Map<string, ChannelLease>();
  for (const row of rows) {
    const lease = leases.get(row.channelId) ?? { ...row, firstDeliveries: [] };
    const delivery = toDueDelivery(row);
    if (delivery) lease.firstDeliveries.push(delivery);
    leases.set(row.channelId, lease);
  }
  return [...leases.values()];
}

// What a channel held by this process has got meanwhile is taken note of whatever the limits say.
const dueIn = (lane: { isFailing: boolean; max: string }): string =>
  `select channel_id, next_due_at from channel_queue
   where bucket = $1 and is_failing = ${lane.isFailing} and next_due_at <= $2
     and next_due_at < 'infinity'
     and (lease_owner is null and host <> all($4::text[]) or lease_owner = $3)
   order by next_due_at limit ${lane.max} for update skip locked`;

// A lease need not reach the disk before anything is sent: forgotten in a crash, it is found out by the look at the
// channel right before signing. Citus refuses to say so in this place.
const leaseTextOf = (
  isDistributed: boolean,
): string => `with answering as (${dueIn({ isFailing: false, max: "$5" })}),
  failing as (${dueIn({ isFailing: true, max: "$6" })}),
  due as (select * from answering union all select * from failing),
  leased as (
    update channel_queue q set lease_owner = $3, next_due_at = 'infinity'
    from due join channels c on c.id = due.channel_id
    where q.channel_id = due.channel_id and q.bucket = $1
    returning q.channel_id, q.is_failing
      ${isDistributed ? "" : ", set_config('synchronous_commit', 'off', true) as commit"}
  )
  select l.channel_id as "channelId", c.host, c.version, c.type, c.url, c.recipients,
    c.encrypted_secret as "encryptedSecret", o.encrypted_secret as "oldEncryptedSecret",
    o.ends_at as "oldSecretEndsAt",
    s.failing_since as "failingSince", s.failing_reason as "failingReason",
    coalesce(s.timeout_count, 0) as "timeoutCount", ${isDistributed ? "" : "l.commit, "}${foundColumns}
  from leased l join channels c on c.id = l.channel_id
  -- Each by itself: joined, a plan from when there were few would go through all that fail for each channel.
  left join lateral (
    select encrypted_secret, ends_at from channel_old_secrets
    where id = c.id and ends_at > $2 limit 1
  ) o on true
  left join lateral (
    select failing_since, failing_reason, timeout_count from channel_health
    where channel_id = l.channel_id and bucket = $1 limit 1
  ) s on true
  left join lateral (
    select ${pendingColumns} from pending
    where channel_id = l.channel_id and bucket = $1 and not is_retry and not l.is_failing
      and due_at <= $2 and due_at > '-infinity'
    order by due_at, id limit $7
  ) h on true ${joinStored("l.channel_id")}`;
const leaseTexts = { distributed: leaseTextOf(true), whole: leaseTextOf(false) };

/**
 * Makes channels due that the worker holds without knowing: the answer to its lease was lost with a
 * connection. Returns how many.
 */
export async function signalUnknownChannels(
  db: Db,
  held: { workerId: number; knownIds: readonly string[]; now: Date },
): Promise<number> {
  let count = 0;
  for (const bucket of (await readBuckets(db)).all) {
    count += await execute(
      db,
      "signalUnknownChannels",
      `with unknown as (
         select channel_id from channel_queue
         where bucket = $1 and lease_owner = $2 and next_due_at = 'infinity'
           and channel_id <> all($3::uuid[])
         order by channel_id for update skip locked
       )
       update channel_queue q set next_due_at = $4 from unknown u
       where q.channel_id = u.channel_id and q.bucket = $1`,
      [bucket, held.workerId, toArrayText(held.knownIds), held.now],
    );
  }
  return count;
}

/**
 * The channels that are still held, each with its version, and with what to send by where the version is not
 * the known one. One statement, one moment.
 */
export async function checkLeases(
  db: Db,
  check: {
    workerId: number;
    now: Date;
    channels: readonly { channelId: string; version: number }[];
  },
): Promise<LeaseCheck[]> {
  const groups = (await readBuckets(db)).group(check.channels, ({ channelId }) => channelId);
  const found = await inEachBucket(db, groups, (bucket, channels) =>
    queryRows<LeaseCheck>(db, "checkLeases", checkText, [
      bucket,
      check.workerId,
      check.now,
      toArrayText(channels.map(({ channelId }) => channelId)),
      toArrayText(channels.map(({ version }) => version)),
    ]),
  );
  return found.flat();
}

const checkText = `select g.channel_id as "channelId", c.version, n.type, n.url, n.recipients, n.host,
    n.encrypted_secret as "encryptedSecret", o.encrypted_secret as "oldEncryptedSecret",
    o.ends_at as "oldSecretEndsAt"
  from unnest($4::uuid[], $5::bigint[]) g (channel_id, version)
  -- Each by itself: joined, a plan from when there were few would go through all channels with work.
  cross join lateral (
    select from channel_queue
    where channel_id = g.channel_id and bucket = $1 and lease_owner = $2 limit 1
  ) q
  join channels c on c.id = g.channel_id
  left join lateral (
    select c.type, c.url, c.recipients, c.host, c.encrypted_secret where c.version <> g.version
  ) n on true
  left join lateral (
    select encrypted_secret, ends_at from channel_old_secrets
    where id = g.channel_id and ends_at > $3 and c.version <> g.version limit 1
  ) o on true`;

/**
 * Gives channels back. Each is due again when its first delivery is, by what stands in the database: whatever
 * its holder knew. A channel whose row somebody else has locked is left for the next time.
 */
export async function releaseChannels(
  db: Db,
  release: { workerId: number; channelIds: readonly string[] },
): Promise<string[]> {
  const groups = (await readBuckets(db)).group(release.channelIds, (id) => id);
  const released = await inEachBucket(db, groups, (bucket, channelIds) =>
    queryRows<{ channelId: string }>(db, "releaseChannels", releaseText, [
      bucket,
      toArrayText(channelIds),
      release.workerId,
    ]),
  );
  return released.flat().map(({ channelId }) => channelId);
}

// Whoever queued after this statement began, and is not seen by it, has set next_due_at of the locked row.
const releaseText = `with held as materialized (
    select channel_id, next_due_at from channel_queue
    where bucket = $1 and channel_id = any($2::uuid[]) and lease_owner = $3
    order by channel_id for update skip locked
  ),
  next as materialized (
    select h.channel_id, least(h.next_due_at, (
      select min(first.due_at) from (values (false), (true)) lane (is_retry) cross join lateral (
        select due_at from pending
        where bucket = $1 and channel_id = h.channel_id and is_retry = lane.is_retry
          and due_at > '-infinity'
        order by due_at, id limit 1
      ) first
    )) as due_at
    from held h
  ),
  kept as (
    update channel_queue q set lease_owner = null, next_due_at = n.due_at,
      is_failing = ${isFailing("c.id", "$1")}, host = c.host
    from next n join channels c on c.id = n.channel_id
    where q.channel_id = n.channel_id and q.bucket = $1 and n.due_at < 'infinity'
    returning q.channel_id
  ),
  emptied as (
    delete from channel_queue q using next n
    where q.channel_id = n.channel_id and q.bucket = $1 and n.due_at = 'infinity'
    returning q.channel_id
  )
  select channel_id as "channelId" from kept union all select channel_id from emptied`;

// Claims: one statement leases channels and returns the due deliveries of those that the worker has free slots for, with
// everything that signing needs, all of one moment. A lease belongs to a process (a row of delivery_workers) and is
// stored in the channel's row of the queue: one process at a time sends for a channel.
import sql, { type Sql } from "sql-template-tag";
import type { z } from "zod";
import { type ChannelFilter, openChannelFilter } from "../../domain/channel.ts";
import type {
  ClaimedChannel,
  ClaimRequest,
  DueDelivery,
  FilterFacts,
} from "../../domain/delivery.ts";
import type { reviewCreatedBody } from "../../domain/event.ts";
import { type Db, execute, queryRows, queryValues } from "../query.ts";
import { literal, type Parameter, parameter, unnest } from "../sql.ts";
import { toArrayText } from "../values.ts";
import { inEachBucket, listBucketsWithWork, readBuckets } from "./buckets.ts";
import { isWanted, queryOf } from "./channels.ts";
import { isFailing } from "./health.ts";

/**
 * Leases due channels, takes note that those held already have something new, and claims due deliveries: nothing is
 * written about these, because the worker remembers which ones it has. A channel committed between the snapshot of this
 * statement and its lock may miss deliveries: after `isLeased`, the channel has to be asked about again.
 */
export async function claimDeliveries(db: Db, claim: ClaimRequest): Promise<ClaimedChannel[]> {
  const { group } = await readBuckets(db);
  const heldByBucket = new Map(group(claim.held, ({ channelId }) => channelId));
  const buckets = new Set([...heldByBucket.keys(), ...(await listBucketsWithWork(db, claim.now))]);
  let { answeringMax, failingMax, countMax, bytesMax, busyBytesMax } = claim;
  const claimed: ClaimedChannel[] = [];
  for (const bucket of buckets) {
    const left = { ...claim, answeringMax, failingMax, countMax, bytesMax, busyBytesMax };
    const statement = writeClaim({ ...left, bucket, held: heldByBucket.get(bucket) ?? [] });
    const rows = await queryRows<ClaimRow>(db, "claimDeliveries", statement);
    for (const channel of toChannels(rows)) {
      claimed.push(channel);
      countMax -= channel.deliveries.length;
      const bytes = channel.deliveries.reduce((sum, { body }) => sum + body.length, 0);
      bytesMax -= bytes;
      busyBytesMax -= bytes;
      if (!channel.isLeased) continue;
      if (channel.failingSince === null) answeringMax = Math.max(0, answeringMax - 1);
      else failingMax = Math.max(0, failingMax - 1);
    }
  }
  return claimed;
}

/** What several parts of the statement name. */
type Shared = { bucket: Parameter; now: Parameter; workerId: Parameter };

// News of a channel that this process holds are noted whatever the limits say.
function dueIn(
  { bucket, now, workerId }: Shared,
  lane: { isFailing: boolean; max: number; fullHosts: Parameter },
): Sql {
  return sql`select channel_id, next_due_at from channel_queue
    where bucket = ${bucket} and is_failing = ${literal(lane.isFailing)} and next_due_at <= ${now}
      and next_due_at < 'infinity'
      and (lease_owner is null and host <> all(${lane.fullHosts}::text[]) or lease_owner = ${workerId})
    order by next_due_at limit ${lane.max} for update skip locked`;
}

function line({ bucket, now }: Shared, isRetry: boolean): Sql {
  return sql`(select *, row_number() over () as place from (
      select id, is_retry, is_draft, due_at, queued_at, attempt_count, retry_count from pending
      where channel_id = w.channel_id and bucket = ${bucket} and is_retry = ${literal(isRetry)}
        and due_at <= ${now} and due_at > '-infinity' and id <> all(w.busy_ids)
      order by due_at, id limit w.count_max
    ) first)`;
}

function laterIn({ bucket, now }: Shared, isRetry: boolean): Sql {
  return sql`(select due_at from pending where channel_id = w.channel_id and bucket = ${bucket}
      and is_retry = ${literal(isRetry)} and due_at > ${now} and due_at > '-infinity' order by due_at, id limit 1)`;
}

const itsChannel = sql`cross join lateral (select * from channels where id = w.channel_id limit 1) c`;

type BucketClaim = ClaimRequest & { bucket: number };

/** Leases channels; `chosen` are those that are leased now and those that the worker holds already. */
function writeChosen(claim: BucketClaim, shared: Shared): Sql {
  const { bucket, workerId } = shared;
  const { answeringMax, failingMax } = claim;
  const fullHosts = parameter(toArrayText(claim.fullHosts));
  const held = unnest("h", claim.held, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    count_max: ["int", ({ countMax }) => countMax],
    bytes_max: ["bigint", ({ bytesMax }) => bytesMax],
    busy_ids: ["text", ({ busyIds }) => toArrayText(busyIds)],
  });
  return sql`held as materialized (select * from ${held}),
    answering as (${dueIn(shared, { isFailing: false, max: answeringMax, fullHosts })}),
    failing as (${dueIn(shared, { isFailing: true, max: failingMax, fullHosts })}),
    due as (select * from answering union all select * from failing),
    leased as (
      update channel_queue q set lease_owner = ${workerId}, next_due_at = 'infinity'
      from due join channels c on c.id = due.channel_id
      where q.channel_id = due.channel_id and q.bucket = ${bucket}
      returning q.channel_id
    ),
    chosen as materialized (
      select l.channel_id, true as is_leased, coalesce(h.count_max, ${claim.perChannelMax}) as count_max,
        coalesce(h.bytes_max, ${claim.perChannelBytesMax}) as bytes_max,
        coalesce(h.busy_ids, '{}')::uuid[] as busy_ids
      from leased l left join held h on h.channel_id = l.channel_id
      union all
      select h.channel_id, false, h.count_max, h.bytes_max, h.busy_ids::uuid[] from held h
      cross join lateral (
        select from channel_queue
        where channel_id = h.channel_id and bucket = ${bucket} and lease_owner = ${workerId} limit 1
      ) q
      where not exists (select from leased l where l.channel_id = h.channel_id)
    )`;
}

// First attempts and retries are claimed in turn, each channel's first delivery before any channel's second, and small
// bodies before large ones. The sums are of stored lengths: a body is read once it is known to fit. Rows are looked up
// one by one (`lateral` with `limit`): a plan from when there were few would go on reading all of them.
function writeFitted(claim: BucketClaim, shared: Shared): Sql {
  return sql`found as (
      select w.channel_id, w.bytes_max, w.busy_ids = '{}' as is_empty, n.*, d.event, d.body, d.is_test,
        d.is_wanted, d.filterable, coalesce(octet_length(d.body), 0) as bytes
      from chosen w ${itsChannel}
      cross join lateral (${line(shared, false)} union all ${line(shared, true)}) n
      left join lateral (
        select d.event, d.body, d.is_test, ${isWanted} as is_wanted,
          case when c.filter is not null or c.view_id is not null then
            jsonb_build_object('rating', d.rating, 'topics', d.topics, 'appId', d.app_id) || d.facts
          end as filterable
        from deliveries d
        where d.channel_id = w.channel_id and d.id = n.id and d.bucket = ${shared.bucket} limit 1
      ) d on true
    ),
    summed as (
      select *, sum(bytes) over (partition by channel_id order by place, is_retry) as channel_bytes,
        row_number() over claimed as total_count, sum(bytes) over claimed as total_bytes
      from found window claimed as (order by place, bytes, channel_id rows unbounded preceding)
    ),
    fitted as (
      select *, (channel_bytes <= bytes_max or (is_empty and place = 1)) and total_count <= ${claim.countMax}
        and total_bytes <= case when is_empty then ${claim.bytesMax}::bigint
          else ${claim.busyBytesMax}::bigint end as fits
      from summed
    )`;
}

function writeClaim(claim: BucketClaim): Sql {
  const bucket = parameter(claim.bucket);
  const now = parameter(claim.now);
  const shared = { bucket, now, workerId: parameter(claim.workerId) };
  return sql`with ${writeChosen(claim, shared)},
  ${writeFitted(claim, shared)}
  select w.channel_id as "channelId", w.is_leased as "isLeased", w.count_max as "countMax", c.version,
    ${queryOf(sql`c`)} as query, c.type, c.url, c.recipients, c.request, c.host, c.encrypted_secret as "encryptedSecret",
    o.encrypted_secret as "oldEncryptedSecret", o.ends_at as "oldSecretEndsAt",
    s.failing_since as "failingSince", s.failing_reason as "failingReason",
    coalesce(s.timeout_count, 0) as "timeoutCount",
    least(${laterIn(shared, false)}, ${laterIn(shared, true)}) as "dueAt",
    null::uuid as id, null as event, null as body, null::boolean as "isTest",
    null::boolean as "isWanted", null::jsonb as filterable, null::timestamptz as "queuedAt", null::int as "attemptCount",
    null::int as "retryCount", null::boolean as "isRetry", null::boolean as "isDraft",
    null::boolean as fits
  from chosen w ${itsChannel}
  left join lateral (
    select encrypted_secret, ends_at from channel_old_secrets
    where id = w.channel_id and ends_at > ${now} limit 1
  ) o on true
  left join lateral (
    select failing_since, failing_reason, timeout_count from channel_health
    where channel_id = w.channel_id and bucket = ${bucket} limit 1
  ) s on true
  union all
  (select channel_id, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
    due_at, id, event, case when fits then encode(body, 'base64') end, is_test, is_wanted, filterable, queued_at,
    attempt_count, retry_count, is_retry, is_draft, fits
  from fitted order by place, bytes, channel_id)`;
}

type HeaderRow = Omit<ClaimedChannel, "deliveries" | "unreadableIds" | "hasMore" | "nextDueAt"> & {
  id: null;
  query: string | null;
  countMax: number;
  dueAt: Date | null;
};
// The body as base64, which is shorter than the driver's hexadecimal digits and four times as quick to read.
type DeliveryRow = Omit<DueDelivery, "body"> & {
  body: string | null;
  fits: boolean;
  /** For `review.created` of a channel with further filters. */
  filterable: (FilterFacts & { rating: number; topics: string[]; appId: string }) | null;
};
type ClaimRow = HeaderRow | DeliveryRow;
type ReviewBody = z.infer<typeof reviewCreatedBody>;

/** A row without an id is of a channel, the others are of its deliveries. */
function toChannels(rows: readonly ClaimRow[]): ClaimedChannel[] {
  const channels = new Map<
    string,
    ClaimedChannel & { countMax: number; counts: number[]; filter: ChannelFilter }
  >();
  for (const row of rows) {
    if (row.id !== null) continue;
    const { channelId, dueAt: nextDueAt } = row;
    const nothing = { deliveries: [], unreadableIds: [], hasMore: false, nextDueAt };
    // Apps, stars and topics are compared by the statement.
    const filter = openChannelFilter({ apps: null, stars: null, topics: null, query: row.query });
    channels.set(channelId, { ...row, ...nothing, counts: [0, 0], filter });
  }
  for (const row of rows) {
    const channel = row.id === null ? undefined : channels.get(row.channelId);
    if (row.id === null || !channel) continue;
    const line = row.isRetry ? 1 : 0;
    const count = (channel.counts[line] ?? 0) + 1;
    channel.counts[line] = count;
    if (!row.fits || count >= channel.countMax) channel.hasMore = true;
    if (!row.fits) continue;
    const delivery = toDueDelivery(row);
    if (delivery?.isWanted && row.filterable) {
      delivery.isWanted = row.isTest || takes(channel.filter, delivery.body, row.filterable);
    }
    if (delivery) channel.deliveries.push(delivery);
    else channel.unreadableIds.push(row.id);
  }
  return [...channels.values()];
}

/** Whether the filters, as they are now, take the review that the body announces. */
function takes(
  filter: ChannelFilter,
  body: Buffer,
  { appId: id, ...facts }: NonNullable<DeliveryRow["filterable"]>,
): boolean {
  // The bytes are from composeBody.
  const { app, review }: ReviewBody = JSON.parse(body.toString("utf8"));
  return filter.takesApp({ id, store: app.store }) && filter.takesReview({ ...review, ...facts });
}

/** null when the delivery is not stored. Field by field: rest and spread take several times as long. */
function toDueDelivery(row: DeliveryRow): DueDelivery | null {
  if (typeof row.body !== "string") return null;
  return {
    id: row.id,
    channelId: row.channelId,
    event: row.event,
    body: Buffer.from(row.body, "base64"),
    isTest: row.isTest,
    dueAt: row.dueAt,
    queuedAt: row.queuedAt,
    attemptCount: row.attemptCount,
    retryCount: row.retryCount,
    isRetry: row.isRetry,
    isDraft: row.isDraft,
    isWanted: row.isWanted,
  };
}

/**
 * Ends the wait of drafts that have come due: from now on their bodies are frozen. A translation that comes at
 * the same moment has either been put in before or comes too late.
 */
export async function closeDrafts(
  db: Db,
  drafts: readonly Pick<DueDelivery, "id" | "channelId">[],
): Promise<void> {
  const { group } = await readBuckets(db);
  for (const [bucket, part] of group(drafts, ({ channelId }) => channelId)) {
    const closed = unnest("g", part, {
      channel_id: ["uuid", ({ channelId }) => channelId],
      id: ["uuid", ({ id }) => id],
    });
    const statement = sql`update pending p set is_draft = false from ${closed}
      where p.bucket = ${bucket} and p.channel_id = g.channel_id and p.id = g.id`;
    await execute(db, "closeDrafts", statement);
  }
}

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
    const statement = sql`with unknown as (
        select channel_id from channel_queue
        where bucket = ${bucket} and lease_owner = ${held.workerId} and next_due_at = 'infinity'
          and channel_id <> all(${toArrayText(held.knownIds)}::uuid[])
        order by channel_id for update skip locked
      )
      update channel_queue q set next_due_at = ${held.now} from unknown u
      where q.channel_id = u.channel_id and q.bucket = ${bucket}`;
    count += await execute(db, "signalUnknownChannels", statement);
  }
  return count;
}

/**
 * Gives channels back. Each is due again when its first delivery is, by the rows of the database: whatever
 * its holder knew. A channel whose row is locked by another transaction is left for the next claim.
 */
export async function releaseChannels(
  db: Db,
  release: { workerId: number; channelIds: readonly string[] },
): Promise<string[]> {
  const groups = (await readBuckets(db)).group(release.channelIds, (id) => id);
  const released = await inEachBucket(db, groups, (bucket, channelIds) =>
    queryValues<string>(
      db,
      "releaseChannels",
      writeRelease({ bucket, channelIds, workerId: release.workerId }),
    ),
  );
  return released.flat();
}

// A transaction that queued after this statement began, and is invisible to it, has set next_due_at of the locked row.
function writeRelease(release: {
  bucket: number;
  channelIds: readonly string[];
  workerId: number;
}): Sql {
  const bucket = parameter(release.bucket);
  return sql`with held as materialized (
      select channel_id, next_due_at from channel_queue
      where bucket = ${bucket} and channel_id = any(${toArrayText(release.channelIds)}::uuid[])
        and lease_owner = ${release.workerId}
      order by channel_id for update skip locked
    ),
    next as materialized (
      select h.channel_id, least(h.next_due_at, (
        select min(first.due_at) from (values (false), (true)) lane (is_retry) cross join lateral (
          select due_at from pending
          where bucket = ${bucket} and channel_id = h.channel_id and is_retry = lane.is_retry
            and due_at > '-infinity'
          order by due_at, id limit 1
        ) first
      )) as due_at
      from held h
    ),
    kept as (
      update channel_queue q set lease_owner = null, next_due_at = n.due_at,
        is_failing = ${isFailing(sql`c.id`, bucket)}, host = c.host
      from next n join channels c on c.id = n.channel_id
      where q.channel_id = n.channel_id and q.bucket = ${bucket} and n.due_at < 'infinity'
      returning q.channel_id
    ),
    emptied as (
      delete from channel_queue q using next n
      where q.channel_id = n.channel_id and q.bucket = ${bucket} and n.due_at = 'infinity'
      returning q.channel_id
    )
    select channel_id as "channelId" from kept union all select channel_id from emptied`;
}

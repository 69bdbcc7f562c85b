// Claims: one statement leases channels and returns the due deliveries of those that the worker has free slots for, with
// everything that signing needs, all of one moment. A lease belongs to a process (a row of delivery_workers) and is
// stored in the channel's row of the queue: one process at a time sends for a channel.
import sql, { type Sql } from "sql-template-tag";
import type { z } from "zod";
import { type ChannelFilter, openChannelFilter } from "../../domain/channel/channel.ts";
import type {
  ClaimedChannel,
  ClaimRequest,
  DueDelivery,
  FilterFacts,
} from "../../domain/channel/delivery.ts";
import type { reviewCreatedBody } from "../../domain/channel/event.ts";
import { readBatches } from "../../lib/read-batches.ts";
import { type Db, queryRows } from "../query.ts";
import { literal, type Parameter, parameter, unnest } from "../sql.ts";
import { toArrayText } from "../values.ts";
import { isWanted } from "./channels.ts";

/**
 * Leases due channels, takes note that those held already have something new, and claims due deliveries: nothing is
 * written about these, because the worker remembers which ones it has. A channel committed between the snapshot of this
 * statement and its lock may miss deliveries: after `isLeased`, the channel has to be asked about again.
 */
export async function claimDeliveries(db: Db, claim: ClaimRequest): Promise<ClaimedChannel[]> {
  const rows = await queryRows(db, "claimDeliveries")<ClaimRow>(writeClaim(claim));
  const queryOfView = await readViews(db, rows);
  return rows.map((row) => toChannel(row, queryOfView));
}

const bodiesBatch = 200;

/** Deliveries of a channel that its filters beside apps, stars and topics don't want, of the first `max`. */
export async function listFilteredOut(
  db: Db,
  choice: { channelId: string; of: "expired" | "pending"; max: number },
): Promise<string[]> {
  const { channelId, max } = choice;
  const found = await queryRows(db, "readChannelFilter")<Pick<ClaimRow, "filter" | "viewId">>`
    select filter, view_id as "viewId" from channels
    where id = ${channelId} and (filter is not null or view_id is not null)`;
  const queryOfView = await readViews(db, found);
  const ids: string[] = [];
  for (const channel of found) {
    const filter = openFilter(channel, queryOfView);
    const batches = readBatches(bodiesBatch, (last: FilterableRow | null) =>
      listFilterable(db, { ...choice, afterId: last?.id ?? noId }),
    );
    let seenCount = 0;
    for await (const rows of batches) {
      seenCount += rows.length;
      const unwanted = rows.filter(
        (row) => row.filterable && !takes(filter, row.body, row.filterable),
      );
      ids.push(...unwanted.map(({ id }) => id));
      if (seenCount >= max) break;
    }
  }
  return ids;
}

type FilterableRow = { id: string; body: Buffer } & Pick<DeliveryRow, "filterable">;

const filterableSources = {
  expired: sql`(select * from ended_deliveries where status = 'expired') e`,
  pending: sql`pending e`,
};

/** Those that the other filters want, by id. */
function listFilterable(
  db: Db,
  page: { channelId: string; of: "expired" | "pending"; afterId: string },
): Promise<FilterableRow[]> {
  return queryRows(db, `listFilterable.${page.of}`)`select d.id, d.body, ${filterable}
    from ${filterableSources[page.of]}
    join deliveries d on d.channel_id = e.channel_id and d.id = e.id
    join channels c on c.id = e.channel_id
    where e.channel_id = ${page.channelId} and d.event = 'review.created' and not d.is_test and ${isWanted}
      and e.id > ${page.afterId} order by e.id limit ${bodiesBatch}`;
}

const noId = "00000000-0000-0000-0000-000000000000";

/** Apart from the claim: several servers have views, and the claim is a statement of one. */
async function readViews(
  db: Db,
  rows: readonly Pick<ClaimRow, "viewId">[],
): Promise<ReadonlyMap<string | null, string>> {
  const ids = rows.flatMap(({ viewId }) => viewId ?? []);
  if (ids.length === 0) return new Map();
  const views = await queryRows(db, "readViewsOfClaim")<{ id: string; query: string }>`
    select id, query from saved_views where id = any(${ids}::uuid[])`;
  return new Map(views.map(({ id, query }) => [id, query]));
}

// New deliveries of channels that this process holds are reported whatever the limits are.
function dueIn(
  { now, workerId, fullHosts }: Record<"now" | "workerId" | "fullHosts", Parameter>,
  lane: { isFailing: boolean; max: number },
): Sql {
  return sql`select channel_id, next_due_at from channel_queue
    where is_failing = ${literal(lane.isFailing)} and next_due_at <= ${now}
      and next_due_at < 'infinity'
      and (lease_owner is null and host <> all(${fullHosts}::text[]) or lease_owner = ${workerId})
    order by next_due_at limit ${lane.max} for update skip locked`;
}

function firstDueIn(now: Parameter, isRetry: boolean): Sql {
  return sql`(select *, row_number() over () as place from (
      select id, is_retry, is_draft, due_at, queued_at, attempt_count, retry_count from pending
      where channel_id = w.channel_id and is_retry = ${literal(isRetry)}
        and due_at <= ${now} and due_at > '-infinity' and id <> all(w.busy_ids)
      order by due_at, id limit w.count_max
    ) first)`;
}

function laterIn(now: Parameter, isRetry: boolean): Sql {
  return sql`(select due_at from pending where channel_id = w.channel_id
      and is_retry = ${literal(isRetry)} and due_at > ${now} and due_at > '-infinity' order by due_at, id limit 1)`;
}

const itsChannel = sql`cross join lateral (select * from channels where id = w.channel_id limit 1) c`;

/** Leases channels; `chosen` are those that are leased now and those that the worker holds already. */
function writeChosen(claim: ClaimRequest, now: Parameter): Sql {
  const { answeringMax, failingMax } = claim;
  const workerId = parameter(claim.workerId);
  const named = { now, workerId, fullHosts: parameter(toArrayText(claim.fullHosts)) };
  const held = unnest("h", claim.held, {
    channel_id: ["uuid", ({ channelId }) => channelId],
    count_max: ["int", ({ countMax }) => countMax],
    busy_ids: ["text", ({ busyIds }) => toArrayText(busyIds)],
  });
  // A lease need not survive a crash of PostgreSQL, so no delivery waits for the disk.
  return sql`held as materialized (select * from ${held}),
    fast_commit as materialized (select set_config('synchronous_commit', 'off', true)),
    answering as (${dueIn(named, { isFailing: false, max: answeringMax })}),
    failing as (${dueIn(named, { isFailing: true, max: failingMax })}),
    due as (select * from answering union all select * from failing),
    leased as (
      update channel_queue q set lease_owner = ${workerId}, next_due_at = 'infinity'
      from fast_commit cross join due join channels c on c.id = due.channel_id
      where q.channel_id = due.channel_id
      returning q.channel_id
    ),
    chosen as materialized (
      select l.channel_id, true as is_leased, coalesce(h.count_max, ${claim.perChannelMax}) as count_max,
        coalesce(h.busy_ids, '{}')::uuid[] as busy_ids
      from leased l left join held h on h.channel_id = l.channel_id
      union all
      select h.channel_id, false, h.count_max, h.busy_ids::uuid[] from held h
      cross join lateral (
        select from channel_queue
        where channel_id = h.channel_id and lease_owner = ${workerId} limit 1
      ) q
      where not exists (select from leased l where l.channel_id = h.channel_id)
    )`;
}

/** Null for a channel without further filters. */
const filterable = sql`case when c.filter is not null or c.view_id is not null then
    jsonb_build_object('rating', d.rating, 'topics', d.topics, 'appId', d.app_id) || d.facts
  end as filterable`;

// First attempts and retries are claimed in turn, each channel's first delivery before any channel's second, and small
// bodies before large ones. The sums are of stored lengths: a body is read once it is known to fit, and one always does.
// Rows are looked up one by one (`lateral` with `limit`): a plan from when there were few would go on reading all of them.
function writeFitted(claim: ClaimRequest, now: Parameter): Sql {
  return sql`found as (
      select w.channel_id, n.*, d.event, d.body, d.is_test, d.is_wanted, d.filterable,
        coalesce(octet_length(d.body), 0) as bytes
      from chosen w ${itsChannel}
      cross join lateral (${firstDueIn(now, false)} union all ${firstDueIn(now, true)}) n
      left join lateral (
        select d.event, d.body, d.is_test, ${isWanted} as is_wanted,
          ${filterable}
        from deliveries d
        where d.channel_id = w.channel_id and d.id = n.id limit 1
      ) d on true
    ),
    summed as (
      select *, row_number() over claimed as total_count, sum(bytes) over claimed as total_bytes
      from found window claimed as (order by place, bytes, channel_id rows unbounded preceding)
    ),
    fitted as (
      select *, total_count <= ${claim.countMax} and (total_count = 1 or total_bytes <= ${claim.bytesMax}::bigint) as fits
      from summed
    )`;
}

function writeClaim(claim: ClaimRequest): Sql {
  const now = parameter(claim.now);
  return sql`with ${writeChosen(claim, now)},
  ${writeFitted(claim, now)},
  listed as (
    select channel_id, json_agg(json_build_object('id', id, 'event', event,
      'body', case when fits then encode(body, 'base64') end, 'isTest', is_test, 'isWanted', is_wanted,
      'filterable', filterable, 'dueAt', due_at, 'queuedAt', queued_at, 'attemptCount', attempt_count,
      'retryCount', retry_count, 'isRetry', is_retry, 'isDraft', is_draft, 'fits', fits) order by place, is_retry) as rows
    from fitted group by channel_id
  )
  select w.channel_id as "channelId", w.is_leased as "isLeased", w.count_max as "countMax", c.version,
    c.filter, c.view_id as "viewId", c.type, c.url, c.recipients, c.request, c.host, c.encrypted_secret as "encryptedSecret",
    o.encrypted_secret as "oldEncryptedSecret", o.ends_at as "oldSecretEndsAt",
    s.failing_since as "failingSince", s.failing_reason as "failingReason",
    coalesce(s.timeout_count, 0) as "timeoutCount",
    least(${laterIn(now, false)}, ${laterIn(now, true)}) as "nextDueAt", l.rows
  from chosen w ${itsChannel} left join listed l on l.channel_id = w.channel_id
  left join lateral (
    select encrypted_secret, ends_at from channel_old_secrets
    where id = w.channel_id and ends_at > ${now} limit 1
  ) o on true
  left join lateral (
    select failing_since, failing_reason, timeout_count from channel_health
    where channel_id = w.channel_id limit 1
  ) s on true`;
}

type ClaimRow = Omit<ClaimedChannel, "deliveries" | "hasMore"> & {
  filter: string | null;
  viewId: string | null;
  countMax: number;
  rows: DeliveryRow[] | null;
};
// The body as base64, which is shorter than hexadecimal digits and four times as quick to read.
type DeliveryRow = Omit<DueDelivery, "channelId" | "body" | "isWanted" | "dueAt" | "queuedAt"> & {
  /** Null without a stored delivery, like `isWanted`. */
  body: string | null;
  isWanted: boolean | null;
  dueAt: string;
  queuedAt: string;
  fits: boolean;
  /** For `review.created` of a channel with further filters. */
  filterable: (FilterFacts & { rating: number; topics: string[]; appId: string }) | null;
};
type ReviewBody = z.infer<typeof reviewCreatedBody>;

function toChannel(
  { countMax, filter: own, viewId, rows, ...channel }: ClaimRow,
  queryOfView: ReadonlyMap<string | null, string>,
): ClaimedChannel {
  const filter = openFilter({ filter: own, viewId }, queryOfView);
  const all = rows ?? [];
  const isFull = (isRetry: boolean): boolean =>
    all.filter((row) => row.isRetry === isRetry).length >= countMax;
  const hasMore =
    all.some(({ fits }) => !fits) || (all.length > 0 && (isFull(false) || isFull(true)));
  const deliveries = all
    .filter(({ fits }) => fits)
    .map((row) => toDueDelivery(row, { channelId: channel.channelId, filter }));
  return { ...channel, hasMore, deliveries };
}

/** Apps, stars and topics are compared by the statements. */
function openFilter(
  { filter, viewId }: Pick<ClaimRow, "filter" | "viewId">,
  queryOfView: ReadonlyMap<string | null, string>,
): ChannelFilter {
  const query = filter ?? queryOfView.get(viewId) ?? null;
  return openChannelFilter({ apps: null, stars: null, topics: null, query });
}

function toDueDelivery(
  row: DeliveryRow,
  { channelId, filter }: { channelId: string; filter: ChannelFilter },
): DueDelivery {
  const { filterable, fits: _, ...delivery } = row;
  const body = Buffer.from(row.body ?? "", "base64");
  // Nothing should wait of which nothing is stored; it would be cancelled.
  const isWanted =
    row.isWanted === true && (row.isTest || !filterable || takes(filter, body, filterable));
  const [dueAt, queuedAt] = [new Date(row.dueAt), new Date(row.queuedAt)];
  return { ...delivery, channelId, body, isWanted, dueAt, queuedAt };
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

// Claiming: due channels first, then a few rows of each, so that one channel's backlog never hides
// another's work. What is claimed is leased: nobody else gets it until the lease ends.
import type { ClaimedDelivery, SendTarget } from "../reviews/delivery.ts";
import { type Db, rows } from "./db.ts";

export type DeliveryClaim = {
  leaseToken: string;
  now: Date;
  leasedUntil: Date;
  /** How many deliveries may be claimed at most, and how many of them for failing channels. */
  room: number;
  failingRoom: number;
  perChannelMax: number;
  /** Timeouts in a row from which on a channel gets one attempt at a time. */
  probeAfter: number;
  /** What the caller has in flight already, per channel. */
  inFlight: readonly { channelId: string; count: number }[];
  /** Channels that have no room now. */
  fullChannelIds: readonly string[];
};

/**
 * Leases due deliveries and counts the attempt. Runs inside a transaction: the second statement has
 * to see everything that was queued before the first one locked the channels.
 */
export async function claimDeliveries(db: Db, claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
  const channels = await lockDueChannels(db, claim);
  if (channels.length === 0) return [];
  const rooms = shareRoom(channels, claim);
  return rows(
    db,
    "claimDeliveries",
    `with chosen as (
       select r.channel_id, r.room, c.failing_since is not null as is_failing,
         c.timeout_count >= $5 as is_probe
       from unnest($1::uuid[], $2::int[]) as r (channel_id, room)
       join channels c on c.id = r.channel_id
     ),
     due as (
       select d.id from chosen ch cross join lateral (
         select id from deliveries
         where channel_id = ch.channel_id and status = 'pending' and due_at <= $3
         order by due_at limit ch.room for update skip locked
       ) d
     ),
     claimed as (
       update deliveries d set attempt_count = d.attempt_count + 1,
         retry_count = d.retry_count + 1, lease_token = $6, due_at = $4
       -- As an array: the planner takes few of them for many, and would read the whole table.
       where d.id = any(array(select id from due))
       returning d.id, d.channel_id, d.event, d.body, d.is_test, d.created_at, d.queued_at,
         d.attempt_count, d.retry_count
     ),
     next as (
       select ch.channel_id, ch.is_failing, least(
         -- Not before now: a channel that was served goes behind those that wait.
         greatest(rest.due_at, $3),
         (select $4::timestamptz from claimed c where c.channel_id = ch.channel_id limit 1)
       ) as due_at
       from chosen ch left join lateral (
         select due_at from deliveries
         where channel_id = ch.channel_id and status = 'pending'
           and id not in (select id from claimed)
         order by due_at limit 1
       ) rest on true
     ),
     kept as (
       update channel_queue q set next_due_at = n.due_at, is_failing = n.is_failing
       from next n where q.channel_id = n.channel_id and n.due_at is not null
     ),
     emptied as (
       delete from channel_queue q using next n
       where q.channel_id = n.channel_id and n.due_at is null
     )
     select c.id, c.channel_id as "channelId", c.event, c.body, c.is_test as "isTest",
       c.created_at as "createdAt", c.queued_at as "queuedAt",
       c.attempt_count - 1 as "attemptCount", c.retry_count - 1 as "retryCount",
       $6::uuid as "leaseToken", ch.is_failing as "isFailing", ch.is_probe as "isProbe"
     from claimed c join chosen ch on ch.channel_id = c.channel_id`,
    [
      rooms.map(({ channelId }) => channelId),
      rooms.map(({ room }) => room),
      claim.now,
      claim.leasedUntil,
      claim.probeAfter,
      claim.leaseToken,
    ],
  );
}

type DueChannel = { channelId: string; isFailing: boolean; timeoutCount: number };

function lockDueChannels(db: Db, claim: DeliveryClaim): Promise<DueChannel[]> {
  return rows(
    db,
    "lockDueChannels",
    `with answering as (
       select channel_id, is_failing, next_due_at from channel_queue
       where not is_failing and next_due_at <= $1 and channel_id <> all($2::uuid[])
       order by next_due_at limit $3 for update skip locked
     ),
     failing as (
       select channel_id, is_failing, next_due_at from channel_queue
       where is_failing and next_due_at <= $1 and channel_id <> all($2::uuid[])
       order by next_due_at limit $4 for update skip locked
     )
     select d.channel_id as "channelId", d.is_failing as "isFailing",
       c.timeout_count as "timeoutCount"
     from (select * from answering union all select * from failing) d
     join channels c on c.id = d.channel_id order by d.next_due_at`,
    [claim.now, claim.fullChannelIds, claim.room, claim.failingRoom],
  );
}

/** Each lane shares its room evenly; channels that wait longest come first when there is too little. */
function shareRoom(channels: readonly DueChannel[], claim: DeliveryClaim): ChannelRoom[] {
  const failing = channels.filter((channel) => channel.isFailing);
  const answering = channels.filter((channel) => !channel.isFailing);
  const failingRoom = Math.min(claim.failingRoom, failing.length * claim.perChannelMax);
  return [
    ...shareLane(failing, { claim, room: failingRoom }),
    ...shareLane(answering, { claim, room: claim.room - failingRoom }),
  ];
}

type ChannelRoom = { channelId: string; room: number };

function shareLane(
  channels: readonly DueChannel[],
  lane: { claim: DeliveryClaim; room: number },
): ChannelRoom[] {
  const { claim } = lane;
  const taken = new Map(claim.inFlight.map(({ channelId, count }) => [channelId, count]));
  const served = channels.slice(0, lane.room);
  const share = Math.floor(lane.room / served.length);
  return served.map(({ channelId, timeoutCount }) => {
    const cap = timeoutCount >= claim.probeAfter ? 1 : claim.perChannelMax;
    return { channelId, room: Math.max(0, Math.min(cap - (taken.get(channelId) ?? 0), share)) };
  });
}

/**
 * Where these deliveries go right now: those that were cancelled, deleted or taken over meanwhile are
 * left out. Read it right before signing, and keep none of it.
 */
export function loadSendTargets(
  db: Db,
  wanted: { ids: readonly string[]; leaseToken: string },
): Promise<SendTarget[]> {
  return rows(
    db,
    "loadSendTargets",
    `select d.id as "deliveryId", c.url, c.sealed_secret as "sealedSecret",
       d.is_test or d.event = any(c.events) as "isWanted"
     from deliveries d join channels c on c.id = d.channel_id
     where d.id = any($1::uuid[]) and d.lease_token = $2 and d.status = 'pending'`,
    [wanted.ids, wanted.leaseToken],
  );
}

/** Gives back what was not sent: due at once, and the attempt is not counted. */
export async function releaseLeases(
  db: Db,
  release: {
    deliveries: readonly Pick<ClaimedDelivery, "id" | "channelId" | "leaseToken">[];
    now: Date;
  },
): Promise<void> {
  const { deliveries, now } = release;
  await rows(
    db,
    "releaseLeases",
    `with there as (
       select id, failing_since from channels where id = any($2::uuid[]) order by id for key share
     ),
     released as (
       update deliveries d set lease_token = null, due_at = $4,
         attempt_count = d.attempt_count - 1, retry_count = d.retry_count - 1
       from unnest($1::uuid[], $3::uuid[]) g (id, lease_token), there t
       where d.id = g.id and d.lease_token = g.lease_token and d.channel_id = t.id
         and d.status = 'pending'
       returning d.channel_id
     )
     insert into channel_queue as q (channel_id, next_due_at, is_failing)
     select id, $4, failing_since is not null
     from there where id in (select channel_id from released) order by id
     on conflict (channel_id) do update set
       next_due_at = least(q.next_due_at, excluded.next_due_at)`,
    [
      deliveries.map(({ id }) => id),
      deliveries.map(({ channelId }) => channelId),
      deliveries.map(({ leaseToken }) => leaseToken),
      now,
    ],
  );
}

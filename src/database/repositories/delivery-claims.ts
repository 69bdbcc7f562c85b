// Claiming: due channels first, then a few rows of each, so that one channel's backlog never hides
// another's work. What is claimed is leased: nobody else gets it until the lease ends.
import type { ClaimedDelivery, DeliveryClaim } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, queryRows } from "../query.ts";

/**
 * Leases due deliveries and counts the attempt. Runs inside a transaction: the second statement has
 * to see everything that was queued before the first one locked the channels. A crash of the server
 * may forget the claim, never an outcome: what was sent meanwhile is then sent again.
 */
export async function claimDeliveries(db: Db, claim: DeliveryClaim): Promise<ClaimedDelivery[]> {
  const channels = await lockDueChannels(db, claim);
  if (channels.length === 0) return [];
  const deps = shareRoom(channels, claim);
  const taken = new Map(claim.taken.map((one) => [one.channelId, one]));
  const claimed = await queryRows<Omit<ClaimedDelivery, "leaseToken">>(
    db,
    "claimDeliveries",
    claimText,
    [
      toArrayText(deps.map(({ channelId }) => channelId)),
      toArrayText(deps.map(({ room }) => room)),
      toArrayText(deps.map(({ channelId }) => taken.get(channelId)?.freshCount ?? 0)),
      toArrayText(deps.map(({ channelId }) => taken.get(channelId)?.retryCount ?? 0)),
      claim.now,
      claim.leasedUntil,
      claim.probeAfter,
      claim.leaseToken,
    ],
  );
  return claimed.map((delivery) => ({ ...delivery, leaseToken: claim.leaseToken }));
}

/** The head of one line of a channel, and its place behind what the caller has of that line. */
const lineOf = (line: { isRetry: boolean; takenCount: string }): string =>
  `select place_on_disk, due_at, ${line.takenCount} + row_number() over (order by due_at) as place
   from (
     select ctid as place_on_disk, due_at from deliveries
     where channel_id = ch.channel_id and status = 'pending' and is_retry = ${line.isRetry}
       and due_at <= $5 and (leased_until is null or leased_until <= $5)
     order by due_at limit ch.room for update skip locked
   ) head`;

// Every look at a channel's pending rows is in the order of their index, so that no plan, however old,
// reads through the channel's log instead.
//
// Both lines of a channel are served alike, the longer waiting one first: neither retries nor first
// attempts wait behind all of the others.
const claimText = `with chosen as (
    select r.channel_id, r.room, r.fresh_count, r.retry_count, c.host,
      c.failing_since is not null as is_failing, c.timeout_count >= $7 as is_probe
    from unnest($1::uuid[], $2::int[], $3::int[], $4::int[])
      as r (channel_id, room, fresh_count, retry_count)
    join channels c on c.id = r.channel_id
  ),
  due as materialized (
    select d.place_on_disk from chosen ch cross join lateral (
      select place_on_disk from (
        ${lineOf({ isRetry: false, takenCount: "ch.fresh_count" })}
        union all
        ${lineOf({ isRetry: true, takenCount: "ch.retry_count" })}
      ) lines order by place, due_at limit ch.room
    ) d
  ),
  claimed as (
    update deliveries d set attempt_count = d.attempt_count + 1, retry_count = d.retry_count + 1,
      lease_token = $8, leased_until = $6
    -- Where they were just locked. As an array: the planner takes few of them for many, and would read
    -- the whole table.
    where d.ctid = any(array(select place_on_disk from due))
    returning d.id, d.channel_id, d.event, d.body, d.is_test, d.is_retry, d.queued_at,
      d.attempt_count, d.retry_count
  ),
  next as (
    select ch.channel_id, ch.is_failing, ch.host, coalesce(
      -- Not before now: a channel that was served goes behind those that wait.
      (select $5::timestamptz from (values (false), (true)) line (is_retry)
       cross join lateral (
         select from deliveries
         where channel_id = ch.channel_id and status = 'pending' and is_retry = line.is_retry
           and due_at <= $5 and (leased_until is null or leased_until <= $5)
           and id <> all(array(select id from claimed))
         order by due_at limit 1
       ) more limit 1),
      least(
        (select min(later.due_at) from (values (false), (true)) line (is_retry)
         cross join lateral (
           select due_at from deliveries
           where channel_id = ch.channel_id and status = 'pending' and is_retry = line.is_retry
             and due_at > $5
           order by due_at limit 1
         ) later),
        -- Whatever is leased is looked at again when this lease ends, or one soon after.
        (select $6::timestamptz from deliveries
         where channel_id = ch.channel_id and status = 'pending' and due_at <= $5
         order by is_retry, due_at limit 1)
      )
    ) as due_at
    from chosen ch
  ),
  kept as (
    update channel_queue q set next_due_at = n.due_at, is_failing = n.is_failing, host = n.host
    from next n where q.channel_id = n.channel_id and n.due_at is not null
  ),
  emptied as (
    delete from channel_queue q using next n
    where q.channel_id = n.channel_id and n.due_at is null
  )
  select c.id, c.channel_id as "channelId", c.event, c.body, c.is_test as "isTest",
    c.queued_at as "queuedAt", c.attempt_count - 1 as "attemptCount",
    c.retry_count - 1 as "retryCount", ch.host,
    c.is_retry as "isRetry", ch.is_failing as "isFailing", ch.is_probe as "isProbe"
  from claimed c join chosen ch on ch.channel_id = c.channel_id
  order by c.queued_at, c.id`;

// A channel's turn. Looking at a channel costs more than taking a row of it, and whoever has to wait for
// the next claim waits a few milliseconds.
const perTurn = 4;

type DueChannel = { channelId: string; isFailing: boolean; host: string; timeoutCount: number };

function lockDueChannels(db: Db, claim: DeliveryClaim): Promise<DueChannel[]> {
  return queryRows(
    db,
    "lockDueChannels",
    `with answering as (
       select channel_id, is_failing, next_due_at, host from channel_queue
       where not is_failing and next_due_at <= $1 and channel_id <> all($2::uuid[])
         and host <> all($5::text[])
       order by next_due_at limit $3 for update skip locked
     ),
     failing as (
       select channel_id, is_failing, next_due_at, host from channel_queue
       where is_failing and next_due_at <= $1 and channel_id <> all($2::uuid[])
         and host <> all($5::text[])
       order by next_due_at limit $4 for update skip locked
     )
     select d.channel_id as "channelId", d.is_failing as "isFailing", d.host,
       (select timeout_count from channels c where c.id = d.channel_id) as "timeoutCount",
       -- A claim need not reach the disk before the request goes out; see claimDeliveries.
       set_config('synchronous_commit', 'off', true) as "commit"
     from (select * from answering union all select * from failing) d order by d.next_due_at`,
    [
      claim.now,
      toArrayText(claim.fullChannelIds),
      Math.ceil(claim.room / perTurn),
      Math.ceil(claim.failingRoom / perTurn),
      toArrayText(claim.fullHosts),
    ],
  );
}

type ChannelRoom = { channelId: string; room: number };

/** Each lane shares its room evenly; channels that wait longest come first when there is too little. */
function shareRoom(channels: readonly DueChannel[], claim: DeliveryClaim): ChannelRoom[] {
  const failing = channels.filter((channel) => channel.isFailing);
  const answering = channels.filter((channel) => !channel.isFailing);
  const failingRoom = Math.min(claim.failingRoom, failing.length * claim.perFailingChannelMax);
  const hosts = new Map(
    claim.takenHosts.map(({ host, count }) => [host, Math.max(0, claim.perHostMax - count)]),
  );
  return [
    ...shareLane(failing, { claim, hosts, room: failingRoom }),
    ...shareLane(answering, { claim, hosts, room: claim.room - failingRoom }),
  ];
}

/** @param lane.hosts the room that each host has left */
function shareLane(
  channels: readonly DueChannel[],
  lane: { claim: DeliveryClaim; hosts: Map<string, number>; room: number },
): ChannelRoom[] {
  const { claim, hosts } = lane;
  const taken = new Map(claim.taken.map((one) => [one.channelId, one.freshCount + one.retryCount]));
  const served = channels.slice(0, lane.room);
  const share = Math.floor(lane.room / served.length);
  return served.map((channel) => {
    const { channelId, host } = channel;
    const hostRoom = hosts.get(host) ?? claim.perHostMax;
    const channelRoom = capOf(channel, claim) - (taken.get(channelId) ?? 0);
    const room = Math.max(0, Math.min(channelRoom, share, hostRoom));
    hosts.set(host, hostRoom - room);
    return { channelId, room };
  });
}

function capOf({ isFailing, timeoutCount }: DueChannel, claim: DeliveryClaim): number {
  if (timeoutCount >= claim.probeAfter) return 1;
  return isFailing ? claim.perFailingChannelMax : claim.perChannelMax;
}

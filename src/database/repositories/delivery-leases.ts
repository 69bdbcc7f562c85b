// What the holder of a lease asks between claiming and sending, and how it gives a lease back.
import type { ClaimedDelivery, SendTarget, SendTargets } from "../../domain/delivery.ts";
import { toArrayText } from "../array-text.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import { isWanted } from "../read-models/delivery-filter.ts";

/**
 * Where these deliveries go right now: those that were cancelled, deleted or taken over meanwhile are
 * left out. One statement, one moment: read it right before signing, and keep none of it.
 */
export async function loadSendTargets(
  db: Db,
  wanted: { ids: readonly string[]; leaseTokens: readonly string[] },
): Promise<SendTargets> {
  type Found = SendTarget & { wantedIds: string | null; unwantedIds: string | null };
  const found = await queryRows<Found>(
    db,
    "loadSendTargets",
    // A row for each channel, with its ids in one text: rows and fields are what this costs.
    `select c.id as "channelId", c.url, c.encrypted_secret as "encryptedSecret",
       string_agg(d.id::text, ',') filter (where ${isWanted}) as "wantedIds",
       string_agg(d.id::text, ',') filter (where not ${isWanted}) as "unwantedIds"
     from unnest($1::uuid[], $2::uuid[]) g (id, lease_token)
     join deliveries d on d.id = g.id and d.lease_token = g.lease_token and d.status = 'pending'
     join channels c on c.id = d.channel_id
     group by c.id`,
    [toArrayText(wanted.ids), toArrayText(wanted.leaseTokens)],
  );
  return {
    targets: found.map(({ channelId, url, encryptedSecret }) => ({
      channelId,
      url,
      encryptedSecret,
    })),
    wantedIds: found.flatMap(({ wantedIds }) => wantedIds?.split(",") ?? []),
    unwantedIds: found.flatMap(({ unwantedIds }) => unwantedIds?.split(",") ?? []),
  };
}

/** Gives back what was not sent: due at once, and the attempt is not counted. Returns how many. */
export async function releaseLeases(
  db: Db,
  release: {
    deliveries: readonly Pick<ClaimedDelivery, "id" | "channelId" | "leaseToken">[];
    now: Date;
  },
): Promise<number> {
  const { deliveries, now } = release;
  const released = await queryFirstRow<{ count: number }>(
    db,
    "releaseLeases",
    `with there as (
       select id, failing_since, host from channels where id = any($2::uuid[])
       order by id for key share
     ),
     released as (
       update deliveries d set lease_token = null, leased_until = null,
         attempt_count = d.attempt_count - 1, retry_count = d.retry_count - 1
       from unnest($1::uuid[], $3::uuid[]) g (id, lease_token), there t
       where d.id = g.id and d.lease_token = g.lease_token and d.channel_id = t.id
         and d.status = 'pending'
       returning d.channel_id
     ),
     advanced as (
       insert into channel_queue as q (channel_id, next_due_at, is_failing, host)
       select id, $4, failing_since is not null, host
       from there where id in (select channel_id from released) order by id
       on conflict (channel_id) do update set
         next_due_at = least(q.next_due_at, excluded.next_due_at),
         is_failing = excluded.is_failing
     )
     select count(*) from released`,
    [
      deliveries.map(({ id }) => id),
      deliveries.map(({ channelId }) => channelId),
      deliveries.map(({ leaseToken }) => leaseToken),
      now,
    ],
  );
  return released?.count ?? 0;
}

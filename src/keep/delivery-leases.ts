// What the holder of a lease asks between claiming and sending, and how it gives a lease back.
import type { ClaimedDelivery, SendTarget, SendTargets } from "../reviews/delivery.ts";
import { type Db, firstRow, rows } from "./db.ts";
import { isWanted } from "./delivery-filter.ts";

/**
 * Where these deliveries go right now: those that were cancelled, deleted or taken over meanwhile are
 * left out. One statement, one moment: read it right before signing, and keep none of it.
 */
export async function loadSendTargets(
  db: Db,
  wanted: { ids: readonly string[]; leaseTokens: readonly string[] },
): Promise<SendTargets> {
  type Found = {
    id: string;
    channelId: string;
    isWanted: boolean;
    url: string | null;
    sealedSecret: Buffer | null;
  };
  const found = await rows<Found>(
    db,
    "loadSendTargets",
    // The channel's part comes once, with its first delivery: secrets are opened once for all.
    `select d.id, d.channel_id as "channelId", ${isWanted} as "isWanted",
       case when d.place = 1 then c.url end as url,
       case when d.place = 1 then c.sealed_secret end as "sealedSecret"
     from (
       select e.id, e.channel_id, e.event, e.is_test, e.app_id, e.rating, e.topics,
         row_number() over (partition by e.channel_id) as place
       from unnest($1::uuid[], $2::uuid[]) g (id, lease_token)
       join deliveries e on e.id = g.id and e.lease_token = g.lease_token and e.status = 'pending'
     ) d join channels c on c.id = d.channel_id`,
    [wanted.ids, wanted.leaseTokens],
  );
  const targets = found.flatMap(({ channelId, url, sealedSecret }): SendTarget[] =>
    url !== null && sealedSecret !== null ? [{ channelId, url, sealedSecret }] : [],
  );
  return {
    targets,
    wantedIds: found.filter((one) => one.isWanted).map(({ id }) => id),
    unwantedIds: found.filter((one) => !one.isWanted).map(({ id }) => id),
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
  const released = await firstRow<{ count: number }>(
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

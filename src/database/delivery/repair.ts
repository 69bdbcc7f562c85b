// Channels that the queue has overlooked. There should be none, but a delivery of one would be lost.
import sql from "sql-template-tag";
import { type Db, queryCount } from "../query.ts";
import { advanceTo } from "./enqueue.ts";

/**
 * Finds channels that no worker holds and whose queue row is missing or late, and puts them right; returns how
 * many. Pending rows of deleted channels are marked for deletion.
 */
export async function repairQueue(db: Db, now: Date): Promise<number> {
  // A few index probes per channel with work, however many deliveries it has.
  return queryCount(db, "repairQueue")`with recursive busy (channel_id) as (
    (select channel_id from pending order by channel_id limit 1)
    union all
    select n.channel_id from busy b cross join lateral (
      select channel_id from pending where channel_id > b.channel_id order by channel_id limit 1
    ) n
  ),
  heads as (
    select b.channel_id, min(h.due_at) as due_at
    from busy b cross join (values (false), (true)) lane (is_retry) cross join lateral (
      select due_at from pending
      where channel_id = b.channel_id and is_retry = lane.is_retry and due_at > '-infinity'
      order by due_at, id limit 1
    ) h
    group by b.channel_id
  ),
  overlooked as materialized (
    select h.channel_id, h.due_at, c.id is null as is_deleted
    from heads h left join channels c on c.id = h.channel_id
    left join channel_queue k on k.channel_id = h.channel_id
    where c.id is null or k.channel_id is null
      or (k.lease_owner is null and k.next_due_at > greatest(h.due_at, ${now}))
  ),
  deleted as (
    insert into deleted_channels (channel_id, deleted_at)
    select channel_id, ${now} from overlooked where is_deleted on conflict do nothing
  ),
  advanced as (${advanceTo(sql`o.due_at`, sql`overlooked o join channels c on c.id = o.channel_id`)})
  select count(*) from overlooked where not is_deleted`;
}

// Where a delivery stands: in `pending` while it waits, in `ended_deliveries` when it ended in another way than
// delivered, else it was delivered. And its last attempt: in `attempts` or in a page of `delivered_pages`.

/** Joined to a delivery `d` of that bucket. */
export const stateOf = (bucket: string): string => `
  left join pending p on p.channel_id = d.channel_id and p.id = d.id and p.bucket = ${bucket}
  left join ended_deliveries e on e.channel_id = d.channel_id and e.id = d.id and e.bucket = ${bucket}`;

export const statusOf = `case when p.id is not null then 'pending'
    when e.id is not null then e.status else 'delivered' end`;

/** The attempt that stands in a page, if one does: a delivery's first. */
export const pagedAttempt = (
  bucket: string,
): string => `select 1 as number, t.started_at, t.duration_ms, t.status::integer,
    null::text as reason, null::bytea as answer
  from (
    select ids, started_at, durations_ms, statuses from delivered_pages g
    where g.channel_id = d.channel_id and g.last_id >= d.id and g.first_id <= d.id
      and g.bucket = ${bucket} and d.id = any(g.ids)
    order by g.last_id limit 1
  ) g cross join lateral unnest(g.ids, g.started_at, g.durations_ms, g.statuses)
    as t (id, started_at, duration_ms, status)
  where t.id = d.id`;

/** Joined to a delivery with its state. */
export const lastAttemptOf = (bucket: string): string => `
  left join lateral (
    select number, started_at, duration_ms, status, reason from attempts
    where delivery_id = d.id and bucket = ${bucket} order by number desc limit 1
  ) f on true
  left join lateral (
    select number, started_at, duration_ms, status, reason from (${pagedAttempt(bucket)}) paged
    where f.number is null and coalesce(p.attempt_count, e.attempt_count, 1) > 0
  ) s on true`;

// The rows still waiting in the queue of a model check, with their reasons.
import type pg from "pg";

export async function countPending(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query(
    "select count(*)::int as count from pending p join channels c on c.id = p.channel_id",
  );
  return rows[0].count;
}

/** By channel: its row of the queue beside what waits for it, and the processes that may hold it. Seconds from now. */
export async function describeWaiting(admin: pg.Client): Promise<object> {
  const now = "clock_timestamp()";
  const channels = await admin.query(
    `select c.id, c.host, h.failing_since is not null as failing, h.failing_reason, h.timeout_count,
       q.lease_owner, q.next_due_at::text, q.is_failing, p.*
     from channels c left join channel_queue q on q.channel_id = c.id
     left join channel_health h on h.channel_id = c.id
     join lateral (
       select count(*)::int as waiting, sum(is_retry::int)::int as retries, sum(is_draft::int)::int as drafts,
         max(attempt_count) as attempts_max, max(retry_count) as retries_max,
         extract(epoch from min(due_at) - ${now})::int as first_due_in,
         extract(epoch from max(due_at) - ${now})::int as last_due_in
       from pending where channel_id = c.id
     ) p on p.waiting > 0`,
  );
  const workers = await admin.query(
    `select id, extract(epoch from leased_until - ${now})::int as leased_for from delivery_workers`,
  );
  const statements = await admin.query(
    `select pid, state, wait_event, left(query, 80) as query, extract(epoch from ${now} - state_change)::int as since
     from pg_stat_activity
     where datname = current_database() and application_name like 'starpost-delivery%'`,
  );
  return { channels: channels.rows, workers: workers.rows, statements: statements.rows };
}

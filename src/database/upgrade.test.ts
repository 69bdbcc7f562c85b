// A database of the first schema, with rows of things that have changed since, is brought to the schema of today.
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noLimits } from "../../test/support/claims.ts";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { silentLog } from "../lib/log.ts";
import { openDatabase } from "./database.ts";
import { migrate, migrateAsFar } from "./migrate.ts";

const ids = {
  workspace: "00000000-0000-4000-8000-000000000001",
  listing: "00000000-0000-4000-8000-000000000002",
  app: "00000000-0000-4000-8000-000000000003",
  tuned: "00000000-0000-4000-8000-000000000004",
  plain: "00000000-0000-4000-8000-000000000005",
  view: "00000000-0000-4000-8000-000000000006",
  channel: "00000000-0000-4000-8000-000000000007",
};

let cloned: TestDatabase;
let pool: pg.Pool;
beforeEach(async () => {
  cloned = await cloneDatabase();
  pool = new pg.Pool(cloned);
  await pool.query(
    "drop schema public cascade; drop schema starpost_v1 cascade; create schema public",
  );
  const client = await pool.connect();
  await client.query("begin");
  await client.query(
    "create table migrations (number integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())",
  );
  await migrateAsFar(client, ["001-schema.sql"]);
  await client.query("commit");
  client.release();
});
afterEach(async () => {
  await pool.end();
  await cloned.drop();
});

const at = (second: number): Date => new Date(Date.UTC(2026, 2, 2, 12, 0, second));

test("a database that was spread over servers with buckets is refused with the way out", async () => {
  await pool.query("update distribution set bucket_count = 4, is_distributed = true");
  await expect(migrate(pool)).rejects.toThrow("restore a backup on one server");
});

test("the queue and the log of deliveries stay, and those that arrived at once keep their attempt", async () => {
  const id = (end: number): string => `01980000-0000-7000-8000-${ids.channel.slice(-12, -1)}${end}`;
  const [arrived, failed, waiting, expired] = [id(1), id(2), id(3), id(4)];
  await pool.query(
    `insert into workspaces (id, name, plan, created_at) values ('${ids.workspace}', 'Old', 'studio', now())`,
  );
  await pool.query("insert into encryption_keys (id, added_at) values ('k', now())");
  await pool.query(
    `insert into channels (id, workspace_id, type, name, url, host, recipients, events, translate, drop_threshold,
       period_days, min_sample_size, encrypted_secret, key_id, created_at)
     values ('${ids.channel}', '${ids.workspace}', 'webhook', 'Hook', 'https://hooks.example.com/in', 'hooks.example.com',
       '{}', '{review.created}', false, 0.3, 7, 20, '\\x00', 'k', now())`,
  );
  for (const one of [arrived, failed, waiting, expired]) {
    await pool.query(
      `insert into deliveries (id, channel_id, workspace_id, event, body, is_test, created_at)
       values ('${one}', '${ids.channel}', '${ids.workspace}', 'review.created', '{}', false, $1)`,
      [at(0)],
    );
  }
  await pool.query(
    `insert into delivered_pages (channel_id, first_id, last_id, ids, started_at, durations_ms, statuses)
     values ('${ids.channel}', '${arrived}', '${failed}', '{${arrived},${failed}}', $1, '{12,34}', '{204,200}')`,
    [[at(1), at(2)]],
  );
  // It was sent again after it had arrived, and failed then.
  await pool.query(
    `insert into attempts (delivery_id, number, started_at, duration_ms, status, reason)
     values ('${failed}', 2, $1, 56, 500, 'HTTP 500')`,
    [at(3)],
  );
  await pool.query(
    `insert into pending (channel_id, id, is_retry, due_at, queued_at, attempt_count)
     values ('${ids.channel}', '${failed}', true, now(), now(), 2),
       ('${ids.channel}', '${waiting}', false, now(), now(), 0)`,
  );
  await pool.query(
    `insert into ended_deliveries (channel_id, id, status, finished_at, attempt_count)
     values ('${ids.channel}', '${expired}', 'expired', now(), 0)`,
  );
  await pool.query(
    `insert into channel_queue (channel_id, next_due_at, is_failing, host)
     values ('${ids.channel}', now(), true, 'hooks.example.com')`,
  );
  expect(await migrate(pool)).toContain("004-every-attempt-has-a-row.sql");
  const database = await openDatabase({ log: silentLog, connection: cloned });
  const find = (one: string) => database.findDelivery({ id: one, workspaceId: ids.workspace });
  expect(await find(arrived)).toMatchObject({
    status: "delivered",
    attempts: [{ number: 1, startedAt: at(1), durationMs: 12, status: 204, reason: null }],
  });
  expect(await find(failed)).toMatchObject({
    status: "pending",
    attemptCount: 2,
    attempts: [
      { number: 1, startedAt: at(2), durationMs: 34, status: 200 },
      { number: 2, startedAt: at(3), durationMs: 56, status: 500 },
    ],
  });
  expect(await find(waiting)).toMatchObject({ status: "pending", attempts: [] });
  expect(await find(expired)).toMatchObject({ status: "expired", attempts: [] });
  await database.transaction((tx) => tx.addDeliveryDays({ from: new Date(), dayCount: 9 }));
  const queue = database.openDeliveryQueue();
  const workerId = await queue.addWorker({ leaseMs: 60_000 });
  const claimed = await queue.claimDeliveries({
    ...noLimits,
    workerId,
    now: new Date(Date.now() + 60_000),
  });
  expect(claimed.flatMap((channel) => channel.deliveries.map((one) => one.id)).sort()).toEqual([
    failed,
    waiting,
  ]);
  await queue.close();
  await database.close();
});

test("rows of a fine-tuning are analysed again, and what people made has a version", async () => {
  await pool.query(
    `insert into workspaces (id, name, plan, created_at) values ('${ids.workspace}', 'Old', 'studio', now())`,
  );
  await pool.query(
    `insert into listings (id, store, external_app_id, created_at) values ('${ids.listing}', 'appstore', '42', now())`,
  );
  await pool.query(`insert into apps (id, workspace_id, listing_id, name, countries, languages, added_at)
    values ('${ids.app}', '${ids.workspace}', '${ids.listing}', 'Tide', '{us}', '{}', now())`);
  await pool.query(
    `insert into reviews (id, listing_id, store_review_id, author, rating, body, version, country, date, first_seen_at, analysis_version, fine_tuning)
     values ($1, $3, 'r1', 'A', 1, 'Bad', '1', 'us', now(), now(), 7, 3),
            ($2, $3, 'r2', 'A', 1, 'Bad', '1', 'us', now(), now(), 7, null)`,
    [ids.tuned, ids.plain, ids.listing],
  );
  await pool.query(
    "insert into fine_tunings (language, number, weights) values ('en', 3, '\\x00')",
  );
  await pool.query(`insert into saved_views (id, workspace_id, name, query, created_at)
    values ('${ids.view}', '${ids.workspace}', 'Bad', 'rating=1', now())`);
  expect(await migrate(pool)).toEqual(expect.arrayContaining(["002-operations-and-shapes.sql"]));
  const { rows } = await pool.query(
    "select store_review_id as id, analysis_version as version from reviews order by 1",
  );
  expect(rows).toEqual([
    { id: "r1", version: 0 },
    { id: "r2", version: 7 },
  ]);
  const database = await openDatabase({ log: silentLog, connection: cloned });
  const [view] = await database.listSavedViews(ids.workspace);
  expect(view).toMatchObject({ name: "Bad", query: "rating=1", version: 0 });
  expect(await database.findApp({ id: ids.app, workspaceId: ids.workspace })).toMatchObject({
    name: "Tide",
    version: 0,
  });
  await database.close();
});

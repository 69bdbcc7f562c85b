// A database of the version before, full of deliveries in every state, becomes one of this version: nothing is
// lost, and each says of itself what it said before.
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setBucketCount } from "../../test/support/buckets.ts";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { silentLog } from "../lib/log.ts";
import { hourMs, minuteMs } from "../lib/timestamp.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

const folder = new URL("./migrations/", import.meta.url);
const migration = "005-delivery-queue.sql";
const now = new Date();
const workspaceId = randomUUID();
// In two buckets of four.
const channelIds = ["0", "3"].map((end) => randomUUID().slice(0, -1) + end);
const reviewId = randomUUID();
let testDatabase: TestDatabase;
let pool: pg.Pool;
let database: Database;

type Old = {
  id: string;
  status: string;
  attemptCount: number;
  isLeased?: boolean;
  isDraft?: boolean;
  dueAt?: Date;
  finishedAt?: Date;
};

const before = (hours: number): Date => new Date(now.getTime() - hours * hourMs);
const states: Omit<Old, "id">[] = [
  { status: "pending", attemptCount: 0 },
  { status: "pending", attemptCount: 3 },
  { status: "pending", attemptCount: 1, isLeased: true },
  { status: "pending", attemptCount: 0, dueAt: new Date(now.getTime() + hourMs), isDraft: true },
  { status: "delivered", attemptCount: 2, finishedAt: before(1) },
  { status: "expired", attemptCount: 4, finishedAt: before(2) },
  { status: "cancelled", attemptCount: 0, finishedAt: before(3) },
];
// Old and young ones, and ids that are in no order of time.
const old: Old[] = [0, 24, 24 * 20].flatMap((hours) => [
  ...states.map((state) => ({ ...state, id: uuidV7(before(hours)) })),
  {
    ...(states[hours % states.length] ?? { status: "pending", attemptCount: 0 }),
    id: randomUUID(),
  },
]);

beforeAll(async () => {
  testDatabase = await cloneDatabase();
  pool = new pg.Pool(testDatabase);
  await goBack();
  await fill();
  expect(await migrate(pool)).toContain(migration);
  database = await openDatabase({ log: silentLog, connection: testDatabase });
});
afterAll(async () => {
  await database.close();
  await pool.end();
  await testDatabase.drop();
});

/** To the shape before the migration. */
async function goBack(): Promise<void> {
  await pool.query("drop schema public cascade; create schema public");
  await pool.query(
    "create table migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())",
  );
  const names = (await fs.readdir(folder)).filter((name) => name < migration).sort();
  for (const [index, name] of names.entries()) {
    await pool.query(await fs.readFile(new URL(name, folder), "utf8"));
    await pool.query("insert into migrations (number, name) values ($1, $2)", [index + 1, name]);
  }
}

async function fill(): Promise<void> {
  await pool.query(
    "insert into workspaces (id, name, plan, created_at) values ($1, 'Quay', 'studio', now())",
    [workspaceId],
  );
  await pool.query("insert into encryption_keys (id, added_at) values ('00', now())");
  await pool.query(
    `insert into channels (id, workspace_id, name, url, host, events, translate, drop_threshold,
       period_days, min_sample_size, encrypted_secret, key_id, created_at)
     select id, $2, 'Alerts', 'https://hooks.example.com/in', 'hooks.example.com', '{review.created}',
       true, 0.1, 7, 30, '\\x00', '00', now()
     from unnest($1::uuid[]) id`,
    [channelIds, workspaceId],
  );
  // A wait without the job that it belongs to is as good here.
  await pool.query(
    "alter table translation_waits drop constraint translation_waits_listing_id_review_id_kind_content_hash_fkey",
  );
  for (const [index, one] of old.entries()) await insertOld(one, channelIds[index % 2] ?? "");
  await pool.query(
    `update channels set failing_since = $2, failing_reason = 'HTTP 500', timeout_count = 3 where id = $1`,
    [channelIds[0], before(5)],
  );
  await pool.query("insert into channel_reviews (channel_id, review_id) values ($1, $2)", [
    channelIds[1],
    reviewId,
  ]);
}

async function insertOld(one: Old, channelId: string): Promise<void> {
  const leasedUntil = one.isLeased ? new Date(now.getTime() + minuteMs) : null;
  await pool.query(
    `insert into deliveries (id, channel_id, workspace_id, event, body, is_test, status, created_at,
       queued_at, due_at, is_retry, attempt_count, retry_count, lease_token, leased_until, finished_at)
     values ($1, $2, $3, 'review.created', convert_to($11, 'UTF8'), false, $4, $5, $5, $6,
       $7 > 1, $7, $7, $8, $9, $10)`,
    [
      one.id,
      channelId,
      workspaceId,
      one.status,
      before(30),
      one.dueAt ?? before(1),
      one.attemptCount,
      one.isLeased ? randomUUID() : null,
      leasedUntil,
      one.finishedAt ?? null,
      one.id,
    ],
  );
  // What a lease counted has no row yet.
  const logged = one.attemptCount - (one.isLeased ? 1 : 0);
  await pool.query(
    `insert into attempts (delivery_id, number, started_at, duration_ms, status, reason)
     select $1, n, $2, 10, case when n = $3 and $4 = 'delivered' then 200 else 500 end, null
     from generate_series(1, $3) n`,
    [one.id, before(2), logged, one.status],
  );
  if (one.isDraft) await insertWait(one.id);
}

async function insertWait(deliveryId: string): Promise<void> {
  const [listingId, reviewId] = [randomUUID(), randomUUID()];
  await pool.query(
    "insert into translation_waits (listing_id, review_id, content_hash, delivery_id) values ($1, $2, '\\x00', $3)",
    [listingId, reviewId, deliveryId],
  );
}

// Ids of these deliveries don't say in which bucket they are. The last number is that of the later tests.
describe.each([1, 4, 32])("in %i buckets", (bucketCount) => {
  beforeAll(async () => {
    await database.close();
    await setBucketCount(pool, bucketCount);
    database = await openDatabase({ log: silentLog, connection: testDatabase });
  });

  test("every delivery has the state, the attempts and the bytes that it had", findsAll);

  test("channels do as they did, and got what they got", async () => {
    const channels = await database.listChannels({ workspaceId });
    const since = channels.map(({ id, failingSince }) => [id, failingSince]);
    expect(since).toContainEqual([channelIds[0], before(5)]);
    expect(since).toContainEqual([channelIds[1], null]);
    const pairs = await database.listChannelReviews({
      listingId: reviewId,
      channelIds,
      reviewIds: [reviewId],
    });
    expect(pairs).toEqual([{ channelId: channelIds[1], reviewId }]);
  });

  test("an expired one can be sent again", async () => {
    const expired = old.find(({ status, id }) => status === "expired" && id[14] === "7");
    if (!expired) throw new Error("none expired");
    const again = { id: expired.id, workspaceId, now };
    await expect(
      database.transaction(async (tx) => {
        expect(await tx.redeliver(again)).toBe(1);
        throw new Error("for the next number of buckets");
      }),
    ).rejects.toThrow("for the next number of buckets");
  });
});

async function findsAll(): Promise<void> {
  for (const one of old) {
    const found = await database.findDelivery({ id: one.id, workspaceId });
    const logged = one.attemptCount - (one.isLeased ? 1 : 0);
    expect(found).toMatchObject({
      status: one.status,
      attemptCount: logged,
      createdAt: before(30),
      lastStatus: logged === 0 ? null : one.status === "delivered" ? 200 : 500,
    });
    expect(found?.attempts).toHaveLength(logged);
    expect(String(found?.body)).toBe(one.id);
    if (one.status === "pending") expect(found?.dueAt).toEqual(one.dueAt ?? before(1));
    if (one.status === "expired") expect(found?.finishedAt).toEqual(one.finishedAt);
  }
}

test("what is due is read once, whoever had leased it, and drafts wait", async () => {
  const due = old.filter(({ status, isDraft }) => status === "pending" && !isDraft);
  const queue = database.openDeliveryQueue();
  const { workerId, close } = await queue.openSession({ leaseMs: minuteMs });
  const limits = { answeringMax: 10, failingMax: 10, fullHosts: [], firstMax: 0 };
  const leases = await queue.leaseChannels({ workerId, now, ...limits });
  expect(leases.map(({ channelId }) => channelId).sort()).toEqual([...channelIds].sort());
  expect(leases.find(({ channelId }) => channelId === channelIds[0])).toMatchObject({
    failingSince: before(5),
    failingReason: "HTTP 500",
    timeoutCount: 3,
  });
  const head = { dueAt: new Date(0), id: "00000000-0000-0000-0000-000000000000" };
  const looks = channelIds.map((channelId) => ({
    channelId,
    fresh: head,
    retries: head,
    countMax: 100,
  }));
  const found = await queue.readDueDeliveries({ looks, now });
  const read = found.flatMap(({ deliveries }) => deliveries);
  expect(read.map(({ id }) => id).sort()).toEqual(due.map(({ id }) => id).sort());
  expect(await database.countDrafts(now)).toBe(old.filter(({ isDraft }) => isDraft).length);
  await close();
  await queue.close();
});

test("what was there goes with its day, and new days are made", async () => {
  const inDays = (days: number): Date => new Date(now.getTime() + days * 24 * hourMs);
  await database.transaction((tx) => tx.addDeliveryDays({ from: inDays(1), dayCount: 6 }));
  // Something of the first partition still waits.
  const first = await database.transaction((tx) => tx.dropOldestDay(inDays(3)));
  expect(first.filter((name) => name.endsWith("_first"))).toEqual([]);
  expect(first.length).toBeGreaterThan(0);
  await pool.query("delete from pending");
  const dropped = await database.transaction((tx) => tx.dropOldestDay(inDays(3)));
  expect(dropped).toContain("deliveries_first");
  expect(dropped).toContain("attempts_first");
  const { rows } = await pool.query("select count(*)::int as count from deliveries_rest");
  const { rows: all } = await pool.query("select count(*)::int as count from deliveries");
  expect(all).toEqual(rows);
});

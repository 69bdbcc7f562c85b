// A database of an earlier version, with a row in every table that this version had, becomes one of today: the same
// schema as a new one, and everything that was in it still there. With CHAOS_SCALE from each version since 003. A
// migration that adds a table adds a row to test/support/version-rows.ts.
import fs from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { cloneDatabase, urlOf } from "../../test/support/database.ts";
import { recountRollups } from "../../test/support/recount.ts";
import {
  at,
  box,
  channelSecret,
  credentialSecret,
  ids,
  later,
  rowsByMigration,
} from "../../test/support/version-rows.ts";
import { silentLog } from "../lib/log.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrateAsFar } from "./migrate.ts";

const names = (await fs.readdir(new URL("./migrations/", import.meta.url))).sort();
const numberOf = (name: string): number => Number(name.slice(0, 3));
const versions = names.filter((name) => numberOf(name) >= 3);
// What a new migration does to all tables shows the version before it, and the first one has the longest way.
const isEach = process.env["CHAOS_SCALE"] !== undefined;
const chosen = isEach
  ? versions
  : versions.filter((_, at) => at === 0 || at === versions.length - 2);
const server = inject("postgres").url;
const growing = `starpost_versions_${process.pid}`;
const copyOf = (name: string): string => `${growing}_${numberOf(name)}`;
/** By version, how many rows each of its tables had. */
const countsBefore = new Map<string, Map<string, number>>();
let newest: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  newest = await cloneDatabase();
  await query(server, `create database ${growing} template template0`);
  const url = urlOf(server, growing);
  for (const name of versions) {
    await withClient(url, (client) => step(client, name));
    if (!chosen.includes(name)) continue;
    countsBefore.set(name, await countRows(url));
    await query(server, `create database ${copyOf(name)} template ${growing}`);
  }
});

afterAll(async () => {
  for (const name of [growing, ...chosen.map(copyOf)]) {
    await query(server, `drop database if exists ${name} with (force)`);
  }
  await newest.drop();
});

async function step(client: pg.Client, name: string): Promise<void> {
  await client.query("begin");
  const upTo = names.slice(0, names.indexOf(name) + 1);
  await migrateAsFar(client, upTo);
  await client.query("commit");
  for (const [table, row] of rowsByMigration[numberOf(name)] ?? []) {
    const columns = Object.keys(row);
    const parameters = columns.map((_, index) => `$${index + 1}`);
    const statement = `insert into ${table} (${columns}) values (${parameters})`;
    await client.query(statement, Object.values(row));
  }
}

describe.each(chosen)("from %s", (name) => {
  const url = urlOf(server, copyOf(name));
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ log: silentLog, connection: { connectionString: url } });
    await database.migrate();
  });
  afterAll(() => database.close());

  test("every table had a row, and has it still", async () => {
    const before = [...(countsBefore.get(name) ?? [])];
    expect(before.filter(([, count]) => count === 0)).toEqual([]);
    const after = await countRows(url);
    // Tables that went or have another name by now are seen to below.
    const kept = before.filter(([table]) => after.has(table));
    expect(kept.filter(([table]) => after.get(table) === 0)).toEqual([]);
    expect(kept.length).toBeGreaterThan(20);
  });

  // The new database is a copy of the template, whose tables are in parts then.
  const isInParts = process.env["TEST_PARTITIONS"] !== undefined;
  test.skipIf(isInParts)("the schema is that of a new database", async () => {
    expect(await readSchema(url)).toEqual(await readSchema(newest.connectionString));
  });

  test("what it held can be read", async () => {
    await expectCollected(database);
    await expectDeliveries(database);
    await expectPeopleAndSecrets(database);
  });
});

async function expectCollected(database: Database): Promise<void> {
  const [feed] = await database.listFeeds(ids.listing);
  expect(feed).toMatchObject({
    ...{ fullCrawlAt: at, fullCrawlDueAt: later, fullPageCount: 0 },
    quarantinedReading: { average: 4.5, total: 2, histogram: null },
    checkpoint: {
      ...{ startedAt: at, savedAt: later, isFullCrawl: true, gapCount: 2, pageCount: 3 },
      ...{ newest: at, cursor: "next" },
    },
  });
  const [review] = await database.loadReviews({ listingId: ids.listing, ids: [ids.review] });
  expect(review?.analysis).toMatchObject({ fineTuning: 4, provider: "some-model" });
  const stored = { listingId: ids.listing, afterId: null, limit: 10 };
  const reviews = await database.listReviewsById(stored);
  expect(await database.readRollups(ids.listing)).toEqual(recountRollups(reviews));
  expect(await database.listFineTunings(9)).toMatchObject([
    { language: "de", number: 4, takenAt: at, triedAt: later, outcome: "better" },
  ]);
  expect([...(await database.listRatingDropAlerts(ids.app))]).toEqual([ids.channel]);
  expect(await database.findProviderState("translate")).toMatchObject({ cooldownUntil: later });
  const claim = { kind: "translate" as const, token: ids.token, limit: 5, leasedUntil: later };
  expect(await database.claimProviderJobs({ ...claim, now: at })).toEqual([]);
  expect(await database.claimProviderJobs({ ...claim, now: later })).toHaveLength(1);
}

async function expectDeliveries(database: Database): Promise<void> {
  const statusOf = async (id: string) =>
    (await database.findDelivery({ id, workspaceId: ids.workspace }))?.status;
  expect(await statusOf(ids.delivered)).toBe("delivered");
  expect(await statusOf(ids.waiting)).toBe("pending");
  expect(await statusOf(ids.expired)).toBe("expired");
}

async function expectPeopleAndSecrets(database: Database): Promise<void> {
  expect((await database.findChannelSecret(ids.channel))?.encryptedSecret).toEqual(channelSecret);
  expect(await database.findCredentialSecret(ids.credential)).toEqual(credentialSecret);
  const keyIds = [box.keyIdOf(channelSecret)];
  expect(await database.listEncryptionKeys()).toEqual(keyIds);
  expect(await database.deleteUnusedEncryptionKeys(keyIds)).toEqual(keyIds);
  const counted = await database.countLoginAttempts({ keys: ["a"], now: at, endsAt: later });
  expect(counted).toMatchObject([{ key: "a", attemptCount: 4 }]);
  const sessions = { userId: ids.user, now: at, idleSince: new Date(0) };
  const [session] = await database.listSessions(sessions);
  // An open session goes on, and was last proved when it began.
  expect(session).toMatchObject({ id: ids.session, startedAt: at, provedAt: at });
}

async function countRows(url: string): Promise<Map<string, number>> {
  const tables = await query<{ name: string }>(
    url,
    `select relname as name from pg_class where relkind in ('r', 'p') and not relispartition
       and relnamespace = 'public'::regnamespace and relname <> 'migrations' order by 1`,
  );
  const counting = tables.map(({ name }) => `select '${name}' as name, count(*)::int from ${name}`);
  const rows = await query<{ name: string; count: number }>(url, counting.join(" union all "));
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Columns, constraints and indexes, without the days into which deliveries are divided. */
async function readSchema(url: string): Promise<unknown[]> {
  return query(
    url,
    `with tables as (
       select oid, relname from pg_class where relnamespace = 'public'::regnamespace
         and relkind in ('r', 'p', 'v') and not relispartition
     )
     select relname as owner, attname as name, concat_ws(' ', format_type(atttypid, atttypmod),
       attnotnull, pg_get_expr(d.adbin, d.adrelid)) as definition
     from tables t join pg_attribute a on a.attrelid = t.oid and attnum > 0 and not attisdropped
     left join pg_attrdef d on d.adrelid = t.oid and d.adnum = attnum
     union all
     select relname, conname, pg_get_constraintdef(c.oid) from tables t join pg_constraint c on c.conrelid = t.oid
     union all
     select relname, '', pg_get_indexdef(i.indexrelid) from tables t join pg_index i on i.indrelid = t.oid
     order by 1, 2, 3`,
  );
}

function query<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  return withClient(url, async (client) => (await client.query<Row>(statement)).rows);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

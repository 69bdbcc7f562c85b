// A database of each version since 003, with a row in every table that this version had, becomes one of today: the
// same schema as a new one, and everything that was in it still there. A migration that adds a table adds a row to
// test/support/version-rows.ts.
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
const prefix = `starpost_version_${process.pid}_`;
/** By version: a database that was filled as it was then, and one that was migrated from it. */
const filled = (name: string): string => `${prefix}${numberOf(name)}`;
const migrated = (name: string): string => `${filled(name)}_migrated`;
const server = inject("postgres").url;
let newest: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  newest = await cloneDatabase();
  let before: string | null = null;
  for (const name of versions) {
    const template = before === null ? "template0" : filled(before);
    await query(server, `create database ${filled(name)} template ${template}`);
    await withClient(urlOf(server, filled(name)), (client) => step(client, name));
    await query(server, `create database ${migrated(name)} template ${filled(name)}`);
    before = name;
  }
});

afterAll(async () => {
  for (const name of versions) {
    await query(server, `drop database if exists ${filled(name)} with (force)`);
    await query(server, `drop database if exists ${migrated(name)} with (force)`);
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

describe.each(versions)("from %s", (name) => {
  const url = urlOf(server, migrated(name));
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase({ log: silentLog, connection: { connectionString: url } });
    await database.migrate();
  });
  afterAll(() => database.close());

  test("every table had a row, and has it still", async () => {
    const empty = async (databaseName: string) => {
      const counts = await countRows(urlOf(server, databaseName));
      return [...counts].filter(([, count]) => count === 0).map(([table]) => table);
    };
    expect(await empty(filled(name))).toEqual([]);
    const emptyNow = new Set(await empty(migrated(name)));
    for (const [table, count] of await countRows(urlOf(server, filled(name)))) {
      if (count > 0) expect(emptyNow).not.toContain(table);
    }
  });

  test("the schema is that of a new database", async () => {
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

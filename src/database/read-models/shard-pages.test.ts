// Pages where tables are spread over servers: read past the planner of Citus, and never from rows that are elsewhere by now.
// Views stand in for the shards here, in one database; `test/citus-service.test.ts` does the same on a Citus.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  anApp,
  aReview,
  aWorkspace,
  noReviewFilters,
  saveReviews,
} from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { App } from "../../domain/listing.ts";
import { silentLog } from "../../lib/log.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { keyOfTable, referenceTables } from "../distribution.ts";
import type { Db } from "../query.ts";
import { type ListingShards, onShards } from "../shard-directory.ts";
import { openShardServers } from "../shard-servers.ts";
import { buildAppPageStatement } from "./review-app-page-sql.ts";
import { readShardPages } from "./review-app-pages.ts";
import { type AppPageQuery, listReviewPage } from "./review-pages.ts";
import { createShardPageReader, createShardRowReader } from "./shard-pages.ts";

const sets = ["", "Rating", "Sentiment", "Topic", "RatingSentimentTopic"];
const shardId = "7";
const placed = [...Object.keys(keyOfTable), ...referenceTables];

let context: TestContext;
let client: pg.Client;
let app: App;
let shards: ListingShards;

beforeAll(async () => {
  context = await openTestContext();
  client = new pg.Client(context.connectionString);
  await client.connect();
  const { id: workspaceId } = await aWorkspace(context.database);
  app = await anApp(context.database, { workspaceId });
  const reviews = [1, 2, 3].map((rating) => aReview({ rating, topics: ["crash"] }));
  await saveReviews(context.database, app, reviews);
  // What a server of a Citus says of itself.
  await client.query(`create table pg_dist_placement (shardid bigint, groupid integer);
    create table pg_dist_local_group (groupid integer);
    insert into pg_dist_placement values (${shardId}, 1); insert into pg_dist_local_group values (1)`);
  const names = new Map(placed.map((table) => [table, `${table}_${shardId}`]));
  for (const [table, name] of names) {
    await client.query(`create view ${name} as select * from ${table}`);
  }
  const { rows } = await client.query<{ text: string }>(
    "select pg_get_viewdef('followed_apps'::regclass) as text",
  );
  const view = onShards(rows[0]?.text.replace(";", "") ?? "", names);
  names.set("followed_apps", `(${view})`);
  const { hostname: host, port } = new URL(context.connectionString);
  shards = { shardId, server: { host, port: Number(port), groupId: 1 }, names };
});
afterAll(async () => {
  await client.end();
  await context.close();
});

const queryOf = (filters: Partial<AppPageQuery["filters"]> = {}): AppPageQuery => ({
  ...{ workspaceId: app.workspaceId, appId: app.id, after: null, limit: 2 },
  filters: { ...noReviewFilters, ...filters },
});

test.each(sets)("the statement of a page names shards alone: %s", (filters) => {
  const text = onShards(buildAppPageStatement([queryOf()], filters).text, shards.names);
  const tables = [...text.matchAll(/\b(?:from|join)\s+\(*([a-z_]+)\b/gi)].map(([, name]) => name);
  expect(tables.filter((name) => name && placed.includes(name))).toEqual([]);
  expect(text).toContain(` listings_${shardId} `);
});

test("a page is what it is by the tables' own names, while its rows are there", async () => {
  const query = queryOf({ ratings: [2], topics: ["crash"] });
  const read = { shards, queries: [query], filters: "RatingTopic" };
  const expected = await context.database.listReviewPageOfApp(query);
  expect(await readShardPages(client, read)).toEqual([expected]);
  expect(expected).toMatchObject({ page: { json: expect.stringContaining('"rating":2') } });
  await client.query("update pg_dist_placement set groupid = 2");
  expect(await readShardPages(client, read)).toEqual([null]);
  await client.query("update pg_dist_placement set groupid = 1");
});

type Place = { listingId: string; shards: ListingShards };

/** Knows the first place until it is told to forget it, then the next. */
function openReader(places: readonly Place[], db: Db = client) {
  const suspended: unknown[] = [];
  let forgottenCount = 0;
  const read = createShardPageReader({
    directory: {
      find: async () => places[Math.min(forgottenCount, places.length - 1)] ?? null,
      forget() {
        forgottenCount += 1;
      },
    },
    servers: { find: () => db, suspend: (address) => suspended.push(address) },
  });
  return { read, suspended };
}

const changes = {
  "that has lost the rows": { shardId: "8" },
  "that has dropped the table": { shardId: "9", names: new Map([["reviews", "gone"]]) },
};

test.each(Object.entries(changes))("a server %s is asked no more", async (_, change) => {
  const here = { listingId: app.listingId, shards };
  const stale = { ...here, shards: { ...shards, ...change } };
  const found = await openReader([stale, here]).read(queryOf(), "");
  expect(found).toMatchObject({ app: { id: app.id, listingId: app.listingId } });
  expect(await openReader([stale]).read(queryOf(), "")).toBe("unplanned");
});

test.each(["7", "8"])(
  "the page of a known app is the same, also from shard %s, which is not there",
  async (id) => {
    let forgottenCount = 0;
    const directory = {
      findShards: async () => ({ ...shards, shardId: id }),
      forgetShards() {
        forgottenCount += 1;
      },
    };
    const names: string[] = [];
    const servers = { find: () => watch(client, names), suspend() {} };
    const coordinator = watch(client, names);
    const readRow = createShardRowReader({ directory, servers, coordinator });
    const { appId: _, ...query } = queryOf({ ratings: [2] });
    const known = { ...query, apps: [{ ...app, regions: null, hasOwnTopics: false }] };
    const page = await listReviewPage(client, known, readRow);
    expect(page).toEqual(await context.database.listReviewPage(known));
    expect(page.json).toContain('"rating":2');
    const isHere = id === shardId;
    expect(forgottenCount).toBe(isHere ? 0 : 1);
    expect(names.map((name) => name.endsWith(`-${id}`))).toEqual(isHere ? [true] : [true, false]);
  },
);

/** Notes the names of the statements, but for the one that every connection begins with. */
function watch(db: pg.Client, names: string[]): Db {
  const query = (statement: { name: string }) => {
    if (statement.name !== "readDistribution") names.push(statement.name);
    return Reflect.apply(db.query, db, [statement]);
  };
  // Implements the one form of query that statements use.
  return { query } as unknown as Db;
}

test("an app that moved to another listing is looked for again", async () => {
  const here = { listingId: app.listingId, shards };
  const { read } = openReader([{ ...here, listingId: lowestUuid }, here]);
  expect(await read(queryOf(), "")).toMatchObject({ app: { listingId: app.listingId } });
});

test("a server that does not answer is left to the coordinator", async () => {
  const lost = new pg.Client(context.connectionString);
  await lost.connect();
  await lost.end();
  const { read, suspended } = openReader([{ listingId: app.listingId, shards }], lost);
  expect(await read(queryOf(), "")).toBe("unplanned");
  expect(suspended).toEqual([shards.server]);
});

test.each([
  { what: "that answers is used", change: {}, isUsed: true },
  { what: "that is another one is not used", change: { groupId: 2 }, isUsed: false },
  { what: "that can't be reached is not used", change: { port: 1 }, isUsed: false },
])("nobody waits for a server; one $what", async ({ change, isUsed }) => {
  const messages: unknown[] = [];
  const note = (_: object, message: string): void => void messages.push(message);
  const url = new URL(context.connectionString);
  const host = url.searchParams.get("host") ?? url.hostname;
  const { username: user, password, pathname } = url;
  const servers = openShardServers({
    ...{ log: { ...silentLog, warn: note, info: note }, name: "test", connectionCountMax: 1 },
    ...{ connection: { user, password, database: pathname.slice(1) }, onConnect: "select 1" },
  });
  const address = { host, port: Number(url.port), groupId: 1, ...change };
  expect(servers.find(address)).toBeNull();
  await waitFor(() => messages.length === 1, { withinMs: 10_000, what: "the attempt" });
  expect(servers.find(address) !== null).toBe(isUsed);
  servers.suspend(address, new Error("broken"));
  expect(servers.find(address)).toBeNull();
  await servers.close();
});

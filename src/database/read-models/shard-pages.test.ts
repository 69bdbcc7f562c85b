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
import type { AppPageQuery } from "./review-pages.ts";
import { createShardPageReader } from "./shard-pages.ts";

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
  shards = { shardId, server: { host, port: Number(port) }, names };
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

test("nobody waits for a server that may not be reached", async () => {
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (facts: unknown) => warnings.push(facts) };
  const servers = openShardServers({
    ...{ log, connection: { connectionString: context.connectionString }, name: "test" },
    ...{ connectionCountMax: 1, onConnect: "select 1" },
  });
  const nobody = { host: "127.0.0.1", port: 1 };
  expect(servers.find(nobody)).toBeNull();
  await waitFor(() => warnings.length === 1, { withinMs: 10_000, what: "the attempt" });
  expect(servers.find(nobody)).toBeNull();
  await servers.close();
});

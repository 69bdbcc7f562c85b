// The service on a database that is spread over servers: what is imported and read is what it is on one.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../src/domain/listing.ts";
import { importReviews } from "../src/use-cases/imports/import-reviews.ts";
import { citusUrl, noCitus, openSpreadDatabase } from "./support/citus.ts";
import type { TestDatabase } from "./support/database.ts";
import { noReviewFilters } from "./support/factories.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { waitFor } from "./support/wait-for.ts";

if (citusUrl === undefined) process.stderr.write(`test/citus-service.test.ts ${noCitus}\n`);

const dayMs = 86_400_000;
const rowCount = 30;

describe.skipIf(citusUrl === undefined)("a service on a Citus", () => {
  let testDatabase: TestDatabase;
  let service: TestService;
  let apps: App[];

  beforeAll(async () => {
    testDatabase = await openSpreadDatabase();
    const { connectionString } = testDatabase;
    service = await startTestService({
      storesUrl: "http://127.0.0.1:9",
      connectionString,
    });
    apps = [];
    for (const externalAppId of ["1001", "1002", "1003"]) {
      apps.push(await service.addApp({ store: "appstore", externalAppId, isCollected: false }));
    }
  });
  afterAll(async () => {
    await service?.close();
    await testDatabase.drop();
  });

  // Stars and days by number, so that the apps' reviews alternate in the order of pages.
  const rowsOf = (app: App) =>
    Array.from({ length: rowCount }, (_, number) => ({
      id: `${app.externalAppId}-${number}`,
      rating: (number % 5) + 1,
      text: number % 3 === 0 ? "It crashes at every start." : "A tide table that I like.",
      country: "us",
      version: "1.0",
      date: new Date(Date.now() - dayMs - (number * 3 + apps.indexOf(app)) * 3_600_000),
    }));

  async function importInto(app: App, rows: readonly object[]) {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"));
    }
    return importReviews(service.deps, {
      appId: app.id,
      workspaceId: null,
      source: { name: "reviews.jsonl", chunks: chunks() },
      notify: true,
    });
  }

  type Page = {
    reviews: { text: string; date: string; rating: number }[];
    nextCursor: string | null;
  };

  async function readAll(filters: string): Promise<Page["reviews"]> {
    const found: Page["reviews"] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const at: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page = (await service.get(`/reviews?limit=7${filters}${at}`)) as Page;
      found.push(...page.reviews);
      cursor = page.nextCursor;
    }
    return found;
  }

  test("imports are saved and queued, an edit too", async () => {
    const [first] = apps;
    if (!first) throw new Error("no app");
    await service.addChannel("http://127.0.0.1:9/hook", first, { topics: ["crash"] });
    for (const app of apps) {
      const result = await importInto(app, rowsOf(app));
      const queued = app === first ? rowCount / 3 : 0;
      expect(result).toMatchObject({ inserted: rowCount, rejectedCount: 0, queued });
    }
    const [row] = rowsOf(first);
    const edited = await importInto(first, [{ ...row, rating: 5, text: "It crashes no more." }]);
    expect(edited).toMatchObject({ updated: 1, queued: 1 });
  });

  test("pages are the same for one app, for several, and with filters", async () => {
    const [first] = apps;
    const all = await readAll("");
    expect(all).toHaveLength(apps.length * rowCount);
    const dates = all.map(({ date }) => date);
    expect(dates).toEqual([...dates].sort().reverse());
    expect(await readAll(`&app=${first?.id}`)).toHaveLength(rowCount);
    for (const filters of ["&rating=2", "&topic=crash", "&rating=2,3&version=1.0", "&country=us"]) {
      const of = new URLSearchParams(filters);
      const found = await readAll(filters);
      const ratings = of.get("rating")?.split(",").map(Number);
      expect(found).toEqual(
        all.filter(
          ({ rating, text }) =>
            (ratings?.includes(rating) ?? true) &&
            (!of.has("topic") || text.startsWith("It crashes")),
        ),
      );
    }
  });

  test("changes come in their order", async () => {
    const found = await readAll("&updatedSince=2020-01-01T00:00:00Z");
    expect(found).toHaveLength(apps.length * rowCount);
    expect(found.at(-1)?.text).toBe("It crashes no more.");
  });

  test("trends and topics count what was imported", async () => {
    const [first] = apps;
    const trends = await service.get(`/trends?app=${first?.id}`);
    expect(trends["totals"]).toEqual({ total: rowCount, analyzed: rowCount });
    expect(trends["topTopics"]).toContainEqual({ topic: "crash", count: rowCount / 3 });
  });

  test("a page comes from the server that has the listing, also after its rows have moved", async () => {
    const [first] = apps;
    if (!first) throw new Error("no app");
    const { database } = service.deps;
    const page = { filters: noReviewFilters, after: null, limit: 1 };
    const query = { workspaceId: first.workspaceId, ...page };
    const readNewest = () => database.listReviewPageOfApp({ ...query, appId: first.id });
    const admin = new pg.Client(testDatabase.connectionString);
    await admin.connect();
    const { rows } = await admin.query<{ id: string; from: number; to: number }>(
      `select p.shardid as id, p.groupid as from, (
         select min(groupid) from pg_dist_node where groupid not in (0, p.groupid)) as to
       from pg_dist_placement p
       where p.shardid = get_shard_id_for_distribution_column('reviews', $1::uuid)`,
      [first.listingId],
    );
    const [shard] = rows;
    if (!shard) throw new Error("no shard");
    const [source, target] = await Promise.all([shard.from, shard.to].map(addressOf));
    await readUntilDirect(source);
    await admin.query(
      "select citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, 'block_writes')",
      [shard.id, source?.host, source?.port, target?.host, target?.port],
    );
    const row = { ...rowsOf(first)[0], id: "moved", text: "It moved.", date: new Date() };
    expect(await importInto(first, [row])).toMatchObject({ inserted: 1 });
    const json = expect.stringContaining("It moved.");
    const newest = await readNewest();
    if (newest !== "unplanned") expect(newest).toMatchObject({ page: { json } });
    await readUntilDirect(target);
    expect(await readNewest()).toMatchObject({ page: { json } });
    await admin.end();

    async function addressOf(group: number): Promise<{ host: string; port: number }> {
      const found = await admin.query(
        "select nodename as host, nodeport as port from pg_dist_node where groupid = $1",
        [group],
      );
      return found.rows[0];
    }

    /** The first pages are read from the coordinator, until the server is known to be reached. */
    async function readUntilDirect(address: { host: string; port: number } | undefined) {
      const url = new URL(testDatabase.connectionString);
      url.host = `${address?.host}:${address?.port}`;
      const there = new pg.Client(url.href);
      await there.connect();
      const { rows: clock } = await there.query("select clock_timestamp() as now");
      const isRead = async (): Promise<boolean> => {
        await readNewest();
        const sessions = await there.query(
          `select from pg_stat_activity where application_name = 'starpost-pages'
             and query like 'select p.* from%' and query_start > $1`,
          [clock[0].now],
        );
        return sessions.rows.length > 0;
      };
      await waitFor(isRead, { withinMs: 20_000, what: "a page from there" });
      await there.end();
    }
  });
});

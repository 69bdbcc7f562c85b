// The service on a database that is spread over servers: what is imported and read is what it is on one.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/domain/feed/listing.ts";
import { importReviews } from "../../src/features/imports/import-reviews.ts";
import { citusUrl, noCitus, openSpreadDatabase } from "../support/citus.ts";
import type { TestDatabase } from "../support/database.ts";
import { saveSnapshots } from "../support/factories.ts";
import { startTestService, type TestService } from "../support/service.ts";

if (citusUrl === undefined) process.stderr.write(`test/product/citus-service.test.ts ${noCitus}\n`);

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

  test("ratings of several apps are read, and the figures of a page without apps", async () => {
    for (const app of apps) {
      const day = new Date().toISOString().slice(0, 10);
      const snapshot = { region: "us", day, average: 4.5, total: 10, histogram: null };
      await saveSnapshots(service.deps.database, app, [snapshot]);
    }
    const found = await service.deps.database.listSnapshotsAsOfEach(
      apps.map(({ listingId }) => ({ listingId, day: null, withHistogram: false })),
    );
    expect(found.map(([snapshot]) => snapshot?.listingId)).toEqual(
      apps.map(({ listingId }) => listingId),
    );
    const { workspaceId = "" } = apps[0] ?? {};
    const filters = { apps: [], workspaceId };
    const counted = await service.deps.database.countFacets({ filters, scanMax: 10 });
    expect(counted).toEqual([]);
  });

  test("trends and topics count what was imported", async () => {
    const [first] = apps;
    const trends = await service.get(`/trends?app=${first?.id}`);
    expect(trends["totals"]).toEqual({ total: rowCount, analyzed: rowCount });
    expect(trends["topTopics"]).toContainEqual({ topic: "crash", count: rowCount / 3 });
  });
});

// Changes of listings on several servers: those of one come after another, those of others at the same time, and its
// version and moment go up with each.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../src/database/database.ts";
import { silentLog } from "../src/lib/log.ts";
import { asAnother } from "./support/as-another.ts";
import type { TestDatabase } from "./support/database.ts";
import { anApp, aReview, aWorkspace } from "./support/factories.ts";
import { severalServers } from "./support/several-servers.ts";
import { waitFor } from "./support/wait-for.ts";

describe.each(severalServers)("in $place", ({ open, isSkipped }) => {
  if (isSkipped) return test.skip("changes of listings", () => {});
  let testDatabase: TestDatabase;
  let database: Database;
  let client: pg.Client;
  let workspaceId: string;
  beforeAll(async () => {
    testDatabase = await open();
    database = await openDatabase({ log: silentLog, connection: testDatabase });
    client = new pg.Client(testDatabase);
    await client.connect();
    workspaceId = (await aWorkspace(database)).id;
  });
  afterAll(async () => {
    await client.end();
    await database.close();
    await testDatabase.drop();
  });

  const aListing = async (): Promise<string> => (await anApp(database, { workspaceId })).listingId;
  async function readListing(id: string) {
    const text =
      "select version::text, regions, changed_at::text as at from listings where id = $1";
    return (await client.query(text, [id])).rows[0];
  }
  const save = (listingId: string, regions: readonly string[]) =>
    database.transaction(async (tx) => {
      await tx.lockListing(listingId);
      for (const country of regions)
        await tx.insertReviews({ listingId, reviews: [aReview({ country })] });
    });

  test("a transaction raises the version, with the moment of all that it wrote", async () => {
    const listingId = await aListing();
    const before = await readListing(listingId);
    await save(listingId, ["us", "gb"]);
    const after = await readListing(listingId);
    expect(BigInt(after.version)).toBeGreaterThan(BigInt(before.version));
    expect(after.regions).toEqual(["gb", "us"]);
    const text = "select distinct changed_at::text as at from reviews where listing_id = $1";
    expect((await client.query(text, [listingId])).rows).toEqual([{ at: after.at }]);
  });

  test("moments of a listing go forward when the clock was set back", async () => {
    const listingId = await aListing();
    await client.query("update listings set changed_at = '2100-01-01T00:00:00Z' where id = $1", [
      listingId,
    ]);
    await save(listingId, ["us"]);
    const { at } = await readListing(listingId);
    expect(at).toContain("2100-01-01 00:00:00.000001");
  });

  test("one that is undone raises nothing, and neither does the next on its connection", async () => {
    const [undone, next] = [await aListing(), await aListing()];
    const before = await readListing(undone);
    const failing = database.transaction(async (tx) => {
      await tx.lockListing(undone);
      await tx.insertReviews({ listingId: undone, reviews: [aReview()] });
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    await save(next, ["us"]);
    expect(await readListing(undone)).toEqual(before);
  });

  test("another listing changes meanwhile, the same one afterwards", async () => {
    const [mine, other] = [await aListing(), await aListing()];
    let later: Promise<void> | undefined;
    await database.transaction(async (tx) => {
      await tx.lockListing(mine);
      await tx.insertReviews({ listingId: mine, reviews: [aReview()] });
      await asAnother(() => save(other, ["us"]));
      later = asAnother(() => save(mine, ["gb"]));
      const waits = "select from pg_locks where locktype = 'advisory' and not granted";
      const isWaiting = async () => (await client.query(waits)).rowCount === 1;
      await waitFor(isWaiting, { withinMs: 10_000, what: "the second change of the listing" });
    });
    await later;
    expect((await readListing(mine)).regions).toEqual(["gb", "us"]);
  });
});

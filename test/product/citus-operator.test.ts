// An operator's work with a database that is spread over servers: sizes, days that are dropped, and a backup that is
// restored on one server and spread again.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { distribute } from "../../src/database/cluster/distribute.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { runBackup, runRestore } from "../../src/features/backup/run-backup.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { dayMs } from "../../src/lib/timestamp.ts";
import { type ChannelWorld, openChannelWorld } from "../support/channel-world.ts";
import { citusUrl, noCitus, openCitusDatabase, openSpreadDatabase } from "../support/citus.ts";
import { anApp, aReview, saveReviews } from "../support/factories.ts";

const migrations = await fs.readdir("src/database/migrations");

if (citusUrl === undefined)
  process.stderr.write(`test/product/citus-operator.test.ts ${noCitus}\n`);

describe.skipIf(citusUrl === undefined)("on a Citus", () => {
  let world: ChannelWorld;
  let app: App;
  beforeAll(async () => {
    world = await openChannelWorld(await openSpreadDatabase());
    app = await anApp(world.database, { workspaceId: world.workspaceId });
    await saveReviews(world.database, app, [aReview(), aReview(), aReview()]);
    const { channel } = await world.addChannel({ url: "http://127.0.0.1:9/hook" });
    await world.queue(channel, 2);
  });
  afterAll(() => world.close());

  test("the sizes of tables are those of all servers", async () => {
    await world.admin("analyze");
    const sizes = await world.database.listTableSizes(100);
    const find = (name: string) => sizes.find((size) => size.name === name);
    expect(find("reviews")).toMatchObject({ rows: 3 });
    expect(find("reviews")?.bytes).toBeGreaterThan(8_192);
    expect(find("workspaces")).toMatchObject({ rows: 1 });
    expect(find("deliveries")).toMatchObject({ rows: 2 });
    expect(find("migrations")).toMatchObject({ rows: migrations.length });
    expect(sizes.filter(({ name }) => /_\d+$/.test(name))).toEqual([]);
    await world.database.recordTableSizes(1);
  });

  test("days are dropped as a whole on all servers, unless something of them waits, and made again", async () => {
    const { database } = world;
    const before = new Date(systemClock.now().getTime() + 2 * dayMs);
    const dropped = await database.transaction((tx) => tx.dropOldestDay(before));
    expect(dropped.length).toBeGreaterThan(0);
    // The waiting deliveries were queued before the first day.
    expect(dropped).not.toContain("deliveries_first");
    await database.addDeliveryDays({ from: systemClock.now(), dayCount: 2 });
    expect(await database.transaction((tx) => tx.dropOldestDay(before))).not.toEqual([]);
    await database.addDeliveryDays({ from: systemClock.now(), dayCount: 2 });
  });

  test("a backup is restored on one server, and spread again from there", async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-citus-backup-"));
    const file = path.join(folder, "backup.tar.gz");
    const depsOf = (databaseUrl: string) => ({
      config: {
        ...readConfig({ envFile: "none", env: {} }),
        dataDir: path.join(folder, "none"),
        databaseUrl,
      },
      clock: systemClock,
      log: silentLog,
      note() {},
    });
    await runBackup(depsOf(world.connectionString), { file, withKey: false });
    const empty = await openCitusDatabase();
    const { connectionString } = empty;
    await runRestore(depsOf(connectionString), { file });
    const client = new pg.Client(connectionString);
    await client.connect();
    const countRows = async () => {
      const text = `select (select count(*)::int from reviews) as reviews, (select count(*)::int from pending) as waiting,
        (select is_distributed from distribution) as is_distributed`;
      return (await client.query(text)).rows;
    };
    const rows = { reviews: 3, waiting: 2 };
    expect(await countRows()).toEqual([{ ...rows, is_distributed: false }]);
    const target = { log: silentLog, connection: { connectionString } };
    await distribute({ ...target, shardCount: 4, onStep: () => {} });
    expect(await countRows()).toEqual([{ ...rows, is_distributed: true }]);
    await client.end();
    await empty.drop();
    await fs.rm(folder, { recursive: true });
  });
});

// The disk of PostgreSQL is full in the middle of an import and of deliveries. The service stays, and once there is
// space again, the import that waited ends by itself and everything arrives once it was saved, and nothing else.

import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/database/database.ts";
import { openEmbeddedServer } from "../../../src/features/embedded-postgres/server.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";
import { ensureBuilt, runStarpost, startServe } from "../../support/built-cli.ts";
import { aChannel, aKey, anApp, aWorkspace } from "../../support/factories.ts";
import { type Connection, queryRows } from "../../support/process-sandbox.ts";
import { readRollups } from "../../support/read-rollups.ts";
import { ok, openReceiver } from "../../support/receiver.ts";
import { recountRollups } from "../../support/recount.ts";
import { openSmallDisk } from "../../support/small-disk.ts";
import { waitFor } from "../../support/wait-for.ts";

// A cluster of its own, a service and two imports are too much for every run of the suite.
const scale = Number(process.env["CHAOS_SCALE"] ?? 0);
const rowCount = 1_500 * scale;
const limitMs = 300_000;
const encryptionKey = Buffer.alloc(32, 3);
const resources = new ResourceStack();
afterAll(() => resources.closeAll());

const disk = scale > 0 ? await openSmallDisk(192) : null;
if (disk) resources.add(() => disk.remove());
else process.stdout.write("chaos: no disk is filled: that needs CHAOS_SCALE, Linux and root\n");

test.skipIf(!disk)(
  "a full disk stops nothing for good and loses nothing",
  async () => {
    if (!disk) return;
    ensureBuilt();
    const server = await openServer(disk.folder);
    const { database, databaseUrl } = server;
    const receiver = await openReceiver();
    resources.add(() => receiver.close());
    const arrived = new Map<string, number>();
    receiver.reply(({ body }) => {
      const { id } = JSON.parse(body.toString()).review;
      arrived.set(id, (arrived.get(id) ?? 0) + 1);
      return ok;
    });
    const workspace = await aWorkspace(database);
    const { key } = await aKey(database, workspace);
    const app = await anApp(database, { workspaceId: workspace.id, isPrivate: true });
    const channel = aChannel({
      workspaceId: workspace.id,
      createdAt: systemClock.now(),
      url: receiver.url,
    });
    const encryptedSecret = createSecretBox([encryptionKey]).seal("whsec_aW4=", channel.id);
    await database.insertChannel({ ...channel, encryptedSecret });
    const env = {
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: encryptionKey.toString("base64"),
      PORT: "0",
      ROLES: "api,deliver",
      WEBHOOK_ALLOW_HTTP: "true",
      WEBHOOK_ALLOWED_CIDRS: "127.0.0.1/32",
      WEBHOOK_CYCLE_SECONDS: "1",
    };
    const run = { cwd: server.home, env };
    const service = await startServe(run);
    const importRows = async (name: string, count: number) => {
      const file = path.join(server.home, `${name}.jsonl`);
      await fs.writeFile(file, rowsOf(name, count));
      return runStarpost(["import", "reviews", "--app", app.id, file, "--notify", "--json"], run);
    };
    const readStatus = async (route: string): Promise<number> => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${service.url}${route}`, { headers })).status;
    };

    const first = await importRows("before", 100);
    expect(JSON.parse(first.stdout)).toMatchObject({ inserted: 100 });
    const failedBefore = await countFailed(server.connection);
    await disk.fill();
    const importing = importRows("meanwhile", rowCount);
    await waitFor(async () => (await countFailed(server.connection)) > failedBefore, {
      withinMs: limitMs,
      what: "a transaction that finds the disk full",
    });
    expect(await readStatus("/healthz")).toBe(200);
    // Requests that need no space are answered, unless the server itself went down.
    expect([200, 503]).toContain(await readStatus("/api/v1/reviews"));
    await disk.free();
    const second = await importing;
    expect(JSON.parse(second.stdout), second.stderr).toMatchObject({ inserted: rowCount });
    const expectedCount = 100 + rowCount;
    await waitFor(() => arrived.size >= expectedCount, {
      withinMs: limitMs,
      what: () => `${expectedCount} reviews at the endpoint, not ${arrived.size}`,
    });
    const saved = await database.listReviewsById({
      listingId: app.listingId,
      afterId: null,
      limit: 2 * expectedCount,
    });
    expect([...arrived.keys()].sort()).toEqual(saved.map(({ id }) => id).sort());
    expect(await readRollups({ connectionString: databaseUrl }, app.listingId)).toEqual(
      recountRollups(saved),
    );
    expect(await service.stop()).toBe(0);
    const twice = [...arrived.values()].filter((count) => count > 1).length;
    process.stdout.write(
      `chaos: disk full: ${expectedCount} queued, 0 lost, ${twice} duplicates\n`,
    );
  },
  limitMs * 3,
);

async function openServer(folder: string) {
  const dataDir = path.join(folder, "data");
  // On another disk: what the commands read, and PostgreSQL's programs.
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-full-"));
  resources.add(() => fs.rm(home, { recursive: true, maxRetries: 5 }));
  await fs.chmod(home, 0o755);
  const server = await openEmbeddedServer({
    dataDir,
    sharedDir: path.join(home, "shared"),
    log: silentLog,
    // Otherwise the log alone would want more than the disk has.
    settings: { min_wal_size: "32MB", max_wal_size: "48MB" },
  });
  resources.add(() => server.close());
  const { user, password, host, port, database: name } = server.connection;
  const url = new URL(`postgresql://${user}:${password}@localhost:${port}/${name}`);
  url.searchParams.set("host", String(host));
  const database = await openDatabase({ log: silentLog, connection: server.connection });
  resources.add(() => database.close());
  await database.migrate();
  return { home, database, databaseUrl: url.href, connection: server.connection };
}

/** Transactions that were rolled back; a server that is down itself counts as all of them. */
async function countFailed(connection: Connection): Promise<number> {
  const counting = `select xact_rollback::int as count from pg_stat_database
    where datname = current_database()`;
  try {
    const [row] = await queryRows(connection, counting);
    return row?.count ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function rowsOf(name: string, count: number): string {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ id: `${name}-${index}`, rating: 1 + (index % 5), date: "2026-10-01T12:00:00Z" },
    ...{ title: "Invented", text: `Row ${index}: the tide table was right. `.repeat(20) },
  }));
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

// A randomised model check: processes that deliver are killed, stopped and their clocks moved, connections are
// cut, channels are made, edited, rotated, redelivered, deleted and retired by 410, reviews are erased, and some bodies
// are large, while the model knows what is owed. CHAOS_SECONDS, CHAOS_WORKERS and CHAOS_SEED say how long, with how many processes, and which steps; with
// TEST_CITUS_URL it is on several servers.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../../src/database/database.ts";
import { monotonicMs, systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";
import { uuidV7 } from "../../../src/lib/uuid.ts";
import { citusUrl, openSpreadDatabase } from "../../support/citus.ts";
import { compileProgram } from "../../support/compile-program.ts";
import { cloneDatabase } from "../../support/database.ts";
import { openReceiver } from "../../support/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";
import { Model } from "./model.ts";
import * as steps from "./model-steps.ts";
import { countPending, describeWaiting } from "./waiting-rows.ts";

const seconds = Number(process.env["CHAOS_SECONDS"] ?? 8);
const workerCount = Number(process.env["CHAOS_WORKERS"] ?? 2);
const seed = Number(process.env["CHAOS_SEED"] ?? randomBytes(4).readUInt32BE());
const settleMs = 90_000;
const resources = new ResourceStack();
afterAll(() => resources.closeAll());

test(
  "nothing is lost, nothing is invented, and nothing is signed by an old secret",
  async () => {
    const random = steps.createRandom(seed);
    const model = new Model();
    const key = randomBytes(32);
    const testDatabase = await (citusUrl === undefined ? cloneDatabase() : openSpreadDatabase());
    resources.add(() => testDatabase.drop());
    const { connectionString } = testDatabase;
    const database = await openDatabase({ log: silentLog, connection: { connectionString } });
    resources.add(() => database.close());
    const admin = new pg.Client(connectionString);
    await admin.connect();
    resources.add(() => admin.end());
    const workspaceId = uuidV7(systemClock.now());
    const workspace = { id: workspaceId, name: "Chaos", plan: "studio" as const };
    await database.insertWorkspace({ ...workspace, createdAt: systemClock.now() });
    let isCalm = false;
    const receivers = [await openReceiver(), await openReceiver()];
    for (const receiver of receivers) {
      resources.add(() => receiver.close());
      receiver.reply((request) => steps.decideReply({ model, random }, request, isCalm));
    }
    const urls = receivers.map(({ port }) => `http://127.0.0.1:${port}`);
    const box = createSecretBox([key]);
    const world = { database, box, model, random, workspaceId, urls };
    const workers = await openWorkers({ connectionString, key });
    for (let count = 0; count < 8; count += 1) await steps.addChannel(world);

    const endsAtMs = monotonicMs() + seconds * 1_000;
    let stepCount = 0;
    while (monotonicMs() < endsAtMs && workers.complaints.length === 0) {
      stepCount += 1;
      await step({ world, workers, admin });
      await delay(random.below(60));
    }
    isCalm = true;
    await workers.calm();
    expect(workers.complaints, `seed ${seed}`).toEqual([]);
    await waitFor(async () => (await countPending(admin)) === 0, {
      withinMs: settleMs + seconds * 100,
      what: "deliveries that wait",
    }).catch(async (error: Error) => {
      const { endedCount, complaints } = workers;
      const report = { seed, endedCount, complaints, ...(await describeWaiting(admin)) };
      throw new Error(`${error.message}: ${inspect(report, { depth: 4 })}`);
    });
    const lostIds = await listLost({ model, admin });
    await workers.close();

    const owedCount = model.owed().length;
    process.stdout.write(
      `chaos: seed ${seed}: ${stepCount} steps, ${workers.summary()}; ${model.deliveries.size} queued, ` +
        `${owedCount} owed, ${model.arrivalCount} arrived, ${lostIds.length} lost, ` +
        `${model.duplicateCount} twice, an old secret at most ${Math.round(model.secretLagMsMax)} ms\n`,
    );
    expect(lostIds).toEqual([]);
    expect(model.violations).toEqual([]);
    expect(workers.complaints).toEqual([]);
    expect(owedCount).toBeGreaterThan(0);
  },
  (seconds * 1_000 + settleMs) * 3,
);

type Workers = Awaited<ReturnType<typeof openWorkers>>;

type Step = { world: Parameters<typeof steps.enqueue>[0]; workers: Workers; admin: pg.Client };

async function step({ world, workers, admin }: Step): Promise<void> {
  const { model, random } = world;
  const known = random.pick(model.living);
  const kind = random.below(44);
  // A step that met a cut connection is taken another time.
  const attempt = async (): Promise<unknown> => {
    if (kind < 16) return steps.enqueue(world);
    if (kind < 20 && known) return steps.rotate(world, known);
    if (kind < 24 && known) return steps.edit(world, known);
    if (kind === 24 && known && model.living.length > 3) return steps.remove(world, known);
    if (kind === 25 && known && model.living.length > 3) return retire(known);
    if (kind < 28) return steps.addChannel(world);
    if (kind < 30) return steps.redeliver(world);
    if (kind < 32) return workers.kill(random);
    if (kind < 35) return workers.stop(random);
    if (kind < 37) return workers.moveClock(random);
    if (kind === 37) return cutConnections(admin);
    if (kind < 40) return steps.erase(world);
    if (kind < 42 && known) return steps.retryNow(world, known);
    return null;
  };
  await attempt();
}

function retire(known: { isRetiring: boolean }): void {
  known.isRetiring = true;
}

async function cutConnections(admin: pg.Client): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'starpost-delivery%'`,
  );
}

/** Owed deliveries that did not arrive and were not cancelled by a filter. */
async function listLost({ model, admin }: { model: Model; admin: pg.Client }): Promise<string[]> {
  const { rows } = await admin.query(
    `select d.id, e.status from deliveries d left join ended_deliveries e
       on e.channel_id = d.channel_id and e.id = d.id`,
  );
  const statuses = new Map(rows.map(({ id, status }) => [id, status ?? "delivered"]));
  return model.owed().filter((id) => {
    const status = statuses.get(id);
    if (status === "cancelled") return !model.wasEverRefused(id);
    return status !== "delivered" || !model.acceptedCounts.has(id);
  });
}

async function openWorkers(open: { connectionString: string; key: Buffer }) {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-model-"));
  resources.add(() => fs.rm(root, { recursive: true, maxRetries: 5 }));
  const file = await compileProgram(
    path.join(root, "program"),
    "test/product/chaos/worker-child.ts",
  );
  const complaints: string[] = [];
  let isClosing = false;
  const counts = { kills: 0, stops: 0, moves: 0 };
  const resumed: Promise<unknown>[] = [];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, [file, open.connectionString, open.key.toString("hex")], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stderr?.on("data", (data) => complaints.push(String(data)));
    child.stdin?.on("error", () => {});
    child.once("exit", (code) => {
      if (code !== null && !isClosing) complaints.push(`a worker ended by itself: ${code}`);
    });
    await Promise.race([
      once(child.stdout ?? child, "data"),
      once(child, "close").then(() => Promise.reject(new Error("a worker did not start"))),
    ]);
    return child;
  };
  const children = await Promise.all(Array.from({ length: workerCount }, start));
  resources.add(async () => {
    for (const child of children) child.kill("SIGKILL");
  });
  return {
    complaints,
    /** The number of processes that should run. */
    get endedCount(): number {
      return children.filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
        .length;
    },
    summary: () => `${counts.kills} kills, ${counts.stops} stops, ${counts.moves} clock steps`,
    async kill(random: steps.Random): Promise<void> {
      counts.kills += 1;
      const index = random.below(children.length);
      const victim = children[index];
      if (victim) await killAndWait(victim);
      children[index] = await start();
    },
    stop(random: steps.Random): void {
      counts.stops += 1;
      const victim = random.pick(children);
      victim?.kill("SIGSTOP");
      resumed.push(delay(200 + random.below(5_000)).then(() => victim?.kill("SIGCONT")));
    },
    moveClock(random: steps.Random): void {
      counts.moves += 1;
      random.pick(children)?.stdin?.write(`${random.below(120_000) - 60_000}\n`);
    },
    async calm(): Promise<void> {
      await Promise.all(resumed);
    },
    async close(): Promise<void> {
      isClosing = true;
      for (const child of children) {
        const ended = hasEnded(child) ? null : once(child, "close");
        child.stdin?.end();
        await ended;
      }
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function killAndWait(child: ChildProcess): Promise<void> {
  const ended = hasEnded(child) ? null : once(child, "close");
  child.kill("SIGKILL");
  await ended;
}

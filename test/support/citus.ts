// Databases on the Citus that TEST_CITUS_URL names, a coordinator with its workers: `npm run citus` starts one.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { distribute } from "../../src/database/cluster/distribute.ts";
import { migrateDatabase } from "../../src/database/migrate.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { TestDatabase } from "./database.ts";

/** The coordinator, or undefined: tests that need one skip then. */
export const citusUrl: string | undefined = process.env["TEST_CITUS_URL"];

export const noCitus = "skipped: TEST_CITUS_URL names no coordinator; `npm run citus` starts one";

type Nodes = { coordinator: string; workers: readonly string[] };

/** An empty database with the extension on all nodes. It takes some seconds: share it within a file. */
export async function openCitusDatabase(): Promise<TestDatabase> {
  if (citusUrl === undefined) throw new Error(noCitus);
  const nodes = { coordinator: citusUrl, workers: await listWorkers(citusUrl) };
  const name = `starpost_test_${randomUUID().replaceAll("-", "")}`;
  const all = [nodes.coordinator, ...nodes.workers];
  await Promise.all(all.map((node) => execute(node, [`create database ${name}`])));
  const here = {
    coordinator: urlOf(nodes.coordinator, name),
    workers: nodes.workers.map((node) => urlOf(node, name)),
  };
  await connectNodes(here);
  return {
    connectionString: here.coordinator,
    async drop() {
      // The coordinator first: it talks to the others by itself.
      for (const node of all) await execute(node, [`drop database ${name} with (force)`]);
    },
  };
}

/** The same with the tables of the service, spread over the servers. */
export async function openSpreadDatabase(): Promise<TestDatabase> {
  const testDatabase = await openCitusDatabase();
  const { connectionString } = testDatabase;
  const target = { log: silentLog, connection: { connectionString } };
  await migrateDatabase(target);
  await distribute({ ...target, shardCount: 4, onStep: () => {} });
  return testDatabase;
}

/** Creates the extension in these databases and makes them one. */
export async function connectNodes({ coordinator, workers }: Nodes): Promise<void> {
  const create = "create extension if not exists citus";
  await Promise.all([coordinator, ...workers].map((node) => execute(node, [create])));
  const host = ({ hostname, port }: URL): string => `'${hostname}', ${port || 5432}`;
  await execute(coordinator, [
    `select citus_set_coordinator_host(${host(new URL(coordinator))})`,
    ...workers.map((worker) => `select citus_add_node(${host(new URL(worker))})`),
  ]);
}

async function listWorkers(coordinator: string): Promise<string[]> {
  const client = new pg.Client(coordinator);
  await client.connect();
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      "select nodename as host, nodeport as port from pg_dist_node where groupid <> 0 order by 1, 2",
    );
    return rows.map(({ host, port }) => {
      const url = new URL(coordinator);
      url.host = `${host}:${port}`;
      return url.href;
    });
  } finally {
    await client.end();
  }
}

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

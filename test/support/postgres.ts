// One PostgreSQL for a run of the tests: an embedded one in a temporary folder, or TEST_DATABASE_URL.
// Provides a template that was migrated once; database.ts clones it.
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "../../src/database/migrate.ts";
import { openEmbeddedServer } from "../../src/features/embedded-postgres/server.ts";
import { silentLog } from "../../src/lib/log.ts";
import { type TestServer, urlOf } from "./database.ts";
import { makeRunFolder, useTemporaryFolder } from "./run-folders.ts";
import { beCoordinator } from "./several-servers.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgres: TestServer;
  }
}

type Server = { url: string; stop: () => Promise<void> };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await useTemporaryFolder();
  const server = await openServer(home);
  const admin = new pg.Client(server.url);
  const template = `starpost_template_${randomUUID().slice(0, 8)}`;
  async function teardown(): Promise<void> {
    await admin.query(`drop database if exists ${template}`);
    await admin.end();
    await server.stop();
    await fs.rm(home, { recursive: true, force: true });
  }
  await admin.connect();
  try {
    if (process.env["TEST_DATABASE_URL"] === undefined) await hashPasswordOnce(admin);
    await admin.query(`create database ${template}`);
    await migrateTemplate(urlOf(server.url, template));
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("postgres", { url: server.url, template });
  return teardown;
}

/** Thousands of connections hash the password: once, as here, or 4,096 times by default. */
async function hashPasswordOnce(admin: pg.Client): Promise<void> {
  const { user = "", password } = admin;
  await admin.query("set scram_iterations = 1");
  const literal = admin.escapeLiteral(String(password));
  await admin.query(`alter role ${admin.escapeIdentifier(user)} password ${literal}`);
}

async function migrateTemplate(connectionString: string): Promise<void> {
  const pool = new pg.Pool({ connectionString });
  try {
    await migrate(pool);
    // The suite as on a distributed database: `TEST_COORDINATOR=1 npx vitest run src`.
    if (process.env["TEST_COORDINATOR"]) await pool.query(beCoordinator);
  } finally {
    // A database with an open connection cannot be cloned.
    await pool.end();
  }
}

async function openServer(home: string): Promise<Server> {
  const external = process.env["TEST_DATABASE_URL"];
  if (external !== undefined) return { url: external, stop: async () => {} };
  const memory = (await hasMemoryFolder()) ? await makeRunFolder(memoryFolder) : home;
  const server = await openEmbeddedServer({
    dataDir: path.join(memory, "data"),
    // Never in memory: programs are copied there where needed, and containers let none run from memory.
    sharedDir: path.join(home, "shared"),
    log: silentLog,
    // The data of a test run need not survive a crash.
    settings: { fsync: "off", full_page_writes: "off", synchronous_commit: "off" },
  });
  const { user, password, host, port, database } = server.connection;
  const url = new URL(`postgresql://${user}:${password}@localhost:${port}/${database}`);
  url.searchParams.set("host", host);
  return {
    url: url.href,
    async stop() {
      await server.close();
      await fs.rm(memory, { recursive: true });
    },
  };
}

// Each clone is a thousand files that are made and deleted. In memory that takes a tenth of the processor time: ext4
// looks for a free inode among those that were deleted just before.
const memoryFolder = "/dev/shm";
const memoryBytesMin = 4 * 1024 ** 3;

async function hasMemoryFolder(): Promise<boolean> {
  try {
    const { bavail, bsize } = await fs.statfs(memoryFolder);
    return bavail * bsize >= memoryBytesMin;
  } catch {
    // Only Linux has it.
    return false;
  }
}

// A database of its own for a test file, cloned from the run's migrated template and dropped after.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { patience } from "./patience.ts";

/** The values that the run's set-up provides: where the server is and which database to clone. */
export type TestServer = { url: string; template: string };

export type TestDatabase = {
  connectionString: string;
  /** Close your pools first; remaining connections are cut after two seconds, on a busy machine later. */
  drop(): Promise<void>;
};

export function cloneDatabase(): Promise<TestDatabase> {
  // Copying files takes half the time of writing all pages to the write-ahead log, hundreds of times a run.
  return createDatabase(`template ${inject("postgres").template} strategy file_copy`);
}

/** A database that is not migrated, with the locale of the C library that knows the case of ASCII letters alone. */
export function createPlainDatabase(encoding = "UTF8"): Promise<TestDatabase> {
  return createDatabase(
    `template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
  );
}

async function createDatabase(how: string): Promise<TestDatabase> {
  const { url } = inject("postgres");
  const name = `starpost_test_${randomUUID().replaceAll("-", "")}`;
  await execute(url, `create database ${name} ${how}`);
  return {
    connectionString: urlOf(url, name),
    drop: () => dropDatabase(url, name),
  };
}

const inUse = "55006";
const closingMsMax = 2_000;

// The end of a pool resolves before its connections are closed; cutting one of them now would be an
// unhandled error.
async function dropDatabase(url: string, name: string): Promise<void> {
  const deadline = performance.now() + patience(closingMsMax);
  while (performance.now() < deadline) {
    try {
      return await execute(url, `drop database ${name}`);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== inUse) throw error;
      await delay(10);
    }
  }
  await execute(url, `drop database ${name} with (force)`);
}

export function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function execute(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client(connectionString);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

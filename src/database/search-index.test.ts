// Making and dropping the search index on a real server: while others write, after an interruption, and without the right to.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSignal } from "../../test/support/signal.ts";
import { openTestContext, type TestContext } from "../../test/support/test-context.ts";
import { systemDelay } from "../lib/delay.ts";
import { silentLog } from "../lib/log.ts";
import { createSearchIndex, dropSearchIndex, type SearchIndexOptions } from "./search-index.ts";

let context: TestContext;
let options: SearchIndexOptions;
beforeAll(async () => {
  context = await openTestContext();
  options = {
    log: silentLog,
    connection: { connectionString: context.connectionString },
    delay: (_, signal) => systemDelay(5, signal),
  };
});
afterAll(() => context.close());

const state = async () => (await context.database.readSearchIndex()).state;

test("is made while others write, says what it waits for, and goes on after an interruption", async () => {
  const writer = new pg.Client(context.connectionString);
  await writer.connect();
  try {
    expect(await context.database.readSearchIndex()).toEqual({ state: "none", bytes: 0 });
    await writer.query("begin; lock table reviews in row exclusive mode");
    const waiting = createSignal("PostgreSQL to wait for the writer");
    const onProgress: SearchIndexOptions["onProgress"] = ({ text }) => {
      if (text.includes("waiting for writers")) waiting.notify();
    };
    const made = createSearchIndex({ ...options, onProgress });
    const failed = expect(made).rejects.toMatchObject({ code: "unavailable" });
    await waiting.received(20_000);
    expect(await state()).toBe("building");
    const conflict = { code: "conflict", message: expect.stringContaining("right now") };
    await expect(createSearchIndex(options)).rejects.toMatchObject(conflict);
    await expect(dropSearchIndex(options)).rejects.toMatchObject(conflict);
    await writer.query(
      "select pg_cancel_backend(pid) from pg_stat_progress_create_index where datname = current_database()",
    );
    await failed;
    expect(await state()).toBe("incomplete");
  } finally {
    await writer.end();
  }
  const { bytes, ...ready } = await createSearchIndex(options);
  expect(ready).toEqual({ state: "ready" });
  expect(bytes).toBeGreaterThan(0);
  // What is there is left alone.
  expect(await createSearchIndex(options)).toEqual({ state: "ready", bytes });
  expect(await dropSearchIndex(options)).toEqual({ state: "none", bytes: 0 });
  expect(await dropSearchIndex(options)).toEqual({ state: "none", bytes: 0 });
});

test("a database that is spread over servers has none", async () => {
  const owner = new pg.Client(context.connectionString);
  await owner.connect();
  try {
    await owner.query("update distribution set is_distributed = true");
    const refusal = { code: "conflict", message: expect.stringContaining("spread over servers") };
    await expect(createSearchIndex(options)).rejects.toMatchObject(refusal);
  } finally {
    await owner.query("update distribution set is_distributed = false");
    await owner.end();
  }
});

test("an account that may not add extensions is told which are needed", async ({ skip }) => {
  const owner = new pg.Client(context.connectionString);
  await owner.connect();
  try {
    const { rows } = await owner.query(
      "select rolsuper from pg_roles where rolname = current_user",
    );
    skip(rows[0].rolsuper, "a superuser may add everything");
    await owner.query("drop extension if exists btree_gin, pg_trgm");
    await owner.query(
      `revoke create on database ${new URL(context.connectionString).pathname.slice(1)} from current_user`,
    );
    await expect(createSearchIndex(options)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("create extension pg_trgm"),
    });
  } finally {
    await owner.end();
  }
});

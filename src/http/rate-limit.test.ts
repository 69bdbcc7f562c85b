// The limit holds in any stretch of a minute, for requests of several processes at once.
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MovableClock } from "../../test/support/movable-clock.ts";
import {
  openTestContext,
  openTestContextWithClient,
  type TestContext,
} from "../../test/support/test-context.ts";
import { pruneRateWindows, takeRatePermit } from "../database/accounts/rate-windows.ts";
import { type Database, openDatabase } from "../database/database.ts";
import type { Db } from "../database/query.ts";
import { AppError } from "../domain/error.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import { createRateLimits, type RateLimit } from "./rate-limit.ts";

const start = new Date("2026-11-21T12:00:00Z");
const bounds = { limit: 5, windowMs: 60_000 };

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

function open(clock: MovableClock, database: Database = context.database): RateLimit {
  const databaseNow = () => clock.now();
  const openRateLimit = createRateLimits({ clock, log: silentLog, database, databaseNow });
  // Every limit of a test has rows of its own.
  return openRateLimit({ name: randomUUID(), perMinute: bounds.limit });
}

const numRuns = 12;

describe("requests of one process", () => {
  test("in any stretch of its length at most the limit is accepted, and no permit is left unused", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 120 }),
        async (delays) => {
          const clock = new MovableClock(start);
          const limit = open(clock);
          const accepted: number[] = [];
          for (const delay of delays) {
            clock.advance(delay);
            const now = clock.now().getTime();
            const inWindow = accepted.filter((moment) => now - moment < bounds.windowMs).length;
            const result = await limit.take("key");
            expect(result.accepted).toBe(inWindow < bounds.limit);
            if (result.accepted) accepted.push(now);
            expect(result.remaining).toBe(bounds.limit - Math.min(inWindow + 1, bounds.limit));
          }
        },
      ),
      { numRuns },
    );
  });

  test("of requests at the same moment as many are accepted as there are permits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: 1, max: 8 })), {
          maxLength: 20,
        }),
        async (bursts) => {
          const clock = new MovableClock(start);
          const limit = open(clock);
          const accepted: number[] = [];
          for (const [delay, count] of bursts) {
            clock.advance(delay);
            const now = clock.now().getTime();
            const free =
              bounds.limit - accepted.filter((moment) => now - moment < bounds.windowMs).length;
            const takes = Array.from({ length: count }, () => limit.take("key"));
            const results = await Promise.all(takes);
            const granted = results.filter((result) => result.accepted);
            expect(granted).toHaveLength(Math.min(free, count));
            // Each reports what is left after itself.
            const remaining = granted.map((result) => result.remaining).sort((a, b) => b - a);
            expect(remaining).toEqual(granted.map((_one, index) => free - 1 - index));
            accepted.push(...granted.map(() => now));
          }
        },
      ),
      { numRuns },
    );
  });

  test("a request after resetSeconds is accepted, and resetSeconds is no longer than needed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 5, maxLength: 5 }),
        async (delays) => {
          const clock = new MovableClock(start);
          const limit = open(clock);
          for (const delay of delays) {
            clock.advance(delay);
            await limit.take("key");
          }
          const { accepted, resetSeconds } = await limit.take("key");
          expect(accepted).toBe(delays.slice(1).reduce((sum, delay) => sum + delay, 0) >= 60_000);
          if (accepted) return;
          expect(resetSeconds).toBeGreaterThanOrEqual(1);
          clock.advance(resetSeconds * 1_000 - 1_000);
          expect((await limit.take("key")).accepted).toBe(false);
          clock.advance(1_000);
          expect((await limit.take("key")).accepted).toBe(true);
        },
      ),
      { numRuns },
    );
  });

  test("a clock that is set back locks out clients for at most the window", async () => {
    const clock = new MovableClock(start);
    const limit = open(clock);
    for (let count = 0; count < bounds.limit; count += 1) await limit.take("key");
    clock.advance(-3_600_000);
    expect((await limit.take("key")).accepted).toBe(false);
    clock.advance(bounds.windowMs);
    expect((await limit.take("key")).accepted).toBe(true);
  });

  test("keys don't share permits", async () => {
    const limit = open(new MovableClock(start));
    const keys = Array.from({ length: 12 }, (_key, index) => `key-${index % 2}`);
    const results = await Promise.all(keys.map((key) => limit.take(key)));
    expect(results.filter(({ accepted }) => accepted)).toHaveLength(2 * bounds.limit);
  });
});

describe("requests of several processes", () => {
  test("many at once from several pools, by the server's clock, get no permit twice", async () => {
    const { connectionString } = context;
    const pools = await Promise.all(
      [1, 2, 3].map(() => openDatabase({ log: silentLog, connection: { connectionString } })),
    );
    const name = randomUUID();
    const limits = pools.map((database) =>
      createRateLimits({
        clock: systemClock,
        log: silentLog,
        database,
        databaseNow: () => null,
      })({ name, perMinute: bounds.limit }),
    );
    const keys = ["a", "b", "c", "d"];
    const rounds = await Promise.all(
      limits.flatMap((limit) =>
        Array.from({ length: 30 }, async (_, round) => {
          // Statements of different pools meet over the same rows in different orders.
          const order = round % 2 ? keys : keys.toReversed();
          const results = await Promise.all(order.map((key) => limit.take(key)));
          return order.filter((_key, index) => results[index]?.accepted);
        }),
      ),
    );
    expect(rounds.flat().sort().join("")).toBe("aaaaabbbbbcccccddddd");
    await Promise.all(pools.map((database) => database.close()));
  });

  test("a refused key makes no further query before a permit is free", async () => {
    const clock = new MovableClock(start);
    let queryCount = 0;
    const takeRatePermit: Database["takeRatePermit"] = (take) => {
      queryCount += 1;
      return context.database.takeRatePermit(take);
    };
    const limit = open(clock, { ...context.database, takeRatePermit });
    for (let count = 0; count < bounds.limit; count += 1) await limit.take("a");
    expect(await limit.take("a")).toMatchObject({ accepted: false, resetSeconds: 60 });
    expect(queryCount).toBe(bounds.limit);
    clock.advance(bounds.windowMs);
    expect(await limit.take("a")).toMatchObject({ accepted: true });
    expect(queryCount).toBe(bounds.limit + 1);
  });

  test("without the database no request is accepted, and after it came back they are", async () => {
    let isAway = true;
    const takeRatePermit: Database["takeRatePermit"] = (take) =>
      isAway
        ? Promise.reject(new AppError("unavailable", "the database is away"))
        : context.database.takeRatePermit(take);
    const clock = new MovableClock(start);
    const limit = open(clock, { ...context.database, takeRatePermit });
    await expect(limit.take("a")).rejects.toMatchObject({ code: "unavailable" });
    isAway = false;
    expect(await limit.take("a")).toMatchObject({ accepted: true, remaining: 4 });
  });

  test("rows of idle keys are deleted, the others are not", async () => {
    const clock = new MovableClock(start);
    const limit = open(clock);
    for (const key of ["idle", "busy", "busy", "busy", "busy", "busy"]) {
      await limit.take(key);
      clock.advance(9_000);
    }
    clock.advance(15_000);
    const idle = { windowMs: bounds.windowMs, now: clock.now() };
    expect(await context.database.pruneRateWindows(idle)).toBeGreaterThan(0);
    expect((await limit.take("busy")).remaining).toBe(0);
  });
});

test("no commit of a window waits for the disk, while others wait for its rows", async () => {
  const { client, ...more } = await openTestContextWithClient();
  const { windowMs } = bounds;
  await client.query("set synchronous_commit = on");
  const take = (db: Db) => takeRatePermit(db, { key: "a", limit: 1, windowMs, now: start });
  const prune = (db: Db) => pruneRateWindows(db, { windowMs, now: start });
  for (const run of [take, prune]) {
    await client.query("begin");
    await run(client as Db);
    const { rows } = await client.query("show synchronous_commit");
    expect(rows).toEqual([{ synchronous_commit: "off" }]);
    await client.query("rollback");
  }
  await more.close();
});

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiWorld, openApiWorld } from "../../test/support/api-caller.ts";
import { aKey } from "../../test/support/world.ts";
import { MovableClock } from "../lib/clock.ts";
import { openRateLimit } from "./rate-limit.ts";

const start = new Date("2026-11-21T12:00:00Z");
const bounds = { limit: 5, windowMs: 60_000, keysMax: 1_000 };

describe("the window", () => {
  test("in any stretch of its length at most the limit is accepted, and no place is left unused", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 120 }),
        async (pauses) => {
          const clock = new MovableClock(start);
          const limit = openRateLimit({ clock, bounds });
          const accepted: number[] = [];
          for (const pause of pauses) {
            clock.advance(pause);
            const now = clock.now().getTime();
            const inWindow = accepted.filter((moment) => now - moment < bounds.windowMs).length;
            const verdict = await limit.take("key");
            expect(verdict.accepted).toBe(inWindow < bounds.limit);
            if (verdict.accepted) accepted.push(now);
            expect(verdict.remaining).toBe(bounds.limit - Math.min(inWindow + 1, bounds.limit));
          }
        },
      ),
    );
  });

  test("who waits as long as told is accepted, and no longer wait than needed is told", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12_000 }), { minLength: 5, maxLength: 5 }),
        async (pauses) => {
          const clock = new MovableClock(start);
          const limit = openRateLimit({ clock, bounds });
          for (const pause of pauses) {
            clock.advance(pause);
            await limit.take("key");
          }
          const { accepted, resetSeconds } = await limit.take("key");
          expect(accepted).toBe(pauses.slice(1).reduce((sum, pause) => sum + pause, 0) >= 60_000);
          if (accepted) return;
          expect(resetSeconds).toBeGreaterThanOrEqual(1);
          clock.advance(resetSeconds * 1_000 - 1_000);
          expect((await limit.take("key")).accepted).toBe(false);
          clock.advance(1_000);
          expect((await limit.take("key")).accepted).toBe(true);
        },
      ),
    );
  });

  test("a clock that is set back locks nobody out for longer than the window", async () => {
    const clock = new MovableClock(start);
    const limit = openRateLimit({ clock, bounds });
    for (let count = 0; count < bounds.limit; count += 1) await limit.take("key");
    clock.advance(-3_600_000);
    expect((await limit.take("key")).accepted).toBe(false);
    clock.advance(bounds.windowMs);
    expect((await limit.take("key")).accepted).toBe(true);
  });

  test("beyond its bound of keys the least recently accepted one is forgotten", async () => {
    const clock = new MovableClock(start);
    const limit = openRateLimit({ clock, bounds: { ...bounds, limit: 1, keysMax: 2 } });
    for (const key of ["a", "b", "c"]) {
      clock.advance(1);
      await limit.take(key);
    }
    expect((await limit.take("c")).accepted).toBe(false);
    expect((await limit.take("b")).accepted).toBe(false);
    expect((await limit.take("a")).accepted).toBe(true);
  });
});

let world: ApiWorld;
beforeAll(async () => {
  world = await openApiWorld();
});
afterAll(() => world.close());

const apps = "/api/v1/apps";

describe("429", () => {
  test("the first 60 of a burst are answered, then none until a place is free", async () => {
    const { key } = await world.join();
    const { key: other } = await world.join();
    const burst = await Promise.all(Array.from({ length: 70 }, () => world.ask(apps, { key })));
    expect(burst.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(burst[0]?.headers.get("ratelimit-remaining")).toBe("59");
    const refused = burst.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.json).toMatchObject({ code: "rate_limited", retryAfter: 60 });
    expect(refused[0]?.headers.get("retry-after")).toBe("60");
    expect(refused[0]?.headers.get("ratelimit-remaining")).toBe("0");
    expect((await world.ask(apps, { key: other })).status).toBe(200);
    world.clock.advance(59_999);
    expect((await world.ask(apps, { key })).headers.get("retry-after")).toBe("1");
    world.clock.advance(1);
    expect((await world.ask(apps, { key })).status).toBe(200);
  });

  test("every key has a limit of its own, also within one workspace", async () => {
    const { workspace, key } = await world.join();
    const second = await aKey(world.keep, workspace);
    await world.ask(apps, { key });
    const { headers } = await world.ask(apps, { key: second.key });
    expect(headers.get("ratelimit-remaining")).toBe("59");
  });

  test("faulty, unknown and unchanged answers count, refusals of the plan too", async () => {
    const { key } = await world.join();
    const { key: starter } = await world.join({ plan: "starter" });
    const headers = { "if-none-match": "*" };
    expect((await world.ask(`${apps}?x=1`, { key })).status).toBe(400);
    expect((await world.ask("/api/v1/ratings?app=x", { key })).status).toBe(404);
    const unchanged = await world.ask(apps, { key, headers });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get("ratelimit-remaining")).toBe("57");
    await world.ask(apps, { key: starter });
    const refused = await world.ask(apps, { key: starter });
    expect(refused.headers.get("ratelimit-remaining")).toBe("58");
  });

  test("failed keys are limited per address; a valid key from there and other addresses are not", async () => {
    const { key } = await world.join();
    const address = "203.0.113.9";
    const wrong = { key: `sp_${"q".repeat(43)}`, address };
    for (let count = 0; count < 30; count += 1) {
      expect((await world.ask(apps, wrong)).status).toBe(401);
    }
    const refused = await world.ask(apps, wrong);
    expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited", retryAfter: 60 } });
    expect((await world.ask(apps, { key: null, address })).status).toBe(429);
    expect((await world.ask(apps, { key: null, address: `::ffff:${address}` })).status).toBe(429);
    expect((await world.ask(apps, { key, address })).status).toBe(200);
    expect((await world.ask(apps, { ...wrong, address: "203.0.113.10" })).status).toBe(401);
    world.clock.advance(60_000);
    expect((await world.ask(apps, wrong)).status).toBe(401);
  });
});

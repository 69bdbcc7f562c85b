import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChangeTopic } from "../database/change-notifications.ts";
import { type StoredResponse, createJsonResponse } from "../http/stored-response.ts";
import { MovableClock } from "../lib/clock.ts";
import { openResponseCache } from "./response-cache.ts";

const asked = { workspaceId: "one", requestKey: "/apps?" };

/** A cache over news that the test spreads; "one" and "two" follow the listing "shared". */
function openCache(given: { bytesMax?: number; onceBytesMax?: number; isAway?: boolean } = {}) {
  const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
  const listeners = new Map<ChangeTopic, (payload: string) => void>();
  const lookUps: string[][] = [];
  const cache = openResponseCache({
    clock,
    database: {
      listen(name, listener) {
        listeners.set(name, listener);
        return () => listeners.delete(name);
      },
      async listFollowingWorkspaces(listingIds) {
        lookUps.push([...listingIds]);
        if (given.isAway) throw new Error("the database is away");
        return listingIds.includes("shared") ? ["one", "two"] : ["three"];
      },
    },
    bounds: {
      bytesMax: given.bytesMax ?? 1_000_000,
      onceBytesMax: given.onceBytesMax ?? 1_000_000,
      responseBytesMax: 10_000,
    },
  });
  let madeCount = 0;
  return {
    clock,
    cache,
    lookUps,
    async tell(name: ChangeTopic, payload: string) {
      listeners.get(name)?.(payload);
      // The look-up answers within a few turns of the loop: nothing here waits for the outside.
      await new Promise(setImmediate);
    },
    /** Asks, and tells how many answers were made so far. */
    async ask(question = asked, body: object = {}): Promise<number> {
      await cache.find(question, async (before) => {
        madeCount += 1;
        return createJsonResponse(body, before);
      });
      return madeCount;
    },
  };
}

test("an answer is made once a second at most, for each question of each workspace", async () => {
  const { ask, clock } = openCache();
  expect(await ask()).toBe(1);
  expect(await ask()).toBe(1);
  expect(await ask({ ...asked, requestKey: "/apps?x" })).toBe(2);
  expect(await ask({ ...asked, workspaceId: "two" })).toBe(3);
  clock.advance(999);
  expect(await ask()).toBe(3);
  clock.advance(1);
  expect(await ask()).toBe(4);
  clock.advance(-60_000);
  expect(await ask()).toBe(5);
});

test("whatever news are lost, no answer is older than a second", async () => {
  const step = fc.record({
    delay: fc.integer({ min: 0, max: 1_500 }),
    changes: fc.boolean(),
    isTold: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, cache, tell } = openCache();
      const changes = [{ at: clock.now().getTime(), version: 0 }];
      for (const { delay, changes: isChange, isTold } of steps) {
        clock.advance(delay);
        const now = clock.now().getTime();
        const latest = changes.at(-1)?.version ?? 0;
        if (isChange) changes.push({ at: now, version: latest + 1 });
        if (isChange && isTold) await tell("reviews", "shared");
        const current = changes.at(-1)?.version ?? 0;
        const answer = await cache.find(asked, async () => createJsonResponse({ version: current }));
        const { version } = JSON.parse(answer.text);
        const secondAgo = changes.filter(({ at }) => at <= now - 1_000).at(-1)?.version ?? 0;
        expect(version).toBeGreaterThanOrEqual(isChange && isTold ? current : secondAgo);
      }
    }),
  );
});

test("news end the answers of the workspaces they concern, and no others", async () => {
  const { ask, tell } = openCache();
  const three = { ...asked, workspaceId: "three" };
  await ask();
  expect(await ask(three)).toBe(2);
  await tell("reviews", "shared");
  expect(await ask(three)).toBe(2);
  expect(await ask()).toBe(3);
  await tell("apps", "three");
  expect(await ask()).toBe(3);
  expect(await ask(three)).toBe(4);
  // Nothing was heard for a while: anything may have changed.
  await tell("reviews", "");
  expect(await ask()).toBe(5);
  expect(await ask(three)).toBe(6);
});

test("news of a whole batch of listings are looked up together", async () => {
  const { ask, tell, lookUps } = openCache();
  await tell("reviews", "shared");
  expect(lookUps).toEqual([]);
  await ask();
  await Promise.all(["a", "b", "c", "c"].map((id) => tell("reviews", id)));
  expect(lookUps).toEqual([["a"], ["b", "c"]]);
});

test("news that can't be placed end every answer", async () => {
  const { ask, tell } = openCache({ isAway: true });
  await ask();
  await tell("reviews", "shared");
  expect(await ask()).toBe(2);
});

test("news end an answer that is still being made for those who ask later", async () => {
  const { cache, tell } = openCache();
  let finish = (_answer: StoredResponse): void => {};
  const slow = cache.find(asked, () => new Promise((resolve) => (finish = resolve)));
  await tell("reviews", "shared");
  const fresh = await cache.find(asked, async () => createJsonResponse({ is: "new" }));
  finish(createJsonResponse({ is: "old" }));
  expect(await slow).not.toBe(fresh);
  expect(await cache.find(asked, async () => createJsonResponse({}))).toBe(fresh);
});

test("a burst is one answer, and a failure is not kept", async () => {
  const { cache, ask } = openCache();
  const failing = [1, 2].map(() =>
    cache.find(asked, () => Promise.reject(new Error("the database is away"))),
  );
  for (const failed of failing) await expect(failed).rejects.toThrow("away");
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
});

const page = (index: number) => ({ ...asked, requestKey: `/reviews?limit=${index}` });
// Counts as 3 kB, with room for what is compressed of it.
const body = { text: "x".repeat(1_500) };

test("the answers kept stay below their bound; a huge one is not kept at all", async () => {
  const { ask } = openCache({ bytesMax: 10_000 });
  for (const index of [1, 2, 3]) {
    await ask(page(index), body);
    await ask(page(index), body);
  }
  expect(await ask(page(3), body)).toBe(3);
  // Three are kept: the fourth pushes out the first.
  await ask(page(4), body);
  expect(await ask(page(4), body)).toBe(4);
  expect(await ask(page(2), body)).toBe(4);
  expect(await ask(page(1), body)).toBe(5);
  const huge = { text: "x".repeat(20_000) };
  expect(await ask(asked, huge)).toBe(6);
  expect(await ask(asked, huge)).toBe(7);
  expect(await ask(page(4), body)).toBe(7);
});

test("answers asked for once have little room, and push out none that were asked for again", async () => {
  const { ask } = openCache({ onceBytesMax: 7_000 });
  await ask(page(1), body);
  expect(await ask(page(1), body)).toBe(1);
  for (const index of [2, 3, 4]) await ask(page(index), body);
  expect(await ask(page(1), body)).toBe(4);
  expect(await ask(page(4), body)).toBe(4);
  expect(await ask(page(2), body)).toBe(5);
});

test("the same bytes again are the same answer, with what was compressed of it", async () => {
  const { cache, clock } = openCache();
  const find = (body: object) => cache.find(asked, async (before) => createJsonResponse(body, before));
  const first = await find({ is: 1 });
  clock.advance(5_000);
  expect(await find({ is: 1 })).toBe(first);
  clock.advance(5_000);
  const other = await find({ is: 2 });
  expect(other.etag).not.toBe(first.etag);
});

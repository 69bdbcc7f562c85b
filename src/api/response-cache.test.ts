import fc from "fast-check";
import { expect, test } from "vitest";
import type { ChangeTopic } from "../database/change-notifications.ts";
import { createStoredResponse, type StoredResponse } from "../http/stored-response.ts";
import { MovableClock } from "../lib/clock.ts";
import { silentLog } from "../lib/log.ts";
import { openResponseCache } from "./response-cache.ts";

const request = { workspaceId: "one", requestKey: "/apps?" };

function createJsonResponse(body: object, previous: StoredResponse | null = null): StoredResponse {
  const json = { contentType: "application/json", cacheControl: "", compression: "fast" } as const;
  return createStoredResponse({ content: JSON.stringify(body), ...json }, previous);
}

/** A cache whose notifications the test sends; "one" and "two" follow the listing "shared". */
function openCache(options: { bytesMax?: number; onceBytesMax?: number; isAway?: boolean } = {}) {
  const clock = new MovableClock(new Date("2026-11-21T12:00:00Z"));
  const listeners = new Map<ChangeTopic, (payload: string) => void>();
  const lookups: string[][] = [];
  const cache = openResponseCache({
    clock,
    log: silentLog,
    database: {
      listen(name, listener) {
        listeners.set(name, listener);
        return () => listeners.delete(name);
      },
      async listFollowingWorkspaces(listingIds) {
        lookups.push([...listingIds]);
        if (options.isAway) throw new Error("the database is away");
        return listingIds.includes("shared") ? ["one", "two"] : ["three"];
      },
    },
    bounds: {
      bytesMax: options.bytesMax ?? 1_000_000,
      onceBytesMax: options.onceBytesMax ?? 1_000_000,
      responseBytesMax: 10_000,
    },
  });
  let createdCount = 0;
  return {
    clock,
    cache,
    lookups,
    async notify(name: ChangeTopic, payload: string) {
      listeners.get(name)?.(payload);
      // The lookup resolves within a few turns of the event loop: nothing here does I/O.
      await new Promise(setImmediate);
    },
    /** Requests once, and returns how many responses were created so far. */
    async requestOnce(key = request, body: object = {}): Promise<number> {
      await cache.find(key, async (previous) => {
        createdCount += 1;
        return createJsonResponse(body, previous);
      });
      return createdCount;
    },
  };
}

test("a response is created at most once a second, for each request of each workspace", async () => {
  const { requestOnce, clock } = openCache();
  expect(await requestOnce()).toBe(1);
  expect(await requestOnce()).toBe(1);
  expect(await requestOnce({ ...request, requestKey: "/apps?x" })).toBe(2);
  expect(await requestOnce({ ...request, workspaceId: "two" })).toBe(3);
  clock.advance(999);
  expect(await requestOnce()).toBe(3);
  clock.advance(1);
  expect(await requestOnce()).toBe(4);
  clock.advance(-60_000);
  expect(await requestOnce()).toBe(5);
});

test("whichever notifications are lost, no response is older than a second", async () => {
  const step = fc.record({
    delay: fc.integer({ min: 0, max: 1_500 }),
    changes: fc.boolean(),
    isNotified: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, cache, notify } = openCache();
      const changes = [{ at: clock.now().getTime(), version: 0 }];
      for (const { delay, changes: isChange, isNotified } of steps) {
        clock.advance(delay);
        const now = clock.now().getTime();
        const latest = changes.at(-1)?.version ?? 0;
        if (isChange) changes.push({ at: now, version: latest + 1 });
        if (isChange && isNotified) await notify("reviews", "shared");
        const current = changes.at(-1)?.version ?? 0;
        const response = await cache.find(request, async () =>
          createJsonResponse({ version: current }),
        );
        const { version } = JSON.parse(String(response.content));
        const secondAgo = changes.filter(({ at }) => at <= now - 1_000).at(-1)?.version ?? 0;
        expect(version).toBeGreaterThanOrEqual(isChange && isNotified ? current : secondAgo);
      }
    }),
  );
});

test("notifications invalidate the responses of the workspaces they concern, and no others", async () => {
  const { requestOnce, notify } = openCache();
  const three = { ...request, workspaceId: "three" };
  await requestOnce();
  expect(await requestOnce(three)).toBe(2);
  await notify("reviews", "shared");
  expect(await requestOnce(three)).toBe(2);
  expect(await requestOnce()).toBe(3);
  await notify("apps", "three");
  expect(await requestOnce()).toBe(3);
  expect(await requestOnce(three)).toBe(4);
  // Notifications were missed: anything may have changed.
  await notify("reviews", "");
  expect(await requestOnce()).toBe(5);
  expect(await requestOnce(three)).toBe(6);
});

test("the followers of a batch of listings are looked up together", async () => {
  const { requestOnce, notify, lookups } = openCache();
  await notify("reviews", "shared");
  expect(lookups).toEqual([]);
  await requestOnce();
  await Promise.all(["a", "b", "c", "c"].map((id) => notify("reviews", id)));
  expect(lookups).toEqual([["a"], ["b", "c"]]);
});

test("when the followers are unknown, every response is invalidated", async () => {
  const { requestOnce, notify } = openCache({ isAway: true });
  await requestOnce();
  await notify("reviews", "shared");
  expect(await requestOnce()).toBe(2);
});

test("a notification also invalidates a response that is still being created", async () => {
  const { cache, notify } = openCache();
  let finish = (_response: StoredResponse): void => {};
  const slow = cache.find(request, () => new Promise((resolve) => (finish = resolve)));
  await notify("reviews", "shared");
  const fresh = await cache.find(request, async () => createJsonResponse({ is: "new" }));
  finish(createJsonResponse({ is: "old" }));
  expect(await slow).not.toBe(fresh);
  expect(await cache.find(request, async () => createJsonResponse({}))).toBe(fresh);
});

test("a burst creates one response, and a failure is not cached", async () => {
  const { cache, requestOnce } = openCache();
  const failing = [1, 2].map(() =>
    cache.find(request, () => Promise.reject(new Error("the database is away"))),
  );
  for (const failed of failing) await expect(failed).rejects.toThrow("away");
  expect(await Promise.all([requestOnce(), requestOnce(), requestOnce()])).toEqual([1, 1, 1]);
});

const page = (index: number) => ({ ...request, requestKey: `/reviews?limit=${index}` });
// Counts as 3 kB, with its compressed forms.
const body = { text: "x".repeat(1_500) };

test("cached responses stay below their bound; a huge one is not cached at all", async () => {
  const { requestOnce } = openCache({ bytesMax: 10_000 });
  for (const index of [1, 2, 3]) {
    await requestOnce(page(index), body);
    await requestOnce(page(index), body);
  }
  expect(await requestOnce(page(3), body)).toBe(3);
  // Three fit: the fourth evicts the first.
  await requestOnce(page(4), body);
  expect(await requestOnce(page(4), body)).toBe(4);
  expect(await requestOnce(page(2), body)).toBe(4);
  expect(await requestOnce(page(1), body)).toBe(5);
  const huge = { text: "x".repeat(20_000) };
  expect(await requestOnce(request, huge)).toBe(6);
  expect(await requestOnce(request, huge)).toBe(7);
  expect(await requestOnce(page(4), body)).toBe(7);
});

test("responses requested once have a small bound, and evict none that were requested again", async () => {
  const { requestOnce } = openCache({ onceBytesMax: 7_000 });
  await requestOnce(page(1), body);
  expect(await requestOnce(page(1), body)).toBe(1);
  for (const index of [2, 3, 4]) await requestOnce(page(index), body);
  expect(await requestOnce(page(1), body)).toBe(4);
  expect(await requestOnce(page(4), body)).toBe(4);
  expect(await requestOnce(page(2), body)).toBe(5);
});

test("the same bytes again are the same response, with its compressed forms", async () => {
  const { cache, clock } = openCache();
  const find = (body: object) =>
    cache.find(request, async (previous) => createJsonResponse(body, previous));
  const first = await find({ is: 1 });
  clock.advance(5_000);
  expect(await find({ is: 1 })).toBe(first);
  clock.advance(5_000);
  const other = await find({ is: 2 });
  expect(other.etag).not.toBe(first.etag);
});

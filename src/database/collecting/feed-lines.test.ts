// In whose line a feed waits, and that lines take turns at the slots of a lane.
import { afterAll, beforeAll, expect, test } from "vitest";
import { anApp, aWorkspace, startTime } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { App } from "../../domain/feed/listing.ts";
import { hourMs, secondMs } from "../../lib/timestamp.ts";
import { syncFeeds } from "../../use-cases/apps/app-regions.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

const later = new Date(startTime.getTime() + hourMs);
const lane = { name: "long", store: "appstore", isOfficial: false, isLong: true } as const;

async function follow(workspaceId: string, options: { externalAppId?: string; dueAt?: Date } = {}) {
  const { dueAt = startTime, ...named } = options;
  const app = await anApp(context.database, { workspaceId, countries: ["us"], ...named });
  await makeFeeds(app, dueAt);
  return app;
}

async function makeFeeds({ listingId }: App, now: Date): Promise<void> {
  const listing = await context.database.findListing(listingId);
  if (!listing) throw new Error("the listing is missing");
  await syncFeeds(context.database, { listing, now });
}

/** The lines of the claimed feeds. The worker goes on behind the last one. */
async function claim(limit: number, after: string | null): Promise<string[]> {
  const lease = {
    token: crypto.randomUUID(),
    now: later,
    leasedUntil: new Date(later.getTime() + 1),
  };
  const claimed = await context.database.claimDueFeeds({
    ...lease,
    lanes: [{ ...lane, limit, after }],
  });
  return claimed.map(({ line }) => line);
}

test("a workspace with one app has its turn before the second app of one with many", async () => {
  const many = await aWorkspace(context.database);
  const few = await aWorkspace(context.database);
  const third = await aWorkspace(context.database);
  for (let index = 0; index < 20; index += 1) await follow(many.id);
  // Added later than all others, so due later.
  await follow(few.id, { dueAt: new Date(startTime.getTime() + secondMs) });
  await follow(third.id, { dueAt: new Date(startTime.getTime() + 2 * secondMs) });
  const served: string[] = [];
  for (let count = 0; count < 5; count += 1)
    served.push(...(await claim(1, served.at(-1) ?? null)));
  expect(served.slice(0, 3).toSorted()).toEqual([many.id, few.id, third.id].toSorted());
  // A line that is alone has all slots.
  expect(served.slice(3)).toEqual([many.id, many.id]);
  expect(await claim(30, many.id)).toEqual(Array(17).fill(many.id));
  expect(await claim(3, many.id)).toEqual([]);
});

test("a listing waits in the line of its follower with the fewest apps", async () => {
  const many = await aWorkspace(context.database);
  const few = await aWorkspace(context.database);
  const shared = await follow(many.id, { externalAppId: "990001" });
  await follow(many.id);
  const lineOf = async (): Promise<string | null | undefined> =>
    (await context.database.listListingsToAnalyze(null)).find(
      ({ listingId }) => listingId === shared.listingId,
    )?.line;
  expect(await lineOf()).toBe(many.id);
  const own = await follow(few.id, { externalAppId: "990001" });
  expect(own.listingId).toBe(shared.listingId);
  expect(await lineOf()).toBe(few.id);
  // One that comes last and follows many more changes nothing.
  const most = await aWorkspace(context.database);
  for (let index = 0; index < 3; index += 1) await follow(most.id);
  await follow(most.id, { externalAppId: "990001" });
  expect(await lineOf()).toBe(few.id);
  const claimed = await claim(30, null);
  expect(claimed.filter((line) => line === few.id)).toHaveLength(1);
});

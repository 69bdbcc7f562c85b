import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noLimits, saveFailing } from "../../../test/support/claims.ts";
import {
  aDelivery,
  anApp,
  aWorkspace,
  saveChannel,
  startTime,
} from "../../../test/support/factories.ts";
import { anyDueFeeds } from "../../../test/support/feeds.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { readStatus } from "./read-status.ts";

const pace = { requestsPerSecond: 1, intervalMinutes: 60 };
let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

describe("an installation, one state after the other", { shuffle: false }, () => {
  test("an empty installation is healthy; a feed that no process crawls is not, and the status says since when", async () => {
    const { clock, database } = context;
    expect(await readStatus({ ...context, pace })).toMatchObject({
      isHealthy: true,
      checks: [
        { check: "database", state: "ok" },
        { check: "crawling", state: "ok" },
        { check: "delivery", state: "ok" },
      ],
    });
    const { id: workspaceId } = await aWorkspace(database);
    const app = await anApp(database, { workspaceId });
    const { listingId } = app;
    await database.setFeeds({ listingId, kind: "reviews", regions: ["us", "gb"], now: startTime });
    expect((await readStatus({ ...context, pace })).isHealthy).toBe(true);
    clock.advance(hourMs);
    const { isHealthy, checks, tables } = await readStatus({ ...context, pace });
    expect(isHealthy).toBe(false);
    expect(checks[1]).toMatchObject({
      check: "App Store reviews",
      state: "failed",
      since: startTime,
    });
    expect(checks[1]?.detail).toContain("2 of 2 feeds");
    // At this pace a round takes three hours: that they wait is what was announced.
    const slow = { requestsPerSecond: 0.0003, intervalMinutes: 60 };
    expect((await readStatus({ ...context, pace: slow })).isHealthy).toBe(true);
    expect(tables.map(({ bytes }) => bytes)).toEqual(
      tables.map(({ bytes }) => bytes).sort((one, other) => other - one),
    );
  });

  test("what fails is named with its reason, once for each cause, and does not count as a standstill", async () => {
    const { clock, database } = context;
    const now = clock.now();
    const lease = {
      token: crypto.randomUUID(),
      now,
      leasedUntil: new Date(now.getTime() + hourMs),
    };
    for (const feed of await database.claimDueFeeds({ ...lease, ...anyDueFeeds() })) {
      const nextDueAt = new Date(now.getTime() + hourMs);
      await database.rescheduleFeed({ ...feed, lastError: "HTTP 503", nextDueAt, now });
    }
    const { isHealthy, checks } = await readStatus({ ...context, pace });
    expect(isHealthy).toBe(true);
    expect(checks.filter(({ state }) => state === "warning")).toMatchObject([
      { check: "App Store feeds", since: startTime, detail: "2 could not be read: HTTP 503" },
    ]);
  });

  test("deliveries that a running worker holds and does not send are a standstill", async () => {
    const { clock, database } = context;
    const { id: workspaceId } = await aWorkspace(database);
    const { id: channelId } = await saveChannel(database, { workspaceId });
    const now = clock.now();
    await database.enqueueDeliveries({
      deliveries: [aDelivery({ id: channelId, workspaceId })],
      now,
    });
    const worker = { ...noLimits, workerId: 1_000_001, now, held: [] };
    const claimed = await database.claimDeliveries({ ...worker, perChannelMax: 1, fullHosts: [] });
    expect(claimed.map((channel) => channel.channelId)).toContain(channelId);
    clock.advance(hourMs);
    const { isHealthy, checks } = await readStatus({
      ...context,
      pace: { ...pace, intervalMinutes: 1e6 },
    });
    expect(isHealthy).toBe(false);
    expect(checks).toContainEqual(
      expect.objectContaining({ check: "delivery", state: "failed", since: now }),
    );
    await database.releaseChannels({ workerId: worker.workerId, channelIds: [channelId] });
  });

  test("a channel that fails is named", async () => {
    const { database } = context;
    const { id: workspaceId } = await aWorkspace(database);
    const { id } = await saveChannel(database, { workspaceId, name: "Bot" });
    await saveChannel(database, { workspaceId, name: "Fine" });
    const failing = { failingSince: startTime, failingReason: "HTTP 500", timeoutCount: 0 };
    await database.advanceQueue([{ channelId: id, dueAt: startTime }]);
    await saveFailing(database, { channelId: id, ...failing });
    const { checks } = await readStatus({ ...context, pace });
    expect(checks.filter(({ check }) => check === "channel")).toEqual([
      {
        check: "channel",
        state: "warning",
        since: startTime,
        detail: `Bot (${id}) at hooks.example.com: HTTP 500`,
      },
    ]);
  });

  test("details of an app that wait for a second day are named", async () => {
    const { database } = context;
    const { id: workspaceId } = await aWorkspace(database);
    const { listingId: id, externalAppId } = await anApp(database, { workspaceId });
    const details = JSON.stringify(["Tidepool Pro", null, "2.0"]);
    await database.saveListingDetails({ id, name: "Tidepool", iconUrl: "" });
    await database.holdListingDetails({ id, details, since: startTime });
    const { checks } = await readStatus({ ...context, pace });
    expect(checks.filter(({ check }) => check.endsWith(" details"))).toEqual([
      {
        check: "App Store details",
        state: "ok",
        since: startTime,
        detail: `${externalAppId} waits for the reading of a second day: name Tidepool Pro instead of Tidepool, version 2.0 instead of none`,
      },
    ]);
  });
});

// Alerts: which channels get them, once for each cause, and again when it has ended.

import pg from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { eraseReview } from "../../../test/support/acts.ts";
import { saveFailing } from "../../../test/support/claims.ts";
import {
  anApp,
  aReview,
  aWorkspace,
  saveChannel,
  saveReviews,
} from "../../../test/support/factories.ts";
import { listQueuedEvents } from "../../../test/support/queued-events.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { type AlertName, alertNames, type Channel } from "../../domain/channel/channel.ts";
import type { AlertDocument } from "../../domain/channel/channel-event.ts";
import type { App } from "../../domain/feed/listing.ts";
import { silentLog } from "../../lib/log.ts";
import { addDays, hourMs, minuteMs } from "../../lib/timestamp.ts";
import { findWorseReleases } from "../verdict/find-worse-releases.ts";
import { queueAlerts } from "./alert-worker.ts";

let context: TestContext;
let workspaceId: string;
let app: App;
const { signal } = new AbortController();

beforeEach(async () => {
  context = await openTestContext();
  context.clock.set(new Date("2026-11-20T12:00:00Z"));
  workspaceId = (await aWorkspace(context.database)).id;
  app = await anApp(context.database, { workspaceId, countries: ["us", "de"] });
  return async () => {
    await context.close();
    expect(errors.splice(0)).toEqual([]);
  };
});
const errors: unknown[] = [];

const run = (): Promise<number> => queueAlerts({ ...context, log }, signal);
const log = { ...silentLog, error: (facts: object) => void errors.push(facts) };
const addChannel = (events: Channel["events"], overrides: Partial<Channel> = {}) =>
  saveChannel(context.database, { workspaceId, type: "slack", events, ...overrides });

async function listAlerts(channel: Channel): Promise<AlertDocument[]> {
  return (await listQueuedEvents(context.database, channel)).filter(isAlert);
}

function isAlert(event: { event: string }): event is AlertDocument {
  return (alertNames as readonly string[]).includes(event.event);
}

/** As crawls leave it. */
async function setFeed(region: string, failureCount: number, lastError: string | null = null) {
  const { clock, database } = context;
  const { listingId } = app;
  await database.setFeeds({ listingId, kind: "reviews", regions: ["us", "de"], now: clock.now() });
  const client = new pg.Client(context.connectionString);
  await client.connect();
  await client.query(
    `update feeds set outcome = $3, failure_count = $4, last_error = $5
     where listing_id = $1 and kind = 'reviews' and region = $2`,
    [listingId, region, failureCount > 0 ? "unknown" : "ok", failureCount, lastError],
  );
  await client.end();
}

describe("a storefront that fails", () => {
  test("is announced once, again after it was read meanwhile, and to whom it concerns alone", async () => {
    const channel = await addChannel(["storefront.failing"]);
    const others = [
      await addChannel(["review.created", "channel.failing", "reviews.spike"]),
      await addChannel(["storefront.failing"], { apps: ["00000000-0000-4000-8000-000000000000"] }),
      await addChannel(["storefront.failing"], {
        workspaceId: (await aWorkspace(context.database)).id,
      }),
    ];
    await setFeed("de", 2, "HTTP 403");
    expect(await run()).toBe(0);
    await setFeed("de", 3, "HTTP 403");
    const rounds = await Promise.all([run(), run(), run()]);
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(1);
    await setFeed("de", 9, "HTTP 503");
    context.clock.advance(hourMs);
    expect(await run()).toBe(0);
    expect(await listAlerts(channel)).toMatchObject([
      {
        event: "storefront.failing",
        app: { id: app.id },
        lines: ["Reviews, de: HTTP 403"],
        moreCount: 0,
      },
    ]);
    await setFeed("de", 0);
    context.clock.advance(minuteMs);
    expect(await run()).toBe(0);
    await setFeed("de", 3, "HTTP 429");
    context.clock.advance(minuteMs);
    expect(await run()).toBe(1);
    for (const other of others) expect(await listAlerts(other)).toEqual([]);
  });

  test("is one message for an app, with those alone that are new", async () => {
    const channel = await addChannel(["storefront.failing"]);
    await setFeed("de", 3, "HTTP 403");
    await run();
    await setFeed("us", 3, "HTTP 500");
    await run();
    const lines = (await listAlerts(channel)).map((alert) => alert.lines);
    expect(lines).toEqual([["Reviews, de: HTTP 403"], ["Reviews, us: HTTP 500"]]);
  });
});

test("an alert that was cancelled unsent is announced again, and one that was sent again is not", async () => {
  const { database, clock } = context;
  const channel = await addChannel(["storefront.failing"]);
  const pauseAndResume = async (): Promise<void> => {
    for (const isPaused of [true, false]) {
      await database.updateChannel({ ...channel, isPaused });
      await database.cancelDeliveries({ channelId: channel.id, now: clock.now() });
    }
  };
  await setFeed("de", 3, "HTTP 403");
  expect(await run()).toBe(1);
  await pauseAndResume();
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
  await pauseAndResume();
  const page = { status: null, beforeId: null, limit: 1 };
  const [last] = await database.listDeliveries({ channelId: channel.id, workspaceId, ...page });
  await database.redeliver({ id: last?.id ?? "", workspaceId, now: clock.now() });
  expect(await run()).toBe(0);
});

test("a channel that fails for ten minutes is announced to the others, never to itself", async () => {
  const now = context.clock.now();
  const events: AlertName[] = ["channel.failing"];
  const failing = { failingSince: now, failingReason: "HTTP 500", timeoutCount: 0 };
  const broken = await addChannel(events, { name: "Broken" });
  const channel = await addChannel(events);
  await context.database.advanceQueue([{ channelId: broken.id, dueAt: now }]);
  await saveFailing(context.database, { channelId: broken.id, ...failing });
  expect(await run()).toBe(0);
  context.clock.advance(10 * minuteMs);
  expect(await run()).toBe(1);
  expect(await run()).toBe(0);
  expect(await listAlerts(channel)).toMatchObject([
    { failing: { id: broken.id, name: "Broken" }, lines: ["HTTP 500"] },
  ]);
  expect(await listAlerts(broken)).toEqual([]);
});

test("a webhook gets the alerts that it chose, with the fields that its documentation names", async () => {
  const failingSince = context.clock.now();
  const broken = await addChannel(["review.created"], { name: "Broken" });
  const channel = await addChannel(["channel.failing"], { type: "webhook" });
  await addChannel(["review.created"], { type: "webhook" });
  await context.database.advanceQueue([{ channelId: broken.id, dueAt: failingSince }]);
  const failing = { failingSince, failingReason: "HTTP 500", timeoutCount: 0 };
  await saveFailing(context.database, { channelId: broken.id, ...failing });
  context.clock.advance(10 * minuteMs);
  expect(await run()).toBe(1);
  expect(JSON.stringify(await readBodies(channel))).toBe(
    JSON.stringify([
      {
        event: "channel.failing",
        ...{ channelId: channel.id, channelName: channel.name, app: null },
        failing: { id: broken.id, name: "Broken" },
        lines: ["HTTP 500"],
      },
    ]),
  );
});

describe("a spike", () => {
  const complaints = [
    "It crashes whenever I open the tide table",
    "Closes by itself at every start since yesterday",
    "I tap on the harbour and the whole thing is gone",
    "Reinstalled twice, still falls over on my old phone",
    "Can't get past the first screen before it dies",
    "Five crashes in one morning, I went back to paper",
  ];
  const at = (day: string) => new Date(`${day}T09:00:00Z`);

  /** Praise for four weeks, and complaints on that day. */
  async function saveSpike(day: string): Promise<void> {
    const before = Array.from({ length: 28 }, (_, index) =>
      aReview({ date: at(addDays(day, -2 - index)), rating: 5 }),
    );
    const bad = { rating: 1, sentiment: "negative", score: -0.8, topics: ["crash"] } as const;
    const complained = complaints.map((text) =>
      aReview({ ...bad, topics: ["crash"], text, date: at(day) }),
    );
    await saveReviews(context.database, app, [...before, ...complained]);
  }

  beforeEach(() => saveSpike("2026-11-20"));

  test("of a topic and of negative reviews is announced on its day, once for as long as it lasts", async () => {
    const channel = await addChannel(["reviews.spike"]);
    expect(await run()).toBe(1);
    for (let hours = 0; hours < 24; hours += 6) {
      context.clock.advance(6 * hourMs);
      expect(await run()).toBe(0);
    }
    const [alert] = await listAlerts(channel);
    expect(alert?.event).toBe("reviews.spike");
    expect(alert?.lines.sort()).toEqual([
      expect.stringContaining("6 of 6 reviews are negative"),
      expect.stringContaining("6 of 6 reviews complain about crashes"),
    ]);
  });

  test("can be announced again once it has not been there for three days", async () => {
    const channel = await addChannel(["reviews.spike"]);
    expect(await run()).toBe(1);
    context.clock.set(new Date("2027-01-10T12:00:00Z"));
    expect(await run()).toBe(0);
    await saveSpike("2027-01-10");
    context.clock.advance(hourMs);
    expect(await run()).toBe(1);
    expect(await listAlerts(channel)).toHaveLength(2);
  });

  test("of other topics than the channel's does not concern it", async () => {
    const channel = await addChannel(["reviews.spike"], { topics: ["login"] });
    await run();
    const lines = (await listAlerts(channel)).flatMap((alert) => alert.lines);
    expect(lines).toEqual([expect.stringContaining("are negative")]);
  });
});

describe("a release that is worse", () => {
  const crash = { rating: 1, sentiment: "negative", score: -0.8 } as const;

  beforeEach(async () => {
    const date = (hours: number) => new Date(Date.parse("2026-11-18T00:00:00Z") + hours * hourMs);
    const past = Array.from({ length: 100 }, (_, index) =>
      aReview({ date: date(-10 * (index + 1)) }),
    );
    const bad = Array.from({ length: 20 }, (_, index) =>
      aReview({
        ...crash,
        date: date(2 * index),
        text: `It closes by itself when the map is opened, for the ${index}th time`,
        version: "5.0",
        topics: ["crash"],
        topicScores: [-1],
      }),
    );
    await saveReviews(context.database, app, [...past, ...bad]);
  });

  test.each(["slack", "webhook"] as const)(
    "is announced once to a channel of type %s",
    async (type) => {
      const channel = await addChannel(["release.worse"], { type });
      expect(await run()).toBe(1);
      context.clock.advance(2 * hourMs);
      expect(await run()).toBe(0);
      const deliveries = await readBodies(channel);
      expect(deliveries).toMatchObject([
        {
          event: "release.worse",
          channelId: channel.id,
          app: { id: app.id },
          lines: [
            expect.stringMatching(
              /^5\.0: After (\d+) reviews over \d+ hours: \1 of \1 complain about crashes \(0 of /,
            ),
          ],
        },
      ]);
      // The body of a webhook has the fields that its documentation names.
      const fields = ["event", "channelId", "channelName", "app", "lines"];
      if (type === "webhook") expect(Object.keys(deliveries[0] ?? {})).toEqual(fields);
      else
        expect(deliveries).toMatchObject([
          { quote: { rating: 1, version: "5.0", text: expect.stringMatching(/^It closes/) } },
        ]);
    },
  );

  test("is announced without the quote of a review that was erased before, meanwhile or afterwards", async () => {
    const { clock, database } = context;
    const channel = await addChannel(["release.worse"]);
    const erase = (reviewId: string) =>
      eraseReview({ clock, database, actor: "test" }, { appId: app.id, reviewId });
    const quotedIds: string[] = [];
    // The alert was found with its quote; its transaction begins after the erasure.
    const transaction: typeof database.transaction = async (work) => {
      const [worse] = await findWorseReleases(context, channel);
      quotedIds.push(worse?.quote?.reviewId ?? "");
      await erase(quotedIds[0] ?? "");
      return database.transaction(work);
    };
    const late = { ...database, transaction };
    expect(await queueAlerts({ ...context, database: late, log }, signal)).toBe(1);
    const [alert] = await listAlerts(channel);
    expect(alert?.event).toBe("release.worse");
    expect(alert?.quote).toBeUndefined();
    const other = await addChannel(["release.worse"]);
    clock.advance(2 * hourMs);
    expect(await run()).toBe(1);
    const [quoting] = await listAlerts(other);
    expect(quoting?.quote?.reviewId).not.toBe(quotedIds[0]);
    await erase(quoting?.quote?.reviewId ?? "");
    expect(await listAlerts(other)).toEqual([]);
  });

  test("is not announced again after days without a verdict", async () => {
    const { database, clock } = context;
    await addChannel(["release.worse"]);
    expect(await run()).toBe(1);
    const { listingId } = app;
    const now = clock.now();
    await database.setFeeds({ listingId, kind: "reviews", regions: ["us"], now });
    for (let day = 1; day <= 5; day += 1) {
      clock.advance(24 * hourMs);
      expect(await run()).toBe(0);
    }
    await database.setFeeds({ listingId, kind: "reviews", regions: [], now });
    clock.advance(hourMs);
    expect(await run()).toBe(0);
  });

  test("is announced beside another one of the same day", async () => {
    const hotfix = aReview({ date: new Date("2026-11-18T20:00:00Z"), version: "5.0.1" });
    await saveReviews(context.database, app, [hotfix, { ...hotfix, storeReviewId: "another" }]);
    await addChannel(["release.worse"]);
    expect(await run()).toBe(1);
  });

  test("is not announced without a choice, nor four weeks later", async () => {
    await addChannel(["review.created"], { type: "webhook" });
    expect(await run()).toBe(0);
    await addChannel(["release.worse"]);
    context.clock.set(new Date("2026-12-20T12:00:00Z"));
    expect(await run()).toBe(0);
  });
});

async function readBodies({ id: channelId }: Channel): Promise<object[]> {
  const { database } = context;
  const query = { channelId, workspaceId, status: null, beforeId: null, limit: 10 };
  const bodies: object[] = [];
  for (const { id } of await database.listDeliveries(query))
    bodies.push(JSON.parse(String((await database.findDelivery({ id, workspaceId }))?.body)));
  return bodies;
}

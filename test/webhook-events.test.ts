// Section 6 of the public contract, row by row: reviews and ratings go in, a real endpoint answers.
import { verify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Channel, ListedChannel } from "../src/domain/channel/channel.ts";
import type { SourceReview } from "../src/domain/review/review.ts";
import { createRatingsIngest } from "../src/ingest/ingest-ratings.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { systemClock } from "../src/lib/clock.ts";
import { dayMs, dayOf } from "../src/lib/timestamp.ts";
import { type ChannelWorld, openChannelWorld } from "./support/channel-world.ts";
import { anApp } from "./support/factories.ts";
import { patience } from "./support/patience.ts";
import { ok, openReceiver, type Received, type Receiver } from "./support/receiver.ts";
import { waitFor } from "./support/wait-for.ts";

let world: ChannelWorld;
let receiver: Receiver;
let worker: ReturnType<ChannelWorld["run"]>;

beforeAll(async () => {
  world = await openChannelWorld();
  receiver = await openReceiver();
  worker = world.run({ timeoutMs: patience(1_500) });
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.reply(ok);
});

type Scene = Awaited<ReturnType<typeof aScene>>;

/** An app with a channel of its own, and a path at the receiver that only this channel posts to. */
async function aScene(overrides: Partial<Channel> = {}) {
  const { database, clock, workspaceId } = world;
  const app = await anApp(database, { workspaceId });
  const path = `/${app.id}`;
  const url = receiver.url.replace("/hook", path);
  const made = await world.addChannel({ url, apps: [app.id], ...overrides });
  const listing = await database.findListing(app.listingId);
  if (!listing) throw new Error("the listing is gone");
  const ingest = createIngest({ clock, database });
  const ingestRatings = createRatingsIngest({ clock, database });
  const arrived = (): Received[] => receiver.requests.filter((request) => request.path === path);
  return {
    ...made,
    app,
    arrived,
    bodies: () => arrived().map(({ body }) => JSON.parse(String(body))),
    async take(...reviews: SourceReview[]) {
      const batch = {
        listing,
        reviews,
        notifyPolicy: { kind: "always" },
        source: "store",
        undatedAt: null,
      } as const;
      const { queuedCount } = await ingest(batch);
      worker.wake();
      return queuedCount;
    },
    async record(day: string, average: number) {
      const snapshot = { region: "us", total: 1_000, histogram: null, day, average };
      const { queuedCount } = await ingestRatings({ listing, snapshots: [snapshot] });
      worker.wake();
      return queuedCount;
    },
    /** Until so many attempts for this channel were saved. */
    async attempts(count: number) {
      while (true) {
        const { items } = worker.outcomes;
        const own = items.filter(({ channelId }) => channelId === made.channel.id);
        if (own.length >= count) return own;
        await worker.outcomes.waitFor(items.length + 1);
      }
    },
  };
}

function aSourceReview(overrides: Partial<SourceReview> = {}): SourceReview {
  return {
    storeReviewId: "1",
    author: "riverstone",
    rating: 5,
    title: "Good tides",
    text: "I love this app",
    version: "1.0",
    country: "us",
    languageHint: null,
    date: world.clock.now(),
    votes: null,
    reply: null,
    ...overrides,
  };
}

/** The next attempt is due, whatever the jitter. */
function passCycle(): void {
  world.clock.advance(2 * 60_000);
  worker.wake();
}

function channelOf(scene: Scene): Promise<ListedChannel | null> {
  return world.database.findChannel({ id: scene.channel.id, workspaceId: null });
}

describe("6.1 event kinds", () => {
  test("review.created: a new review matches the channel's filters, named in header and body", async () => {
    const scene = await aScene({ stars: [1, 5] });
    expect(
      await scene.take(aSourceReview(), aSourceReview({ storeReviewId: "2", rating: 3 })),
    ).toBe(1);
    await scene.attempts(1);
    expect(scene.arrived()).toMatchObject([{ headers: { "x-service-event": "review.created" } }]);
    const [body] = scene.bodies();
    expect(Object.keys(body)).toEqual(["event", "channelId", "channelName", "app", "review"]);
    expect(body).toMatchObject({ event: "review.created", review: { rating: 5 } });
  });

  test("review.updated: a delivered review changed its rating or text, whatever the filters say", async () => {
    const scene = await aScene({ stars: [5] });
    await scene.take(aSourceReview());
    await scene.attempts(1);
    expect(await scene.take(aSourceReview({ rating: 1, text: "It crashes" }))).toBe(1);
    await scene.attempts(2);
    const [, update] = scene.bodies();
    expect(scene.arrived()[1]?.headers["x-service-event"]).toBe("review.updated");
    expect(update).toMatchObject({
      event: "review.updated",
      change: { oldScore: 5, newScore: 1, ratingChanged: true, textChanged: true },
    });
  });

  test("review.updated: nothing for an edit that newly matches a channel which never got the review", async () => {
    const scene = await aScene({ stars: [1] });
    expect(await scene.take(aSourceReview({ rating: 5 }))).toBe(0);
    expect(await scene.take(aSourceReview({ rating: 1 }))).toBe(0);
  });

  test("review.rating_drop: the overall rating fell past the threshold, without a review", async () => {
    const scene = await aScene();
    const now = world.clock.now();
    await scene.record(dayOf(new Date(now.getTime() - 7 * dayMs)), 4.5);
    expect(await scene.record(dayOf(now), 4.2)).toBe(1);
    await scene.attempts(1);
    const [body] = scene.bodies();
    expect(scene.arrived()[0]?.headers["x-service-event"]).toBe("review.rating_drop");
    expect(Object.keys(body)).toEqual(["event", "channelId", "channelName", "app", "ratingDrop"]);
    expect(body.ratingDrop).toMatchObject({ currentAvg: 4.2, baselineAvg: 4.5, drop: 0.3 });
  });

  test("only events enabled on the channel are sent", async () => {
    const scene = await aScene({ events: ["review.created"] });
    const now = world.clock.now();
    await scene.record(dayOf(new Date(now.getTime() - 7 * dayMs)), 4.5);
    expect(await scene.record(dayOf(now), 4)).toBe(0);
    await scene.take(aSourceReview());
    expect(await scene.take(aSourceReview({ rating: 1 }))).toBe(0);
  });
});

describe("6.2 delivery semantics", () => {
  test.each([200, 204])("%i: delivered, nothing further", async (status) => {
    receiver.reply({ kind: "status", status });
    const scene = await aScene();
    await scene.take(aSourceReview());
    expect(await scene.attempts(1)).toMatchObject([{ outcome: { kind: "delivered" } }]);
    passCycle();
    // Another event of the channel shows that the worker has looked again.
    await scene.take(aSourceReview({ storeReviewId: "2" }));
    await scene.attempts(2);
    expect(scene.bodies().map(({ review }) => review.id)).toHaveLength(2);
    expect(new Set(scene.bodies().map(({ review }) => review.id)).size).toBe(2);
  });

  test("410: the channel is dropped, and nothing is sent any more", async () => {
    const scene = await aScene();
    receiver.reply({ kind: "status", status: 410 });
    await scene.take(aSourceReview());
    await worker.drops.waitFor(1);
    expect(await channelOf(scene)).toBeNull();
    expect(await scene.take(aSourceReview({ storeReviewId: "2" }))).toBe(0);
  });

  test.each([
    ["a single 404", { kind: "status", status: 404 }],
    ["a single 502", { kind: "status", status: 502 }],
    ["a redirect", { kind: "status", status: 302, headers: { location: "/elsewhere" } }],
    ["a network failure", { kind: "reset" }],
    ["an endpoint that is too slow", { kind: "hang" }],
  ] as const)("%s: the channel stays, and the next cycle delivers", async (_, reply) => {
    const scene = await aScene();
    receiver.reply(reply);
    await scene.take(aSourceReview());
    // A kept connection that is reset at once is an attempt of its own, followed by one over a new connection.
    await waitFor(async () => (await channelOf(scene))?.failingReason, {
      what: "the failing channel",
      withinMs: 10_000,
    });
    const failed = await scene.attempts(1);
    for (const { outcome } of failed) expect(outcome).toMatchObject({ kind: "retry" });
    receiver.reply(ok);
    // The attempt over a new connection may end, and be put off, after a cycle has passed.
    const isDelivered = async () => {
      passCycle();
      const { outcome } = (await scene.attempts(1)).at(-1) ?? {};
      return outcome?.kind === "delivered";
    };
    await waitFor(isDelivered, { what: "the delivery", withinMs: 30_000 });
    expect((await channelOf(scene))?.failingReason).toBeNull();
  });

  test("at least once: what comes again has the same bytes and the same id", async () => {
    const scene = await aScene();
    // Taken, and the answer lost on its way back.
    receiver.reply({ kind: "reset" });
    await scene.take(aSourceReview());
    await scene.attempts(1);
    receiver.reply(ok);
    passCycle();
    await scene.attempts(2);
    const [first, again] = scene.arrived();
    expect(again?.body).toEqual(first?.body);
    expect(again?.headers["x-service-delivery"]).toBe(first?.headers["x-service-delivery"]);
  });

  test("unordered: under retry an update arrives before its creation is accepted", async () => {
    const scene = await aScene();
    receiver.reply({ kind: "status", status: 503 });
    await scene.take(aSourceReview());
    await scene.attempts(1);
    receiver.reply(ok);
    await scene.take(aSourceReview({ rating: 2 }));
    await scene.attempts(2);
    passCycle();
    await scene.attempts(3);
    const events = scene.arrived().map(({ headers }) => headers["x-service-event"]);
    expect(events).toEqual(["review.created", "review.updated", "review.created"]);
  });
});

describe("5.2 the signature is over the exact bytes", () => {
  test.each([
    ["emoji and other planes", "🌱👩‍👩‍👧 𝔘𝔫𝔦 \u{1F1E9}\u{1F1EA}"],
    ["line ends and separators", "one\r\ntwo\rthree\u2028four\u2029"],
    ["what JSON escapes", '"quoted" \\ / \u007f \t end'],
    ["100 KB of text", "Ключ 鍵 🔑 ".repeat(6_000)],
    ["composed and decomposed letters", "é e\u0301 ﬁ"],
  ])("with %s", async (_, text) => {
    const scene = await aScene();
    await scene.take(aSourceReview({ text }));
    await scene.attempts(1);
    const [got] = scene.arrived();
    const raw = String(got?.body);
    expect(JSON.parse(raw).review.text).toBe(text);
    expect(await verify(scene.secret, raw, got?.headers["x-service-signature"] ?? "")).toBe(true);
  });

  test("and ready-made libraries accept it", async () => {
    const scene = await aScene();
    // The library compares the timestamp with the machine's own time.
    world.clock.set(systemClock.now());
    await scene.take(aSourceReview());
    await scene.attempts(1);
    const [got] = scene.arrived();
    const body = String(got?.body);
    expect(new Webhook(scene.secret).verify(body, got?.headers ?? {})).toEqual(JSON.parse(body));
  });
});

// Digests of channels: when they are queued, once each, and what they say.
import { beforeEach, describe, expect, test } from "vitest";
import { updateChannel } from "../../../test/support/acts.ts";
import {
  anApp,
  aReview,
  aWorkspace,
  saveChannel,
  saveReviews,
  saveSnapshots,
} from "../../../test/support/factories.ts";
import { listQueuedEvents } from "../../../test/support/queued-events.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { Channel, ChannelInput } from "../../domain/channel/channel.ts";
import type { DigestDocument } from "../../domain/channel/channel-event.ts";
import { nextDigestAt } from "../../domain/channel/digest-rhythm.ts";
import type { App } from "../../domain/feed/listing.ts";
import { silentLog } from "../../lib/log.ts";
import { ResourceStack } from "../../lib/resource-stack.ts";
import { createSecretBox } from "../../lib/secret-box.ts";
import { addDays, dayMs } from "../../lib/timestamp.ts";
import { openDigestWorker, queueDueDigests } from "./digest-worker.ts";

let context: TestContext;
let workspaceId: string;
let app: App;
const { signal } = new AbortController();

beforeEach(async () => {
  context = await openTestContext();
  context.clock.set(new Date("2026-11-20T12:00:00Z"));
  workspaceId = (await aWorkspace(context.database)).id;
  app = await anApp(context.database, { workspaceId, countries: ["us"] });
  return () => context.close();
});

const schedule = { digest: "daily", digestAt: "09:00", timeZone: "Europe/Berlin" } as const;

function addChannel(overrides: Partial<Channel> = {}): Promise<Channel> {
  const chosen = { type: "slack" as const, ...schedule, ...overrides };
  const digestDueAt = nextDigestAt(chosen, context.clock.now());
  return saveChannel(context.database, { workspaceId, ...chosen, digestDueAt });
}

const run = (): Promise<number> => queueDueDigests({ ...context, log: silentLog }, signal);

async function listDigests(channel: Channel): Promise<DigestDocument[]> {
  const events = await listQueuedEvents(context.database, channel);
  return events.filter((event) => event.event === "digest");
}

describe("a digest is queued", () => {
  test("when it is due in its time zone, not before, and not again", async () => {
    const channel = await addChannel();
    context.clock.set(new Date("2026-11-21T07:59:59Z"));
    expect(await run()).toBe(0);
    context.clock.set(new Date("2026-11-21T08:00:00Z"));
    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    context.clock.set(new Date("2026-11-22T08:00:00Z"));
    expect(await run()).toBe(1);
    const ranges = (await listDigests(channel)).map(({ range }) => range.to);
    expect(ranges).toEqual(["2026-11-20", "2026-11-21"]);
  });

  test("once for each period, by several processes, and after a stop of days", async () => {
    const channels = await Promise.all(Array.from({ length: 5 }, () => addChannel()));
    context.clock.set(new Date("2026-11-23T10:00:00Z"));
    const rounds = await Promise.all(Array.from({ length: 6 }, run));
    const more = await Promise.all(Array.from({ length: 6 }, run));
    const last = [await run(), await run()];
    const total = [...rounds, ...more, ...last].reduce((sum, count) => sum + count, 0);
    expect(total).toBe(5 * 3);
    for (const channel of channels) {
      const days = (await listDigests(channel)).map(({ range }) => range.from);
      expect(days.sort()).toEqual(["2026-11-20", "2026-11-21", "2026-11-22"]);
    }
  });

  test("without a missing or doubled day when its time changes, and afresh after a pause", async () => {
    const channel = await addChannel();
    const deps = {
      ...context,
      secretBox: createSecretBox([Buffer.alloc(32, 1)]),
      actor: "test",
      checkUrl: async () => ({ ok: true }) as const,
    };
    const change = (input: Partial<ChannelInput>) =>
      updateChannel(deps, { id: channel.id, workspaceId, change: input });
    const runAt = async (time: string) => {
      context.clock.set(new Date(time));
      await run();
    };
    await runAt("2026-11-21T08:00:00Z");
    await change({ digestAt: "18:00" });
    await runAt("2026-11-21T17:00:00Z");
    await runAt("2026-11-22T17:00:00Z");
    await change({ timeZone: "Asia/Tokyo" });
    await runAt("2026-11-23T09:00:00Z");
    await change({ isPaused: true });
    context.clock.set(new Date("2026-11-28T10:00:00Z"));
    await change({ isPaused: false });
    await runAt("2026-11-29T09:00:00Z");
    const ranges = (await listDigests(channel)).map(({ range }) => `${range.from} ${range.to}`);
    expect(ranges.sort()).toEqual([20, 21, 22, 28].map((day) => `2026-11-${day} 2026-11-${day}`));
  });

  test("after the days of one that was cancelled and sent again", async () => {
    const { database, clock } = context;
    const channel = await addChannel();
    const runAt = async (time: string) => {
      clock.set(new Date(time));
      return run();
    };
    const pauseAndResume = async (): Promise<void> => {
      for (const isPaused of [true, false])
        await updateChannel(context, { id: channel.id, workspaceId, change: { isPaused } });
    };
    await runAt("2026-11-21T08:00:00Z");
    await pauseAndResume();
    const change = { digestAt: "12:00" };
    await updateChannel(context, { id: channel.id, workspaceId, change });
    // Afresh: the days of the cancelled one.
    expect(await runAt("2026-11-21T11:00:00Z")).toBe(1);
    await pauseAndResume();
    const page = { status: "cancelled", beforeId: null, limit: 1 } as const;
    const [last] = await database.listDeliveries({ channelId: channel.id, workspaceId, ...page });
    await database.redeliver({ id: last?.id ?? "", workspaceId, now: clock.now() });
    await updateChannel(context, { id: channel.id, workspaceId, change: { digestAt: "13:00" } });
    // All of its days are covered.
    expect(await runAt("2026-11-21T12:00:00Z")).toBe(0);
    expect(await runAt("2026-11-22T12:00:00Z")).toBe(1);
    const ranges = (await listDigests(channel)).map(({ range }) => `${range.from} ${range.to}`);
    expect(ranges.sort()).toEqual([20, 20, 21].map((day) => `2026-11-${day} 2026-11-${day}`));
  });

  test("by the settings of now when they change while it is composed", async () => {
    const { database, clock } = context;
    const channel = await addChannel();
    clock.set(new Date("2026-11-21T08:00:00Z"));
    let isRenamed = false;
    const changing: typeof database = {
      ...database,
      async transaction(work) {
        if (!isRenamed) await database.updateChannel({ ...channel, name: "Evenings" }, clock.now());
        isRenamed = true;
        return database.transaction(work);
      },
    };
    expect(await queueDueDigests({ clock, log: silentLog, database: changing }, signal)).toBe(0);
    expect(await run()).toBe(1);
    expect(await listDigests(channel)).toMatchObject([{ channelName: "Evenings" }]);
  });

  test("for others while those of fifty older channels can't be composed", async () => {
    const { id: broken } = await aWorkspace(context.database);
    await anApp(context.database, { workspaceId: broken });
    for (let count = 0; count < 50; count += 1) await addChannel({ workspaceId: broken });
    await addChannel({ digestAt: "09:01" });
    context.clock.set(new Date("2026-11-21T08:01:00Z"));
    const { listFollowedApps } = context.database;
    const database = {
      ...context.database,
      async listFollowedApps(query: Parameters<typeof listFollowedApps>[0]) {
        if (query.workspaceId === broken) throw new Error("it takes too long");
        return listFollowedApps(query);
      },
    };
    const resting = new Map<string, number>();
    const rounds = [];
    for (let round = 0; round < 2; round += 1)
      rounds.push(await queueDueDigests({ ...context, database, log: silentLog }, signal, resting));
    // Its turn comes with the first of theirs.
    expect(rounds).toEqual([1, 0]);
    context.clock.advance(10 * 60_000);
    expect(await queueDueDigests({ ...context, log: silentLog }, signal, resting)).toBe(50);
  });

  test("unless it is so late that a delivery would have expired", async () => {
    const channel = await addChannel();
    context.clock.set(new Date("2026-12-10T10:00:00Z"));
    for (let round = 0; round < 20; round += 1) await run();
    const days = (await listDigests(channel)).map(({ range }) => range.to);
    expect(days).toEqual(
      ["2026-12-03", 4, 5, 6, 7, 8, 9].map((day, index) => (index === 0 ? day : `2026-12-0${day}`)),
    );
    const found = await context.database.findChannel({ id: channel.id, workspaceId });
    expect(found?.digestDueAt).toEqual(new Date("2026-12-11T08:00:00Z"));
  });

  test("not any more after its schedule was changed meanwhile", async () => {
    const channel = await addChannel();
    context.clock.set(new Date("2026-11-21T08:00:00Z"));
    const { database } = context;
    const listDueDigests: typeof database.listDueDigests = async (query) => {
      const due = await database.listDueDigests(query);
      await database.updateChannel({ ...channel, digest: null, digestDueAt: null });
      return due;
    };
    const changed = { ...context, database: { ...database, listDueDigests }, log: silentLog };
    expect(await queueDueDigests(changed, signal)).toBe(0);
    expect(await listDigests(channel)).toEqual([]);
  });

  test("although another one can't be composed", async () => {
    const broken = await addChannel();
    const good = await addChannel();
    context.clock.set(new Date("2026-11-21T08:00:00Z"));
    const { database } = context;
    const errors: unknown[] = [];
    const listDueDigests: typeof database.listDueDigests = async (query) =>
      (await database.listDueDigests(query)).map((one) =>
        one.id === broken.id ? { ...one, timeZone: "Nowhere/Land" } : one,
      );
    const log = { ...silentLog, error: (facts: object) => void errors.push(facts) };
    const round = queueDueDigests(
      { ...context, log, database: { ...database, listDueDigests } },
      signal,
    );
    expect(await round).toBe(1);
    expect(errors).toMatchObject([{ channelId: broken.id }]);
    expect(await listDigests(good)).toHaveLength(1);
  });
});

const complaints = [
  "It crashes whenever I open the tide table",
  "Closes by itself at every start since yesterday",
  "I tap on the harbour and the whole thing is gone",
  "Reinstalled twice, still falls over on my old phone",
  "Can't get past the first screen before it dies",
  "Five crashes in one morning, I went back to paper",
];

test("the worker queues what is due when it starts", async () => {
  const channel = await addChannel();
  context.clock.set(new Date("2026-11-21T08:00:00Z"));
  const resources = new ResourceStack();
  openDigestWorker({ ...context, log: silentLog }, resources);
  const isQueued = async () => (await listDigests(channel)).length === 1;
  await waitFor(isQueued, { withinMs: 10_000, what: "the digest" });
  await resources.closeAll();
});

describe("a digest says", () => {
  const yesterday = "2026-11-20";
  const at = (day: string) => new Date(`${day}T09:00:00Z`);
  const bad = (text: string, topics: string[]) =>
    aReview({ date: at(yesterday), rating: 1, sentiment: "negative", score: -0.8, text, topics });

  async function readOne(overrides: Partial<Channel> = {}): Promise<DigestDocument> {
    const channel = await addChannel(overrides);
    context.clock.set(new Date("2026-11-21T08:00:00Z"));
    await run();
    const [digest] = await listDigests(channel);
    if (!digest) throw new Error("no digest");
    return digest;
  }

  beforeEach(async () => {
    const before = Array.from({ length: 28 }, (_, index) =>
      aReview({ date: at(addDays("2026-11-19", -index)), rating: 5 }),
    );
    const crashes = complaints.map((text) => bad(text, ["crash"]));
    const login = bad("I can't sign in with my old account.", ["login"]);
    const praise = aReview({ date: at(yesterday), rating: 5, text: "Lovely tide tables, thanks." });
    const today = aReview({ date: at("2026-11-21"), rating: 1, text: "Of today: not in it." });
    await saveReviews(context.database, app, [...before, ...crashes, login, praise, today]);
    await saveSnapshots(context.database, app, [
      { day: "2026-11-19", average: 4.25, total: 100 },
      { day: yesterday, average: 4.2, total: 110 },
    ]);
  });

  test("counts, what changed, the rating before and after, and top complaints with quotes", async () => {
    const digest = await readOne();
    expect(digest).toMatchObject({
      rhythm: "daily",
      range: { from: yesterday, to: yesterday },
      others: [],
      unnamedCount: 0,
    });
    const [one] = digest.apps;
    expect(one).toMatchObject({
      app: { id: app.id },
      matchingCount: null,
      ratings: { average: 4.2, total: 110 },
      ratingsBefore: { average: 4.25, total: 100 },
      complaints: [
        { topic: "crash", count: 6, quote: { rating: 1 } },
        { topic: "login", count: 1, quote: { text: "I can't sign in with my old account." } },
      ],
    });
    expect(one?.sentences[0]).toMatch(/^On 20 Nov there were 8 reviews/);
    expect(one?.sentences.join()).toContain(
      "6 of 8 reviews complain about crashes: 75% now, 0 of 28 before.",
    );
    expect(JSON.stringify(digest)).not.toContain("not in it");
  });

  test("of the channel's stars and topics, how many reviews fit, and their complaints alone", async () => {
    const { apps } = await readOne({ stars: [1], topics: ["login"] });
    expect(apps[0]).toMatchObject({ matchingCount: 1, complaints: [{ topic: "login" }] });
    expect(apps[0]?.complaints).toHaveLength(1);
  });

  test("of the channel's apps alone, the busiest in full and the others in numbers", async () => {
    const { database } = context;
    const apps = await Promise.all(
      Array.from({ length: 17 }, () => anApp(database, { workspaceId, countries: ["us"] })),
    );
    await anApp(database, { workspaceId: (await aWorkspace(database)).id });
    const digest = await readOne();
    expect(digest.apps.map(({ app: { id } }) => id)[0]).toBe(app.id);
    expect([digest.apps.length, digest.others.length, digest.unnamedCount]).toEqual([5, 10, 3]);
    const chosen = apps[3]?.id ?? "";
    const only = await readOneOf([chosen]);
    expect(only.apps.map(({ app: { id } }) => id)).toEqual([chosen]);
  });

  async function readOneOf(apps: string[]): Promise<DigestDocument> {
    const channel = await addChannel({ apps });
    context.clock.set(new Date(context.clock.now().getTime() + dayMs));
    await run();
    const [digest] = await listDigests(channel);
    if (!digest) throw new Error("no digest");
    return digest;
  }
});

// One filter language: a channel takes the filters of the Reviews page, its own or those of a saved view, and takes the same
// reviews that the page lists.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { channelDefaults } from "../src/domain/channel/channel.ts";
import type { App } from "../src/domain/feed/listing.ts";
import { createTopic, removeTopic } from "../src/features/own-topics/operations.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { changeView, createView, removeView } from "../src/operations/view.ts";
import { createChannel, updateChannel } from "./support/acts.ts";
import { type ChannelWorld, openChannelWorldWithReceiver } from "./support/channel-world.ts";
import { anApp } from "./support/factories.ts";
import { act } from "./support/operations.ts";
import type { Receiver } from "./support/receiver.ts";

let world: ChannelWorld;
let receiver: Receiver;
let app: App;

beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  app = await anApp(world.database, { workspaceId: world.workspaceId, countries: ["us", "de"] });
});
afterEach(async () => {
  await receiver.close();
  await world.close();
});

const deps = () => ({
  database: world.database,
  clock: world.clock,
  secretBox: world.secrets,
  actor: "cli",
  checkUrl: async () => ({ ok: true }) as const,
});

const create = (input: { filter?: string; view?: string; stars?: number[]; topics?: string[] }) => {
  const { workspaceId } = world;
  const named = { name: "Desk", url: receiver.url, events: ["review.created" as const] };
  return createChannel(deps(), { ...channelDefaults, ...named, ...input, workspaceId });
};

async function save(name: string, query: string): Promise<string> {
  const { workspaceId, database } = world;
  await act(deps(), createView, { workspaceId, name, query });
  const views = await database.listSavedViews(workspaceId);
  return views.find((view) => view.name === name)?.id ?? "";
}

let textCount = 0;
async function ingest(...reviews: { text: string; country?: string; rating?: number }[]) {
  const listing = await world.database.findListing(app.listingId);
  if (!listing) throw new Error("the listing is gone");
  textCount += 1;
  return createIngest(world)({
    ...{ listing, source: "store", notifyPolicy: { kind: "always" }, undatedAt: null },
    reviews: reviews.map(({ country = "us", rating = 2, text }, at) => ({
      ...{ storeReviewId: `new-${textCount}-${at}`, author: "a", rating, title: null, text },
      ...{ version: "1", country, languageHint: null, date: world.clock.now() },
      ...{ votes: null, reply: null },
    })),
  });
}

const sentTexts = () =>
  receiver.requests.map(({ body }) => JSON.parse(String(body)).review.text).sort();

async function deliver(count: number): Promise<void> {
  const engine = world.run();
  await engine.outcomes.waitFor(count);
  await engine.close();
}

describe("further filters", () => {
  test("decide which new reviews are sent", async () => {
    await create({ filter: "country=de&minLength=5&q=tide" });
    const queued = await ingest(
      { text: "The Tide is wrong", country: "de" },
      { text: "The tide is wrong", country: "us" },
      { text: "tide", country: "de" },
      { text: "Too expensive", country: "de" },
    );
    expect(queued.queuedCount).toBe(1);
    await deliver(1);
    expect(sentTexts()).toEqual(["The Tide is wrong"]);
  });

  test.each<[string, string, { stars?: number[]; topics?: string[] }?]>([
    ["from=2026-01-01", "from and to"],
    ["tag=battery", "no new review can match tag"],
    ["status=done", "no new review can match status"],
    ["edited=true", "no new review can match edited"],
    ["removed=true", "no new review can match removed"],
    ["app=7d03849f-f297-4a72-ad01-9ca8aa78129f", "a field of the channel: apps"],
    ["rating=1", "the channel has stars", { stars: [2] }],
    ["topic=ads", "the channel has topics", { topics: ["crash"] }],
    ["topic=moored", "moored"],
    ["colour=red", "the filters are app, store"],
    ["country=de&country=at", "country is there twice"],
    ["minLength=none", "whole number"],
  ])("that a channel can't have are refused: %s", async (filter, reason, beside = {}) => {
    const field = filter === "topic=moored" ? "topics" : "filter";
    const detail = { fields: [{ field, message: expect.stringContaining(reason) }] };
    await expect(create({ filter, ...beside })).rejects.toMatchObject(detail);
  });

  test("that came later are applied to what waits", async () => {
    const { channel } = await create({});
    await ingest({ text: "Crashes daily" }, { text: "A fine boat" });
    const change = { filter: "q=boat" };
    await updateChannel(deps(), { id: channel.id, workspaceId: null, change });
    await deliver(1);
    expect(sentTexts()).toEqual(["A fine boat"]);
    expect(await world.admin("select status from ended_deliveries")).toEqual([
      { status: "cancelled" },
    ]);
  });
});

describe("a followed view", () => {
  test("gives the channel its filters, also when they change and for what waits", async () => {
    const view = await save("Boats", "q=boat&range=14d&status=open");
    const { channel } = await create({ view: "Boats" });
    expect(channel).toMatchObject({ view, filter: null, query: "q=boat&range=14d&status=open" });
    expect(await ingest({ text: "A boat" }, { text: "A car" })).toMatchObject({ queuedCount: 1 });
    await act(deps(), changeView, { ...scope(), id: view, name: "Cars", query: "q=car" });
    await act(deps(), createView, { ...scope(), name: "Cars", query: "q=car&rating=2" });
    await ingest({ text: "A car again" }, { text: "A fine car", rating: 5 });
    await deliver(1);
    expect(sentTexts()).toEqual(["A car again"]);
  });

  test("can't be removed, or changed to what a channel can't have", async () => {
    const id = await save("Boats", "q=boat");
    await create({ view: id });
    await expect(act(deps(), removeView, { ...scope(), id })).rejects.toMatchObject({
      code: "conflict",
      message: "channels follow this view: Desk",
    });
    const change = { ...scope(), id, name: "Boats", query: "assignee=9" };
    await expect(act(deps(), changeView, change)).rejects.toThrow("query");
    await expect(act(deps(), createView, { ...change, query: "tag=a" })).rejects.toThrow("tag");
    const [view] = await world.database.listSavedViews(world.workspaceId);
    expect(view?.query).toBe("q=boat");
  });

  test("keeps the workspace's own topic that it filters by", async () => {
    await act(deps(), createTopic, { ...scope(), name: "sleep_timer", phrases: ["sleep timer"] });
    await save("Timers", "topic=sleep_timer");
    await create({ view: "Timers" });
    const remove = () => act(deps(), removeTopic, { ...scope(), id: "sleep_timer" });
    await expect(remove()).rejects.toThrow("channels filter by this topic: Desk");
  });

  test("of another workspace, or beside own filters, is refused", async () => {
    await save("Boats", "q=boat");
    await expect(create({ view: "Ships" })).rejects.toThrow("no such view");
    await expect(create({ view: "Boats", stars: [1] })).rejects.toThrow("its own filters");
    await expect(create({ view: "Boats", filter: "q=car" })).rejects.toThrow("its own filters");
  });
});

const scope = () => ({ workspaceId: world.workspaceId });

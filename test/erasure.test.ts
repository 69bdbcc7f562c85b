// A review is erased while its text is everywhere: queued, read ahead, being translated, quoted in a digest, exported.
// Once the command has returned, no table has a marker that the text contained, and no request carries it.

import { beforeEach, expect, test } from "vitest";
import type { DigestSchedule } from "../src/domain/channel/digest-rhythm.ts";
import type { App } from "../src/domain/feed/listing.ts";
import type { Review } from "../src/domain/review/review.ts";
import { queueDueDigests } from "../src/features/digests/digest-worker.ts";
import { exportReviews } from "../src/features/exports/export-reviews.ts";
import { exportWorkspace } from "../src/features/exports/export-workspace.ts";
import { streamExport } from "../src/features/exports/routes.ts";
import type { Translator } from "../src/features/providers/translators/translator.ts";
import * as triage from "../src/features/triage/sql.ts";
import { uuidV7 } from "../src/lib/uuid.ts";
import { eraseReview } from "./support/acts.ts";
import { listColumnsWith } from "./support/columns-with.ts";
import { createGate } from "./support/gate.ts";
import {
  aSourceReview,
  openProviderFixture,
  type ProviderFixture,
} from "./support/provider-fixture.ts";
import { ok, openReceiver, type Receiver } from "./support/receiver.ts";

const marker = "zanzibarquokka";
let world: ProviderFixture;
let receiver: Receiver;
let app: App;

beforeEach(async () => {
  world = await openProviderFixture();
  receiver = await openReceiver();
  app = await world.addApp();
  return async () => {
    await receiver.close();
    await world.close();
  };
});

const translator: Translator = {
  name: "double",
  batchMax: { jobs: 10, characters: 10_000 },
  translate: async ({ texts }) => ({
    kind: "translated",
    texts: texts.map((text) => `In English: ${text}`),
  }),
};

function withMarker(text: string) {
  return aSourceReview(world, 1, {
    ...{ author: `Ada ${marker}`, rating: 1, title: `Oh ${marker}`, text },
    reply: { text: `Dear ${marker}`, at: world.clock.now() },
  });
}

async function findMarked(): Promise<Review> {
  const marked = (await world.reviews(app)).find(({ author }) => author.includes(marker));
  if (!marked) throw new Error("no review has the marker");
  return marked;
}

async function erase(reviewId: string) {
  const { clock, database } = world;
  return eraseReview({ clock, database, actor: "cli" }, { appId: app.id, reviewId });
}

const listTraces = () => listColumnsWith(world.connectionString, marker);

const sentWithMarker = () => receiver.requests.filter(({ body }) => body.includes(marker)).length;

test("what is stored of it goes: versions, translations in two languages, deliveries, digests, answers", async () => {
  receiver.reply((request) => ({ kind: "status", status: 500, body: request.body.toString() }));
  await world.addChannelFor(app, { url: receiver.url });
  await world.ingestReviews(app, [withMarker(`Antes: ${marker} no funciona en absoluto, nada`)]);
  await world.translate(translator);
  const edited = withMarker(`Ahora: ${marker} no funciona en absoluto, nunca`);
  world.clock.advance(60_000);
  await world.ingestReviews(app, [
    { ...edited, languageHint: "tlh", date: world.clock.now() },
    aSourceReview(world, 2),
  ]);
  await world.translate(translator);
  const engine = world.run();
  await engine.outcomes.waitFor(2);
  await engine.close();
  expect(sentWithMarker()).toBeGreaterThan(0);
  await addDigestChannel();
  expect(await queueDigests()).toBe(1);
  const traces = (await listTraces()).map((name) => name.replace(/_(first|p?\d+\w*|rest)\./, "."));
  expect(traces).toEqual(
    expect.arrayContaining([
      ...["deliveries.body", "reviews.author", "reviews.body", "reviews.reply_text"],
      ...["reviews.translated_text", "review_versions.body", "translations.translated_text"],
    ]),
  );
  const { id } = await findMarked();
  await erase(id);
  expect(await listTraces()).toEqual([]);
});

const schedule: DigestSchedule = { digest: "daily", digestAt: "09:00", timeZone: "UTC" };

async function addDigestChannel() {
  const digestDueAt = new Date(world.clock.now().getTime() + 24 * 3_600_000);
  await world.addChannel({
    ...{ type: "slack", url: "https://hooks.slack.com/…", ...schedule, digestDueAt },
  });
  world.clock.set(digestDueAt);
}

function queueDigests(database = world.database): Promise<number> {
  const { clock } = world;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return queueDueDigests({ clock, database, log }, new AbortController().signal);
}

test("a digest that is being composed does not quote it", async () => {
  await world.ingestReviews(app, [withMarker(`Nada de ${marker} funciona desde ayer`)]);
  const { id } = await findMarked();
  await addDigestChannel();
  const { database } = world;
  let hasErased = false;
  // The digest was composed with the quote; its transaction begins after the erasure.
  const transaction: typeof database.transaction = async (work) => {
    if (!hasErased) await erase(id);
    hasErased = true;
    return database.transaction(work);
  };
  expect(await queueDigests({ ...database, transaction })).toBe(0);
  expect(await queueDigests()).toBe(1);
  expect(await listTraces()).toEqual([]);
});

test("a translation that is under way is not saved", async () => {
  await world.addChannelFor(app, { url: receiver.url });
  await world.ingestReviews(app, [
    withMarker(`Nada de ${marker} funciona`),
    aSourceReview(world, 2),
  ]);
  const { id } = await findMarked();
  await world.translate({
    ...translator,
    async translate(batch) {
      await erase(id);
      return translator.translate(batch);
    },
  });
  expect(await listTraces()).toEqual([]);
  const [other] = (await world.reviews(app)).filter((review) => review.id !== id);
  expect(other?.translation?.text).toBe("In English: Las mareas son exactas.");
  const engine = world.run();
  await engine.outcomes.waitFor(1);
  await engine.close();
  expect(sentWithMarker()).toBe(0);
});

test("nothing that waits behind a slow endpoint is sent, and no echo of what was is kept", async () => {
  const gate = createGate();
  receiver.reply(async () => {
    await gate.opened;
    return ok;
  });
  const channel = await world.addChannelFor(app, { url: receiver.url, translate: false });
  await world.queue(channel, 100);
  world.clock.advance(1_000);
  await world.ingestReviews(app, [withMarker(`Nothing of ${marker} works`)]);
  const { id } = await findMarked();
  world.clock.advance(1_000);
  await world.queue(channel, 100);
  const engine = world.run({ timeoutMs: 30_000 });
  await receiver.waitFor(1);
  expect(sentWithMarker()).toBe(0);
  expect(await erase(id)).toMatchObject({ deliveryCount: 1 });
  gate.open();
  await engine.outcomes.waitFor(200);
  await engine.close();
  expect(receiver.requests.length).toBe(200);
  expect(sentWithMarker()).toBe(0);
  expect(await listTraces()).toEqual([]);
});

test("an answer that echoes it is not kept when it arrives after the erasure", async () => {
  const gate = createGate();
  receiver.reply(async (request) => {
    await gate.opened;
    return { kind: "status", status: 500, body: request.body.toString() };
  });
  await world.addChannelFor(app, { url: receiver.url, translate: false });
  await world.ingestReviews(app, [withMarker(`Nothing of ${marker} works`)]);
  const { id } = await findMarked();
  const engine = world.run({ timeoutMs: 30_000 });
  await receiver.waitFor(1);
  await erase(id);
  gate.open();
  await engine.close();
  expect(await listTraces()).toEqual([]);
  expect(sentWithMarker()).toBe(1);
});

test("an export of the dashboard goes on without it", async () => {
  const many = Array.from({ length: 250 }, (_, index) => aSourceReview(world, 100 + index));
  world.clock.advance(-60_000);
  await world.ingestReviews(app, [withMarker(`Nothing of ${marker} works`)], { kind: "never" });
  const [oldest] = await world.reviews(app);
  world.clock.advance(60_000);
  const newer = many.map((review) => ({ ...review, date: world.clock.now() }));
  await world.ingestReviews(app, newer, { kind: "never" });
  const { database, workspaceId } = world;
  const query = { workspaceId, filters: {}, format: "jsonl", fileName: "reviews" } as const;
  const reader = (await streamExport({ database }, query)).body?.getReader();
  if (!reader) throw new Error("the export has no body");
  const decoder = new TextDecoder();
  const chunks: string[] = [];
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    if (value) chunks.push(decoder.decode(value));
    return !done;
  };
  await read();
  await read();
  expect(chunks.map((chunk) => chunk.trim().split("\n").length)).toEqual([100, 100]);
  await erase(oldest?.id ?? "");
  while (await read());
  expect(chunks.join("").trim().split("\n")).toHaveLength(251);
  expect(chunks.join("").includes(marker)).toBe(false);
});

test("an export by command is written batch by batch, each as it is read", async () => {
  const many = Array.from({ length: 600 }, (_, index) => aSourceReview(world, 100 + index));
  await world.ingestReviews(app, many, { kind: "never" });
  const { database } = world;
  const reads: number[] = [];
  const listReviewsById: typeof database.listReviewsById = async (query) => {
    const reviews = await database.listReviewsById(query);
    reads.push(reviews.length);
    return reviews;
  };
  const query = { appId: app.id, workspaceId: null };
  const written: number[] = [];
  for await (const batch of exportReviews({ ...database, listReviewsById }, query)) {
    written.push(batch.length);
    expect(written).toEqual(reads);
  }
  expect(written).toEqual([500, 100]);
});

test("an export of the workspace that reads its apps meanwhile has neither it nor a note that quotes it", async () => {
  await world.ingestReviews(app, [withMarker(marker)]);
  const { id: reviewId } = await findMarked();
  const { clock, database } = world;
  const { workspaceId } = app;
  const note = { id: uuidV7(clock.now()), workspaceId, reviewId, text: `Ada says ${marker}` };
  const byProgram = { authorId: null, authorName: null, createdAt: clock.now(), countMax: 1 };
  await database.with(triage).insertReviewNote({ ...note, ...byProgram });
  const written: string[] = [];
  for await (const lines of exportWorkspace({ database }, { id: workspaceId })) {
    written.push(JSON.stringify(lines));
    if (lines.some(({ kind }) => kind === "app")) await erase(reviewId);
  }
  expect(written.length).toBeGreaterThan(2);
  expect(written.filter((lines) => lines.includes(marker))).toEqual([]);
});

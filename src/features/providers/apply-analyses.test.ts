// Analysis by a provider: it replaces the built-in one later, without an event, and rollups stay equal to
// a recount.

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { patience } from "../../../test/support/patience.ts";
import {
  type ChatInput,
  doubleKey,
  openChatDouble,
  type ProviderDouble,
} from "../../../test/support/provider-doubles.ts";
import {
  aSourceReview,
  createChat,
  openProviderFixture,
  type ProviderFixture,
} from "../../../test/support/provider-fixture.ts";
import { readRollups } from "../../../test/support/read-rollups.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type HttpClient, openHttpClient } from "../../lib/http-client.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { listProviders } from "./provider-status.ts";

let scene: ProviderFixture;
let double: ProviderDouble;
let client: HttpClient;
let app: App;
let decide: (input: ChatInput) => unknown;

beforeAll(() => {
  client = openHttpClient({ userAgent: "Starpost/test", totalTimeoutMs: patience(5_000) });
});
afterAll(() => client.close());
beforeEach(async () => {
  scene = await openProviderFixture();
  decide = ({ reviews = [] }) => ({ opinions: reviews.map(({ number }) => opinion(number)) });
  double = await openChatDouble((input) => decide(input));
  app = await scene.addApp();
  return async () => {
    await double.close();
    await scene.close();
  };
});

const chat = () => createChat(double.url, doubleKey, client);
const opinion = (number: number, overrides: Record<string, unknown> = {}) => ({
  number,
  label: "mixed",
  score: -0.25,
  lowest: -0.75,
  highest: 0.5,
  topics: ["praise", "ads"],
  ...overrides,
});
const local = { language: "es", topics: ["crash"], sentiment: { label: "neutral" } };
const provided = {
  language: "es",
  topics: ["ads", "praise"],
  sentiment: { label: "mixed", score: -0.25, clauseMin: -0.75, clauseMax: 0.5 },
};
const analyses = async () => (await scene.reviews(app)).map(({ analysis }) => analysis);
const rollups = async () => (await readRollups(scene, app.listingId)).days[0]?.[1].slice(6);
const topics = async () =>
  (await readRollups(scene, app.listingId)).topics.map(([key, [total]]) => [key, total]);

test("the built-in analysis is there at once, the provider's later and without an event", async () => {
  const channel = await scene.addChannelFor(app, { translate: false, topics: ["crash"] });
  await scene.ingestReviews(app, [aSourceReview(scene, 1), aSourceReview(scene, 2)]);
  expect(await analyses()).toMatchObject([local, local]);
  expect(await rollups()).toEqual([0, 2, 0, 0]);
  await scene.analyze(chat());
  expect(await analyses()).toMatchObject([provided, provided]);
  expect(await rollups()).toEqual([0, 0, 0, 2]);
  expect(await topics()).toEqual([
    ["2026-03-02 ads", 2],
    ["2026-03-02 praise", 2],
    ["es 2026-03-02 ads", 2],
    ["es 2026-03-02 praise", 2],
  ]);
  const scope = { channelId: channel.id, workspaceId: null, status: null, beforeId: null };
  expect(await scene.database.listDeliveries({ ...scope, limit: 10 })).toHaveLength(2);
  expect(double.requests).toHaveLength(1);
  expect(await scene.analyze(chat())).toBe("idle");
});

test("an analysis of a review's text before an edit is dropped", async () => {
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  await scene.ingestReviews(app, [aSourceReview(scene, 1, { rating: 1 })]);
  decide = ({ reviews = [] }) => ({
    opinions: reviews.map(({ number, stars }) =>
      opinion(number, { label: stars === 1 ? "negative" : "positive" }),
    ),
  });
  await scene.analyze(chat());
  expect(await analyses()).toMatchObject([{ sentiment: { label: "negative" } }]);
  expect(await rollups()).toEqual([0, 0, 1, 0]);
});

test("an unusable result leaves the built-in analysis, and is requested three times", async () => {
  await scene.ingestReviews(app, [
    aSourceReview(scene, 1, { text: "bueno" }),
    aSourceReview(scene, 2, { text: "malo" }),
  ]);
  decide = ({ reviews = [] }) => ({
    opinions: reviews.map(({ number, text }) =>
      opinion(number, text === "malo" ? { label: "splendid" } : { topics: ["ads", "weather"] }),
    ),
  });
  for (let round = 0; round < 4; round += 1) await scene.analyze(chat());
  expect((await analyses()).map((analysis) => analysis?.topics).sort()).toEqual([
    ["ads"],
    ["crash"],
  ]);
  expect(double.requests).toHaveLength(3);
  expect(await scene.database.countProviderJobs()).toEqual([]);
});

test("while a provider fails the built-in analysis stays, and both log and status say so", async () => {
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  await scene.analyze(createChat(double.url, "wrong-key-1", client));
  expect(await analyses()).toMatchObject([local]);
  expect(scene.logEntries).toMatchObject([
    { level: "warn", message: expect.stringContaining("the built-in analysis stands") },
  ]);
  const choice = {
    kind: "analyse",
    setting: "openai",
    isEnabled: true,
    dayMax: 9,
    unit: "reviews",
  } as const;
  const [status] = await listProviders(scene, [choice]);
  expect(status).toMatchObject({ waitingReviews: 1, triedReviews: 1, usedToday: 1, dayMax: 9 });
  expect(status?.status).toMatch(/paused after a failure: it does not accept the key.*built-in/);
  expect(JSON.stringify([status, scene.logEntries])).not.toContain("wrong-key-1");
  scene.clock.advance(15 * minuteMs);
  await scene.analyze(chat());
  expect(await analyses()).toMatchObject([provided]);
  expect((await listProviders(scene, [choice]))[0]).toMatchObject({ status: "working" });
});

test("no more reviews than the daily limit are sent, and at most 4,000 characters of each", async () => {
  const reviews = Array.from({ length: 25 }, (_, id) =>
    aSourceReview(scene, id, { text: "ñ".repeat(4_500) }),
  );
  await scene.ingestReviews(app, reviews);
  await scene.analyze(chat(), 10);
  const sent = double.requests.flatMap(
    ({ body }) => JSON.parse(JSON.parse(body).messages[1].content).reviews,
  );
  expect(sent.length).toBeLessThanOrEqual(10);
  expect(sent.map(({ text }: { text: string }) => text.length)).toEqual(sent.map(() => 4_000));
  expect((await scene.database.findProviderState("analyse"))?.lastError).toContain("10 reviews");
});

test("new reviews are analyzed before those of a backfill", async () => {
  await scene.ingestReviews(
    app,
    Array.from({ length: 55 }, (_, id) => aSourceReview(scene, id)),
    { kind: "never" },
  );
  await scene.ingestReviews(app, [aSourceReview(scene, 99, { text: "fresca" })]);
  await scene.analyze(chat());
  const first = JSON.parse(JSON.parse(double.requests[0]?.body ?? "").messages[1].content).reviews;
  expect(first.map(({ text }: { text: string }) => text)).toContain("fresca");
});

test("a review without text is not sent", async () => {
  await scene.ingestReviews(app, [aSourceReview(scene, 1, { text: "" })]);
  expect(await scene.analyze(chat())).toBe("idle");
});

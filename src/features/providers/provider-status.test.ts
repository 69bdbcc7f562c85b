// The status of providers for operators, and the translation of reviews that are already stored.
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { aReview, saveReviews } from "../../../test/support/factories.ts";
import { act } from "../../../test/support/operations.ts";
import {
  aSourceReview,
  openProviderFixture,
  type ProviderFixture,
} from "../../../test/support/provider-fixture.ts";
import type { App } from "../../domain/feed/listing.ts";
import type {
  NewProviderJob,
  ProviderConfig,
  ProviderFailure,
} from "../../domain/review/provider.ts";
import type { Review } from "../../domain/review/review.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { translateApp } from "./operations.ts";
import { listProviders } from "./provider-status.ts";
import type { Translator } from "./translators/translator.ts";

let fixture: ProviderFixture;
let app: App;
beforeEach(async () => {
  fixture = await openProviderFixture();
  app = await fixture.addApp();
});
afterEach(() => fixture.close());

const providers: ProviderConfig[] = [
  { kind: "translate", setting: "babel", isEnabled: true, dayMax: 100_000, unit: "characters" },
  { kind: "analyse", setting: "local", isEnabled: false, dayMax: 10, unit: "reviews" },
];

const translator: Translator = {
  name: "babel fish",
  batchMax: { jobs: 10, characters: 10_000 },
  translate: async ({ texts }) => ({
    kind: "translated",
    texts: texts.map((text) => `English: ${text}`),
  }),
};

async function saveSome(): Promise<void> {
  const reviewIn = (language: string): Review => ({
    ...aReview({ text: `palabras ${language}` }),
    analysis: { language, version: 1, topics: [], sentiment: null },
  });
  const translated = { ...reviewIn("de"), translation: { text: "words", from: "de" } };
  await saveReviews(fixture.database, app, [
    ...["es", "en", "und", "pt"].map(reviewIn),
    translated,
  ]);
}

const translate = (request: { id: string; review?: string }, configured = providers) =>
  act({ ...fixture, providers: configured }, translateApp, { review: null, ...request });

test("one review is queued alone", async () => {
  await saveSome();
  const reviews = await fixture.reviews(app);
  const one = (language: string) => {
    const review = reviews.find(({ analysis }) => analysis?.language === language)?.id ?? "";
    return translate({ id: app.id, review });
  };
  expect([await one("es"), await one("de")]).toEqual([{ queued: 1 }, { queued: 0 }]);
  expect((await listProviders(fixture, providers))[0]).toMatchObject({ waitingReviews: 1 });
});

test("the reviews of an app that are neither English, unclear nor translated are queued once", async () => {
  await saveSome();
  const request = { id: app.id };
  expect(await translate(request)).toEqual({ queued: 2 });
  expect(await translate(request)).toEqual({ queued: 0 });
  expect((await listProviders(fixture, providers))[0]).toMatchObject({ waitingReviews: 2 });
  await fixture.translate(translator);
  const translations = (await fixture.reviews(app)).map(({ translation }) => translation?.text);
  expect(translations.sort()).toEqual([
    "English: palabras es",
    "English: palabras pt",
    "words",
    undefined,
    undefined,
  ]);
  expect(await translate(request)).toEqual({ queued: 0 });
});

test("without a translator nothing is queued, and the refusal names the setting", async () => {
  await expect(translate({ id: app.id }, [])).rejects.toThrow("set TRANSLATE_PROVIDER");
  await expect(translate({ id: "nope" })).rejects.toThrow("nope");
});

test("the status reports waiting jobs, today's usage and the last error in words", async () => {
  await fixture.addChannelFor(app);
  await fixture.ingestReviews(app, [aSourceReview(fixture, 1)]);
  expect(await listProviders(fixture, providers)).toMatchObject([
    { kind: "translate", status: "not used yet", waitingReviews: 1, waitingDeliveries: 1 },
    { kind: "analyse", provider: "local", status: "off" },
  ]);
  const failed: ProviderFailure = {
    kind: "failed",
    about: "provider",
    reason: "no answer: timeout",
    cooldownMs: null,
  };
  await fixture.translate({ ...translator, translate: async () => failed });
  expect((await listProviders(fixture, providers))[0]).toMatchObject({
    status: "paused after a failure: no answer: timeout",
    triedReviews: 1,
    requestsToday: 1,
    usedToday: 29,
    dayMax: 100_000,
  });
  fixture.clock.advance(minuteMs);
  await fixture.translate(translator);
  expect((await listProviders(fixture, providers))[0]).toMatchObject({
    status: "working",
    waitingReviews: 0,
    waitingDeliveries: 0,
    lastError: null,
  });
  const other = providers.map((provider) => ({ ...provider, setting: "deepl" }));
  expect((await listProviders(fixture, other))[0]).toMatchObject({ status: "not used yet" });
});

test("two apps are translated in turns, however many reviews one of them has", async () => {
  const other = await fixture.addApp();
  const reviewOf = (listing: App, index: number): NewProviderJob => ({
    ...{ kind: "translate", listingId: listing.listingId, reviewId: randomUUID() },
    ...{ contentHash: Buffer.from(`${listing.id} ${index}`), language: "es", rating: 3 },
    ...{ title: null, text: `palabras ${index}`, isUrgent: false },
  });
  const queue = async (listing: App, count: number) => {
    const reviews = Array.from({ length: count }, () => aReview({ text: "palabras" }));
    const saved = await saveReviews(fixture.database, listing, reviews);
    expect(saved).toBeDefined();
    const ids = (await fixture.reviews(listing)).map(({ id }) => id);
    const jobs = ids.map((reviewId, index) => ({ ...reviewOf(listing, index), reviewId }));
    await fixture.database.insertProviderJobs({ jobs, now: fixture.clock.now() });
  };
  await queue(app, 60);
  fixture.clock.advance(minuteMs);
  await queue(other, 5);
  const now = fixture.clock.now();
  const leasedUntil = new Date(now.getTime() + minuteMs);
  const claim = { kind: "translate", token: randomUUID(), limit: 10, now, leasedUntil } as const;
  const claimed = await fixture.database.claimProviderJobs(claim);
  const countOf = ({ listingId }: App) =>
    claimed.filter((job) => job.listingId === listingId).length;
  expect([countOf(app), countOf(other)]).toEqual([5, 5]);
});

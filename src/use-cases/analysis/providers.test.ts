// The status of providers for operators, and the translation of reviews that are already stored.
import { afterEach, beforeEach, expect, test } from "vitest";
import { aReview, saveReviews } from "../../../test/support/factories.ts";
import {
  aSourceReview,
  openProviderFixture,
  type ProviderFixture,
} from "../../../test/support/provider-fixture.ts";
import type { App } from "../../domain/listing.ts";
import type { ProviderFailure } from "../../domain/provider.ts";
import type { Review } from "../../domain/review.ts";
import type { Translator } from "../../enrichment/translators/translator.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { listProviders, type ProviderConfig, translateApp } from "./providers.ts";

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

test("the reviews of an app that are neither English, unclear nor translated are queued once", async () => {
  await saveSome();
  const request = { appId: app.id, workspaceId: null, providers };
  expect(await translateApp(fixture, request)).toEqual({ queued: 2 });
  expect(await translateApp(fixture, request)).toEqual({ queued: 0 });
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
  expect(await translateApp(fixture, request)).toEqual({ queued: 0 });
});

test("without a translator nothing is queued, and the refusal names the setting", async () => {
  const request = { appId: app.id, workspaceId: null, providers: [] };
  await expect(translateApp(fixture, request)).rejects.toThrow("set TRANSLATE_PROVIDER");
  await expect(translateApp(fixture, { ...request, appId: "nope" })).rejects.toThrow("nope");
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

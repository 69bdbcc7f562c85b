// What an operator sees of providers, and the translation of reviews that are kept already.
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

let scene: ProviderFixture;
let app: App;
beforeEach(async () => {
  scene = await openProviderFixture();
  app = await scene.addApp();
});
afterEach(() => scene.close());

const choices: ProviderConfig[] = [
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
  await saveReviews(scene.database, app, [...["es", "en", "und", "pt"].map(reviewIn), translated]);
}

test("the reviews of an app that are neither English, unclear nor translated are queued once", async () => {
  await saveSome();
  const asked = { appId: app.id, workspaceId: null, choices };
  expect(await translateApp(scene, asked)).toEqual({ queued: 2 });
  expect(await translateApp(scene, asked)).toEqual({ queued: 0 });
  expect((await listProviders(scene, choices))[0]).toMatchObject({ waitingReviews: 2 });
  await scene.translate(translator);
  const translations = (await scene.reviews(app)).map(({ translation }) => translation?.text);
  expect(translations.sort()).toEqual([
    "English: palabras es",
    "English: palabras pt",
    "words",
    undefined,
    undefined,
  ]);
  expect(await translateApp(scene, asked)).toEqual({ queued: 0 });
});

test("without a translator nothing is queued, and the refusal names the setting", async () => {
  const asked = { appId: app.id, workspaceId: null, choices: [] };
  await expect(translateApp(scene, asked)).rejects.toThrow("set TRANSLATE_PROVIDER");
  await expect(translateApp(scene, { ...asked, appId: "nope" })).rejects.toThrow("nope");
});

test("the status tells what waits, what was used today and what was wrong last, in words", async () => {
  await scene.addChannelFor(app);
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  expect(await listProviders(scene, choices)).toMatchObject([
    { kind: "translate", status: "not asked yet", waitingReviews: 1, waitingDeliveries: 1 },
    { kind: "analyse", provider: "local", status: "nobody is asked" },
  ]);
  const failed: ProviderFailure = {
    kind: "failed",
    about: "provider",
    reason: "no answer: timeout",
    cooldownMs: null,
  };
  await scene.translate({ ...translator, translate: async () => failed });
  expect((await listProviders(scene, choices))[0]).toMatchObject({
    status: "left alone for a while: no answer: timeout",
    triedReviews: 1,
    requestsToday: 1,
    usedToday: 29,
    dayMax: 100_000,
  });
  scene.clock.advance(minuteMs);
  await scene.translate(translator);
  expect((await listProviders(scene, choices))[0]).toMatchObject({
    status: "it answers",
    waitingReviews: 0,
    waitingDeliveries: 0,
    lastError: null,
  });
  const other = choices.map((choice) => ({ ...choice, setting: "deepl" }));
  expect((await listProviders(scene, other))[0]).toMatchObject({ status: "not asked yet" });
});

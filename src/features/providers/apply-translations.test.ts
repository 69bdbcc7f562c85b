// Reviews for channels with translation: which deliveries wait, for how long, and what their bodies contain.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { removeApp } from "../../../test/support/acts.ts";
import { patience } from "../../../test/support/patience.ts";
import {
  doubleKey,
  english,
  openDeepLDouble,
  type ProviderDouble,
} from "../../../test/support/provider-doubles.ts";
import {
  aSourceReview,
  openProviderFixture,
  type ProviderFixture,
  waitMs,
} from "../../../test/support/provider-fixture.ts";
import type { EventBody } from "../../domain/channel/event.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type HttpClient, openHttpClient } from "../../lib/http-client.ts";
import { dayMs, minuteMs, secondMs } from "../../lib/timestamp.ts";
import { createDeepL } from "./translators/deepl.ts";
import type { Translator } from "./translators/translator.ts";

let scene: ProviderFixture;
let double: ProviderDouble;
let client: HttpClient;
let translator: Translator;
let app: App;

beforeAll(() => {
  client = openHttpClient({ userAgent: "Starpost/test", totalTimeoutMs: patience(5_000) });
});
afterAll(() => client.close());
beforeEach(async () => {
  scene = await openProviderFixture();
  double = await openDeepLDouble();
  translator = createDeepL({ http: client.http, baseUrl: double.url, apiKey: doubleKey });
  app = await scene.addApp();
  return async () => {
    await double.close();
    await scene.close();
  };
});

const reviewOf = (body: EventBody | undefined) => (body && "review" in body ? body.review : null);
const spanish = "Las mareas son exactas.";
const translated = (text: string) => ({
  text,
  translatedText: english(text),
  translatedFrom: "es",
});
const untranslated = (text: string) => ({ text, translatedText: null, translatedFrom: null });

describe("a delivery to a channel with translation", () => {
  test("waits for the translation, which its body then has beside the original", async () => {
    await scene.addChannelFor(app);
    expect(await scene.ingestReviews(app, [aSourceReview(scene, 1)])).toMatchObject({
      queuedCount: 1,
    });
    expect(await scene.claimBodies()).toEqual([]);
    scene.clock.advance(secondMs);
    expect(await scene.translate(translator)).toBe("worked");
    const [body] = await scene.claimBodies();
    expect(body).toMatchObject({ event: "review.created", review: translated(spanish) });
    expect(Object.keys(reviewOf(body) ?? {})).toEqual([
      ..."id store rating title text translatedText translatedFrom".split(" "),
      ..."author version country date".split(" "),
    ]);
    expect(await scene.reviews(app)).toMatchObject([
      { text: spanish, translation: { text: english(spanish), from: "es" } },
    ]);
    expect(await scene.database.countProviderJobs()).toMatchObject([{ kind: "analyse" }]);
  });

  test("goes out with nulls when the wait is over, and stays so when the translation comes late", async () => {
    const { id: channelId } = await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
    scene.clock.advance(waitMs - 1);
    expect(await scene.claimBodies()).toEqual([]);
    scene.clock.advance(1);
    const [sent] = await scene.claimBodies();
    expect(sent).toMatchObject({ review: untranslated(spanish) });
    await scene.translate(translator);
    const scope = { channelId, workspaceId: null, status: null, beforeId: null };
    const [listed] = await scene.database.listDeliveries({ ...scope, limit: 1 });
    const stored = await scene.database.findDelivery({ id: listed?.id ?? "", workspaceId: null });
    expect(JSON.parse(String(stored?.body))).toEqual(sent);
    expect(await scene.reviews(app)).toMatchObject([{ translation: { from: "es" } }]);
  });

  test("keeps the version before an edit that comes meanwhile; the update has the new one", async () => {
    await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
    scene.clock.advance(secondMs);
    await scene.ingestReviews(app, [aSourceReview(scene, 1, { text: "Ya no.", rating: 1 })]);
    scene.clock.advance(secondMs);
    await scene.translate(translator);
    const bodies = (await scene.claimBodies()).sort((a, b) => (a.event < b.event ? -1 : 1));
    expect(bodies).toMatchObject([
      { event: "review.created", review: { rating: 4, ...translated(spanish) } },
      { event: "review.updated", review: { rating: 1, ...translated("Ya no.") } },
    ]);
    expect(await scene.reviews(app)).toMatchObject([{ translation: { text: english("Ya no.") } }]);
  });

  test.each([
    ["English", { languageHint: "en", text: "The tides are right." }],
    ["a text without a detectable language", { languageHint: null, text: "👍👍" }],
    ["a review without text", { languageHint: "es", text: "" }],
  ])("does not wait for %s", async (_, overrides) => {
    await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1, overrides)]);
    expect(await scene.claimBodies()).toMatchObject([{ review: untranslated(overrides.text) }]);
    await scene.translate(translator);
    expect(double.requests).toEqual([]);
  });

  test("does not wait for a language that the provider lacks, which is tried once a week", async () => {
    await scene.addChannelFor(app);
    const klingon = { languageHint: "tlh", text: "nuqneH" };
    await scene.ingestReviews(app, [aSourceReview(scene, 1, klingon)]);
    await scene.translate(translator);
    expect(await scene.claimBodies()).toMatchObject([{ review: untranslated("nuqneH") }]);
    await scene.ingestReviews(app, [aSourceReview(scene, 2, klingon)]);
    await scene.translate(translator);
    expect(await scene.claimBodies()).toHaveLength(1);
    expect(double.requests).toHaveLength(1);
    scene.clock.advance(8 * dayMs);
    await scene.ingestReviews(app, [aSourceReview(scene, 3, klingon)]);
    await scene.translate(translator);
    expect(double.requests).toHaveLength(2);
  });

  test("has nulls when translation was switched off for the channel while it waited", async () => {
    const channel = await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
    await scene.database.updateChannel({ ...channel, translate: false });
    await scene.translate(translator);
    expect(await scene.claimBodies()).toMatchObject([{ review: untranslated(spanish) }]);
  });

  test("that a person sends at once keeps its body, and is not changed later", async () => {
    const { id: expiredOfChannelId } = await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
    const scope = {
      channelId: expiredOfChannelId,
      workspaceId: null,
      status: null,
      beforeId: null,
    };
    const [{ id } = { id: "" }] = await scene.database.listDeliveries({ ...scope, limit: 1 });
    const now = scene.clock.now();
    expect(await scene.database.redeliver({ id, workspaceId: null, now })).toBe(1);
    await scene.translate(translator);
    expect(await scene.claimBodies()).toMatchObject([{ review: untranslated(spanish) }]);
  });
});

test("channels without translation wait for nothing, and for them nothing is translated", async () => {
  await scene.addChannelFor(app, { translate: false });
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  expect((await scene.claimBodies()).map(reviewOf)).toMatchObject([untranslated(spanish)]);
  await scene.translate(translator);
  expect(double.requests).toEqual([]);
});

test("an edit of the stars alone keeps the translation, and its update goes at once", async () => {
  await scene.addChannelFor(app);
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  await scene.translate(translator);
  await scene.claimBodies();
  await scene.ingestReviews(app, [aSourceReview(scene, 1, { rating: 1 })]);
  expect(await scene.claimBodies()).toMatchObject([
    { event: "review.updated", review: translated(spanish) },
  ]);
  expect(double.requests).toHaveLength(1);
});

test("what was translated once is translated again after an edit, though no delivery waits", async () => {
  const channel = await scene.addChannelFor(app);
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  await scene.translate(translator);
  await scene.database.deleteChannel(channel.id);
  await scene.ingestReviews(app, [aSourceReview(scene, 1, { text: "Ya no." })]);
  expect(await scene.reviews(app)).toMatchObject([{ translation: null }]);
  await scene.translate(translator);
  expect(await scene.reviews(app)).toMatchObject([{ translation: { text: english("Ya no.") } }]);
});

test("the same text is sent once, in one request or later, for any app", async () => {
  const other = await scene.addApp();
  for (const one of [app, other]) await scene.addChannelFor(one);
  await scene.ingestReviews(
    app,
    [1, 2, 3].map((id) => aSourceReview(scene, id)),
  );
  await scene.translate(translator);
  await scene.ingestReviews(other, [aSourceReview(scene, 1)]);
  await scene.translate(translator);
  expect((await scene.claimBodies()).map(reviewOf)).toMatchObject(
    Array(4).fill(translated(spanish)),
  );
  expect(double.requests).toHaveLength(1);
  expect(JSON.parse(double.requests[0]?.body ?? "").text).toHaveLength(1);
});

describe("a translator that fails", () => {
  const state = () => scene.database.findProviderState("translate");

  test("has a cooldown as long as Retry-After, else longer each time, and is then tried again", async () => {
    await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
    double.respondNext(
      { status: 429, body: { message: "Too many requests" }, headers: { "retry-after": "40" } },
      { status: 503, body: { message: "Overloaded" } },
    );
    const cooldownMs = async () => {
      const { cooldownUntil, failedAt } = (await state()) ?? {};
      return Number(cooldownUntil) - Number(failedAt);
    };
    await scene.translate(translator);
    expect(await cooldownMs()).toBe(40 * secondMs);
    expect(await scene.translate(translator)).toBe("idle");
    expect(double.requests).toHaveLength(1);
    scene.clock.advance(40 * secondMs);
    await scene.translate(translator);
    expect(await cooldownMs()).toBe(30 * secondMs);
    expect(await state()).toMatchObject({
      failureCount: 2,
      lastError: "it can't answer right now: HTTP 503, Overloaded",
    });
    scene.clock.advance(30 * secondMs);
    await scene.translate(translator);
    expect(await state()).toMatchObject({ failureCount: 0, lastError: null, cooldownUntil: null });
    expect(await scene.claimBodies()).toMatchObject([{ review: translated(spanish) }]);
    expect(scene.logEntries.map(({ message }) => message)).toContain("deepl responds again");
  });

  test("over its quota has a cooldown of an hour, and deliveries are sent without translation", async () => {
    await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
    double.respondNext({ status: 456, body: { message: "Quota Exceeded" } });
    await scene.translate(translator);
    expect((await state())?.lastError).toContain("quota is used up");
    scene.clock.advance(59 * minuteMs);
    await scene.translate(translator);
    expect(double.requests).toHaveLength(1);
    expect(await scene.claimBodies()).toMatchObject([{ review: untranslated(spanish) }]);
  });

  test("that refuses a batch gets each text alone, and a text that it refuses three times is given up", async () => {
    await scene.addChannelFor(app);
    const reviews = ["uno", "dos"].map((text, id) => aSourceReview(scene, id, { text }));
    await scene.ingestReviews(app, reviews);
    const refusal = { status: 400, body: { message: "Bad request" } };
    double.respondNext(refusal, refusal);
    await scene.translate(translator);
    await scene.translate(translator);
    await scene.translate(translator);
    const textCounts = double.requests.map(({ body }) => JSON.parse(body).text.length);
    expect(textCounts).toEqual([2, 1, 1, 1]);
    expect((await scene.claimBodies()).map(reviewOf)).toHaveLength(2);
    expect(await scene.translate(translator)).toBe("idle");
  });

  test("gets no more than the daily limit, and continues the next day", async () => {
    await scene.addChannelFor(app);
    await scene.ingestReviews(app, [aSourceReview(scene, 1, { text: "a".repeat(15_000) })]);
    await scene.translate(translator, 20_000);
    await scene.ingestReviews(app, [aSourceReview(scene, 2, { text: "b".repeat(15_000) })]);
    await scene.translate(translator, 20_000);
    expect((await state())?.lastError).toBe("the day's limit of 20000 characters is used up");
    expect(double.requests).toHaveLength(1);
    scene.clock.set(new Date("2026-03-03T00:00:00Z"));
    await scene.translate(translator, 20_000);
    expect(double.requests).toHaveLength(2);
  });
});

test("two workers share the jobs: each text is sent once", async () => {
  await scene.addChannelFor(app);
  const reviews = Array.from({ length: 60 }, (_, id) =>
    aSourceReview(scene, id, { text: `texto ${id}` }),
  );
  await scene.ingestReviews(app, reviews);
  await Promise.all([scene.translate(translator), scene.translate(translator)]);
  const sentTexts = double.requests.flatMap(({ body }) => JSON.parse(body).text);
  expect(sentTexts.sort()).toEqual(reviews.map(({ text }) => text).sort());
});

test("a listing that is removed takes its jobs along", async () => {
  await scene.addChannelFor(app);
  await scene.ingestReviews(app, [aSourceReview(scene, 1)]);
  await removeApp({ ...scene, actor: "test" }, { id: app.id, workspaceId: null });
  expect(await scene.database.countProviderJobs()).toEqual([]);
  expect(await scene.translate(translator)).toBe("idle");
});

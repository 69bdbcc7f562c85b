// A Spanish review, end to end with a real translator: the store, the service, Apertium, and a
// customer's endpoint that gets the original, the English and a signature over both.
import { verify } from "@octokit/webhooks-methods";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSampleStores, sampleAppStoreApp } from "../simulator/sample-stores.ts";
import { openSimulator, type Simulator } from "../simulator/simulator.ts";
import type { App } from "../src/domain/feed/listing.ts";
import { systemClock } from "../src/lib/clock.ts";
import { type Apertium, hasApertium, startApertium } from "./support/apertium.ts";
import { openReceiver, type Receiver } from "./support/receiver.ts";
import { startTestService, type TestService } from "./support/service.ts";

describe.skipIf(!hasApertium())("with Apertium", () => {
  const sample = createSampleStores({ clock: systemClock, pastDays: 5, aheadDays: 0 });
  const key = { store: sampleAppStoreApp.store, externalAppId: sampleAppStoreApp.externalAppId };
  let apertium: Apertium;
  let simulator: Simulator;
  let receiver: Receiver;
  let service: TestService;
  let app: App;
  let secret: string;

  beforeAll(async () => {
    apertium = await startApertium();
    simulator = await openSimulator({ clock: systemClock, storeState: sample.storeState });
    receiver = await openReceiver();
    service = await startTestService({
      storesUrl: simulator.url,
      env: { TRANSLATE_PROVIDER: "apertium", TRANSLATE_URL: apertium.url },
    });
    // An empty storefront is quarantined at first, and no event is sent until it is confirmed.
    sample.storeState.addReview(key, { region: "es", rating: 4, text: "Todo en orden." });
    app = await service.addApp({ ...key, countries: ["es", "de"] });
    await service.collect(app);
    ({ secret } = await service.addChannel(receiver.url, app, { translate: true }));
  });

  afterAll(async () => {
    await service?.close();
    await receiver?.close();
    await simulator?.close();
    await apertium?.close();
  });

  const text =
    "La aplicación es muy buena, pero no funciona con mi teléfono.\n\n¡Gracias por la ayuda! 🌱";

  test("Spanish in, English out, the original untouched and the signature right", async () => {
    // The store's dates are whole seconds, and a change without a new date has to be read twice.
    const at = new Date(Date.now() - 60_000);
    const storeReviewId = sample.storeState.addReview(key, { region: "es", rating: 3, text, at });
    await service.collect(app);
    const [sent] = await receiver.waitFor(1);
    const raw = sent?.body.toString("utf8") ?? "";
    expect(await verify(secret, raw, sent?.headers["x-service-signature"] ?? "")).toBe(true);

    const { event, review } = JSON.parse(raw);
    expect(event).toBe("review.created");
    expect(review).toMatchObject({ text, rating: 3, country: "es", translatedFrom: "es" });
    expect(review.translatedText).toMatch(/application is very good/i);
    expect(review.translatedText).toMatch(/thank/i);
    expect(review.translatedText).toContain("🌱");
    expect(review.translatedText).not.toMatch(/buena|funciona|teléfono|\*/);
    expect(Object.keys(review)).toEqual([
      ..."id store rating title text translatedText translatedFrom".split(" "),
      ..."author version country date".split(" "),
    ]);
    expect(await findReview(review.id)).toMatchObject({
      text,
      translatedText: review.translatedText,
      translatedFrom: "es",
    });

    sample.storeState.editReview(key, { storeReviewId, rating: 1, text: "Ya no funciona." });
    await service.collect(app);
    const updated = JSON.parse((await receiver.waitFor(2))[1]?.body.toString("utf8") ?? "");
    expect(updated).toMatchObject({
      event: "review.updated",
      review: { text: "Ya no funciona.", translatedFrom: "es" },
    });
    expect(updated.review.translatedText).toMatch(/no(t|n)? .*work|work/i);
  });

  test("a review in a language that Apertium lacks is delivered at once, without translation", async () => {
    const before = receiver.requests.length;
    sample.storeState.addReview(key, {
      region: "de",
      rating: 1,
      text: "Die App stürzt immer wieder ab.",
    });
    await service.collect(app);
    const events = (await receiver.waitFor(before + 1)).slice(before);
    expect(JSON.parse(events[0]?.body.toString("utf8") ?? "")).toMatchObject({
      review: { translatedText: null, translatedFrom: null },
    });
  });

  async function findReview(id: string): Promise<unknown> {
    const page = await service.get("/reviews?limit=100");
    const reviews: unknown = page["reviews"];
    if (!Array.isArray(reviews)) throw new Error("the response has no reviews");
    return reviews.find((review) => review.id === id);
  }
});

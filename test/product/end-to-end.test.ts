// The main path, end to end: the real service crawls the simulated stores, and everything comes out at the
// read API and at a customer's endpoint. Once with recorded store pages, once with generated ones.

import path from "node:path";
import { verify } from "@octokit/webhooks-methods";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Replay } from "../../simulator/replay.ts";
import {
  createSampleStores,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../../simulator/sample-stores.ts";
import { openSimulator, type Simulator } from "../../simulator/simulator.ts";
import type { AppKey } from "../../simulator/store-facts.ts";
import { analyzeReview } from "../../src/analysis/analyze.ts";
import { cleanText } from "../../src/domain/clean-text.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { reviewIdOf } from "../../src/domain/review/review.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { keyOf, type PagedApp, pageSets } from "../support/page-sets.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";
import type { RecordedReview, ReviewContent } from "../support/recorded-reviews.ts";
import { startTestService, type TestService } from "../support/service.ts";

describe.each(pageSets())("over $what pages", ({ folder, pages, details, reviewCountMin }) => {
  let replay: Replay;
  let simulator: Simulator;
  let receiver: Receiver;
  let service: TestService;

  beforeAll(async () => {
    const reviews = pages.map((page) => ({ ...keyOf(page), file: page.file }));
    const lookups = pages
      .filter(({ app }) => app.store === "appstore")
      .map(({ app }) => lookupEntry(app.externalAppId));
    const detailsPages = details.map((externalAppId) => ({
      kind: "play-details" as const,
      externalAppId,
      file: `play-details-html/${externalAppId}_en_us.html`,
    }));
    replay = new Replay({ folder, entries: [...reviews, ...lookups, ...detailsPages] });
    simulator = await openSimulator({ clock: systemClock, replay });
    receiver = await openReceiver();
    service = await startTestService({ storesUrl: simulator.url });
  });

  afterAll(async () => {
    await service?.close();
    await receiver?.close();
    await simulator?.close();
  });

  // Apple's feed had no dates until 2021; today a page without any is a sign that something is wrong.
  test.each<PagedApp>(pages.filter((page) => "isUndated" in page))(
    "$file: a page without dates is quarantined, and nothing of it is saved",
    async (page) => {
      const app = await service.addApp(page.app);
      const feeds = await service.collect(app);
      expect(feeds.find(({ kind }) => kind === "reviews")).toMatchObject({
        outcome: "unknown",
        lastError: expect.stringContaining("has a date"),
      });
      expect(await allReviews(service, app)).toEqual([]);
    },
  );

  test.each<PagedApp>(pages.filter((page) => !("isUndated" in page)))(
    "$file: every review comes out as it is on the page, an edit and a new one are delivered",
    async (page) => {
      const { format } = page;
      const key = keyOf(page);
      const invented = inventedOn(page.app.store);
      const app = await service.addApp(page.app);
      await service.collect(app);
      const onPage = format.read(path.join(folder, page.file));
      expect(onPage.length).toBeGreaterThanOrEqual(reviewCountMin);
      expect(await allReviews(service, app)).toEqual(
        sortNewestFirst(onPage.map((one) => expected(app, one))),
      );

      const { id: channelId, secret } = await service.addChannel(receiver.url, app);
      const before = receiver.requests.length;
      // An edit of a review that this channel never got is not announced to it.
      replay.edit(key, (payload) => format.edit(payload, { ...invented, index: 1 }));
      await service.collect(app);
      replay.edit(key, (payload) => format.prepend(payload, invented));
      await service.collect(app);
      await receiver.waitFor(before + 1);
      replay.edit(key, (payload) =>
        format.prepend(payload, { ...invented, rating: 5, text: "Fixed!", date: new Date() }),
      );
      await service.collect(app);
      const events = (await receiver.waitFor(before + 2)).slice(before);
      await expectSigned(events, secret);

      const bodies = events.map(({ body }) => JSON.parse(body.toString("utf8")));
      const review = { id: idOf(app, invented.storeReviewId), rating: 2, text: invented.text };
      expect(bodies).toMatchObject([
        { event: "review.created", channelId, app: { id: app.id }, review },
        {
          event: "review.updated",
          review: { ...review, rating: 5, text: "Fixed!" },
          change: { oldScore: 2, newScore: 5, ratingChanged: true, textChanged: true },
        },
      ]);
      await service.collect(app);
      expect(receiver.requests).toHaveLength(before + 2);
    },
  );
});

describe("over generated stores", () => {
  const sample = createSampleStores({ clock: systemClock, pastDays: 60, aheadDays: 0 });
  let simulator: Simulator;
  let receiver: Receiver;
  let service: TestService;

  beforeAll(async () => {
    simulator = await openSimulator({ clock: systemClock, storeState: sample.storeState });
    receiver = await openReceiver();
    service = await startTestService({ storesUrl: simulator.url });
  });

  afterAll(async () => {
    await service?.close();
    await receiver?.close();
    await simulator?.close();
  });

  test.each([
    { ...sampleAppStoreApp, regions: "us gb ca au de fr es it jp br".split(" "), region: "de" },
    { ...sampleGooglePlayApp, regions: "en es pt de fr it ja ko ru id".split(" "), region: "de" },
  ])(
    "$store: what the store has, the API answers; what happens there, the receiver hears",
    async (key) => {
      const { storeState } = sample;
      const app = await service.addApp({ store: key.store, externalAppId: key.externalAppId });
      const feeds = await service.collect(app);
      expect(feeds.map(({ outcome }) => outcome)).not.toContain("unknown");
      const there = key.regions.flatMap((region) => storeState.reviewsNow(key, region));
      const found = await allReviews(service, app);
      expect(found.map(({ id }) => id).sort()).toEqual(
        there.map(({ storeReviewId }) => idOf(app, storeReviewId)).sort(),
      );
      expect(app.name).toBe(sampleAppStoreApp.name);
      expect(await service.get(`/ratings?app=${app.id}`)).toMatchObject({ app: { id: app.id } });
      const trends = await service.get(`/trends?app=${app.id}`);
      expect(trends["totals"]).toMatchObject({ total: found.length });

      const { secret } = await service.addChannel(receiver.url, app);
      const before = receiver.requests.length;
      const storeReviewId = storeState.addReview(key, {
        region: key.region,
        rating: 2,
        text: "Stürzt ständig ab",
        at: new Date(Date.now() - 60_000),
      });
      await service.collect(app);
      await receiver.waitFor(before + 1);
      storeState.editReview(key, { storeReviewId, rating: 5, text: "Läuft wieder" });
      await service.collect(app);
      const events = (await receiver.waitFor(before + 2)).slice(before);
      await expectSigned(events, secret);
      expect(events.map(({ headers }) => headers["x-service-event"])).toEqual([
        "review.created",
        "review.updated",
      ]);
      expect(JSON.parse(events[1]?.body.toString("utf8") ?? "")).toMatchObject({
        review: { id: idOf(app, storeReviewId), rating: 5, text: "Läuft wieder", country: "de" },
        change: { headline: "Rating changed from 2 to 5 stars and text edited" },
      });
    },
  );
});

const invented = {
  rating: 2,
  text: "Crashes since the update",
  author: "Mira",
  // Long enough ago that its edit has another date.
  date: new Date(Date.now() - 60_000),
};

function inventedOn(store: "appstore" | "googleplay"): ReviewContent {
  const isApple = store === "appstore";
  const storeReviewId = isApple ? "99000000001" : "f2a0c7de-1b5e-4c1e-9c57-8a1d6a1f0b11";
  return { ...invented, storeReviewId };
}

type ApiReview = Record<string, unknown> & { id: string; date: string };

async function allReviews(service: TestService, app: App): Promise<ApiReview[]> {
  const all: ApiReview[] = [];
  let cursor: unknown = null;
  do {
    const more = cursor === null ? "" : `&cursor=${cursor}`;
    const page = await service.get(`/reviews?app=${app.id}&limit=100${more}`);
    all.push(...(page["reviews"] as ApiReview[]));
    cursor = page["nextCursor"];
  } while (cursor !== null);
  return all;
}

function expected(app: App, onPage: RecordedReview): ApiReview {
  const { storeReviewId, languageHint, country, ...rest } = onPage;
  const text = cleanText(onPage.text);
  const analysis = analyzeReview({ ...onPage, text, languageHint });
  return {
    ...rest,
    text,
    id: idOf(app, storeReviewId),
    store: app.store,
    externalAppId: app.externalAppId,
    country: country ?? analysis.language,
    translatedText: null,
    translatedFrom: null,
    sentiment: analysis.sentiment && { label: analysis.sentiment.label, score: expect.any(Number) },
    topics: analysis.topics,
  };
}

function sortNewestFirst(reviews: ApiReview[]): ApiReview[] {
  return reviews.sort((a, b) => Date.parse(b.date) - Date.parse(a.date) || (a.id < b.id ? 1 : -1));
}

function idOf(app: Pick<AppKey, "store" | "externalAppId">, storeReviewId: string): string {
  return reviewIdOf({ store: app.store, externalAppId: app.externalAppId, storeReviewId });
}

async function expectSigned(
  events: Awaited<ReturnType<Receiver["waitFor"]>>,
  secret: string,
): Promise<void> {
  for (const { body, headers } of events) {
    // An outside judge of the same scheme: sha256= and the hex HMAC of the raw body.
    const signature = headers["x-service-signature"] ?? "";
    expect(await verify(secret, body.toString("utf8"), signature)).toBe(true);
    expect(await verify(secret, `${body.toString("utf8")} `, signature)).toBe(false);
  }
}

function lookupEntry(externalAppId: string) {
  const facts = {
    trackId: Number(externalAppId),
    trackName: "Recorded",
    kind: "software",
    wrapperType: "software",
  };
  const ratings = { averageUserRating: 4.5, userRatingCount: 1200 };
  const body = JSON.stringify({ resultCount: 1, results: [{ ...facts, ...ratings }] });
  return { kind: "lookup" as const, externalAppId, body };
}

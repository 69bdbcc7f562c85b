// The bodies of the contract for every store, from the simulated store to the read API and the signed body of a webhook.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { reviewsResponse, trendsResponse } from "../src/api/contract.ts";
import { type StoreId, storeIds } from "../src/domain/store/store-id.ts";
import { storeTraits } from "../src/domain/store/store-traits.ts";
import { formatTimestamp, minuteMs } from "../src/lib/timestamp.ts";
import { type ApiTestContext, openApiTestContext } from "./support/api-test-context.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { aKey } from "./support/factories.ts";

/** The value of `country` by the contract: a storefront region, or for Google Play the detected language. */
const countries: Readonly<Record<StoreId, string>> = {
  appstore: "us",
  googleplay: "en",
  firefoxaddons: "001",
};
const histogram = [4, 1, 2, 3, 10] as const;

let context: ApiTestContext;
let fixture: CrawlFixture;
beforeEach(async () => {
  context = await openApiTestContext();
});
afterEach(async () => {
  await fixture.close();
  await context.close();
});

describe.each(storeIds)("%s", (store) => {
  test("a review and ratings have the contract's fields", async () => {
    const region = storeTraits[store].soleRegion ?? "us";
    fixture = await openCrawlFixture(context, { store, countries: [region] });
    const { app, channel, harness, key } = fixture;
    harness.storeState.setRatings(key, { region, histogram });
    fixture.writeReviews(1);
    await fixture.crawl();
    harness.clock.advance(60 * minuteMs);
    const text = "The tide table of the harbour is late, and the app crashes";
    const [storeReviewId] = fixture.writeReviews(1, { rating: 2, text, author: "Plover" });
    await fixture.crawl();
    const { key: secret } = await aKey(context.database, { id: app.workspaceId });
    const get = async (path: string) =>
      (await context.request(`/api/v1${path}`, { key: secret })).json;
    const { externalAppId } = app;

    expect(await get("/apps")).toMatchObject({ apps: [{ id: app.id, store, externalAppId }] });
    const { reviews } = reviewsResponse.parse(
      await get(`/reviews?store=${store}&country=${countries[store]}`),
    );
    const [newest] = (await fixture.storedReviews()).filter(
      (one) => one.storeReviewId === storeReviewId,
    );
    const shared = {
      ...{ id: newest?.id, store, rating: 2, title: null, text, translatedText: null },
      ...{ translatedFrom: null, author: "Plover", version: "1.0.0", country: countries[store] },
      date: formatTimestamp(newest?.date ?? new Date(0)),
    };
    expect(reviews).toHaveLength(2);
    expect(reviews[0]).toEqual({
      ...shared,
      // Without a title in the App Store it is an empty one.
      title: storeTraits[store].hasTitles ? expect.toBeOneOf([null, ""]) : null,
      externalAppId,
      sentiment: { label: "negative", score: expect.any(Number) },
      topics: expect.arrayContaining(["crash"]),
    });
    expect(await get(`/ratings?app=${app.id}`)).toEqual({
      app: { id: app.id, store, externalAppId },
      rating: {
        ...{ average: 3.7, total: 20, capturedOn: "2026-11-21" },
        histogram: { 1: 4, 2: 1, 3: 2, 4: 3, 5: 10 },
      },
    });
    const { weekly, totals } = trendsResponse.parse(await get(`/trends?app=${app.id}`));
    // The contract names two stores, and the total counts the third.
    expect(weekly.at(-1)).toMatchObject({
      ...{ appstore: store === "appstore" ? 2 : 0, googleplay: store === "googleplay" ? 2 : 0 },
      total: 2,
    });
    expect(totals).toMatchObject({ total: 2 });

    const deliveries = await context.database.listDeliveries({
      ...{ channelId: channel.id, workspaceId: null, status: null, beforeId: null, limit: 10 },
    });
    const delivery = await context.database.findDelivery({
      ...{ id: deliveries[0]?.id ?? "", workspaceId: app.workspaceId },
    });
    expect(JSON.parse(String(delivery?.body))).toEqual({
      event: "review.created",
      ...{ channelId: channel.id, channelName: channel.name },
      app: { id: app.id, name: app.name, store },
      review: {
        ...shared,
        title: storeTraits[store].hasTitles ? expect.toBeOneOf([null, ""]) : null,
      },
    });
  });
});

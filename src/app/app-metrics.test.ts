// The metrics that METRICS_APPS adds.
import { afterAll, beforeAll, expect, test } from "vitest";
import { aReview, saveReviews, saveSnapshots } from "../../test/support/factories.ts";
import { startTestService, type TestService } from "../../test/support/service.ts";
import type { App } from "../domain/feed/listing.ts";

let service: TestService;
let app: App;
beforeAll(async () => {
  service = await startTestService({
    storesUrl: "http://127.0.0.1:9",
    env: { METRICS_PORT: "0", METRICS_APPS: "true", ROLES: "api" },
  });
  app = await service.addApp({ store: "appstore", externalAppId: "7", countries: ["us", "gb"] });
  const { database } = service.deps;
  await saveReviews(database, app, [
    aReview({ sentiment: "negative" }),
    aReview({ sentiment: "negative" }),
    aReview({ sentiment: null }),
    aReview({ country: "jp" }),
  ]);
  await saveSnapshots(database, app, [
    { day: "2020-11-21", region: "us", average: 4, total: 10, histogram: [1, 0, 2, 2, 5] },
    { day: "2020-11-21", region: "gb", average: 2, total: 10, histogram: [5, 2, 2, 0, 1] },
    { day: "2020-11-21", region: "jp", average: 1, total: 99 },
  ]);
});
afterAll(() => service.close());

test("ratings by storefront and stars, and reviews by sentiment, as the workspace sees them", async () => {
  const text = await (await fetch(String(service.metricsUrl))).text();
  const figures = text.split("\n").filter((line) => line.startsWith("starpost_app_"));
  const of = `app="${app.id}",name="${app.name}",store="appstore"`;
  expect(figures).toEqual([
    `starpost_app_rating{${of},region="all"} 3`,
    `starpost_app_rating{${of},region="gb"} 2`,
    `starpost_app_rating{${of},region="us"} 4`,
    ...[6, 2, 4, 2, 6].map((count, at) => `starpost_app_ratings{${of},stars="${at + 1}"} ${count}`),
    `starpost_app_reviews{${of},sentiment="positive"} 0`,
    `starpost_app_reviews{${of},sentiment="neutral"} 0`,
    `starpost_app_reviews{${of},sentiment="negative"} 2`,
    `starpost_app_reviews{${of},sentiment="mixed"} 0`,
    `starpost_app_reviews{${of},sentiment="none"} 1`,
  ]);
});

test("without the setting there are none", async () => {
  const plain = await startTestService({
    storesUrl: "http://127.0.0.1:9",
    env: { METRICS_PORT: "0", ROLES: "api" },
  });
  const text = await (await fetch(String(plain.metricsUrl))).text();
  await plain.close();
  expect(text).not.toContain("starpost_app_");
});

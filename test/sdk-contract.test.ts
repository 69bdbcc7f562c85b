// The client library drives the contract: every endpoint, every filter and every error of a real service over
// HTTP, compared with the documented schemas and with what is stored.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createClient, type PageQuery, type Review } from "../sdk/src/index.ts";
import {
  appSchema,
  editsResponse,
  ratingsResponse,
  reviewResponse,
  reviewSchema,
  trendsResponse,
} from "../src/api/contract.ts";
import { verdictSchema } from "../src/domain/changes/verdict.ts";
import type { App } from "../src/domain/feed/listing.ts";
import { createKey, createWorkspace } from "./support/acts.ts";
import { aReview, saveReviews, saveSnapshots } from "./support/factories.ts";
import { startTestService, type TestService } from "./support/service.ts";

let service: TestService;
let apps: App[];
let all: Review[];
beforeAll(async () => {
  service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
  const { database } = service.deps;
  apps = [
    await service.addApp({ store: "appstore", externalAppId: "4242", countries: ["us"] }),
    await service.addApp({
      store: "googleplay",
      externalAppId: "com.example.tide",
      languages: ["en"],
    }),
  ];
  for (const app of apps) await saveReviews(database, app, someReviews());
  for (const app of apps.slice(0, 1)) await saveSnapshots(database, app, [{}]);
  all = [];
  for await (const review of aClient().eachReview({ limit: 7 })) all.push(review);
});
afterAll(() => service.close());

function someReviews() {
  return Array.from({ length: 30 }, (_, index) =>
    aReview({
      rating: (index % 5) + 1,
      date: new Date(Date.UTC(2026, 9, 1 + (index % 20), index % 3)),
      sentiment: (["positive", "negative", "mixed", null] as const)[index % 4] ?? null,
      score: 0.25,
      topics: index % 3 === 0 ? ["crash"] : ["login"],
      version: `4.${index % 2}`,
    }),
  );
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

function aClient(apiKey = service.key) {
  return createClient({ baseUrl: service.url, apiKey, retriesMax: 0 });
}

describe("answers are what is documented, field by field", () => {
  test("apps, ratings, trends, topics and edits", async () => {
    const client = aClient();
    const [app] = apps;
    const id = app?.id ?? "";
    expect(z.array(appSchema.strict()).parse(await client.listApps())).toHaveLength(2);
    expect(ratingsResponse.strict().parse(await client.getRatings({ app: id })).app.id).toBe(id);
    const trends = trendsResponse.strict().parse(await client.getTrends({ app: [id] }));
    expect(trends.totals.total).toBe(30);
    const { version } = all[0] ?? { version: "" };
    const verdict = verdictSchema.strict().parse(await client.getVerdict({ app: id, version }));
    expect(verdict).toMatchObject({ version, result: "undecided" });
    const both = apps.map((one) => one.id);
    expect((await client.getTrends({ app: both })).totals.total).toBe(60);
    expect(await client.listTopics()).toContain("crash");
    const days = await client.listRatingHistory({ app: id, from: "2026-11-01", to: "2026-11-30" });
    expect(days).toMatchObject([{ day: "2026-11-21", region: null, total: 10 }]);
    expect((await client.listReleases({ app: id })).length).toBeGreaterThan(0);
    expect((await client.getChanges({ app: id, to: "2026-10-20" })).sentences).not.toEqual([]);
    expect((await client.getCoverage({ app: id })).map(({ kind }) => kind)).toContain("reviews");
    const review = all[0]?.id ?? "";
    expect(editsResponse.strict().parse(await client.listEdits({ review }))).toEqual({
      review: all[0],
      edits: [],
    });
    const whole = reviewResponse.strict().parse(await client.getReview({ review }));
    expect(whole).toMatchObject({ ...all[0], reply: null, versions: [] });
    const { reviews } = await client.listReviews({ limit: 1, include: ["reply", "votes"] });
    expect(reviews).toEqual([{ ...all[0], reply: null, votes: null }]);
  });

  test("an export is the whole list, and goes on behind a row", async () => {
    const rows = await collect(aClient().exportReviews());
    expect(rows.map(({ cursor: _, storeId: __, ...review }) => review)).toEqual(all);
    const cursor = rows[40]?.cursor ?? "";
    expect(await collect(aClient().exportReviews({ cursor }))).toEqual(rows.slice(41));
    // A caller that stops early leaves no stream open.
    for await (const _ of aClient().exportReviews()) break;
    await expect.poll(() => collect(aClient().exportReviews({ rating: 1 }))).toHaveLength(12);
  });

  test("an export that was broken off goes on by itself", async () => {
    let callCount = 0;
    const breaking: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      callCount += 1;
      if (callCount > 2) return response;
      const text = await response.text();
      const parts = [text.slice(0, 9_000)].values();
      const body = new ReadableStream({
        pull(controller) {
          const { value, done } = parts.next();
          if (done) controller.error(new Error("reset"));
          else controller.enqueue(new TextEncoder().encode(value));
        },
      });
      return new Response(body, response);
    };
    const { url: baseUrl, key: apiKey } = service;
    const client = createClient({ baseUrl, apiKey, fetch: breaking, retriesMax: 1 });
    expect((await collect(client.exportReviews())).map(({ id }) => id)).toEqual(
      all.map(({ id }) => id),
    );
    expect(callCount).toBe(3);
  });

  test("reviews, all of them once, newest first", () => {
    z.array(reviewSchema.strict()).parse(all);
    expect(new Set(all.map(({ id }) => id)).size).toBe(60);
    const order = all.map(({ date, id }) => `${date} ${id}`);
    expect(order).toEqual([...order].sort().reverse());
  });
});

const filters: [PageQuery, (review: Review) => boolean][] = [
  [{ store: "googleplay" }, ({ store }) => store === "googleplay"],
  [{ rating: [1, 2] }, ({ rating }) => rating <= 2],
  [{ from: "2026-10-05", to: "2026-10-06" }, ({ date }) => /-10-0[56]T/.test(date)],
  [{ sentiment: "mixed" }, ({ sentiment }) => sentiment?.label === "mixed"],
  [{ topic: ["crash", "login"] }, ({ topics }) => topics.length > 0],
  [{ topic: "crash", rating: 4 }, ({ topics, rating }) => topics.includes("crash") && rating === 4],
  [{ country: "us" }, ({ country }) => country === "us"],
  [
    { version: "4.1", store: "appstore" },
    (one) => one.version === "4.1" && one.store === "appstore",
  ],
  [{ edited: false, removed: false, q: "TIDE table" }, () => true],
  [{ language: "en", rating: 5 }, ({ rating, sentiment }) => rating === 5 && sentiment !== null],
];

test.each(filters)("the filter %j keeps what it says", async (query, isKept) => {
  const found: Review[] = [];
  for await (const review of aClient().eachReview(query)) found.push(review);
  const kept = all.filter(isKept);
  expect(kept.length).toBeGreaterThan(0);
  expect(found).toEqual(kept);
});

describe("errors have the documented status and code", () => {
  test.each([
    ["invalid_parameter", 400, () => aClient().listReviews({ limit: 101 })],
    ["invalid_cursor", 400, () => aClient().listReviews({ cursor: "AAAA" })],
    ["unauthorized", 401, () => aClient("sp_nobody").listApps()],
    ["app_not_found", 404, () => aClient().getTrends({ app: "nobody" })],
    ["no_ratings_yet", 404, () => aClient().getRatings({ app: apps[1]?.id ?? "" })],
    ["not_found", 404, () => aClient().listEdits({ review: "nobody" })],
    ["not_found", 404, () => aClient().getReview({ review: "no/body" })],
    ["not_found", 404, () => aClient().getReview({ review: apps[0]?.id ?? "" })],
  ] as const)("%s", async (code, status, call) => {
    await expect(call()).rejects.toMatchObject({ name: "ApiError", status, code });
  });

  test("plan_required, and rate_limited with the seconds to wait", async () => {
    const deps = { ...service.deps, actor: "test" };
    const keyOf = async (plan: "starter" | "studio"): Promise<string> => {
      const { id: workspaceId } = await createWorkspace(deps, { name: plan, plan });
      return (await createKey(deps, { workspaceId, name: "k" })).key;
    };
    await expect(aClient(await keyOf("starter")).listApps()).rejects.toMatchObject({
      status: 403,
      code: "plan_required",
    });
    const client = aClient(await keyOf("studio"));
    const burst = await Promise.allSettled(Array.from({ length: 61 }, () => client.listApps()));
    const refused = burst.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect(refused).toMatchObject([
      { code: "rate_limited", retryAfterSeconds: expect.any(Number) },
    ]);
  });
});

import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { anApp, aReview, saveReviews, startTime } from "../../../test/support/factories.ts";
import type { App } from "../../domain/feed/listing.ts";
import { sentimentLabels } from "../../domain/review/analysis.ts";
import type { Review } from "../../domain/review/review.ts";
import { dayMs, dayOf, mondayOf } from "../../lib/timestamp.ts";
import { type TrendsResponse, trendsResponse } from "../contract.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
beforeEach(() => context.clock.set(startTime));
afterAll(() => context.close());

const path = "/api/v1/trends";

function aTrackedApp(store: "appstore" | "googleplay" = "appstore"): Promise<App> {
  return anApp(context.database, { workspaceId: context.workspace.id, store });
}

async function getTrends(app: App, range = ""): Promise<TrendsResponse> {
  const answer = await context.request(`${path}?app=${app.id}${range}`);
  expect(answer.status, answer.text).toBe(200);
  return trendsResponse.parse(answer.json);
}

function onDay(day: string, wish: Parameters<typeof aReview>[0] = {}): Review {
  return aReview({ date: new Date(`${day}T23:30:00Z`), ...wish });
}

describeCommonResponses({
  context: () => context,
  path,
  async aReader() {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id });
    return { key, query: `?app=${app.id}` };
  },
});

describe("200", () => {
  test("a week has exactly the contract's fields, in their order", async () => {
    const app = await aTrackedApp();
    await saveReviews(context.database, app, [
      onDay("2026-11-16", { rating: 5, sentiment: "positive", topics: ["sync"] }),
      onDay("2026-11-22", { rating: 2, sentiment: "mixed", topics: ["ads", "sync"] }),
      onDay("2026-11-18", { rating: 4, sentiment: null }),
    ]);
    expect((await context.request(`${path}?app=${app.id}`)).text).toBe(
      JSON.stringify({
        weekly: [
          {
            week: "2026-11-16",
            label: "Nov 16",
            appstore: 3,
            googleplay: 0,
            total: 3,
            positive: 1,
            neutral: 0,
            negative: 0,
            mixed: 1,
            analyzed: 2,
            avgScore: 3.67,
          },
        ],
        totals: { total: 3, analyzed: 2 },
        ratingDistribution: [
          { score: 1, count: 0 },
          { score: 2, count: 1 },
          { score: 3, count: 0 },
          { score: 4, count: 1 },
          { score: 5, count: 1 },
        ],
        topTopics: [
          { topic: "sync", count: 2 },
          { topic: "ads", count: 1 },
        ],
      }),
    );
  });

  test("several apps are counted together, each in its store", async () => {
    const { workspace, key } = await context.addWorkspace();
    const inWorkspace = { workspaceId: workspace.id };
    const apple = await anApp(context.database, inWorkspace);
    const play = await anApp(context.database, { ...inWorkspace, store: "googleplay" });
    const other = await anApp(context.database, inWorkspace);
    await saveReviews(context.database, apple, [onDay("2026-11-18", { rating: 5 })]);
    await saveReviews(context.database, play, [onDay("2026-11-18", { rating: 2 })]);
    await saveReviews(context.database, other, [onDay("2026-11-18", { rating: 2 })]);
    const weekOf = async (query: string) =>
      trendsResponse.parse((await context.request(`${path}?${query}`, { key })).json).weekly[0];
    const both = { appstore: 1, googleplay: 1, total: 2, avgScore: 3.5 };
    expect(await weekOf(`app=${apple.id},${play.id}`)).toMatchObject(both);
    expect(await weekOf(`app=${apple.id},${play.id},${other.id}`)).toMatchObject({
      appstore: 2,
      googleplay: 1,
      total: 3,
      avgScore: 3,
    });
    const unknown = await context.request(`${path}?app=${apple.id},nobody`, { key });
    expect(unknown).toMatchObject({ status: 404, json: { code: "app_not_found" } });
  });

  test("of a public app a workspace's own storefronts count", async () => {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id, countries: ["us"] });
    await saveReviews(context.database, app, [
      onDay("2026-11-18", { topics: ["ads"] }),
      onDay("2026-11-18", { country: "jp", topics: ["ads", "crash"] }),
    ]);
    const { json } = await context.request(`${path}?app=${app.id}`, { key });
    expect(json).toMatchObject({ totals: { total: 1 }, topTopics: [{ topic: "ads", count: 1 }] });
  });

  test("weeks without reviews are zeros, from the first review up to the current week", async () => {
    const app = await aTrackedApp("googleplay");
    await saveReviews(context.database, app, [onDay("2026-11-01")]);
    const { weekly } = await getTrends(app);
    expect(weekly.map(({ week, label, total }) => [week, label, total])).toEqual([
      ["2026-10-26", "Oct 26", 1],
      ["2026-11-02", "Nov 2", 0],
      ["2026-11-09", "Nov 9", 0],
      ["2026-11-16", "Nov 16", 0],
    ]);
    expect(weekly[0]).toMatchObject({ appstore: 0, googleplay: 1 });
    expect(weekly[1]).toMatchObject({ avgScore: 0, analyzed: 0 });
  });

  test("what a client has of this week is known on its Sunday and made anew on Monday", async () => {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id });
    await saveReviews(context.database, app, [onDay("2026-11-16")]);
    const readTrends = (headers: Record<string, string> = {}) =>
      context.request(`${path}?app=${app.id}`, { key, headers });
    const headers = { "if-none-match": (await readTrends()).headers.get("etag") ?? "" };
    context.clock.set(new Date("2026-11-22T23:59:59.999Z"));
    expect((await readTrends(headers)).status).toBe(304);
    context.clock.set(new Date("2026-11-23T00:00:00Z"));
    const { status, json } = await readTrends(headers);
    expect(status).toBe(200);
    expect(trendsResponse.parse(json).weekly.map(({ week }) => week)).toEqual([
      "2026-11-16",
      "2026-11-23",
    ]);
  });

  test("a range that cuts weeks counts only the days inside, both ends included", async () => {
    const app = await aTrackedApp();
    const days = ["2026-11-03", "2026-11-04", "2026-11-11", "2026-11-12"];
    await saveReviews(
      context.database,
      app,
      days.map((day) => onDay(day, { topics: ["ads"] })),
    );
    const trends = await getTrends(app, "&from=2026-11-04&to=2026-11-11");
    expect(trends.weekly.map(({ week, total }) => [week, total])).toEqual([
      ["2026-11-02", 1],
      ["2026-11-09", 1],
    ]);
    expect(trends.totals.total).toBe(2);
    expect(trends.topTopics).toEqual([{ topic: "ads", count: 2 }]);
  });

  test("without reviews the list of weeks is empty, unless `from` is set", async () => {
    const app = await aTrackedApp();
    const nothing = { totals: { total: 0, analyzed: 0 }, topTopics: [] };
    expect(await getTrends(app)).toMatchObject({ ...nothing, weekly: [] });
    expect(await getTrends(app, "&to=2026-11-20")).toMatchObject({ ...nothing, weekly: [] });
    const { weekly, ratingDistribution } = await getTrends(app, "&from=2026-11-08");
    expect(weekly.map(({ week }) => week)).toEqual(["2026-11-02", "2026-11-09", "2026-11-16"]);
    expect(ratingDistribution.map(({ score }) => score)).toEqual([1, 2, 3, 4, 5]);
  });

  test("only the ten most frequent topics are named, those of one count by name", async () => {
    const app = await aTrackedApp();
    const names = "k j i h g f e d c b a".split(" ");
    await saveReviews(context.database, app, [
      onDay("2026-11-20", { topics: names }),
      onDay("2026-11-20", { topics: ["k"] }),
    ]);
    const { topTopics } = await getTrends(app);
    expect(topTopics.map(({ topic }) => topic)).toEqual("k a b c d e f g h i".split(" "));
  });

  test("all numbers equal a recount from the reviews", async () => {
    const from = "2026-10-14";
    const to = "2026-11-18";
    const review = fc.record({
      date: fc
        .integer({ min: 0, max: 60 * dayMs })
        .map((ageMs) => new Date(startTime.getTime() - ageMs)),
      rating: fc.integer({ min: 1, max: 5 }),
      sentiment: fc.constantFrom(...sentimentLabels, null),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(review, { maxLength: 60 }), async (wishes) => {
        const app = await aTrackedApp();
        const saved = await saveReviews(context.database, app, wishes.map(aReview));
        const inside = saved.filter(({ date }) => dayOf(date) >= from && dayOf(date) <= to);
        const trends = await getTrends(app, `&from=${from}&to=${to}`);
        expect(trends.totals).toEqual(recount(inside));
        expect(trends.weekly).toHaveLength(6);
        for (const { week, total, analyzed, avgScore } of trends.weekly) {
          const ofWeek = inside.filter(({ date }) => mondayOf(dayOf(date)) === week);
          expect({ total, analyzed }).toEqual(recount(ofWeek));
          const stars = ofWeek.reduce((sum, { rating }) => sum + rating, 0);
          // Two decimals: off by half a hundredth at most.
          expect(Math.abs(avgScore * (total || 1) - stars)).toBeLessThanOrEqual(0.00501 * total);
        }
        for (const { score, count } of trends.ratingDistribution) {
          expect(count).toBe(inside.filter(({ rating }) => rating === score).length);
        }
      }),
      { numRuns: 20 },
    );
  });
});

function recount(reviews: readonly Review[]): { total: number; analyzed: number } {
  const analyzed = reviews.filter((review) => review.analysis?.sentiment).length;
  return { total: reviews.length, analyzed };
}

describe("400", () => {
  test("`app` is required", async () => {
    for (const query of ["", "?from=2026-11-01"]) {
      const { status, json } = await context.request(`${path}${query}`);
      expect(status).toBe(400);
      expect(json).toMatchObject({
        code: "invalid_parameter",
        errors: [{ parameter: "app", message: "is required" }],
      });
    }
  });

  test("the range must exist and be the right way round", async () => {
    const answer = await context.request(`${path}?app=x&from=2026-11-02&to=2026-11-01`);
    expect(answer.json).toMatchObject({
      status: 400,
      errors: [{ parameter: "from", message: "must not be after `to`" }],
    });
    expect((await context.request(`${path}?app=x&from=2007-12-31`)).status).toBe(400);
    expect((await context.request(`${path}?app=x&to=2101-01-01`)).status).toBe(400);
  });
});

describe("404", () => {
  test("another workspace's app is unknown here", async () => {
    const app = await aTrackedApp();
    const { key } = await context.addWorkspace();
    expect((await context.request(`${path}?app=${app.id}`, { key })).json).toMatchObject({
      status: 404,
      code: "app_not_found",
    });
  });
});

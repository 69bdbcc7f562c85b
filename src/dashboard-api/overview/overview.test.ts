// The overview over the real service: every number equals a recount, and foreign apps stay unknown.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type DashboardClient,
  type DashboardFixture,
  openDashboardFixture,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews, saveSnapshots } from "../../../test/support/factories.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";

let world: DashboardFixture;
let browser: DashboardClient;
let base: string;
let apple: App;
let google: App;

const at = (day: string): Date => new Date(`${day}T09:00:00Z`);

beforeAll(async () => {
  world = await openDashboardFixture();
  browser = await world.signIn({ email: "reader@example.com" });
  const { workspaceId, deps } = world.service;
  const { database } = deps;
  base = `/workspaces/${workspaceId}/overview`;
  apple = await anApp(database, { workspaceId, countries: ["us", "gb"] });
  google = await anApp(database, { workspaceId, store: "googleplay", externalAppId: "app.tide" });
  await saveReviews(database, apple, [
    aReview({ date: at("2026-09-20"), rating: 5, version: "1.0", sentiment: "positive" }),
    aReview({ date: at("2026-10-06"), rating: 5, version: "1.0", topics: ["ads"] }),
    aReview({
      date: at("2026-10-07"),
      rating: 1,
      version: "2.0",
      topics: ["crash", "ads"],
      topicScores: [-0.9, 0.1],
    }),
    aReview({
      ...{ date: at("2026-10-12"), rating: 2, version: "2.0" },
      ...{ topics: ["crash"], topicScores: [-0.3], sentiment: "negative", country: "gb" },
    }),
    aReview({ date: at("2026-10-13"), rating: 1, version: "2.0", sentiment: null }),
  ]);
  await saveReviews(database, google, [
    aReview({ date: at("2026-10-12"), rating: 4, version: "7.1", sentiment: "mixed" }),
  ]);
  await saveSnapshots(database, apple, [
    { day: "2026-10-01", region: "us", average: 4.5, total: 100, histogram: [5, 5, 10, 30, 50] },
    { day: "2026-10-02", region: "gb", average: 4, total: 100, histogram: [10, 10, 10, 20, 50] },
    { day: "2026-10-08", region: "us", average: 4.2, total: 300, histogram: null },
    { day: "2026-10-08", region: "jp", average: 1, total: 9_999 },
  ]);
});
afterAll(() => world.close());

const read = async (query: string) => (await browser.get(`${base}?${query}`)).json;

test("averages of a Play Console export are drawn up to the first snapshot", async () => {
  const { database } = world.service.deps;
  const { workspaceId } = world.service;
  const tide = { workspaceId, store: "googleplay", externalAppId: "app.ebb" } as const;
  const app = await anApp(database, tide);
  await database.saveRatingAverages({
    listingId: app.listingId,
    averages: ["2026-10-01", "2026-10-02", "2026-10-05"].map((day) => ({
      ...{ region: "", average: 4.25, day },
    })),
  });
  await saveSnapshots(database, app, [{ day: "2026-10-03", average: 4.2, total: 50 }]);
  const { apps } = await read(`app=${app.id}&from=2026-10-01&to=2026-10-07`);
  expect(apps[0].ratingDays).toMatchObject([
    { day: "2026-10-01", average: 4.25, total: null },
    { day: "2026-10-02", average: 4.25, total: null },
    { day: "2026-10-03", average: 4.2, total: 50 },
  ]);
  await database.deleteApp(app.id);
});

describe("of one app", () => {
  test("counts the reviews of the range and of as many days before", async () => {
    const overview = await read(`app=${apple.id}&from=2026-10-05&to=2026-10-18`);
    expect(overview.range).toEqual({ from: "2026-10-05", to: "2026-10-18" });
    expect(overview.before).toEqual({ from: "2026-09-21", to: "2026-10-04" });
    expect(overview.reviews).toEqual({
      total: 4,
      stars: [2, 1, 0, 0, 1],
      averageRating: 2.25,
      analyzed: 3,
      sentiment: { positive: 0, neutral: 2, negative: 1, mixed: 0 },
    });
    expect(overview.reviewsBefore).toMatchObject({ total: 0, averageRating: null });
    expect(overview.firstReviewDay).toBe("2026-09-20");
  });

  test("has every week, cut where the range cuts it", async () => {
    const { weeks } = await read(`app=${apple.id}&from=2026-10-06&to=2026-11-10`);
    expect(
      weeks.map((one: Record<string, unknown>) => [
        one["week"],
        one["from"],
        one["to"],
        one["total"],
      ]),
    ).toEqual([
      ["2026-10-05", "2026-10-06", "2026-10-11", 2],
      ["2026-10-12", "2026-10-12", "2026-10-18", 2],
      ["2026-10-19", "2026-10-19", "2026-10-25", 0],
      ["2026-10-26", "2026-10-26", "2026-11-01", 0],
      ["2026-11-02", "2026-11-02", "2026-11-08", 0],
      ["2026-11-09", "2026-11-09", "2026-11-10", 0],
    ]);
    expect(weeks[1].byStore).toMatchObject({ appstore: 2, googleplay: 0 });
  });

  test("has every day of a short range, with the counts of its weeks", async () => {
    const { weeks } = await read(`app=${apple.id}&from=2026-10-05&to=2026-10-18`);
    expect(weeks).toHaveLength(14);
    expect(weeks[13]).toMatchObject({ week: "2026-10-18", from: "2026-10-18", to: "2026-10-18" });
    const totals = weeks.map(({ total }: { total: number }) => total);
    const sumOf = (days: number[]) => days.reduce((sum, count) => sum + count, 0);
    expect([sumOf(totals.slice(0, 7)), sumOf(totals.slice(7))]).toEqual([2, 2]);
  });

  test("has topics by how they feel, the most negative first, and the range before", async () => {
    const { topics } = await read(`app=${apple.id}&from=2026-10-07&to=2026-10-12`);
    const none = { positive: 0, neutral: 0, negative: 0, mixed: 0 };
    expect(topics).toEqual([
      {
        ...{ topic: "crash", count: 2, negativeBefore: 0 },
        sentiment: { ...none, neutral: 1, negative: 1 },
        opinions: { good: 0, bad: 2, starsLost: 7 },
      },
      {
        ...{ topic: "ads", count: 1, negativeBefore: 0 },
        sentiment: { ...none, neutral: 1 },
        opinions: { good: 0, bad: 0, starsLost: 0 },
      },
    ]);
    const { topicWeeks } = await read(`app=${apple.id}&from=2026-10-05&to=2026-10-12`);
    expect(topicWeeks).toEqual([
      { week: "2026-10-05", topic: "ads", count: 2, opinions: { good: 0, bad: 0, starsLost: 0 } },
      { week: "2026-10-05", topic: "crash", count: 1, opinions: { good: 0, bad: 1, starsLost: 4 } },
      { week: "2026-10-12", topic: "crash", count: 1, opinions: { good: 0, bad: 1, starsLost: 3 } },
    ]);
    const later = await read(`app=${apple.id}&from=2026-10-13&to=2026-10-14`);
    expect(later.topics).toEqual([]);
    const [ofWeek] = (await read(`app=${apple.id}&from=2026-10-12&to=2026-10-18`)).topics;
    expect(ofWeek).toMatchObject({ topic: "crash", count: 1, sentiment: { negative: 1 } });
  });

  test("has the counts of each storefront", async () => {
    const { regions } = await read(`app=${apple.id}&from=2026-10-05&to=2026-10-18`);
    expect(regions).toMatchObject([
      { store: "appstore", region: "us", total: 3, averageRating: 2.33, analyzed: 2 },
      { store: "appstore", region: "gb", total: 1, stars: [0, 1, 0, 0, 0] },
    ]);
  });

  test("shows the rating, its change, and the average of each day over its storefronts", async () => {
    const overview = await read(`app=${apple.id}&from=2026-10-03&to=2026-10-18`);
    const [{ rating, ratingDays }] = overview.apps;
    expect(rating).toMatchObject({ average: 4.15, total: 400, capturedOn: "2026-10-08" });
    expect(rating.change).toEqual({ average: -0.1, total: 200, since: "2026-10-02" });
    expect(rating.histogram).toEqual([15, 15, 20, 50, 100]);
    expect(ratingDays).toEqual([{ day: "2026-10-08", average: 4.15, total: 400 }]);
  });

  test("marks when a version was first seen, and compares the days around it", async () => {
    const overview = await read(`app=${apple.id}&from=2026-10-01&to=2026-10-31`);
    expect(overview.releases).toEqual([{ appId: apple.id, version: "2.0", day: "2026-10-07" }]);
    expect(overview.versions).toHaveLength(1);
    expect(overview.versions[0]).toMatchObject({
      version: "2.0",
      before: { from: "2026-09-20", to: "2026-10-06", total: 2, averageRating: 5 },
      after: { from: "2026-10-07", to: "2026-11-03", total: 3, averageRating: 1.33 },
    });
    const earlier = await read(`app=${apple.id}&from=2026-09-20&to=2026-10-06`);
    expect(earlier.versions).toMatchObject([{ version: "1.0", firstDay: "2026-09-20" }]);
  });

  test("ends the days after a version with the next one", async () => {
    const { database } = world.service.deps;
    const { workspaceId } = world.service;
    const app = await anApp(database, { workspaceId, countries: ["us"] });
    const days = ["2026-10-01", "2026-10-07", "2026-10-09"];
    await saveReviews(
      database,
      app,
      days.map((day, index) => aReview({ date: at(day), version: `${index}.0` })),
    );
    // The next version may lie outside of the range.
    const { versions } = await read(`app=${app.id}&from=2026-10-01&to=2026-10-08`);
    expect(versions).toMatchObject([
      { version: "1.0", after: { from: "2026-10-07", to: "2026-10-08", total: 1 } },
      { version: "0.0", after: { from: "2026-10-01", to: "2026-10-06", total: 1 } },
    ]);
    const path = `/workspaces/${workspaceId}/apps/${app.id}/releases`;
    expect((await browser.get(path)).json.releases).toEqual([
      {
        ...{ version: "2.0", day: "2026-10-09" },
        before: { from: "2026-10-01", to: "2026-10-08" },
        after: { from: "2026-10-09", to: "2026-11-05" },
      },
      {
        ...{ version: "1.0", day: "2026-10-07" },
        before: { from: "2026-10-01", to: "2026-10-06" },
        after: { from: "2026-10-07", to: "2026-10-08" },
      },
      {
        ...{ version: "0.0", day: "2026-10-01" },
        before: null,
        after: { from: "2026-10-01", to: "2026-10-06" },
      },
    ]);
    await database.deleteApp(app.id);
  });

  test("keeps a version's first day when its review is edited and moves on", async () => {
    const { database } = world.service.deps;
    const { workspaceId } = world.service;
    const app = await anApp(database, { workspaceId, countries: ["us"] });
    const [before] = await saveReviews(database, app, [
      aReview({ date: at("2026-09-20"), version: "1.0" }),
      aReview({ date: at("2026-10-06"), version: "1.0" }),
      aReview({ date: at("2026-10-07"), version: "2.0" }),
    ]);
    if (!before) throw new Error("no review");
    const after = { ...before, date: at("2026-10-30"), version: "2.1" };
    const move = (change: { before: Review; after: Review }) =>
      database.transaction((tx) =>
        tx.addToRollups({ listingId: app.listingId, changes: [change] }),
      );
    await move({ before, after });
    const { versions } = await read(`app=${app.id}`);
    expect(
      versions.map((one: Record<string, unknown>) => [one["version"], one["firstDay"]]),
    ).toEqual([
      ["2.1", "2026-10-30"],
      ["2.0", "2026-10-07"],
      ["1.0", "2026-09-20"],
    ]);
    await database.deleteApp(app.id);
  });
});

test("of all apps adds them up, by store", async () => {
  const overview = await read("from=2026-10-12&to=2026-10-12");
  expect(overview.reviews).toMatchObject({ total: 2, stars: [0, 1, 0, 1, 0] });
  expect(overview.weeks[0].byStore).toMatchObject({ appstore: 1, googleplay: 1 });
  expect(overview.apps.map((app: { appId: string }) => app.appId)).toEqual([apple.id, google.id]);
  expect(overview.apps[1].rating).toBeNull();
});

test("of a workspace without apps is empty and whole", async () => {
  const workspaceId = await world.addWorkspace("Nothing yet");
  const other = await world.signIn({ email: "new@example.com", workspaceId });
  const response = await other.get(`/workspaces/${workspaceId}/overview`);
  expect(response.status).toBe(200);
  expect(response.json).toMatchObject({ apps: [], topics: [], versions: [], firstReviewDay: null });
  expect(response.json.reviews.total).toBe(0);
});

test.each([["from=2026-13-01"], ["to=1999-01-01"], ["from=2026-02-02&to=2026-02-01"], ["a=1"]])(
  "refuses %s",
  async (query) => {
    expect((await browser.get(`${base}?${query}`)).status).toBe(400);
  },
);

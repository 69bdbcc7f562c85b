import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { anApp, saveSnapshots } from "../../../test/support/factories.ts";
import type { App } from "../../domain/feed/listing.ts";
import { dayMs, dayOf } from "../../lib/timestamp.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const path = "/api/v1/ratings";

function aTrackedApp(countries = ["us", "gb"]): Promise<App> {
  return anApp(context.database, { workspaceId: context.workspace.id, countries });
}

describeCommonResponses({
  context: () => context,
  path,
  async aReader() {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id });
    await saveSnapshots(context.database, app, [{}]);
    return { key, query: `?app=${app.id}` };
  },
});

describe("200", () => {
  test("the summary has exactly the contract's fields, in their order", async () => {
    const app = await aTrackedApp();
    await saveSnapshots(context.database, app, [
      { region: "us", day: "2026-11-21", average: 4.5, total: 4, histogram: [0, 0, 0, 2, 2] },
    ]);
    const { id, store, externalAppId } = app;
    expect((await context.request(`${path}?app=${id}`)).text).toBe(
      JSON.stringify({
        app: { id, store, externalAppId },
        rating: {
          average: 4.5,
          total: 4,
          histogram: { "1": 0, "2": 0, "3": 0, "4": 2, "5": 2 },
          capturedOn: "2026-11-21",
        },
      }),
    );
  });

  test("storefronts the app follows are summed, their averages weighted; others don't count", async () => {
    const app = await aTrackedApp(["us", "gb"]);
    await saveSnapshots(context.database, app, [
      { region: "us", day: "2026-11-20", average: 1, total: 1, histogram: [1, 0, 0, 0, 0] },
      { region: "us", day: "2026-11-21", average: 5, total: 2, histogram: [0, 0, 0, 0, 2] },
      { region: "gb", day: "2026-11-19", average: 2, total: 1, histogram: [0, 1, 0, 0, 0] },
      { region: "fr", day: "2026-11-22", average: 1, total: 900, histogram: [900, 0, 0, 0, 0] },
    ]);
    expect((await context.request(`${path}?app=${app.id}`)).json).toMatchObject({
      rating: {
        average: 4,
        total: 3,
        histogram: { "1": 0, "2": 1, "3": 0, "4": 0, "5": 2 },
        capturedOn: "2026-11-21",
      },
    });
  });

  test("a snapshot without a histogram gives way to the one before it", async () => {
    const app = await aTrackedApp(["us"]);
    await saveSnapshots(context.database, app, [
      { day: "2026-11-20", average: 3, total: 5, histogram: [1, 1, 1, 1, 1] },
      { day: "2026-11-21", average: 4, total: 6, histogram: null },
    ]);
    expect((await context.request(`${path}?app=${app.id}`)).json).toMatchObject({
      rating: { average: 3, total: 5, capturedOn: "2026-11-20" },
    });
  });

  test("no ratings at all is a histogram of zeros", async () => {
    const app = await aTrackedApp(["us"]);
    await saveSnapshots(context.database, app, [{ average: 0, total: 0, histogram: null }]);
    expect((await context.request(`${path}?app=${app.id}`)).json).toMatchObject({
      rating: { average: 0, total: 0, histogram: { "1": 0, "5": 0 } },
    });
  });
});

describe("400", () => {
  test("app is required", async () => {
    expect((await context.request(path)).json).toMatchObject({
      status: 400,
      errors: [{ parameter: "app", message: "is required" }],
    });
  });
});

describe("404", () => {
  test("an app without a snapshot has no ratings yet", async () => {
    const app = await aTrackedApp();
    expect((await context.request(`${path}?app=${app.id}`)).json).toMatchObject({
      status: 404,
      code: "no_ratings_yet",
    });
  });

  test("an app of which only average and number are known has no histogram yet", async () => {
    const app = await aTrackedApp();
    await saveSnapshots(context.database, app, [{ average: 4.5, total: 38_688, histogram: null }]);
    expect((await context.request(`${path}?app=${app.id}`)).json).toMatchObject({
      status: 404,
      code: "no_histogram_yet",
      detail: expect.stringContaining("38688 ratings"),
    });
  });

  test("a snapshot that is dated ahead is none yet", async () => {
    const app = await aTrackedApp();
    const day = dayOf(new Date(context.clock.now().getTime() + 2 * dayMs));
    await saveSnapshots(context.database, app, [{ day }]);
    expect((await context.request(`${path}?app=${app.id}`)).json).toMatchObject({
      code: "no_ratings_yet",
    });
  });

  test("another workspace's app is unknown here", async () => {
    const app = await aTrackedApp();
    await saveSnapshots(context.database, app, [{}]);
    const { key } = await context.addWorkspace();
    expect((await context.request(`${path}?app=${app.id}`, { key })).json).toMatchObject({
      status: 404,
      code: "app_not_found",
    });
  });
});

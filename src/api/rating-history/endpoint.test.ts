import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { anApp, saveSnapshots } from "../../../test/support/factories.ts";
import { ratingHistoryResponse } from "./endpoint.ts";

const path = "/api/v1/ratings/history";
let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

/** Two storefronts, of which the second was read on two of three days: the last one is a Monday. */
async function aReader() {
  const { workspace, key } = await context.addWorkspace();
  const app = await anApp(context.database, { workspaceId: workspace.id, countries: ["us", "gb"] });
  await saveSnapshots(context.database, app, [
    { day: "2026-11-13", region: "us", average: 4, total: 10, histogram: [1, 0, 2, 2, 5] },
    { day: "2026-11-14", region: "gb", average: 2, total: 10, histogram: [5, 2, 2, 0, 1] },
    { day: "2026-11-16", region: "us", average: 4, total: 30, histogram: [3, 0, 6, 6, 15] },
    { day: "2026-11-16", region: "gb", average: 2, total: 10, histogram: null },
    { day: "2026-11-16", region: "jp", average: 1, total: 99 },
  ]);
  return { key, app, workspace, query: `?app=${app.id}` };
}

async function read(key: string, query: string) {
  const { status, text, json } = await context.request(path + query, { key });
  expect(status, text).toBe(200);
  return ratingHistoryResponse.strict().parse(json).history;
}

describeCommonResponses({ context: () => context, path, aReader });

describe("200", () => {
  test("days of all storefronts together; one that was not read keeps its last reading", async () => {
    const { key, query } = await aReader();
    expect(await read(key, query)).toEqual([
      {
        day: "2026-11-13",
        region: null,
        average: 4,
        total: 10,
        histogram: { "1": 1, "2": 0, "3": 2, "4": 2, "5": 5 },
      },
      {
        day: "2026-11-14",
        region: null,
        average: 3,
        total: 20,
        histogram: { "1": 6, "2": 2, "3": 4, "4": 2, "5": 6 },
      },
      { day: "2026-11-16", region: null, average: 3.5, total: 40, histogram: null },
    ]);
    const later = await read(key, `${query}&from=2026-11-15&to=2026-11-16`);
    expect(later.map(({ day, total }) => [day, total])).toEqual([["2026-11-16", 40]]);
  });

  test("storefronts each by itself, and of those alone that the app follows", async () => {
    const { key, query } = await aReader();
    const history = await read(key, `${query}&region=gb,us,jp`);
    expect(history.map(({ day, region, total }) => [day, region, total])).toEqual([
      ["2026-11-13", "us", 10],
      ["2026-11-14", "gb", 10],
      ["2026-11-16", "gb", 10],
      ["2026-11-16", "us", 30],
    ]);
  });

  test("by week as of Mondays", async () => {
    const { key, query } = await aReader();
    expect((await read(key, `${query}&by=week`)).map(({ day }) => day)).toEqual(["2026-11-16"]);
  });

  test("before the first snapshot averages of a Play Console export, without a number", async () => {
    const { key, app, query } = await aReader();
    const averages = [{ region: "", day: "2026-11-12", average: 4.25 }];
    await context.database.saveRatingAverages({ listingId: app.listingId, averages });
    const [first] = await read(key, query);
    expect(first).toMatchObject({ day: "2026-11-12", average: 4.25, total: null, histogram: null });
  });
});

describe("304", () => {
  test("a snapshot, an export of averages and the next day each make another response", async () => {
    const { key, app, query } = await aReader();
    const read = async (tag: string) =>
      context.request(path + query, { key, headers: { "if-none-match": tag } });
    let tag = (await read("")).headers.get("etag") ?? "";
    const averages = [{ region: "", day: "2026-11-01", average: 4.25 }];
    for (const change of [
      () => saveSnapshots(context.database, app, [{ day: "2026-11-17", total: 31 }]),
      () => context.database.saveRatingAverages({ listingId: app.listingId, averages }),
      async () => context.clock.set(new Date("2026-11-22T00:00:00Z")),
    ]) {
      expect((await read(tag)).status).toBe(304);
      await change();
      const response = await read(tag);
      expect(response.status).toBe(200);
      tag = response.headers.get("etag") ?? "";
    }
  });
});

describe("400", () => {
  test.each([
    ["", "app"],
    ["?app=APP&by=month", "by"],
    ["?app=APP&from=2026-11-02&to=2026-11-01", "from"],
    ["?app=APP&from=2027-01-01", "from"],
    ["?app=APP&from=2020-01-01", "from"],
  ])("%s", async (query, parameter) => {
    const { key, app } = await aReader();
    const { status, json } = await context.request(path + query.replace("APP", app.id), { key });
    expect([status, Object(json).errors]).toEqual([400, [expect.objectContaining({ parameter })]]);
  });
});

describe("404", () => {
  test("another workspace's app is unknown here", async () => {
    const { query } = await aReader();
    const response = await context.request(path + query);
    expect(response).toMatchObject({ status: 404, json: { code: "app_not_found" } });
  });
});

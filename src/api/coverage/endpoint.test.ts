import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { anApp, startTime } from "../../../test/support/factories.ts";
import { coverageResponse } from "./endpoint.ts";

const path = "/api/v1/coverage";
let context: ApiTestContext;
let client: pg.Client;
beforeAll(async () => {
  context = await openApiTestContext();
  client = new pg.Client(context.connectionString);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await context.close();
});

async function aReader() {
  const { workspace, key } = await context.addWorkspace();
  const app = await anApp(context.database, { workspaceId: workspace.id, countries: ["us", "gb"] });
  // `jp` is another workspace's.
  const of = { listingId: app.listingId, now: startTime };
  await context.database.setFeeds({ ...of, kind: "reviews", regions: ["gb", "jp", "us"] });
  await context.database.setFeeds({ ...of, kind: "ratings", regions: ["us"] });
  return { key, app, query: `?app=${app.id}` };
}

describeCommonResponses({ context: () => context, path, aReader });

describe("200", () => {
  test("the app's own feeds, each with its last reading and what is missing", async () => {
    const { key, app, query } = await aReader();
    const update = (kind: string, region: string, change: string) =>
      client.query(
        `update feeds set ${change} where listing_id = $1 and kind = $2 and region = $3`,
        [...[app.listingId, kind, region]],
      );
    const read = "checked_at = '2026-11-21T11:00:00Z'";
    await update("reviews", "us", `outcome = 'unknown', last_error = 'HTTP 503', ${read}`);
    await update("ratings", "us", `outcome = 'ok', good_at = '2026-11-21T11:00:00Z', ${read}`);
    const { json } = await context.request(path + query, { key });
    const { feeds } = coverageResponse.strict().parse(json);
    expect(feeds.map(({ kind, region, missing }) => [kind, region, missing])).toEqual([
      ["reviews", "gb", "it was not read yet"],
      ["reviews", "us", "HTTP 503"],
      ["ratings", "us", null],
    ]);
    expect(feeds[2]).toEqual({
      kind: "ratings",
      region: "us",
      source: "public",
      outcome: "ok",
      checkedAt: "2026-11-21T11:00:00Z",
      goodAt: "2026-11-21T11:00:00Z",
      nextDueAt: "2026-11-21T12:00:00Z",
      completeSince: null,
      missing: null,
    });
    await update("reviews", "us", "outcome = 'ok'");
    await update("reviews", "gb", `outcome = 'ok', baseline_at = now(), truncated = true, ${read}`);
    const again = coverageResponse.parse((await context.request(path + query, { key })).json);
    expect(again.feeds.map(({ missing }) => missing)).toEqual([
      "the store has more reviews than it shows",
      "its older reviews are still being read",
      null,
    ]);
  });

  test("an app that is only imported has none", async () => {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id, isPrivate: true });
    const { json } = await context.request(`${path}?app=${app.id}`, { key });
    expect(json).toEqual({ feeds: [] });
  });
});

describe("400", () => {
  test("`app` is required, and nothing else is known", async () => {
    const { status, json } = await context.request(`${path}?region=us`);
    expect(status).toBe(400);
    const named = Object(json).errors.map((one: { parameter: string }) => one.parameter);
    expect(named.sort()).toEqual(["app", "region"]);
  });
});

describe("404", () => {
  test("another workspace's app is unknown here", async () => {
    const { query } = await aReader();
    const response = await context.request(path + query);
    expect(response).toMatchObject({ status: 404, json: { code: "app_not_found" } });
  });
});

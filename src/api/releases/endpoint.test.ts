import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { addDays } from "../../lib/timestamp.ts";
import { releasesResponse } from "./endpoint.ts";

const path = "/api/v1/releases";
let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

async function aReader() {
  const { workspace, key } = await context.addWorkspace();
  const app = await anApp(context.database, { workspaceId: workspace.id });
  const at = (day: string) => new Date(`${day}T10:00:00Z`);
  await saveReviews(context.database, app, [
    ...[0, 1].map((ago) => aReview({ date: at(addDays("2026-11-04", -ago)), version: "1.0" })),
    aReview({ date: at("2026-11-05"), version: "2.0", rating: 1, topics: ["crash"] }),
    aReview({ date: at("2026-11-06"), version: "1.0", rating: 2, topics: ["ads", "crash"] }),
    aReview({ date: at("2026-11-09"), version: "3.0", sentiment: "positive", rating: 5 }),
    // Another workspace's storefront of the same listing.
    aReview({ date: at("2026-11-05"), country: "jp", rating: 1, topics: ["login"] }),
  ]);
  return { key, app, query: `?app=${app.id}` };
}

describeCommonResponses({ context: () => context, path, aReader });

describe("200", () => {
  test("versions, newest first, with the reviews since each and the days before", async () => {
    const { key, query } = await aReader();
    const { json } = await context.request(path + query, { key });
    const { releases } = releasesResponse.strict().parse(json);
    expect(releases.map(({ version, firstSeen }) => [version, firstSeen])).toEqual([
      ["3.0", "2026-11-09"],
      ["2.0", "2026-11-05"],
      ["1.0", "2026-11-03"],
    ]);
    expect(releases[1]).toMatchObject({
      reviews: {
        from: "2026-11-05",
        to: "2026-11-08",
        total: 2,
        averageRating: 1.5,
        ratings: { "1": 1, "2": 1, "3": 0, "4": 0, "5": 0 },
        sentiment: { positive: 0, neutral: 2, negative: 0, mixed: 0 },
      },
      before: { from: "2026-11-03", to: "2026-11-04", total: 2, averageRating: 4 },
      topTopics: [
        { topic: "crash", count: 2 },
        { topic: "ads", count: 1 },
      ],
    });
    expect(releases[0]).toMatchObject({ reviews: { total: 1, to: "2026-12-06" }, topTopics: [] });
  });

  test("an app without versions has none", async () => {
    const { workspace, key } = await context.addWorkspace();
    const app = await anApp(context.database, { workspaceId: workspace.id });
    const { json } = await context.request(`${path}?app=${app.id}`, { key });
    expect(json).toEqual({ releases: [] });
  });
});

describe("400", () => {
  test("`app` is required", async () => {
    const { status, json } = await context.request(path);
    expect([status, Object(json).errors]).toEqual([
      400,
      [{ parameter: "app", message: "is required" }],
    ]);
  });
});

describe("404", () => {
  test("another workspace's app is unknown here", async () => {
    const { query } = await aReader();
    const response = await context.request(path + query);
    expect(response).toMatchObject({ status: 404, json: { code: "app_not_found" } });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { aKey, anApp, aReview, saveReviews, startTime } from "../../../test/support/factories.ts";
import { verdictSchema } from "../../domain/changes/verdict.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";

const path = "/api/v1/releases/2.0/verdict";
let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

/** A workspace whose app had 100 good reviews in 50 days, and since yesterday crashes at each second start. */
async function aReader() {
  const { workspace } = await context.addWorkspace();
  const { key } = await aKey(context.database, workspace);
  const app = await anApp(context.database, { workspaceId: workspace.id });
  const crash = {
    rating: 1,
    sentiment: "negative",
    topics: ["crash"],
    topicScores: [-0.9],
  } as const;
  const reviews = Array.from({ length: 140 }, (_, index) => {
    const isNew = index >= 100;
    const at = isNew
      ? startTime.getTime() + index * hourMs
      : startTime.getTime() - ((index + 3) * dayMs) / 2;
    const date = new Date(at);
    const mood =
      isNew && index % 2 === 0 ? { ...crash, topics: ["crash"], topicScores: [-0.9] } : {};
    return aReview({ date, firstSeenAt: date, version: isNew ? "2.0" : "1.0", ...mood });
  });
  await saveReviews(context.database, app, reviews);
  return { key, app, query: `?app=${app.id}` };
}

describeCommonResponses({ context: () => context, path, aReader });

describe("200", () => {
  test("the verdict, its evidence and the reviews that decided", async () => {
    const { key, query } = await aReader();
    const { status, json } = await context.request(`${path}${query}&worseBy=0.3`, { key });
    expect(status).toBe(200);
    expect(verdictSchema.strict().parse(json)).toMatchObject({
      ...{ version: "2.0", result: "worse", worseBy: 0.3, reviewCount: 40, pastCount: 100 },
      shares: expect.arrayContaining([expect.objectContaining({ question: "crash" })]),
    });
  });
});

describe("400", () => {
  test.each(["", "&worseBy=2", "&worseBy=0.01", "&worseBy=x", "&version=1"])(
    "without an app, or with a parameter that can't be right: %s",
    async (more) => {
      const { key, query } = await aReader();
      const response = await context.request(path + (more === "" ? "" : query + more), { key });
      expect(response).toMatchObject({ status: 400, json: { code: "invalid_parameter" } });
    },
  );
});

describe("404", () => {
  test("a version that no review names, and an app of another workspace", async () => {
    const [own, other] = [await aReader(), await aReader()];
    const unknown = await context.request(`/api/v1/releases/9.9/verdict${own.query}`, {
      key: own.key,
    });
    expect(unknown).toMatchObject({ status: 404, json: { code: "not_found" } });
    const foreign = await context.request(path + other.query, { key: own.key });
    expect(foreign).toMatchObject({ status: 404, json: { code: "app_not_found" } });
  });
});

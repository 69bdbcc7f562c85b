import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { aKey, anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { reviewResponse } from "../contract.ts";

const path = "/api/v1/reviews";
let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

/** A workspace whose app has one review, which was edited once. */
async function aReader() {
  const { workspace } = await context.addWorkspace();
  const { key } = await aKey(context.database, workspace);
  const app = await anApp(context.database, { workspaceId: workspace.id, store: "googleplay" });
  const { listingId } = app;
  const [saved] = await saveReviews(context.database, app, [aReview({ rating: 1, text: "Bad" })]);
  if (!saved) throw new Error("the review is missing");
  const review = {
    ...saved,
    ...{ rating: 5, text: "Good", votes: 7, device: "Pixel 9" },
    reply: { text: "Thanks", at: new Date("2026-11-21T09:00:00Z") },
    translation: { text: "Well", from: "de" },
    editedAt: new Date("2026-11-21T08:00:00Z"),
  };
  await context.database.transaction(async (tx) => {
    await tx.insertReviewVersions({ listingId, reviewIds: [saved.id], now: context.clock.now() });
    await tx.updateReviews({ listingId, reviews: [review] });
    await tx.addToRollups({ listingId, changes: [{ before: saved, after: review }] });
  });
  return { key, app, review, query: `/${saved.id}` };
}

describeCommonResponses({ context: () => context, path, aReader });

describe("200", () => {
  test("everything that is stored of the review, and its versions before", async () => {
    const { key, app, review, query } = await aReader();
    const { json } = await context.request(path + query, { key });
    expect(reviewResponse.strict().parse(json)).toEqual({
      ...Object((await context.request(`${path}?app=${app.id}`, { key })).json).reviews[0],
      reply: { text: "Thanks", at: "2026-11-21T09:00:00Z" },
      language: "en",
      editedAt: "2026-11-21T08:00:00Z",
      removedAt: null,
      removed: null,
      device: "Pixel 9",
      votes: 7,
      storeId: review.storeReviewId,
      url: `https://play.google.com/store/apps/details?id=${app.externalAppId}&reviewId=${review.storeReviewId}`,
      ownTopics: [],
      opinions: null,
      versions: [expect.objectContaining({ rating: 1, text: "Bad" })],
    });
  });
});

describe("400", () => {
  test("the id is part of the path and no parameter of the query", async () => {
    const { key, query } = await aReader();
    const { status, json } = await context.request(`${path}${query}?review=x&app=y`, { key });
    expect(status).toBe(400);
    expect(Object(json).errors.map((one: { parameter: string }) => one.parameter)).toEqual([
      "review",
      "app",
    ]);
  });
});

describe("404", () => {
  test("an unknown, a malformed and a foreign review get the same response", async () => {
    const { review } = await aReader();
    for (const id of ["nothing", "01988f2e-7c1a-5d20-9b1e-5f0a3c6d2e41", review.id]) {
      const response = await context.request(`${path}/${id}`);
      expect(response).toMatchObject({ status: 404, json: { code: "not_found" } });
    }
  });
});

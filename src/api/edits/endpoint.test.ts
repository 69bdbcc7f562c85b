import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { aKey, anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import type { Review } from "../../domain/review/review.ts";
import { editsResponse, reviewsResponse } from "../contract.ts";

const path = "/api/v1/edits";
let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

/** A workspace whose app has one review, edited twice. */
async function aReader() {
  const { workspace } = await context.addWorkspace();
  const { key } = await aKey(context.database, workspace);
  const app = await anApp(context.database, { workspaceId: workspace.id });
  const { listingId } = app;
  const [saved] = await saveReviews(context.database, app, [aReview({ rating: 1, text: "Bad" })]);
  if (!saved) throw new Error("the review is missing");
  await replace(listingId, saved, { ...saved, rating: 3, text: "Better" });
  const review = { ...saved, rating: 5, date: new Date("2026-11-20T10:00:00.120Z"), text: "Good" };
  await replace(listingId, { ...saved, rating: 3, text: "Better" }, review);
  return { key, app, review, query: `?review=${saved.id}` };
}

async function replace(listingId: string, before: Review, after: Review): Promise<void> {
  await context.database.transaction(async (tx) => {
    const now = context.clock.now();
    await tx.insertReviewVersions({ listingId, reviewIds: [before.id], now });
    await tx.updateReviews({ listingId, reviews: [after] });
    await tx.addToRollups({ listingId, changes: [{ before, after }] });
  });
}

describeCommonResponses({ context: () => context, path, aReader });

describe("200", () => {
  test("the review as the list of reviews has it, and its versions before, oldest first", async () => {
    const { key, app, query } = await aReader();
    const response = await context.request(path + query, { key });
    const { review, edits } = editsResponse.parse(response.json);
    expect(edits.map(({ rating, text }) => [rating, text])).toEqual([
      [1, "Bad"],
      [3, "Better"],
    ]);
    const list = await context.request(`/api/v1/reviews?app=${app.id}`, { key });
    expect([review]).toEqual(reviewsResponse.parse(list.json).reviews);
    const named = await context.request(`${path}${query}&app=${app.id}`, { key });
    expect(named.json).toEqual(response.json);
  });

  test("an edit changes the tag", async () => {
    const { key, app, review, query } = await aReader();
    const { headers } = await context.request(path + query, { key });
    await replace(app.listingId, review, { ...review, text: "Once more" });
    const known = { "if-none-match": headers.get("etag") ?? "" };
    expect((await context.request(path + query, { key, headers: known })).status).toBe(200);
  });
});

describe("400", () => {
  test("without a review", async () => {
    const { json } = await context.request(path);
    expect(json).toMatchObject({ errors: [{ parameter: "review", message: "is required" }] });
  });
});

describe("404", () => {
  test("an unknown, a malformed and a foreign review get the same response", async () => {
    const { review } = await aReader();
    for (const id of ["nothing", "", "01988f2e-7c1a-5d20-9b1e-5f0a3c6d2e41", review.id]) {
      const response = await context.request(`${path}?review=${id}`);
      expect(response).toMatchObject({ status: 404, json: { code: "not_found" } });
    }
  });

  test("the review of another app than the named one, and an app that is not there", async () => {
    const { key, app, query } = await aReader();
    const foreign = await context.request(`${path}${query}&app=${app.listingId}`, { key });
    expect(foreign).toMatchObject({ status: 404, json: { code: "app_not_found" } });
  });
});

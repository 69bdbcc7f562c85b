import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anyText } from "../../../test/support/any-text.ts";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { aKey, anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { reviewsResponse } from "../contract.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const path = "/api/v1/reviews";
const newest = new Date("2026-11-20T10:00:00Z");

/** Reviews a minute apart, newest first. */
function someReviews(count: number, from = newest): Review[] {
  return Array.from({ length: count }, (_, index) =>
    aReview({ date: new Date(from.getTime() - index * minuteMs) }),
  );
}

async function aReader(): Promise<{ workspaceId: string; key: string; app: App }> {
  const { workspace, key } = await context.addWorkspace();
  const app = await anApp(context.database, { workspaceId: workspace.id });
  return { workspaceId: workspace.id, key, app };
}

async function list(key: string, query = ""): Promise<ReturnType<typeof reviewsResponse.parse>> {
  const answer = await context.request(`${path}?${query}`, { key });
  expect(answer.status, answer.text).toBe(200);
  return reviewsResponse.parse(answer.json);
}

async function idsOf(key: string, query: string): Promise<string[]> {
  return (await list(key, query)).reviews.map((review) => review.id);
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
  test("a review has exactly the contract's fields, in their order", async () => {
    const { key, app } = await aReader();
    const date = new Date("2026-11-20T10:00:00.250Z");
    const translation = { text: "The tide table is right.", from: "es" };
    const written = aReview({ date, sentiment: "mixed", score: 0.25, topics: ["ads", "crash"] });
    const [saved] = await saveReviews(context.database, app, [{ ...written, translation }]);
    const answer = await context.request(path, { key });
    expect(answer.text).toBe(
      JSON.stringify({
        reviews: [
          {
            id: saved?.id,
            store: "appstore",
            externalAppId: app.externalAppId,
            author: "riverstone",
            rating: 4,
            title: "Good tides",
            text: "The tide table is right every day.",
            translatedText: "The tide table is right.",
            translatedFrom: "es",
            version: "4.2.1",
            country: "us",
            date: "2026-11-20T10:00:00.250Z",
            sentiment: { label: "mixed", score: 0.25 },
            topics: ["ads", "crash"],
          },
        ],
        nextCursor: null,
      }),
    );
  });

  test("a review that is not analysed has no sentiment and no topics", async () => {
    const { key, app } = await aReader();
    await saveReviews(context.database, app, [aReview({ sentiment: null, title: null })]);
    const { reviews } = await list(key);
    expect(reviews[0]).toMatchObject({ sentiment: null, topics: [], title: null });
    expect(reviews[0]).toMatchObject({ translatedText: null, translatedFrom: null });
  });

  test("reviews come newest first, and those of one moment by id, descending", async () => {
    const { key, app } = await aReader();
    const older = new Date("2026-10-01T00:00:00Z");
    const saved = await saveReviews(context.database, app, [
      aReview({ date: older }),
      ...Array.from({ length: 6 }, () => aReview({ date: newest })),
    ]);
    const [first, ...same] = saved.map((review) => review.id);
    expect(await idsOf(key, "")).toEqual([...same.sort().reverse(), first]);
  });

  test("filters narrow the list, each and all together", async () => {
    const { workspaceId, key, app } = await aReader();
    const other = await anApp(context.database, { workspaceId, store: "googleplay" });
    const [bad, good] = await saveReviews(context.database, app, [
      aReview({ date: newest, rating: 1, sentiment: "negative", topics: ["crash"] }),
      aReview({ date: new Date("2026-11-10T23:59:59.999Z"), rating: 5, sentiment: "positive" }),
    ]);
    const [play] = await saveReviews(context.database, other, [
      aReview({ date: new Date("2026-11-11T00:00:00Z"), rating: 1, topics: ["ads", "crash"] }),
    ]);
    const all = [bad?.id, play?.id, good?.id];
    expect(await idsOf(key, "")).toEqual(all);
    expect(await idsOf(key, `app=${app.id}`)).toEqual([bad?.id, good?.id]);
    expect(await idsOf(key, "store=googleplay")).toEqual([play?.id]);
    expect(await idsOf(key, "rating=1")).toEqual([bad?.id, play?.id]);
    expect(await idsOf(key, "sentiment=positive")).toEqual([good?.id]);
    expect(await idsOf(key, "topic=crash")).toEqual([bad?.id, play?.id]);
    expect(await idsOf(key, "topic=cra")).toEqual([]);
    expect(await idsOf(key, "topic=%00")).toEqual([]);
    expect(await idsOf(key, "from=2026-11-11")).toEqual([bad?.id, play?.id]);
    expect(await idsOf(key, "to=2026-11-10")).toEqual([good?.id]);
    expect(await idsOf(key, "from=2026-11-11&to=2026-11-11")).toEqual([play?.id]);
    expect(
      await idsOf(
        key,
        `app=${app.id}&store=appstore&from=2026-11-20&to=2026-11-20&rating=1&sentiment=negative&topic=crash`,
      ),
    ).toEqual([bad?.id]);
    expect(await idsOf(key, `app=${app.id}&store=googleplay`)).toEqual([]);
  });

  test("a page holds 50 reviews unless limit says otherwise, which may change on the way", async () => {
    const { key, app } = await aReader();
    const saved = await saveReviews(context.database, app, someReviews(120));
    const first = await list(key);
    expect(first.reviews).toHaveLength(50);
    const second = await list(key, `limit=3&cursor=${first.nextCursor}`);
    const third = await list(key, `limit=100&cursor=${second.nextCursor}`);
    const walked = [first, second, third].flatMap((page) => page.reviews.map(({ id }) => id));
    expect(walked).toEqual(saved.map(({ id }) => id));
    expect(third.nextCursor).toBeNull();
  });

  test("a page that ends with the last review has no further page", async () => {
    const { key, app } = await aReader();
    await saveReviews(context.database, app, someReviews(4));
    expect((await list(key, "limit=4")).nextCursor).toBeNull();
    expect((await list(key, "limit=3")).nextCursor).not.toBeNull();
  });

  test("two workspaces see the same reviews of a shared listing, and nothing of a private one", async () => {
    const [one, two] = [await context.addWorkspace(), await context.addWorkspace()];
    const externalAppId = "4711";
    const shared = await anApp(context.database, { workspaceId: one.workspace.id, externalAppId });
    await anApp(context.database, { workspaceId: two.workspace.id, externalAppId });
    const [common] = await saveReviews(context.database, shared, [aReview()]);
    const own = await anApp(context.database, { workspaceId: one.workspace.id, isPrivate: true });
    const [hidden] = await saveReviews(context.database, own, [aReview({ date: newest })]);
    expect(await idsOf(one.key, "")).toEqual([common?.id, hidden?.id]);
    expect(await idsOf(two.key, "")).toEqual([common?.id]);
  });
});

describe("400", () => {
  test("a cursor is good for its own list only: other filters or another workspace refuse it", async () => {
    const { key, app, workspaceId } = await aReader();
    const stranger = await aReader();
    await saveReviews(context.database, app, someReviews(3));
    const { nextCursor } = await list(key, `limit=1&app=${app.id}`);
    const query = `app=${app.id}&cursor=${nextCursor}`;
    expect((await context.request(`${path}?${query}`, { key })).status).toBe(200);
    const sameWorkspace = await aKey(context.database, { id: workspaceId });
    expect((await context.request(`${path}?${query}`, sameWorkspace)).status).toBe(200);
    for (const [asker, refused] of [
      [key, `cursor=${nextCursor}`],
      [key, `${query}&rating=1`],
      [key, `${query}&to=2026-11-20`],
      [stranger.key, `cursor=${nextCursor}`],
    ] as const) {
      const answer = await context.request(`${path}?${refused}`, { key: asker });
      expect(answer).toMatchObject({ status: 400, json: { code: "invalid_cursor" } });
    }
  });

  test("any other text as a cursor is refused and causes no internal error", async () => {
    const { key } = await aReader();
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 200 }), async (cursor) => {
        context.clock.advance(1_000);
        const query = new URLSearchParams({ cursor });
        const answer = await context.request(`${path}?${query}`, { key });
        expect(answer).toMatchObject({ status: 400, json: { code: "invalid_cursor" } });
      }),
      { numRuns: 60 },
    );
  });

  test("a cursor of any length is refused as such", async () => {
    for (const length of [53, 55, 5_000, 16_000]) {
      const answer = await context.request(`${path}?cursor=${"A".repeat(length)}`);
      expect(answer).toMatchObject({ status: 400, json: { code: "invalid_cursor" } });
    }
  });

  test("every faulty parameter is named at once", async () => {
    const answer = await context.request(
      `${path}?rating=6&limit=101&limit=5&sentiment=sad&store=play&from=2026-02-30&to=soon&page=2&topic=${"x".repeat(65)}`,
    );
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      code: "invalid_parameter",
      errors: expect.arrayContaining(
        ["rating", "limit", "sentiment", "store", "from", "to", "page", "topic"].map((parameter) =>
          expect.objectContaining({ parameter }),
        ),
      ),
    });
  });

  test("faults of parameters come before an unknown app, and that before a bad cursor", async () => {
    expect((await context.request(`${path}?app=nobody&rating=9&cursor=x`)).status).toBe(400);
    expect((await context.request(`${path}?app=nobody&cursor=x`)).status).toBe(404);
  });
});

describe("404", () => {
  test("an unknown, a malformed and a foreign app get the same response", async () => {
    const { app } = await aReader();
    const ids = ["nobody", "", "01988f2e-7c1a-7d20-9b1e-5f0a3c6d2e41", app.id];
    const answers = [];
    for (const id of ids) answers.push(await context.request(`${path}?app=${id}`));
    const shapes = answers.map(({ status, json }) => ({ status, ...Object(json), requestId: "" }));
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
    expect(shapes[0]).toMatchObject({ status: 404, code: "app_not_found" });
  });
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import type { App } from "../../domain/feed/listing.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { reviewsResponse } from "../contract.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const newest = new Date("2026-11-20T10:00:00Z");
const minutesAgo = (count: number) => new Date(newest.getTime() - count * minuteMs);

async function aReader(): Promise<{ key: string; app: App }> {
  const { workspace, key } = await context.addWorkspace();
  return { key, app: await anApp(context.database, { workspaceId: workspace.id }) };
}

async function list(key: string, query: string): Promise<ReturnType<typeof reviewsResponse.parse>> {
  const answer = await context.request(`/api/v1/reviews?${query}`, { key });
  expect(answer.status, answer.text).toBe(200);
  return reviewsResponse.parse(answer.json);
}

async function idsOf(key: string, query: string): Promise<string[]> {
  return (await list(key, query)).reviews.map((review) => review.id);
}

describe("200", () => {
  test("q: a page looks through ten thousand reviews, and finds words in scripts without spaces", async () => {
    const { key, app } = await aReader();
    const rare = "この飛行船は速い แอปเรือเหาะดี Дирижабль";
    const reviews = Array.from({ length: 1_500 }, (_, index) =>
      aReview({ date: minutesAgo(index), version: "1.0" }),
    );
    const oldest = aReview({ date: minutesAgo(2_000), text: rare, version: "0.9" });
    const saved = await saveReviews(context.database, app, [...reviews, oldest]);
    for (const word of ["飛行船", "เรือเหาะ", "дирижабль"]) {
      const page = await list(key, `q=${encodeURIComponent(word)}`);
      expect([page.reviews.map(({ id }) => id), page.nextCursor]).toEqual([
        [saved.at(-1)?.id],
        null,
      ]);
    }
    // Other filters without an index look through fewer.
    const page = await list(key, "version=0.9");
    expect([page.reviews, typeof page.nextCursor]).toEqual([[], "string"]);
  });

  test("hasReply: reviews with a reply or without one, combined with other filters and by change", async () => {
    const { key, app } = await aReader();
    const [replied, silent] = await saveReviews(context.database, app, [
      aReview({ date: minutesAgo(1), rating: 1, reply: { text: "Thank you", at: newest } }),
      aReview({ date: minutesAgo(2), rating: 1 }),
    ]);
    for (const more of ["", "&rating=1", "&updatedSince=2020-01-01T00:00:00Z"]) {
      expect(await idsOf(key, `hasReply=true${more}`)).toEqual([replied?.id]);
      expect(await idsOf(key, `hasReply=false${more}`)).toEqual([silent?.id]);
    }
    const refused = await context.request("/api/v1/reviews?hasReply=1", { key });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("true or false")]);
  });

  test("lists are any of their values, a review with two of the topics comes once", async () => {
    const { key, app } = await aReader();
    const [one, two, five] = await saveReviews(context.database, app, [
      aReview({
        date: minutesAgo(1),
        rating: 1,
        topics: ["ads", "crash"],
        version: "2.0",
        country: "gb",
      }),
      aReview({
        date: minutesAgo(2),
        rating: 2,
        topics: ["crash"],
        sentiment: "mixed",
        country: "us",
      }),
      aReview({ date: minutesAgo(3), rating: 5, topics: ["login"], version: "2.0", country: "us" }),
    ]);
    expect(await idsOf(key, "rating=1,2")).toEqual([one?.id, two?.id]);
    expect(await idsOf(key, "rating=2,1,2&sentiment=mixed,positive")).toEqual([two?.id]);
    expect(await idsOf(key, "topic=ads,crash,nonsense")).toEqual([one?.id, two?.id]);
    expect(await idsOf(key, "topic=ads,crash&limit=1")).toEqual([one?.id]);
    expect(await idsOf(key, "store=appstore,googleplay&rating=1,2,3,4,5")).toHaveLength(3);
    expect(await idsOf(key, "version=2.0")).toEqual([one?.id, five?.id]);
    expect(await idsOf(key, "country=us,gb&version=2.0&language=en")).toEqual([one?.id, five?.id]);
    expect(await idsOf(key, "country=us&topic=crash,login&rating=2,5")).toEqual([
      two?.id,
      five?.id,
    ]);
    expect(await idsOf(key, "language=de")).toEqual([]);
    expect(await idsOf(key, `app=${app.id},${app.id}`)).toHaveLength(3);
  });

  test("filters without an index are walked to the end, also over pages that hold nothing", async () => {
    const { key, app } = await aReader();
    const old = aReview({ date: new Date("2026-01-01T00:00:00Z"), version: "1.0" });
    const [found] = await saveReviews(context.database, app, [
      old,
      ...Array.from({ length: 2_100 }, (_, index) => aReview({ date: minutesAgo(index) })),
    ]);
    const pages = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await list(key, `version=1.0${cursor === "" ? "" : `&cursor=${cursor}`}`);
      pages.push(page.reviews.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([[], [], [found?.id]]);
  });

  test("of a public app a workspace sees the storefronts that it follows, whatever others do", async () => {
    const [one, two] = [await context.addWorkspace(), await context.addWorkspace()];
    const externalAppId = "4712";
    const app = await anApp(context.database, {
      workspaceId: one.workspace.id,
      externalAppId,
      countries: ["us", "gb"],
    });
    const inTwo = { workspaceId: two.workspace.id, externalAppId };
    await anApp(context.database, { ...inTwo, countries: ["us", "jp"] });
    const [jp, us, gb] = await saveReviews(context.database, app, [
      aReview({ date: minutesAgo(1), country: "jp", rating: 1, topics: ["crash"] }),
      aReview({ date: minutesAgo(2), country: "us", rating: 1, topics: ["crash"] }),
      aReview({ date: minutesAgo(3), country: "gb", rating: 2, topics: ["ads"] }),
    ]);
    expect(await idsOf(one.key, "")).toEqual([us?.id, gb?.id]);
    expect(await idsOf(two.key, "")).toEqual([jp?.id, us?.id]);
    expect(await idsOf(one.key, "rating=1")).toEqual([us?.id]);
    expect(await idsOf(two.key, "topic=crash,ads")).toEqual([jp?.id, us?.id]);
    expect(await idsOf(one.key, "country=jp")).toEqual([]);
    const own = await anApp(context.database, { workspaceId: one.workspace.id, isPrivate: true });
    const [imported] = await saveReviews(context.database, own, [
      aReview({ date: newest, country: "jp" }),
    ]);
    expect(await idsOf(one.key, "")).toEqual([imported?.id, us?.id, gb?.id]);
    await context.database.updateApp({ ...app, name: null, countries: ["gb"] });
    expect(await idsOf(one.key, "")).toEqual([imported?.id, gb?.id]);
  });
});

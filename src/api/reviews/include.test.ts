// `include=`, and the filters by what it shows: the contract's fields stay as they are, byte for byte.

import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseReview } from "../../../test/support/acts.ts";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import type { App } from "../../domain/feed/listing.ts";
import type { Review } from "../../domain/review/review.ts";
import { includableNames as allNames } from "../contract.ts";

const includableNames = allNames.filter((name) => name !== "changedAt");

let context: ApiTestContext;
let key: string;
let app: App;
let edited: Review;
let removed: Review;
let erased: Review;
beforeAll(async () => {
  context = await openApiTestContext();
  const added = await context.addWorkspace();
  key = added.key;
  app = await anApp(context.database, { workspaceId: added.workspace.id });
  const day = (number: number) => new Date(`2026-11-${number}T10:00:00Z`);
  [edited, removed, erased] = (await saveReviews(context.database, app, [
    aReview({ date: day(13), editedAt: day(14), text: "ÜBER all", topics: ["crash"], score: -0.5 }),
    aReview({ date: day(12), removedAt: day(15), title: "Under" }),
    aReview({ date: day(11), author: "Marker" }),
  ])) as [Review, Review, Review];
  const deps = { ...context, actor: "test" };
  await eraseReview(deps, { appId: app.id, reviewId: erased.id });
});
afterAll(() => context.close());

async function list(query: string): Promise<Record<string, unknown>[]> {
  const { status, text, json } = await context.request(`/api/v1/reviews?${query}`, { key });
  expect(status, text).toBe(200);
  return Object(json).reviews;
}
const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);

test("fields are added behind those of the contract, which stay the same bytes", async () => {
  const plain = await context.request("/api/v1/reviews", { key });
  const all = await context.request(`/api/v1/reviews?include=${includableNames.join(",")}`, {
    key,
  });
  const added =
    /,"(?:reply|language|editedAt|removedAt|removed|device|votes|storeId|url|ownTopics|opinions)":(?:null|\d+|\{.*?\}|\[.*?\]|".*?")(?=[,}])/g;
  expect(all.text.length).toBeGreaterThan(plain.text.length);
  const cursor = /"nextCursor":.*$/;
  expect(all.text.replace(added, "").replace(cursor, "")).toBe(plain.text.replace(cursor, ""));
  const [first] = Object(all.json).reviews;
  expect(Object.keys(first).slice(-includableNames.length)).toEqual([...includableNames].sort());
  expect(first).toMatchObject({ editedAt: "2026-11-14T10:00:00Z", storeId: edited.storeReviewId });
});

test("without their fields no review has them, and one name adds one field", async () => {
  const [plain = {}] = await list("limit=1");
  const [one = {}] = await list("limit=1&include=votes");
  expect(Object.keys(one)).toEqual([...Object.keys(plain), "votes"]);
});

test("by change, removed and erased reviews are tombstones", async () => {
  const reviews = await list("updatedSince=2008-01-01T00:00:00Z&include=removed");
  const reasons = Object.fromEntries(reviews.map(({ id, removed }) => [id, removed]));
  expect(reasons).toEqual({ [edited.id]: null, [removed.id]: "by_store", [erased.id]: "erased" });
  const tombstone = reviews.find(({ id }) => id === erased.id);
  expect(tombstone).toMatchObject({ author: "", title: null, text: "", topics: [] });
});

test("pages by change say in their body where the next copy begins, and when each review changed", async () => {
  const path = "/api/v1/reviews?updatedSince=2008-01-01T00:00:00Z";
  const { json, headers } = await context.request(`${path}&include=changedAt`, { key });
  const { reviews, updatedUntil } = Object(json);
  expect(updatedUntil).toBe(headers.get("updated-until"));
  const moments: string[] = reviews.map(({ changedAt }: { changedAt: string }) => changedAt);
  expect(moments).toHaveLength(3);
  expect(moments).toEqual([...moments].sort());
  for (const moment of moments) expect(moment).toMatch(/\.\d{6}Z$/);
  expect((moments.at(-1) ?? "") < updatedUntil).toBe(true);
  const since = `/api/v1/reviews?updatedSince=${moments.at(-1)}`;
  const again = await context.request(since, { key });
  expect(Object(again.json).reviews.map(({ id }: { id: string }) => id)).toContain(
    reviews.at(-1).id,
  );
  const plain = await context.request("/api/v1/reviews", { key });
  expect(Object.keys(Object(plain.json))).toEqual(["reviews", "nextCursor"]);
});

test.each(["reviews", "reviews/export"])(
  "400: changedAt of %s in the order of dates",
  async (path) => {
    const { status, json } = await context.request(`/api/v1/${path}?include=changedAt`, { key });
    expect([status, Object(json).code]).toEqual([400, "invalid_parameter"]);
  },
);

test("`q`, `edited` and `removed` keep what they say, also by change", async () => {
  for (const more of ["", "&updatedSince=2008-01-01T00:00:00Z", "&rating=4"]) {
    expect(await idsOf(`q=${encodeURIComponent("über")}${more}`)).toEqual([edited.id]);
    expect(await idsOf(`q=under${more}`)).toEqual([removed.id]);
    expect(await idsOf(`q=marker${more}`)).toEqual([]);
    expect(await idsOf(`q=100%25${more}`)).toEqual([]);
    expect(await idsOf(`edited=true${more}`)).toEqual([edited.id]);
    expect(await idsOf(`removed=true${more}`)).toEqual([removed.id]);
    expect(await idsOf(`removed=false&edited=false${more}`)).toEqual([erased.id]);
  }
});

test("pages with further fields are walked like those without", async () => {
  const found: unknown[] = [];
  for (let cursor = ""; ; ) {
    const path = `/api/v1/reviews?limit=1&include=reply,url${cursor}`;
    const { json } = await context.request(path, { key });
    const { reviews, nextCursor } = Object(json);
    found.push(...reviews.map(({ id }: { id: string }) => id));
    if (nextCursor === null) break;
    cursor = `&cursor=${nextCursor}`;
  }
  expect(found).toEqual([edited.id, removed.id, erased.id]);
});

test.each(["include=everything", "include=", "q=a", "q=%00%00", "edited=1", "removed="])(
  "400: %s",
  async (query) => {
    const { status, json } = await context.request(`/api/v1/reviews?${query}`, { key });
    expect([status, Object(json).code]).toEqual([400, "invalid_parameter"]);
  },
);

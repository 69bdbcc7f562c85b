// Topics of a workspace's own, from their phrases to pages, channels and the read API, in one workspace alone.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../src/domain/feed/listing.ts";
import { readDigest } from "../src/features/digests/read-digest.ts";
import { readIncidents } from "../src/features/digests/read-incidents.ts";
import { exportReviews } from "../src/features/exports/export-reviews.ts";
import { listOwnTopicStates } from "../src/features/own-topics/list-topics.ts";
import { changeTopic, createTopic, removeTopic } from "../src/features/own-topics/operations.ts";
import { previewOwnTopic } from "../src/features/own-topics/preview-topic.ts";
import { applyOwnTopics } from "../src/features/own-topics/read-stored.ts";
import { createIngest } from "../src/ingest/ingest-reviews.ts";
import { addDays } from "../src/lib/timestamp.ts";
import { ensurePrivateListing } from "../src/use-cases/apps/private-listing.ts";
import { eraseReview, removeApp } from "./support/acts.ts";
import { type ApiTestContext, openApiTestContext } from "./support/api-test-context.ts";
import { anApp, aReview, aWorkspace, saveChannel, saveReviews } from "./support/factories.ts";
import { act } from "./support/operations.ts";

let context: ApiTestContext;
let app: App;
/** An app of another workspace on the same public listing. */
let foreign: { key: string; workspaceId: string };
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

let appCount = 0;
let own: { workspaceId: string; key: string };
beforeEach(async () => {
  // Reviews that the previous test left unread.
  await apply();
  const { workspace, key } = await context.addWorkspace();
  own = { workspaceId: workspace.id, key };
  appCount += 1;
  const listed = { externalAppId: `90${appCount}` };
  app = await anApp(context.database, { ...scope(), ...listed });
  const other = await context.addWorkspace();
  const workspaceId = other.workspace.id;
  await anApp(context.database, { workspaceId, ...listed });
  foreign = { workspaceId, key: other.key };
});

const scope = () => ({ workspaceId: own.workspaceId });
const deps = () => ({ ...context, actor: "cli" });
const define = (name = "sleep_timer", phrases = ["sleep timer*"]) =>
  act(deps(), createTopic, { ...scope(), name, phrases });
const apply = (shouldContinue = async () => true) =>
  applyOwnTopics(context.database, shouldContinue);

type Listed = { reviews: { id: string; topics: string[] }[]; nextCursor: string | null };
async function list(query: string, key = own.key): Promise<Listed["reviews"]> {
  const reviews: Listed["reviews"] = [];
  for (let cursor = ""; ; ) {
    const path = `/api/v1/reviews?${query}${cursor}`;
    const { status, json } = await context.request(path, { key });
    expect(status).toBe(200);
    const page = json as Listed;
    reviews.push(...page.reviews);
    if (page.nextCursor === null) return reviews;
    cursor = `&cursor=${page.nextCursor}`;
  }
}
const idsOf = (reviews: { id: string }[]): string[] => reviews.map(({ id }) => id).sort();

async function saveSome() {
  const date = (day: number) => new Date(`2026-11-${String(day).padStart(2, "0")}T10:00:00Z`);
  return saveReviews(context.database, app, [
    aReview({ text: "The sleep timer stops", date: date(1), rating: 1, sentiment: "negative" }),
    aReview({ text: "Sleep timers! It crashes", date: date(2), rating: 2, topics: ["crash"] }),
    aReview({ text: "Nice", date: date(3), rating: 5, topics: ["praise"] }),
  ]);
}

function ingest(...texts: string[]) {
  const reviews = texts.map((text, at) => ({
    ...{ storeReviewId: `new-${appCount}-${at}`, author: "a", rating: 2, title: null, text },
    ...{ version: "1", country: "us", languageHint: null, date: context.clock.now() },
    ...{ votes: null, reply: null },
  }));
  return context.database.findListing(app.listingId).then((listing) => {
    if (!listing) throw new Error("the listing is gone");
    return createIngest(context)({
      ...{ listing, reviews, source: "store", notifyPolicy: { kind: "always" }, undatedAt: null },
    });
  });
}

test("stored reviews get it in the background; pages filter by it and show it, in its workspace alone", async () => {
  const [first, second] = await saveSome();
  await define();
  expect(await list(`app=${app.id}&topic=sleep_timer`)).toEqual([]);
  expect(await apply()).toBe(3);
  const found = await list(`app=${app.id}&topic=sleep_timer`);
  expect(found.map(({ topics }) => topics)).toEqual([["crash", "sleep_timer"], ["sleep_timer"]]);
  expect(idsOf(found)).toEqual(idsOf([first, second].flatMap((one) => one ?? [])));
  expect(await list("topic=sleep_timer&rating=1")).toHaveLength(1);
  expect(await list("topic=sleep_timer&sentiment=negative")).toHaveLength(1);
  expect(await list("topic=sleep_timer&rating=1,2&limit=1")).toHaveLength(2);
  expect(await list("topic=sleep_timer,praise")).toHaveLength(3);
  expect(await list("topic=sleep_timer&language=en")).toHaveLength(2);
  expect(await list("topic=sleep_timer&updatedSince=2020-01-01T00:00:00Z")).toHaveLength(2);
  const edits = await context.request(`/api/v1/edits?review=${second?.id}`, own);
  expect(edits.json).toMatchObject({ review: { topics: ["crash", "sleep_timer"] } });
  const ownTopics = async (key: string) => {
    const one = await context.request(`/api/v1/reviews/${second?.id}`, { key });
    return Object(one.json).ownTopics;
  };
  expect([await ownTopics(own.key), await ownTopics(foreign.key)]).toEqual([["sleep_timer"], []]);
  const trends = await context.request(`/api/v1/trends?app=${app.id}&topics=own`, own);
  expect(trends.json).toMatchObject({ topTopics: [{ topic: "sleep_timer", count: 2 }] });
  // The other workspace follows the same listing.
  expect(await list("topic=sleep_timer", foreign.key)).toEqual([]);
  expect((await list("", foreign.key)).flatMap(({ topics }) => topics).sort()).toEqual([
    "crash",
    "praise",
  ]);
  const topics = async (key: string) => (await context.request("/api/v1/topics", { key })).json;
  expect(JSON.stringify(await topics(own.key))).toContain('"sleep_timer"');
  expect(JSON.stringify(await topics(foreign.key))).not.toContain("sleep_timer");
});

test("workspaces take turns, however many apps one of them has", async () => {
  await saveSome();
  for (const externalAppId of [`91${appCount}`, `92${appCount}`]) {
    const more = await anApp(context.database, { ...scope(), externalAppId });
    await saveReviews(context.database, more, [aReview({ text: "The sleep timer stops" })]);
  }
  await define();
  const { workspaceId } = foreign;
  await act(deps(), createTopic, { workspaceId, name: "sleep_timer", phrases: ["sleep timer*"] });
  let batchCount = 0;
  await apply(async () => {
    batchCount += 1;
    return batchCount < 2;
  });
  expect(await list("topic=sleep_timer", foreign.key)).toHaveLength(2);
  expect(await list("topic=sleep_timer")).toHaveLength(2);
  await apply();
  expect(await list("topic=sleep_timer")).toHaveLength(4);
});

test("a page is tagged anew when topics are defined, found, or removed", async () => {
  await saveSome();
  const tag = async () => (await context.request("/api/v1/reviews", own)).headers.get("etag");
  const tags = [await tag()];
  await define();
  tags.push(await tag());
  await apply();
  tags.push(await tag());
  await act(deps(), removeTopic, { ...scope(), id: "sleep_timer" });
  tags.push(await tag());
  expect(new Set(tags).size).toBe(4);
  expect((await list("")).flatMap(({ topics }) => topics)).not.toContain("sleep_timer");
});

test("trends, incidents and digests count it in its workspace alone, as far as it follows the listing", async () => {
  const { database } = context;
  const to = "2026-11-20";
  const reviews = Array.from({ length: 84 }, (_, index) => {
    const day = index < 28 ? addDays(to, -(index % 7)) : addDays(to, -7 - (index % 28));
    const written = { date: new Date(`${day}T10:00:00Z`), country: index % 2 === 0 ? "us" : "de" };
    return index < 28
      ? aReview({ ...written, text: "The sleep timer stops", rating: 1, sentiment: "negative" })
      : aReview({ ...written, text: "Nice", rating: 5, sentiment: "positive" });
  });
  await saveReviews(database, app, reviews);
  await define();
  await apply();
  const days = { from: "2026-11-14", to };
  const query = new URLSearchParams({ app: app.id, ...days });
  const { json: trends } = await context.request(`/api/v1/trends?${query}`, own);
  expect(trends).toMatchObject({ topTopics: [{ topic: "sleep_timer", count: 14 }] });
  const { incidents } = await readIncidents(database, { ...scope(), appIds: [app.id], to });
  expect(incidents[0]).toMatchObject({ topic: "sleep_timer", state: "open", negativeCount: 14 });
  const digest = await readDigest(context, { ...scope(), appId: app.id, to });
  expect(JSON.stringify(digest)).toContain("sleep_timer");
  const countOf = async (workspaceId: string, regions: string[] | null) => {
    const [seen] = await database.listFollowedApps({ workspaceId, ids: null });
    if (!seen) throw new Error("the app is not followed");
    const part = { workspaceId, apps: [{ ...seen, regions }], ...days };
    const counted = await database.countOwnTopicDays(part);
    return counted.reduce((sum, { total }) => sum + total, 0);
  };
  expect(await countOf(own.workspaceId, null)).toBe(28);
  expect(await countOf(own.workspaceId, ["de"])).toBe(14);
  expect(await countOf(foreign.workspaceId, null)).toBe(0);
});

test("new and edited reviews have it at once, and an erased one has none", async () => {
  await define();
  await ingest("My sleep timer is gone", "Lovely");
  expect(await list("topic=sleep_timer")).toHaveLength(1);
  await ingest("All is well again", "No sleep timer");
  const found = await list("topic=sleep_timer");
  expect(found).toHaveLength(1);
  const reviewId = found[0]?.id ?? "";
  await eraseReview(deps(), { appId: app.id, reviewId });
  expect(await list("topic=sleep_timer")).toEqual([]);
});

test("the words stay while date, stars and sentiment move: pages by them follow", async () => {
  await define();
  const [review] = await saveSome();
  await apply();
  if (!review) throw new Error("nothing was saved");
  const after = { ...review, rating: 4, date: new Date("2026-10-01T00:00:00Z") };
  await context.database.transaction(async (tx) => {
    await tx.updateReviews({ listingId: app.listingId, reviews: [after] });
    await tx.addToRollups({ listingId: app.listingId, changes: [{ before: review, after }] });
  });
  expect(await list("topic=sleep_timer&rating=1")).toEqual([]);
  expect(idsOf(await list("topic=sleep_timer&rating=4&to=2026-10-02"))).toEqual([review.id]);
});

test("channels of its workspace filter by it, those of others do not", async () => {
  await define();
  const channel = { topics: ["sleep_timer"], events: ["review.created" as const] };
  await saveChannel(context.database, { ...scope(), ...channel });
  await saveChannel(context.database, { workspaceId: foreign.workspaceId, ...channel });
  expect(await ingest("A sleep timer, please", "Lovely")).toMatchObject({ queuedCount: 1 });
  await expect(act(deps(), removeTopic, { ...scope(), id: "sleep_timer" })).rejects.toThrow(
    "channels filter by this topic: Invented channel",
  );
});

test("reading goes on where it ended, by any process, and again after new phrases", async () => {
  await saveReviews(
    context.database,
    app,
    Array.from({ length: 1_100 }, (_, at) => aReview({ text: at % 2 ? "sleep timer" : "wake up" })),
  );
  await define();
  expect(await apply(async () => false)).toBe(500);
  const state = async () => (await listOwnTopicStates(context.database, scope()))[0];
  expect(await state()).toMatchObject({ readCount: 500, totalCount: 1_100, isFinished: false });
  const read = await Promise.all([apply(), apply()]);
  expect(read[0] + read[1]).toBe(600);
  expect(await state()).toMatchObject({ readCount: 1_100, matchCount: 550, isFinished: true });
  expect(await apply()).toBe(0);
  await act(deps(), changeTopic, { ...scope(), id: "sleep_timer", phrases: ["wake up", "sleep"] });
  expect(await state()).toMatchObject({ readCount: 0, isFinished: false });
  await apply();
  expect(await state()).toMatchObject({ matchCount: 1_100, isFinished: true });
});

test("an app that is added later is read as well, one that was removed is forgotten", async () => {
  await define();
  const [review] = await saveSome();
  await apply();
  await removeApp(deps(), { id: app.id, workspaceId: app.workspaceId });
  expect((await listOwnTopicStates(context.database, scope()))[0]).toMatchObject({ matchCount: 0 });
  const again = await anApp(context.database, { ...scope(), externalAppId: app.externalAppId });
  await apply();
  expect(idsOf(await list(`app=${again.id}&topic=sleep_timer`))).toContain(review?.id);
});

test("a private copy of the listing keeps it, as far as it has the reviews", async () => {
  await define();
  await saveSome();
  const elsewhere = { country: "jp", text: "A sleep timer", date: new Date("2026-11-19") };
  await saveReviews(context.database, app, [aReview(elsewhere)]);
  await apply();
  expect(await list(`app=${app.id}&topic=sleep_timer`)).toHaveLength(2);
  await ensurePrivateListing(context, app.id);
  expect(await list(`app=${app.id}&topic=sleep_timer&limit=1`)).toHaveLength(2);
  expect(await apply()).toBe(0);
});

test("a preview says how many of the newest reviews it would have matched, and shows them", async () => {
  await saveSome();
  const preview = await previewOwnTopic(context.database, {
    ...scope(),
    phrases: ["sleep timer*"],
  });
  expect(preview.matchCount).toBe(2);
  expect(preview.samples.map(({ words }) => words)).toEqual([["Sleep timers"], ["sleep timer"]]);
  // Another workspace sees its own apps' reviews alone.
  const other = { workspaceId: (await aWorkspace(context.database)).id, phrases: ["sleep"] };
  expect(await previewOwnTopic(context.database, other)).toMatchObject({ readCount: 0 });
  // Without an app there is nothing to read.
  await act(deps(), createTopic, { ...other, name: "sleep" });
  expect(await listOwnTopicStates(context.database, other)).toMatchObject([{ isFinished: true }]);
});

test("exports have it", async () => {
  await define();
  await saveSome();
  await apply();
  const topics = [];
  for await (const batch of exportReviews(context.database, { ...scope(), appId: app.id }))
    topics.push(...batch.map((review) => review.topics.join(" ")));
  expect(topics.sort()).toEqual(["crash sleep_timer", "praise", "sleep_timer"]);
});

test("a workspace has at most 20, no two of one name", async () => {
  await define();
  await expect(define()).rejects.toThrow("there is a topic of this name");
  for (let at = 1; at < 20; at += 1) await define(`topic_${at}`, [`phrase ${at}`]);
  await expect(define("one_more")).rejects.toThrow("at most 20");
  await expect(
    act(deps(), removeTopic, { workspaceId: foreign.workspaceId, id: "sleep_timer" }),
  ).rejects.toThrow("there is no topic sleep_timer");
});

describe("phrases that take too much work", () => {
  // Each phrase ends at each place of the text, and is refused only there: the word goes on.
  const costly = Array.from({ length: 50 }, (_, at) => `*${"ab".repeat(30).slice(0, at + 2)}`);
  const texts = Array.from({ length: 300 }, (_, at) => `${"ab".repeat(3_950)}x ${at}`);

  test("rest, show that to their workspace, and stop neither ingest nor another workspace's topics", async () => {
    for (let at = 0; at < 20; at += 1) await define(`topic_${at}`, costly);
    const marker = { name: "marker", phrases: ["marker"], workspaceId: foreign.workspaceId };
    await act(deps(), createTopic, marker);
    await apply();
    expect(await ingest(...texts, "a marker")).toMatchObject({ newCount: 301 });
    expect(await list("topic=marker", foreign.key)).toHaveLength(1);
    const states = await listOwnTopicStates(context.database, scope());
    expect(states.every(({ restsUntil }) => restsUntil !== null)).toBe(true);
    // Nothing is read for them while they rest.
    expect(await apply()).toBe(0);
    await act(deps(), changeTopic, { ...scope(), id: "topic_0", phrases: ["a marker"] });
    expect(await apply()).toBe(301);
    expect(await list("topic=topic_0")).toHaveLength(1);
  });

  test("are refused in a preview, with the reason", async () => {
    const all = texts.flatMap((text) => [text, `${text} y`, `${text} z`]);
    const reviews = all.map((text) => aReview({ text }));
    await saveReviews(context.database, app, reviews);
    const preview = previewOwnTopic(context.database, { ...scope(), phrases: costly });
    await expect(preview).rejects.toThrow("take too much work");
  });
});

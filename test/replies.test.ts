// Answers to reviews: each state, and what brings a reply there, through both simulated stores.
import { afterEach, describe, expect, test } from "vitest";
import { exportWorkspace } from "../src/features/exports/export-workspace.ts";
import { sendReply, withdrawReply } from "../src/features/replies/operations.ts";
import { readOutcomes } from "../src/features/replies/read-outcomes.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { readOverview } from "../src/read/overview/read-overview.ts";
import { readPageContent } from "../src/read/pages/page-content.ts";
import { eraseReview } from "./support/acts.ts";
import { anApp, aReview, saveReviews } from "./support/factories.ts";
import { act } from "./support/operations.ts";
import { openReplyWorld, type ReplyWorld } from "./support/reply-world.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let world: ReplyWorld;
afterEach(close);

async function close(): Promise<void> {
  await world.close();
  await context.close();
}

let id: string;
let storeReviewId: string;
async function open(
  store: keyof typeof kind,
  more: Partial<Parameters<typeof openReplyWorld>[1]> = {},
): Promise<void> {
  context = await openTestContext();
  world = await openReplyWorld(context, { store, ...more });
  const [review = { id: "", storeReviewId: "" }] = world.reviews;
  id = review.id;
  storeReviewId = review.storeReviewId;
}

const kind = { appstore: "connect-answering", googleplay: "play-answering" } as const;
const sentCount = (store: keyof typeof kind): number =>
  world.harness.simulator.requests.filter((request) => request.kind === kind[store]).length;

describe.each(["appstore", "googleplay"] as const)("%s", (store) => {
  test("an answer is saved first, sent once, and published", async () => {
    await open(store);
    expect(await world.readView(id)).toMatchObject({ state: "unanswered", fault: null });
    await world.draft(id, "We are");
    expect(await world.readView(id)).toMatchObject({ state: "draft", draft: "We are" });
    await world.send(id, { text: "We are sorry." });
    expect(await world.readView(id)).toMatchObject({ state: "sending", draft: null });
    expect(world.inStore(storeReviewId)).toBe(null);
    await world.work();
    await world.work();
    expect(world.inStore(storeReviewId)).toBe("We are sorry.");
    expect(await world.readView(id)).toMatchObject({
      ...{ state: "published", text: "We are sorry.", publicText: "We are sorry." },
      author: "support",
    });
    expect(sentCount(store)).toBe(1);
  });

  test.each(["cut", "hang"] as const)(
    "a request that was taken and %s is not sent again",
    async (fault) => {
      await open(store, { totalTimeoutMs: 300 });
      world.fail({ fault, times: 1 });
      await world.send(id, { text: "Once" });
      await world.work();
      expect(await world.readView(id)).toMatchObject({ state: "sending" });
      await expect(world.send(id, { text: "Twice" })).rejects.toThrow("being sent");
      await expect(world.withdraw(id)).rejects.toThrow("being sent");
      world.clock.advance(2 * minuteMs);
      await world.work();
      expect(await world.readView(id)).toMatchObject({ state: "published", reason: null });
      expect(sentCount(store)).toBe(1);
    },
  );

  test("a request that was lost is sent again", async () => {
    await open(store);
    world.fail({ fault: "server_error", isLost: true, times: 1 });
    await world.send(id, { text: "Again" });
    await world.work();
    const { state, reason } = await world.readView(id);
    expect([state, reason]).toEqual(["sending", expect.stringContaining("tries again")]);
    world.clock.advance(2 * minuteMs);
    await world.work();
    expect(world.inStore(storeReviewId)).toBe("Again");
  });

  test("a colleague's answer refuses the second one, in Starpost and in the console", async () => {
    await open(store);
    await world.send(id, { text: "From Ada" });
    await world.work();
    await expect(world.send(id, { text: "From Ben" })).rejects.toThrow("another public answer");
    world.writeElsewhere(storeReviewId, "From the console");
    // Nothing has seen it yet, so it is the store that says so.
    await world.send(id, { text: "From Ben", replaces: "From Ada" });
    await world.work();
    expect(world.inStore(storeReviewId)).toBe("From the console");
    expect(await world.readView(id)).toMatchObject({
      ...{ state: "elsewhere", text: "From Ben", publicText: "From the console" },
      reason: expect.stringContaining("yours was not sent"),
    });
    await world.send(id, { text: "From Ben", replaces: "From the console" });
    await world.work();
    expect(world.inStore(storeReviewId)).toBe("From Ben");
  });

  test("an answer that a crawl finds is shown, and one that is gone, too", async () => {
    await open(store);
    world.writeElsewhere(storeReviewId, "In the console");
    await world.crawl();
    expect(await world.readView(id)).toMatchObject({
      ...{ state: "elsewhere", publicText: "In the console" },
    });
    await world.send(id, { text: "Better", replaces: "In the console" });
    await world.work();
    world.writeElsewhere(storeReviewId, null);
    await world.crawl();
    expect(await world.recheck()).toBe(1);
    await world.work();
    expect(await world.readView(id)).toMatchObject({
      ...{ state: "withdrawn", publicText: null },
      reason: "The store no longer has the answer.",
    });
  });

  test("a review that was changed after its answer is outdated, and before it, not answered", async () => {
    await open(store);
    await world.send(id, { text: "Sorry" });
    await world.work();
    world.clock.advance(hourMs);
    world.harness.storeState.editReview(world.key, { storeReviewId, rating: 4, text: "Better" });
    await world.crawl();
    expect(await world.readView(id)).toMatchObject({ state: "outdated", publicText: "Sorry" });
    await world.send(id, { text: "Thank you", replaces: "Sorry" });
    world.clock.advance(hourMs);
    world.harness.storeState.editReview(world.key, { storeReviewId, rating: 1, text: "Worse" });
    await world.crawl();
    await world.work();
    expect(world.inStore(storeReviewId)).toBe("Sorry");
    expect(await world.readView(id)).toMatchObject({ state: "refused", text: "Thank you" });
  });

  test("the store's refusal and a missing right are final, with the reason", async () => {
    await open(store);
    world.setRules({ refusedWords: ["casino"] });
    await world.send(id, { text: "My casino" });
    await world.work();
    const refused = await world.readView(id);
    expect(refused).toMatchObject({ state: "refused", text: "My casino" });
    expect(refused.reason).toContain("Refused.");
    await close();
    await open(store, { isReadOnly: true });
    await world.send(id, { text: "Hello" });
    await world.work();
    expect((await world.readView(id)).reason).toMatch(/Customer Support|Reply to reviews/);
    expect(sentCount(store)).toBe(1);
  });

  test("texts that the store does not take, raw fields and markup are refused before they are sent", async () => {
    await open(store);
    const max = store === "appstore" ? 5_970 : 350;
    await expect(world.send(id, { text: "x".repeat(max + 1) })).rejects.toThrow("characters");
    for (const field of ["{author}", "{Author}", "{ author }"])
      await expect(world.send(id, { text: `Hello ${field}` })).rejects.toThrow(field);
    await expect(world.send(id, { text: "<b>Hi</b>" })).rejects.toThrow("markup");
    await expect(world.send(id, { text: "  " })).rejects.toThrow("empty");
    await world.send(id, { text: "x".repeat(max) });
    await world.work();
    expect(await world.readView(id)).toMatchObject({ state: "published" });
  });

  test("an app without a credential and REPLIES=off send nothing", async () => {
    await open(store);
    const [team] = world.teams;
    const off = { ...world.deps, settings: { publicUrl: null, replies: "off" as const } };
    const place = { workspaceId: team?.workspaceId ?? null, id };
    await expect(act(off, sendReply, { ...place, text: "Hi" })).rejects.toThrow("REPLIES=off");
    // One that was sent before is taken back all the same.
    await world.send(id, { text: "Later" });
    await act(off, withdrawReply, { ...place, takeBack: true, replaces: undefined });
    expect(await world.readView(id)).toMatchObject({ state: "draft", draft: "Later" });
    const { database } = world;
    const app = await anApp(database, { workspaceId: team?.workspaceId ?? "", store });
    const [review] = await saveReviews(database, app, [aReview()]);
    await expect(world.send(review?.id ?? "", { text: "Hi" })).rejects.toThrow("public pages");
    await world.work();
    expect(sentCount(store)).toBe(0);
  });

  test("as many answers of an app as the quota allows are sent in an hour", async () => {
    await open(store, { reviewCount: 2 });
    const [, other = { id: "" }] = world.reviews;
    const { clock, database, key } = world;
    const statements = await import("../src/features/replies/sql.ts");
    const hour = new Date(Math.floor(clock.now().getTime() / hourMs) * hourMs);
    const max = store === "appstore" ? 300 : 70;
    const count = { ...key, hour, countMax: max };
    for (let sent = 1; sent < max; sent += 1) await database.with(statements).countReply(count);
    await world.send(id, { text: "First" });
    await world.send(other.id, { text: "Second" });
    await world.work();
    const states = async () => [
      (await world.readView(id)).state,
      (await world.readView(other.id)).state,
    ];
    expect((await states()).sort()).toEqual(["published", "sending"]);
    clock.advance(hourMs);
    await world.work();
    expect(await states()).toEqual(["published", "published"]);
  });
});

test("the App Store shows an answer later, withdraws it, and takes one back that was not sent", async () => {
  await open("appstore");
  world.setRules({ delayMs: hourMs });
  await world.send(id, { text: "Soon" });
  await world.work();
  expect(await world.readView(id)).toMatchObject({ state: "waiting", publicText: "Soon" });
  await world.send(id, { text: "Sooner", replaces: "Soon" });
  await world.takeBack(id);
  expect(await world.readView(id)).toMatchObject({ draft: "Sooner" });
  await world.work();
  expect(await world.readView(id)).toMatchObject({ state: "waiting", draft: "Sooner" });
  world.clock.advance(2 * hourMs);
  await world.work();
  expect(await world.readView(id)).toMatchObject({ state: "published", publicText: "Soon" });
  await world.withdraw(id, { replaces: "Soon" });
  await world.work();
  expect(await world.readView(id)).toMatchObject({ state: "withdrawn", publicText: null });
  expect(world.inStore(storeReviewId)).toBe(null);
});

test("an answer that is removed elsewhere before any crawl saw it is missed all the same", async () => {
  await open("appstore");
  await world.send(id, { text: "Here" });
  await world.work();
  world.writeElsewhere(storeReviewId, null);
  await world.crawl();
  // For crawls nothing has changed: they never saw it.
  expect(await world.recheck()).toBe(0);
  world.clock.advance(7 * hourMs);
  await world.work();
  expect(await world.readView(id)).toMatchObject({ state: "withdrawn", publicText: null });
});

test("Google Play can't withdraw an answer, and says so", async () => {
  await open("googleplay");
  await world.send(id, { text: "Here" });
  await world.work();
  await expect(world.withdraw(id)).rejects.toThrow("can't withdraw");
});

test("the export of a workspace has its answers, and no lease", async () => {
  await open("googleplay");
  await world.send(id, { text: "Sorry" });
  await world.work();
  await world.draft(id, "More");
  const workspaceId = world.teams[0]?.workspaceId ?? "";
  const lines: Record<string, unknown>[] = [];
  for await (const batch of exportWorkspace(world, { id: workspaceId })) lines.push(...batch);
  const [line, ...more] = lines.filter(({ kind }) => kind === "reply");
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    ...{ reviewId: id, state: "published", text: "Sorry", draft: "More", author: "support" },
  });
  expect(Object.keys(line ?? {})).not.toContain("leaseUntil");
});

test("outcomes of answers: stars gained and lost since the first one, beside reviews without an answer", async () => {
  await open("googleplay", { reviewCount: 5 });
  const { clock, database, key, reviews, teams } = world;
  const [first, second, third, fourth] = reviews;
  if (!first || !second || !third || !fourth) throw new Error("too few reviews");
  clock.advance(2 * hourMs);
  for (const { id } of [first, second, third]) await world.send(id, { text: `Sorry ${id}` });
  await world.work();
  clock.advance(hourMs);
  const { storeState } = world.harness;
  for (const { storeReviewId } of [first, fourth])
    storeState.editReview(key, { storeReviewId, rating: 4 });
  await world.crawl();
  await world.send(first.id, { text: "Thank you", replaces: `Sorry ${first.id}` });
  await world.work();
  const workspaceId = teams[0]?.workspaceId ?? "";
  const read = (day?: string) =>
    readOutcomes(database, { workspaceId, now: clock.now(), from: day, to: day });
  const expected = {
    ...{ count: 3, gained: 1, lost: 0, medianSeconds: 7_200 },
    unanswered: { count: 2, gained: 1, lost: 0 },
  };
  expect(await read()).toEqual(expected);
  // The Overview, its report and the file of a report have the same.
  const overview = await readOverview({ clock, database }, { workspaceId, query: {} });
  expect(overview.answers).toEqual(expected);
  const report = { workspaceId, kind: "report", query: "" } as const;
  const shared = await readPageContent({ clock, database, findEvidence: async () => [] }, report);
  expect(shared).toMatchObject({ overview: { answers: expected } });
  expect(await read("2026-11-01")).toEqual({
    ...{ count: 0, gained: 0, lost: 0, medianSeconds: null },
    unanswered: { count: 0, gained: 0, lost: 0 },
  });
});

test("what its author has erased goes from answers, and another workspace sees none of them", async () => {
  await open("googleplay", { teamCount: 2 });
  const [team, other] = world.teams;
  if (!team || !other) throw new Error("too few workspaces");
  await world.send(id, { text: "You wrote: It crashes." });
  await world.draft(id, "A second thought");
  expect(await world.readView(id, other)).toMatchObject({ state: "unanswered", text: null });
  const { workspaceId, app } = team;
  const foreign = { ...world.deps, actor: "other" };
  await expect(
    act(foreign, sendReply, { workspaceId: other.workspaceId, id: app.id, text: "Hi" }),
  ).rejects.toThrow();
  await eraseReview(world.deps, { appId: app.id, reviewId: id });
  const statements = await import("../src/features/replies/sql.ts");
  const rows = world.database.with(statements).listReplies({ workspaceId, reviewIds: [id] });
  expect(await rows).toEqual([]);
  await world.work();
  expect(world.inStore(storeReviewId)).toBe(null);
});

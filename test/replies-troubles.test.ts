// Answers to reviews when something goes wrong: people, programs and stores that come at the wrong moment.
import { afterEach, describe, expect, test } from "vitest";
import type { AnswerResult, StoreAnswer, StoreAnswers } from "../src/domain/review/store-answer.ts";
import type { StoreId } from "../src/domain/store/store-id.ts";
import { sendDueReplies } from "../src/features/replies/worker.ts";
import { hourMs, minuteMs, secondMs } from "../src/lib/timestamp.ts";
import { eraseReview } from "./support/acts.ts";
import { openReplyWorld, type ReplyWorld } from "./support/reply-world.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let world: ReplyWorld;
afterEach(async () => {
  await world.close();
  await context.close();
});

let id: string;
let storeReviewId: string;
async function open(
  store: StoreId,
  more: Partial<Parameters<typeof openReplyWorld>[1]> = {},
): Promise<void> {
  context = await openTestContext();
  world = await openReplyWorld(context, { store, ...more });
  const [review = { id: "", storeReviewId: "" }] = world.reviews;
  id = review.id;
  storeReviewId = review.storeReviewId;
}

/** The account of one workspace can't be opened. */
function depsWithout(team: ReplyWorld["teams"][number] | undefined) {
  const { openStoreClient } = world.workerDeps;
  return {
    ...world.workerDeps,
    async openStoreClient(_: string, listingId: string) {
      if (listingId === team?.listing.id) throw new Error("sealed by another key");
      return openStoreClient();
    },
  };
}

type Published = Parameters<StoreAnswers["publish"]>[0];

/** The first answer arrives when `arrive` is called, and its outcome is unknown before. */
function lateFirstAnswer() {
  let arrive: (() => Promise<AnswerResult<StoreAnswer>>) | null = null;
  const change = (answers: StoreAnswers): StoreAnswers => ({
    ...answers,
    async publish(answer: Published) {
      if (arrive !== null) return answers.publish(answer);
      arrive = () => answers.publish({ ...answer, isStillWanted: () => true });
      return { outcome: "unknown", reason: "time-out", retryAfterMs: null, isTaken: "maybe" };
    },
  });
  return { change, arrive: () => arrive?.() };
}

const reads = (store: StoreId): number => {
  const kind = store === "appstore" ? "connect-answer" : "play-review";
  return world.harness.simulator.requests.filter((request) => request.kind === kind).length;
};

describe.each(["appstore", "googleplay"] as const)("%s", (store) => {
  test("an answer that is published already is not taken back", async () => {
    await open(store);
    await world.send(id, { text: "Precious" });
    await world.work();
    await expect(world.takeBack(id)).rejects.toThrow("nothing waits");
    await world.work();
    expect(world.inStore(storeReviewId)).toBe("Precious");
    expect(await world.readView(id)).toMatchObject({ state: "published", draft: null });
  });

  test("a read that fails leaves open whether an attempt was taken", async () => {
    await open(store, { totalTimeoutMs: 300 });
    world.fail({ fault: "cut", times: 1 });
    await world.send(id, { text: "First" });
    await world.work();
    world.failReads({ fault: "too_many", times: 1 });
    world.clock.advance(2 * minuteMs);
    await world.work();
    await expect(world.send(id, { text: "Second" })).rejects.toThrow("being sent");
    await expect(world.takeBack(id)).rejects.toThrow("being sent");
    world.clock.advance(hourMs);
    await world.work();
    expect(await world.readView(id)).toMatchObject({ state: "published", publicText: "First" });
  });

  test("an answer of another workspace waits until a late one has arrived", async () => {
    const late = lateFirstAnswer();
    await open(store, { teamCount: 2, change: late.change });
    const [one, two] = world.teams;
    await world.send(id, { text: "From one" }, one);
    await world.send(id, { text: "From two" }, two);
    await world.work();
    expect(world.inStore(storeReviewId)).toBe(null);
    await late.arrive();
    world.clock.advance(10 * minuteMs);
    await world.work();
    expect(world.inStore(storeReviewId)).toBe("From one");
    expect(await world.readView(id, one)).toMatchObject({ state: "published" });
    expect(await world.readView(id, two)).toMatchObject({
      ...{ state: "elsewhere", text: "From two" },
      reason: expect.stringContaining("yours was not sent"),
    });
  });

  test("an attempt that nothing settles holds up another workspace for minutes only", async () => {
    await open(store, { teamCount: 2, change: lateFirstAnswer().change });
    const [one, two] = world.teams;
    await world.send(id, { text: "From one" }, one);
    await world.work();
    await world.send(id, { text: "From two" }, two);
    const deps = depsWithout(one);
    world.clock.advance(2 * minuteMs);
    await sendDueReplies(deps, AbortSignal.timeout(60_000));
    expect(world.inStore(storeReviewId)).toBe(null);
    world.clock.advance(4 * minuteMs);
    await sendDueReplies(deps, AbortSignal.timeout(60_000));
    expect(world.inStore(storeReviewId)).toBe("From two");
    expect(await world.readView(id, one)).toMatchObject({ state: "sending" });
  });

  test("a review that is gone after an attempt is refused in the end", async () => {
    await open(store, { totalTimeoutMs: 300 });
    world.fail({ fault: "server_error", isLost: true, times: 1 });
    await world.send(id, { text: "Again" });
    await world.work();
    world.harness.storeState.removeReview(world.key, storeReviewId);
    world.clock.advance(2 * minuteMs);
    await world.work();
    expect(await world.readView(id)).toMatchObject({ state: "sending" });
    for (let day = 0; day < 2; day += 1) {
      world.clock.advance(24 * hourMs);
      await world.work();
    }
    const { state, text, reason } = await world.readView(id);
    expect([state, text, reason]).toEqual(["refused", "Again", expect.stringContaining("404")]);
    await world.send(id, { text: "Another" });
    await world.takeBack(id);
  });

  test("an account that can't be opened does not hold up another workspace", async () => {
    await open(store, { reviewCount: 8, teamCount: 2 });
    const [one, two] = world.teams;
    const [last, ...others] = world.reviews.toReversed();
    for (const review of others) await world.send(review.id, { text: "Bad" }, one);
    world.clock.advance(secondMs);
    await world.send(last?.id ?? "", { text: "Good" }, two);
    const errors: unknown[] = [];
    const log = {
      ...world.workerDeps.log,
      error: ({ err }: { err?: unknown }) => void errors.push(err),
    };
    await sendDueReplies({ ...depsWithout(one), log }, AbortSignal.timeout(60_000));
    expect(await world.readView(last?.id ?? "", two)).toMatchObject({ state: "published" });
    expect(errors).toHaveLength(others.length);
    expect(await world.readView(id, one)).toMatchObject({
      ...{ state: "sending", reason: expect.stringContaining("tries again") },
    });
  });

  test("in an hour that is full the store is not even read", async () => {
    await open(store, { reviewCount: 4 });
    const statements = await import("../src/features/replies/sql.ts");
    const hour = new Date(Math.floor(world.clock.now().getTime() / hourMs) * hourMs);
    const max = store === "appstore" ? 300 : 70;
    const count = { ...world.key, hour, countMax: max };
    for (let sent = 0; sent < max; sent += 1)
      await world.database.with(statements).countReply(count);
    for (const review of world.reviews) await world.send(review.id, { text: "Hello" });
    const before = reads(store);
    await world.work();
    expect(reads(store)).toBe(before);
    expect((await world.readView(id)).reason).toContain("in this hour");
    world.clock.advance(hourMs);
    await world.work();
    expect(await world.readView(id)).toMatchObject({ state: "published" });
  });

  test("a store that asks to wait is left alone, whatever crawls see", async () => {
    await open(store);
    await world.send(id, { text: "Here" });
    await world.work();
    await world.crawl();
    world.writeElsewhere(storeReviewId, "In the console");
    await world.crawl();
    world.failReads({ fault: "too_many", retryAfter: "86400" });
    const before = reads(store);
    for (let round = 0; round < 12; round += 1) {
      await world.recheck();
      await world.work();
      world.clock.advance(5 * minuteMs);
    }
    expect(reads(store)).toBe(before + 1);
    world.harness.simulator.faultFlags.disable();
    world.clock.advance(24 * hourMs);
    await world.work();
    expect(await world.readView(id)).toMatchObject({ publicText: "In the console" });
  });

  test("an answer that a crawl sees between a read and its saving is not missed", async () => {
    let after: (() => Promise<void>) | null = null;
    const change = (answers: StoreAnswers): StoreAnswers => ({
      ...answers,
      async read(review) {
        const result = await answers.read(review);
        const act = after;
        after = null;
        await act?.();
        return result;
      },
    });
    await open(store, { change });
    await world.send(id, { text: "Ours" });
    await world.work();
    await world.crawl();
    world.writeElsewhere(storeReviewId, "Before");
    await world.crawl();
    await world.recheck();
    after = async () => {
      world.clock.advance(secondMs);
      world.writeElsewhere(storeReviewId, "Meanwhile");
      await world.crawl();
    };
    await world.work();
    expect(after).toBe(null);
    await world.recheck();
    await world.work();
    expect(await world.readView(id)).toMatchObject({ publicText: "Meanwhile" });
  });

  test("an erased review takes neither a draft nor an answer", async () => {
    await open(store);
    const [team] = world.teams;
    await eraseReview(world.deps, { appId: team?.app.id ?? "", reviewId: id });
    await expect(world.draft(id, "About Jane Doe")).rejects.toThrow("erased");
    await expect(world.send(id, { text: "Hello" })).rejects.toThrow("erased");
    expect(await world.readView(id)).toMatchObject({
      ...{ state: "unanswered", draft: null, fault: expect.stringContaining("erased") },
    });
  });

  test("our answer stays ours where the store changes its characters", async () => {
    const alter = <T extends StoreAnswer | null>(result: AnswerResult<T>): AnswerResult<T> =>
      result.outcome === "ok" && result.value
        ? { ...result, value: { ...result.value, text: result.value.text.replaceAll("'", "’") } }
        : result;
    const change = (answers: StoreAnswers): StoreAnswers => ({
      ...answers,
      publish: async (answer) => alter(await answers.publish(answer)),
      read: async (review) => alter(await answers.read(review)),
    });
    await open(store, { change });
    await world.send(id, { text: "It's fixed" });
    await world.work();
    world.clock.advance(7 * hourMs);
    await world.work();
    expect(await world.readView(id)).toMatchObject({
      ...{ state: "published", publicText: "It’s fixed" },
    });
  });

  test("a text of invisible characters is empty, and fields are found as people write them", async () => {
    await open(store);
    await expect(world.send(id, { text: "\u200b \u2060" })).rejects.toThrow("empty");
    for (const field of ["{Author}", "{ author }", "{ APP}"])
      await expect(world.send(id, { text: `Hello ${field}` })).rejects.toThrow(field);
  });
});

test.each(["appstore", "googleplay"] as const)(
  "%s: a refused answer over ours keeps its reason, whatever is read later",
  async (store) => {
    await open(store);
    await world.send(id, { text: "Ours" });
    await world.work();
    world.setRules({ refusedWords: ["casino"] });
    await world.send(id, { text: "My casino", replaces: "Ours" });
    await world.work();
    const refused = await world.readView(id);
    expect(refused).toMatchObject({ state: "refused", publicText: "Ours" });
    const before = reads(store);
    world.clock.advance(7 * hourMs);
    await world.work();
    expect(reads(store)).toBe(before + 1);
    expect(await world.readView(id)).toEqual(refused);
  },
);

test("Google Play's review is compared before an answer is sent, also without a crawl", async () => {
  await open("googleplay");
  await world.send(id, { text: "Sorry that it crashes" });
  world.clock.advance(hourMs);
  const { storeState } = world.harness;
  storeState.editReview(world.key, { storeReviewId, rating: 5, text: "Works now!" });
  await world.work();
  expect(world.inStore(storeReviewId)).toBe(null);
  expect(await world.readView(id)).toMatchObject({
    ...{ state: "refused", text: "Sorry that it crashes" },
    reason: expect.stringContaining("changed the review"),
  });
  await world.crawl();
  await world.send(id, { text: "Thank you" });
  await world.work();
  expect(await world.readView(id)).toMatchObject({ state: "published", publicText: "Thank you" });
});

test("withdrawing a public answer needs a quote of it", async () => {
  await open("appstore");
  world.writeElsewhere(storeReviewId, "In the console");
  await world.crawl();
  await expect(world.withdraw(id)).rejects.toThrow("another public answer");
  await expect(world.withdraw(id, { replaces: null })).rejects.toThrow("another public answer");
  await world.withdraw(id, { replaces: "In the console" });
  await world.work();
  expect(world.inStore(storeReviewId)).toBe(null);
});

test.each(["Ours", "In the console"])(
  "a withdrawal of the answer %s that waits is taken back, and the answer stays",
  async (text) => {
    await open("appstore");
    await world.send(id, { text: "Ours" });
    await world.work();
    if (text !== "Ours") {
      world.writeElsewhere(storeReviewId, text);
      await world.crawl();
      await world.recheck();
      await world.work();
    }
    const before = await world.readView(id);
    await world.withdraw(id, { replaces: text });
    await world.takeBack(id);
    const after = await world.readView(id);
    expect([after.state, after.draft]).toEqual([before.state, before.draft]);
    await world.work();
    expect(world.inStore(storeReviewId)).toBe(text);
    expect(await world.readView(id)).toMatchObject({ state: before.state, publicText: text });
  },
);

test("an account that has lost the app withdraws nothing, and says so", async () => {
  await open("appstore");
  await world.send(id, { text: "Here" });
  await world.work();
  await world.withdraw(id, { replaces: "Here" });
  const gone = { fault: "refused", status: 404 } as const;
  for (const kind of ["connect-answer", "connect-review"] as const)
    world.harness.simulator.faultFlags.enable({ ...gone, when: { kind } });
  await world.work();
  expect(world.inStore(storeReviewId)).toBe("Here");
  expect(await world.readView(id)).toMatchObject({
    ...{ state: "refused", publicText: "Here", reason: expect.stringContaining("404") },
  });
});

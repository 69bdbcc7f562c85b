// Ticks on reviews of an own topic: each holds for its review, and together they teach the topic.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { App } from "../src/domain/feed/listing.ts";
import type { Review } from "../src/domain/review/review.ts";
import { listOwnTopicStates } from "../src/features/own-topics/list-topics.ts";
import { changeTopic, createTopic, tickTopic } from "../src/features/own-topics/operations.ts";
import { applyOwnTopics } from "../src/features/own-topics/read-stored.ts";
import { listReviewsToTick } from "../src/features/own-topics/ticks.ts";
import { trainOwnTopics } from "../src/features/own-topics/train-topics.ts";
import { carryOut } from "../src/operations/frame.ts";
import { eraseReview } from "./support/acts.ts";
import { anApp, aReview, aWorkspace, saveReviews } from "./support/factories.ts";
import { act, operationDeps } from "./support/operations.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let app: App;
let reviews: Review[];
let actor: string;
beforeAll(async () => {
  context = await openTestContext();
  const { id: workspaceId } = await aWorkspace(context.database);
  app = await anApp(context.database, { workspaceId });
  const now = context.clock.now();
  const user = {
    id: "01a1fdfa-4601-77ee-8a05-52b9d09ab8a2",
    email: "lea@example.com",
    name: "Lea",
  };
  await context.database.insertUser({ ...user, passwordHash: "none", createdAt: now });
  actor = user.id;
  reviews = await saveReviews(
    context.database,
    app,
    Array.from({ length: 60 }, (_, at) => aReview({ title: null, text: textOf(at) })),
  );
  await act(deps(), createTopic, { ...scope(), name: "timer", phrases: ["timer"] });
  await apply();
});
afterAll(() => context.close());

const scope = () => ({ workspaceId: app.workspaceId });
const deps = () => ({ ...context, actor });
const person = {
  kind: "user",
  user: { id: "", name: "Lea", email: "lea@example.com" },
  role: "member",
  client: { address: "", browser: "" },
  assertRecentProof() {},
} as const;
const isApp = (at: number): boolean => at % 3 !== 0;
const textOf = (at: number): string =>
  isApp(at)
    ? `Then the timer stops the music, number ${at}`
    : `My oven timer bakes the cake, number ${at}`;
const apply = () => applyOwnTopics(context.database, async () => true);
const tick = (review: Review | undefined, isRight: boolean) =>
  carryOut(operationDeps(context), tickTopic, {
    ...scope(),
    id: "timer",
    actor: { ...person, user: { ...person.user, id: actor } },
    input: { review: review?.id ?? "", isRight },
  });
const state = async () => (await listOwnTopicStates(context.database, scope()))[0];

describe("ticks on one topic, one after the other", { shuffle: false }, () => {
  test("a tick holds for its review at once, and it is not asked for again", async () => {
    expect(await state()).toMatchObject({ matchCount: 60, training: null });
    const [first] = await listReviewsToTick(context.database, { ...scope(), topic: "timer" });
    expect(first?.words).toEqual(["timer"]);
    const review = reviews.find(({ id }) => id === first?.review.id);
    await tick(review, false);
    expect(await state()).toMatchObject({ matchCount: 59, wrongCount: 1 });
    const next = await listReviewsToTick(context.database, { ...scope(), topic: "timer" });
    expect(next.map((one) => one.review.id)).not.toContain(review?.id);
    // Ticked anew, also after the stored reviews were read again.
    await tick(review, true);
    expect(await state()).toMatchObject({ matchCount: 60, rightCount: 1, wrongCount: 0 });
    await tick(review, false);
    await act(deps(), changeTopic, { ...scope(), id: "timer", phrases: ["timer", "timers"] });
    await apply();
    expect(await state()).toMatchObject({ matchCount: 59, isFinished: true });
    // Ids are random, so any of them was the first. Ticked by what it says it changes nothing of the tests below.
    await tick(review, isApp(reviews.findIndex(({ id }) => id === review?.id)));
  });

  test("too few ticks teach nothing, enough of them decide reviews that nobody ticked", async () => {
    await trainOwnTopics(context.database);
    expect(await state()).toMatchObject({ training: { figures: null, isInUse: false } });
    for (const [at, review] of reviews.entries()) if (at < 45) await tick(review, isApp(at));
    expect(await trainOwnTopics(context.database)).toBe(1);
    expect(await state()).toMatchObject({ isFinished: false, training: { isInUse: true } });
    await apply();
    expect(await state()).toMatchObject({
      matchCount: reviews.filter((_, at) => isApp(at)).length,
    });
    // Nothing is new: nothing is trained or read.
    expect([await trainOwnTopics(context.database), await apply()]).toEqual([0, 0]);
  });

  test("one member's ticks take nothing away where several people can tick", async () => {
    const now = context.clock.now();
    const others = ["01a1fdfa-4601-77ee-8a05-52b9d09ab8a3", "01a1fdfa-4601-77ee-8a05-52b9d09ab8a4"];
    for (const [at, id] of others.entries()) {
      const user = { id, email: `member${at}@example.com`, name: `Member ${at}` };
      await context.database.insertUser({ ...user, passwordHash: "none", createdAt: now });
      const member = { workspaceId: app.workspaceId, userId: id, role: "member" as const };
      await context.database.insertMember({ ...member, joinedAt: now });
    }
    await tick(reviews[0], false);
    await trainOwnTopics(context.database);
    expect(await state()).toMatchObject({ training: { figures: null, isInUse: false } });
    // A second member confirms a part of what the first one ticked.
    actor = others[1] ?? "";
    for (const [at, review] of reviews.entries()) if (at < 24) await tick(review, isApp(at));
    await trainOwnTopics(context.database);
    expect(await state()).toMatchObject({ training: { isInUse: true } });
  });

  test("an erased review takes its tick along, and another workspace can't tick", async () => {
    const before = await state();
    await eraseReview(deps(), { appId: app.id, reviewId: reviews[1]?.id ?? "" });
    expect((await state())?.rightCount).toBe((before?.rightCount ?? 0) - 1);
    const other = { workspaceId: (await aWorkspace(context.database)).id };
    await act(deps(), createTopic, { ...other, name: "timer", phrases: ["timer"] });
    const foreign = { id: "timer", review: reviews[2]?.id ?? "", isRight: true };
    await expect(act(deps(), tickTopic, { ...other, ...foreign })).rejects.toThrow(
      "there is no review",
    );
  });
});

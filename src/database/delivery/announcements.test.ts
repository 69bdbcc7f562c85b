import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aDelivery, aWorkspace, saveChannel, startTime } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import type { Channel } from "../../domain/channel/channel.ts";
import type { NewDelivery } from "../../domain/channel/delivery.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

async function aQueueingChannel() {
  const { database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const channel = await saveChannel(database, { workspaceId });
  const queue = async (...overrides: Partial<NewDelivery>[]): Promise<string[]> => {
    const deliveries = overrides.map((one) => aDelivery(channel, one));
    await database.enqueueDeliveries({ deliveries, now: startTime });
    return deliveries.map(({ id }) => id);
  };
  const reviews = async (...reviewIds: string[]): Promise<string[]> => {
    const query = { channelIds: [channel.id], reviewIds };
    return (await database.listChannelReviews(query)).map(({ reviewId }) => reviewId);
  };
  return { channel, queue, reviews };
}

const setPause = async (channel: Channel, isPaused: boolean): Promise<number> => {
  await context.database.updateChannel({ ...channel, isPaused });
  return context.database.cancelDeliveries({ channelId: channel.id, now: startTime });
};

test("an id of a service is found at the destination that returned it, and nowhere else", async () => {
  const { database } = context;
  const { channel, queue } = await aQueueingChannel();
  const pair = { channelId: channel.id, reviewId: randomUUID() };
  await queue({ reviewId: pair.reviewId });
  const find = (destination: string) => database.findExternalId({ ...pair, destination });
  const save = (destination: string, externalId: string) =>
    database.saveExternalId({ ...pair, destination, externalId });
  await save("old", "42");
  await save("old", "43");
  expect([await find("old"), await find("new")]).toEqual(["42", null]);
  await save("new", "7");
  expect([await find("old"), await find("new")]).toEqual([null, "7"]);
});

test("a review that a service has an id for was announced, also when its delivery was cancelled meanwhile", async () => {
  const { database } = context;
  const { channel, queue, reviews } = await aQueueingChannel();
  const pair = { channelId: channel.id, reviewId: randomUUID(), destination: "desk" };
  await queue({ reviewId: pair.reviewId });
  await setPause(channel, true);
  await database.saveExternalId({ ...pair, externalId: "42" });
  expect(await database.findExternalId(pair)).toBe("42");
  expect(await reviews(pair.reviewId)).toEqual([pair.reviewId]);
});

test("a cancellation withdraws what its deliveries announced, and nothing that others did", async () => {
  const { database } = context;
  const { channel, queue, reviews } = await aQueueingChannel();
  const [first, second] = [randomUUID(), randomUUID()];
  const cause = "storefront.failing app reviews de";
  const [one = "", other = ""] = await queue(
    { reviewId: first },
    { reviewId: second },
    { event: "storefront.failing", causes: [cause] },
  );
  await setPause(channel, true);
  const causes = { channelIds: [channel.id], causes: [cause] };
  expect(await reviews(first, second)).toEqual([]);
  expect(await database.listChannelCauses(causes)).toEqual([]);
  // The same review, by another delivery.
  await setPause(channel, false);
  await queue({ reviewId: second });
  await database.announceAgain({ ids: [one], now: startTime });
  expect((await reviews(first, second)).sort()).toEqual([first, second].sort());
  await database.announceAgain({ ids: [other], now: startTime });
  await setPause(channel, true);
  expect((await reviews(first, second)).sort()).toEqual([first, second].sort());
});

test("the waiting edit of a review is cancelled with the event that announced it, and one of another stays", async () => {
  const { database } = context;
  const { channel, queue } = await aQueueingChannel();
  const [created, edited] = [randomUUID(), randomUUID()];
  await database.announce({
    announcements: [{ id: randomUUID(), channelId: channel.id, reviewId: edited }],
    now: startTime,
  });
  const filterable = {
    rating: 5,
    topics: [],
    facts: { sentiment: null, language: null, hasReply: false },
  };
  await queue(
    { reviewId: created, filterable },
    { reviewId: created, event: "review.updated" },
    { reviewId: edited, event: "review.updated" },
  );
  const stars = { ...channel, stars: [1], events: ["review.created", "review.updated"] };
  await database.updateChannel(stars as Channel);
  expect(await database.cancelDeliveries({ channelId: channel.id, now: startTime })).toBe(2);
});

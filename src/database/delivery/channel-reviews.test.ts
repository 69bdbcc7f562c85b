import { afterAll, beforeAll, expect, test } from "vitest";
import { aDelivery, aWorkspace, saveChannel, startTime } from "../../../test/support/factories.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

test("an id of a service is found at the destination that returned it, and nowhere else", async () => {
  const { database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const { id: channelId } = await saveChannel(database, { workspaceId });
  const pair = { channelId, reviewId: "0197a1b2-0000-5000-8000-000000000001" };
  await database.insertChannelReviews([pair]);
  const find = (destination: string) => database.findExternalId({ ...pair, destination });
  const save = (destination: string, externalId: string) =>
    database.saveExternalId({ ...pair, destination, externalId });
  await save("old", "42");
  await save("old", "43");
  expect([await find("old"), await find("new")]).toEqual(["42", null]);
  await save("new", "7");
  expect([await find("old"), await find("new")]).toEqual([null, "7"]);
});

test("a review whose announcement a pause cancelled is not announced: an edit of it is not sent", async () => {
  const { database } = context;
  const { id: workspaceId } = await aWorkspace(database);
  const channel = await saveChannel(database, { workspaceId });
  const reviewIds = [1, 2].map((end) => `0197a1b2-0000-5000-8000-00000000000${end}`);
  const pairs = reviewIds.map((reviewId) => ({ channelId: channel.id, reviewId }));
  await database.insertChannelReviews(pairs);
  const [created, edited] = reviewIds;
  const deliveries = [
    aDelivery(channel, { reviewId: created ?? "" }),
    aDelivery(channel, { reviewId: edited ?? "", event: "review.updated" }),
  ];
  await database.enqueueDeliveries({ deliveries, now: startTime });
  await database.updateChannel({ ...channel, isPaused: true });
  await database.cancelDeliveries({ channelId: channel.id, now: startTime });
  const query = { channelIds: [channel.id], reviewIds };
  expect(await database.listChannelReviews(query)).toEqual([pairs[1]]);
});

// The ledger of announcements is what was sent: a delivery that arrives or is sent again counts, one that was cancelled
// unsent does not. Edits, rating drops and alerts follow it.
import { beforeEach, describe, expect, test } from "vitest";
import { createView } from "../src/operations/view.ts";
import { baseline, openAnnouncementScene } from "./support/announcement-scene.ts";
import { createGate } from "./support/gate.ts";
import { act } from "./support/operations.ts";
import { ok, type Reply } from "./support/receiver.ts";

const down: Reply = { kind: "status", status: 503 };

let scene: Awaited<ReturnType<typeof openAnnouncementScene>>;
beforeEach(async () => {
  scene = await openAnnouncementScene();
  return scene.close;
});

async function pauseAndResume(): Promise<void> {
  await scene.change({ isPaused: true });
  await scene.change({ isPaused: false });
}

const statuses = async (): Promise<string[]> =>
  (await scene.deliveries()).map(({ status }) => status);

const idOf = async (index: number): Promise<string> => (await scene.deliveries())[index]?.id ?? "";

describe("the edit of a review", () => {
  test("whose cancelled delivery was sent again is sent", async () => {
    await scene.take("r1", 5);
    await pauseAndResume();
    expect(await statuses()).toEqual(["cancelled"]);
    const engine = scene.world.run();
    await scene.sendAgain(await idOf(0));
    engine.wake();
    await engine.outcomes.waitFor(1);
    expect(await scene.take("r1", 1)).toBe(1);
    engine.wake();
    await engine.outcomes.waitFor(2);
    expect(scene.received()).toEqual(["review.created 5", "review.updated 1"]);
  });

  test("that arrived while its delivery was cancelled is sent", async () => {
    const gate = createGate();
    scene.receiver.reply(async () => {
      await gate.opened;
      return ok;
    });
    const engine = scene.world.run();
    await scene.take("r1", 5);
    engine.wake();
    await scene.receiver.waitFor(1);
    await scene.change({ stars: [1] });
    await scene.change({ stars: null });
    expect(await statuses()).toEqual(["cancelled"]);
    gate.open();
    await engine.outcomes.waitFor(1);
    expect(await statuses()).toEqual(["delivered"]);
    expect(await scene.take("r1", 1)).toBe(1);
  });

  test("whose delivery was cancelled unsent is not sent", async () => {
    await scene.take("r1", 5);
    await pauseAndResume();
    expect(await scene.take("r1", 1)).toBe(0);
  });

  test("whose delivery arrived, was sent again and cancelled then is sent, and the delivery stays delivered", async () => {
    const engine = scene.world.run();
    await scene.take("r1", 5);
    engine.wake();
    await engine.outcomes.waitFor(1);
    await engine.close();
    await scene.sendAgain(await idOf(0));
    expect(await statuses()).toEqual(["pending"]);
    await pauseAndResume();
    expect(await statuses()).toEqual(["delivered"]);
    expect(await scene.take("r1", 1)).toBe(1);
  });

  test("of which an earlier edit arrived before its first event was cancelled is sent", async () => {
    scene.receiver.reply(({ body }) => (String(body).includes("review.updated") ? ok : down));
    const engine = scene.world.run();
    await scene.take("r1", 5);
    engine.wake();
    await engine.outcomes.waitFor(1);
    await scene.take("r1", 4);
    engine.wake();
    await expect.poll(statuses).toEqual(["pending", "delivered"]);
    await pauseAndResume();
    expect(await statuses()).toEqual(["cancelled", "delivered"]);
    expect(await scene.take("r1", 1)).toBe(1);
  });
});

describe("a waiting edit is cancelled with the first event of its review", () => {
  async function saveView(word: string): Promise<void> {
    const { database, clock, workspaceId } = scene.world;
    const view = { workspaceId, name: "Words", query: `q=${word}` };
    await act({ database, clock }, createView, view);
  }

  test.each([
    ["the stars", { stars: [1] }],
    ["a pause", { isPaused: true }],
    ["events that are not chosen any more", { events: ["review.updated"] }],
    ["a further filter", { filter: "q=boat" }],
    ["a view", { view: "Boats" }],
    ["a changed view that it follows", null],
  ])("by %s", async (_, change) => {
    const { workspaceId, ...deps } = scene.world;
    await act(deps, createView, { workspaceId, name: "Boats", query: "q=boat" });
    await saveView("tide");
    if (change === null) await scene.change({ view: "Words" });
    await scene.take("r1", 5);
    expect(await scene.take("r1", 1)).toBe(1);
    await (change === null ? saveView("boat") : scene.change(change));
    expect(await statuses()).toEqual(["cancelled", "cancelled"]);
  });
});

describe("a rating drop", () => {
  test("that a pause cancelled unsent is announced again while it holds", async () => {
    expect(await scene.rate(baseline - 0.5)).toBe(1);
    await pauseAndResume();
    expect(await scene.rate(baseline - 0.6)).toBe(1);
    expect(await scene.rate(baseline - 0.7)).toBe(0);
    expect(await statuses()).toEqual(["cancelled", "pending"]);
  });

  test("that arrived, or was sent again, is announced once", async () => {
    await scene.rate(baseline - 0.5);
    await pauseAndResume();
    const engine = scene.world.run();
    await scene.sendAgain(await idOf(0));
    engine.wake();
    await engine.outcomes.waitFor(1);
    expect(await scene.rate(baseline - 0.6)).toBe(0);
    await pauseAndResume();
    expect(await scene.rate(baseline - 0.7)).toBe(0);
  });

  test("of which one delivery arrived stays announced when another one is cancelled", async () => {
    await scene.rate(baseline - 0.5);
    await pauseAndResume();
    await scene.rate(baseline - 0.6);
    const [first, second] = [await idOf(0), await idOf(1)];
    scene.receiver.reply(({ headers }) => (headers["x-service-delivery"] === first ? ok : down));
    await scene.sendAgain(first);
    const engine = scene.world.run();
    await engine.outcomes.waitFor(2);
    await pauseAndResume();
    const deliveries = await scene.deliveries();
    expect(deliveries.find(({ id }) => id === second)?.status).toBe("cancelled");
    expect(await scene.rate(baseline - 0.7)).toBe(0);
  });

  test("that is over before the end of a pause makes way for the next one", async () => {
    const engine = scene.world.run();
    await scene.rate(baseline - 0.5);
    engine.wake();
    await engine.outcomes.waitFor(1);
    await scene.change({ isPaused: true });
    await scene.rate(baseline);
    await scene.change({ isPaused: false });
    expect(await scene.rate(baseline - 0.5)).toBe(1);
  });
});

test("a filter that is corrected before a claim cancels by it cancels nothing that is wanted now", async () => {
  await scene.take("r1", 5);
  // Committed without comparing what waits, as for the part of a backlog that an edit leaves to the claims.
  const { database } = scene.world;
  await database.updateChannel({ ...scene.channel, filter: "q=boat" });
  const queue = database.openDeliveryQueue();
  scene.world.onClose(() => queue.close());
  let isCorrected = false;
  const engine = scene.world.run({
    queue: {
      ...queue,
      async transaction(work) {
        if (!isCorrected) await database.updateChannel({ ...scene.channel, filter: "q=tide" });
        isCorrected = true;
        return queue.transaction(work);
      },
    },
  });
  await engine.outcomes.waitFor(1);
  expect([isCorrected, await statuses()]).toEqual([true, ["delivered"]]);
  expect(await scene.take("r1", 1)).toBe(1);
});

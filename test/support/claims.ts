// Takes and finishes deliveries of a world by hand, without an engine, each once.
import type { DeliveryQueue } from "../../src/database/database.ts";
import type { DeliveryOutcome, DueDelivery, FinishedAttempt } from "../../src/domain/delivery.ts";
import type { ChannelWorld } from "./channel-world.ts";

type ManualWorker = { workerId: number; held: Set<string>; taken: Set<string> };

const manualWorkers = new WeakMap<ChannelWorld, Promise<ManualWorker>>();

/** A worker of its own for each world; it ends with the world. */
function manualWorkerOf(world: ChannelWorld): Promise<ManualWorker> {
  const known = manualWorkers.get(world) ?? openManualWorker(world);
  manualWorkers.set(world, known);
  return known;
}

async function openManualWorker(world: ChannelWorld): Promise<ManualWorker> {
  const session = await world.database.openDeliveryQueue().openSession({ leaseMs: 3_600_000 });
  world.onClose(() => session.close());
  return { workerId: session.workerId, held: new Set(), taken: new Set() };
}

const head = { dueAt: new Date(0), id: "00000000-0000-0000-0000-000000000000" };

type Take = Partial<Parameters<DeliveryQueue["leaseChannels"]>[0]> & { countMax?: number };

/** Leases every due channel. Returns the due deliveries of all channels leased so far, each once. */
export async function claim(world: ChannelWorld, take: Take = {}): Promise<DueDelivery[]> {
  const manual = await manualWorkerOf(world);
  const { database, clock } = world;
  const { countMax = 64, ...limits } = take;
  const { workerId } = manual;
  const defaults = { answeringMax: 64, failingMax: 32, fullHosts: [], firstMax: 0 };
  const leases = await database.leaseChannels({
    workerId,
    now: clock.now(),
    ...defaults,
    ...limits,
  });
  for (const { channelId } of leases) manual.held.add(channelId);
  const looks = [...manual.held].map((channelId) => ({
    channelId,
    fresh: head,
    retries: head,
    countMax: countMax + manual.taken.size,
  }));
  const found = await database.readDueDeliveries({ looks, now: clock.now() });
  const due = found.flatMap(({ deliveries }) => deliveries);
  await database.closeDrafts(due.filter(({ isDraft }) => isDraft));
  const taken = due.filter(({ id, isWanted }) => isWanted && !manual.taken.has(id));
  for (const { id } of taken) manual.taken.add(id);
  return taken;
}

/** Returns the ids of those that were saved. */
export async function finish(
  world: ChannelWorld,
  claimed: readonly DueDelivery[],
  outcome: DeliveryOutcome,
  overrides: Partial<FinishedAttempt> & { workerId?: number } = {},
): Promise<string[]> {
  const manual = await manualWorkerOf(world);
  const { workerId = manual.workerId, ...facts } = overrides;
  const attempts = claimed.map((delivery) => ({
    deliveryId: delivery.id,
    channelId: delivery.channelId,
    number: delivery.attemptCount + 1,
    startedAt: world.clock.now(),
    durationMs: 12,
    status: outcome.kind === "delivered" ? 200 : 500,
    reason: outcome.kind === "delivered" ? null : "HTTP 500",
    answer: Buffer.from("said"),
    isTimeout: false,
    outcome,
    ...facts,
  }));
  const now = world.clock.now();
  const saved = await world.database.transaction((tx) =>
    tx.saveOutcomes({ workerId, attempts, now, awaitsDisk: true }),
  );
  if (outcome.kind !== "delivered") for (const { id } of claimed) manual.taken.delete(id);
  return claimed.filter(({ channelId }) => saved.savedIds.includes(channelId)).map(({ id }) => id);
}

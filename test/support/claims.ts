// Takes and finishes deliveries of a world by hand, without an engine, each once.
import type { Database } from "../../src/database/database.ts";
import type {
  ChannelHealth,
  ClaimRequest,
  DeliveryOutcome,
  DueDelivery,
  FinishedAttempt,
} from "../../src/domain/channel/delivery.ts";
import type { ChannelWorld } from "./channel-world.ts";

type ManualWorker = { workerId: number; held: Set<string>; taken: Set<string> };

const manualWorkers = new WeakMap<ChannelWorld, Promise<ManualWorker>>();

/** A worker of its own for each world; it ends with the world. */
export function manualWorkerOf(world: ChannelWorld): Promise<ManualWorker> {
  const known = manualWorkers.get(world) ?? openManualWorker(world);
  manualWorkers.set(world, known);
  return known;
}

async function openManualWorker(world: ChannelWorld): Promise<ManualWorker> {
  const workerId = await world.database.addWorker({ leaseMs: 3_600_000 });
  return { workerId, held: new Set(), taken: new Set() };
}

type Take = Partial<ClaimRequest> & { countMax?: number };

export const noLimits = {
  held: [],
  answeringMax: 64,
  failingMax: 32,
  fullHosts: [],
  perChannelMax: 64,
  countMax: 10_000,
  bytesMax: 100_000_000,
} satisfies Partial<ClaimRequest>;

/** Leases every due channel. Returns the due deliveries of all channels leased so far, each once. */
export async function claim(world: ChannelWorld, take: Take = {}): Promise<DueDelivery[]> {
  const manual = await manualWorkerOf(world);
  const { database, clock } = world;
  const { workerId } = manual;
  const { perChannelMax = 64 } = take;
  const held = [...manual.held].map((channelId) => ({
    channelId,
    countMax: perChannelMax,
    busyIds: [...manual.taken],
  }));
  const request = { ...noLimits, workerId, now: clock.now(), held, ...take };
  const found = await database.claimDeliveries(request);
  for (const { channelId } of found) manual.held.add(channelId);
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
    event: delivery.event,
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
    tx.saveOutcomes({ workerId, attempts, healths: [], now }),
  );
  if (outcome.kind !== "delivered") for (const { id } of claimed) manual.taken.delete(id);
  return claimed.filter(({ channelId }) => saved.savedIds.includes(channelId)).map(({ id }) => id);
}

/** Saves that a channel fails, as its holder does, and gives it back. */
export async function saveFailing(
  database: Pick<Database, "claimDeliveries" | "saveOutcomes" | "releaseChannels">,
  health: ChannelHealth & { failingSince: Date },
): Promise<void> {
  const workerId = 1_000_000;
  const now = health.failingSince;
  const claimed = await database.claimDeliveries({ ...noLimits, workerId, now, countMax: 0 });
  const healths = claimed.flatMap(({ channelId, version }) =>
    channelId === health.channelId ? [{ ...health, version }] : [],
  );
  await database.saveOutcomes({ workerId, attempts: [], healths, now });
  await database.releaseChannels({ workerId, channelIds: [health.channelId] });
}

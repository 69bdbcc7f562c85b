// (i): a channel with a very long backlog is deleted: the longest time in which no outcome of the other channels
// was saved, before it and from then on, while what waited for it is deleted, too.
import { setTimeout as delay } from "node:timers/promises";
import type { Channel } from "../../src/domain/channel/channel.ts";
import type { BenchWorld } from "./world.ts";

const otherCount = 4;
const everyMs = 10;
const settleMs = 3_000;

export type Deletion = {
  gapMsBefore: number;
  gapMsDuring: number;
  /** How long the deletion takes. */
  deleteMs: number;
  /** Deleted rows of the queue and of the log within the observed time. */
  goneCount: number;
};

export async function measureDeletion(
  world: BenchWorld,
  wish: { backlog: number; seconds: number },
): Promise<Deletion> {
  const others = await world.addChannels(world.receiver.url("/hook"), otherCount);
  const [doomed] = await world.addChannels(world.receiver.url("/hang"), 1);
  if (!doomed) throw new Error("there is no channel");
  await world.fill([doomed], wish.backlog);
  const savedAtMs: number[] = [];
  const otherIds = new Set(others.map(({ id }) => id));
  const engine = world.startEngine(
    (attempts) => {
      if (attempts.some(({ channelId }) => otherIds.has(channelId)))
        savedAtMs.push(performance.now());
    },
    // Leftovers of the deleted channel are deleted during the observation.
    { maintenanceMs: 1_000 },
  );
  const stopQueueing = queueSteadily(world, others);
  await delay(settleMs);
  const beforeMs = performance.now();
  await delay(wish.seconds * 1_000);
  const deletedMs = performance.now();
  await world.database.deleteChannel(doomed.id);
  const deleteMs = performance.now() - deletedMs;
  await delay(wish.seconds * 1_000);
  const endMs = performance.now();
  const { rows } = await world.admin.query<{ count: number }>(
    "select count(*)::int as count from deliveries where channel_id = $1",
    [doomed.id],
  );
  await stopQueueing();
  await engine.close();
  await world.clear();
  return {
    gapMsBefore: longestGap(savedAtMs, { fromMs: beforeMs, toMs: deletedMs }),
    gapMsDuring: longestGap(savedAtMs, { fromMs: deletedMs, toMs: endMs }),
    deleteMs,
    goneCount: wish.backlog - (rows[0]?.count ?? 0),
  };
}

/** One event for each of the channels, again and again. Returns how to stop. */
function queueSteadily(world: BenchWorld, channels: readonly Channel[]): () => Promise<void> {
  let isOver = false;
  const queueing = (async () => {
    while (!isOver) {
      await world.queue(channels, channels.length);
      await world.database.notify("deliveries");
      await delay(everyMs);
    }
  })();
  return () => {
    isOver = true;
    return queueing;
  };
}

function longestGap(
  momentsMs: readonly number[],
  { fromMs, toMs }: { fromMs: number; toMs: number },
): number {
  const inside = momentsMs.filter((atMs) => atMs > fromMs && atMs < toMs);
  const edges = [fromMs, ...inside, toMs];
  return Math.max(...edges.slice(1).map((atMs, index) => atMs - (edges[index] ?? fromMs)));
}

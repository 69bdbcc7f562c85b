// (g): what an hour's worth of deliveries, run through as fast as they go, leaves behind in the tables,
// and what retention does with it.
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../src/lib/clock.ts";
import type { BenchWorld } from "./world.ts";

export type TableState = {
  table: string;
  liveCount: number;
  deadCount: number;
  updateCount: number;
  /** Those that touched no index. */
  hotCount: number;
  sizeMb: number;
};

const channelCount = 20;
const batchSize = 100;
const aheadMax = 5_000;

export async function measureHour(
  world: BenchWorld,
  count: number,
): Promise<{ tables: TableState[]; seconds: number; deletedPerSecond: number }> {
  const channels = await world.addChannels(world.receiver.url("/hook"), channelCount);
  const before = new Map((await readTables(world)).map((state) => [state.table, state]));
  let savedCount = 0;
  const engine = world.startEngine((attempts) => {
    savedCount += attempts.length;
  });
  const startedMs = performance.now();
  for (let queuedCount = 0; queuedCount < count; queuedCount += batchSize) {
    await world.queue(channels, Math.min(batchSize, count - queuedCount));
    await world.database.notify("deliveries");
    while (queuedCount - savedCount > aheadMax) await delay(5);
  }
  while (savedCount < count) await delay(20);
  const seconds = (performance.now() - startedMs) / 1_000;
  await engine.close();
  const tables = (await readTables(world)).map((state) => ({
    ...state,
    updateCount: state.updateCount - (before.get(state.table)?.updateCount ?? 0),
    hotCount: state.hotCount - (before.get(state.table)?.hotCount ?? 0),
  }));
  const deletedPerSecond = await measureRetention(world, count);
  await world.clear();
  return { tables, seconds, deletedPerSecond };
}

async function readTables({ admin }: BenchWorld): Promise<TableState[]> {
  // Backends report their counts a moment later.
  await delay(1_500);
  const { rows } = await admin.query<TableState>(
    `select relname as table, n_live_tup::int as "liveCount", n_dead_tup::int as "deadCount",
       n_tup_upd::int as "updateCount", n_tup_hot_upd::int as "hotCount",
       round(pg_total_relation_size(relid) / 1048576.0)::int as "sizeMb"
     from pg_stat_user_tables
     where relname in ('deliveries_first', 'pending', 'attempts_first', 'channel_queue', 'channels') order by relname`,
  );
  return rows;
}

async function measureRetention({ database }: BenchWorld, count: number): Promise<number> {
  const before = new Date(systemClock.now().getTime() + 60_000);
  const startedMs = performance.now();
  let deletedCount = 0;
  while (deletedCount < count) {
    const batch = await database.deleteOldDeliveries({ before, limit: 1_000 });
    if (batch === 0) throw new Error(`${deletedCount} of ${count} were deleted`);
    deletedCount += batch;
  }
  return (deletedCount / (performance.now() - startedMs)) * 1_000;
}

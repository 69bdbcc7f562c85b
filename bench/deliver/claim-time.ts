// (e): how long a claim takes in a database with very many channels, few of which are due.
import { randomUUID } from "node:crypto";
import { deliveryDefaults } from "../../src/delivery/settings.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { percentileOf } from "../read-api/report.ts";
import type { BenchWorld } from "./world.ts";

const dueCount = 500;
const perDueChannel = 20;
const room = 64;
const claimCount = 100;

export async function measureClaims(
  world: BenchWorld,
  channelCount: number,
): Promise<{ p50Ms: number; p99Ms: number }> {
  await fillChannels(world, channelCount);
  const { perChannelMax, perHostMax, failingMax, probeAfter } = deliveryDefaults;
  const times: number[] = [];
  for (let number = 0; number < claimCount; number += 1) {
    const now = systemClock.now();
    const leasedUntil = new Date(now.getTime() + 60_000);
    const startedMs = performance.now();
    const claimed = await world.database.transaction((tx) =>
      tx.claimDeliveries({
        leaseToken: randomUUID(),
        now,
        leasedUntil,
        room,
        failingRoom: failingMax,
        perChannelMax,
        perFailingChannelMax: perChannelMax,
        perHostMax,
        probeAfter,
        taken: [],
        takenHosts: [],
        fullChannelIds: [],
        fullHosts: [],
      }),
    );
    times.push(performance.now() - startedMs);
    if (claimed.length !== room) throw new Error(`${claimed.length} of ${room} were claimed`);
  }
  await world.clear();
  return { p50Ms: percentileOf(times, 50), p99Ms: percentileOf(times, 99) };
}

/** Each with a host of its own; all have work, and all but a few of them later. */
async function fillChannels(world: BenchWorld, count: number): Promise<void> {
  const { admin, workspaceId } = world;
  await admin.query("insert into encryption_keys values ('bench', now()) on conflict do nothing");
  await admin.query(
    `insert into channels (id, workspace_id, name, url, host, events, translate, drop_threshold,
       period_days, min_sample_size, encrypted_secret, key_id, created_at)
     select uuidv7(), $1, 'Bench', 'https://h' || n || '.example.com/hook', 'h' || n || '.example.com',
       '{review.created}', false, 0.1, 7, 30, decode(repeat('00', 80), 'hex'),
       'bench', now()
     from generate_series(1, $2::int) n`,
    [workspaceId, count],
  );
  await admin.query(
    `with numbered as (select id, host, row_number() over (order by id) as n from channels),
     queued as (
       insert into channel_queue (channel_id, next_due_at, is_failing, host)
       select id, now() + case when n > $1 then interval '1 hour' else interval '0' end, false, host
       from numbered
     )
     insert into deliveries (id, channel_id, workspace_id, event, body, is_test, status, created_at,
       queued_at, due_at)
     select uuidv7(), id, $2, 'review.created', convert_to(repeat('x', 700), 'UTF8'), false,
       'pending', now(), now(), now() + case when n > $1 then interval '1 hour' else interval '0' end
     from numbered cross join generate_series(1, case when n > $1 then 1 else $3::int end)`,
    [dueCount, workspaceId, perDueChannel],
  );
  await admin.query("vacuum analyze");
}

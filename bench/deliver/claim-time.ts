// (e): how long a claim takes in a database with very many channels, few of which are due.
import { systemClock } from "../../src/lib/clock.ts";
import { percentileOf } from "../read-api/report.ts";
import { openCpuTime } from "./cpu-time.ts";
import type { BenchWorld } from "./world.ts";

const dueCount = 500;
const perDueChannel = 20;
const claimed = 64;
/** A few of each. */
const perChannel = 4;
const claimCount = 100;
const bytesMax = 33_554_432;

export async function measureClaims(
  world: BenchWorld,
  channelCount: number,
): Promise<{ p50Ms: number; p99Ms: number; databaseMs: number }> {
  await fillChannels(world, channelCount);
  const queue = world.database.openDeliveryQueue();
  const workerId = await queue.addWorker({ leaseMs: 3_600_000 });
  const times: number[] = [];
  const databaseUs: number[] = [];
  const readCpu = await openCpuTime(world);
  for (let number = 0; number < claimCount; number += 1) {
    const now = systemClock.now();
    const usBefore = readCpu?.().databaseUs ?? 0;
    const startedMs = performance.now();
    const leases = await queue.claimDeliveries({
      workerId,
      now,
      held: [],
      answeringMax: claimed / perChannel,
      failingMax: 0,
      fullHosts: [],
      perChannelMax: perChannel,
      countMax: claimed,
      bytesMax,
    });
    times.push(performance.now() - startedMs);
    databaseUs.push((readCpu?.().databaseUs ?? 0) - usBefore);
    const count = leases.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
    if (count !== claimed) throw new Error(`${count} of ${claimed} were read`);
    // As a worker does that has sent them: the channel has more, and is due again.
    const channelIds = leases.map(({ channelId }) => channelId);
    await queue.releaseChannels({ workerId, channelIds });
    await world.admin.query(
      "update channel_queue set next_due_at = now() where channel_id = any($1)",
      [channelIds],
    );
  }
  await queue.close();
  await world.clear();
  const databaseMs = percentileOf(databaseUs, 50) / 1_000;
  return { p50Ms: percentileOf(times, 50), p99Ms: percentileOf(times, 99), databaseMs };
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
     ),
     made as (
       insert into deliveries (id, channel_id, workspace_id, event, body, is_test, created_at)
       select uuidv7(), id, $2, 'review.created', convert_to(repeat('x', 700), 'UTF8'), false, now()
       from numbered cross join generate_series(1, case when n > $1 then 1 else $3::int end)
       returning id, channel_id
     )
     insert into pending (channel_id, id, due_at, queued_at)
     select m.channel_id, m.id, now() + case when n.n > $1 then interval '1 hour' else interval '0' end,
       now()
     from made m join numbered n on n.id = m.channel_id`,
    [dueCount, workspaceId, perDueChannel],
  );
  await admin.query("vacuum analyze");
}

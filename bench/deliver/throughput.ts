// (a) and (b): what bare undici does with these bodies, and what the engine does end to end, from
// queued rows to acknowledged rows, against the same receiver.
import { createHmac, randomBytes } from "node:crypto";
import { Agent, request } from "undici";
import { type CpuTime, openCpuTime } from "./cpu-time.ts";
import { aDelivery, type BenchWorld } from "./world.ts";

export type Throughput = {
  perSecond: number;
  /** For each delivery; null where the system does not report it. */
  cpu: CpuTime | null;
  /** Bytes of write-ahead log, for each delivery. */
  walBytes: number;
};

const connectionCount = 64;

/** HMAC and POST, without a database. */
export async function measureBare(world: BenchWorld, count: number): Promise<Throughput> {
  const [channel] = await world.addChannels(world.receiver.url("/hook"), 1);
  if (!channel) throw new Error("there is no channel");
  const bodies = Array.from({ length: 1_000 }, (_, number) => aDelivery(channel, number).body);
  const agent = new Agent({ connections: connectionCount, pipelining: 1 });
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  let left = count;
  const post = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const body = bodies[left % bodies.length] ?? Buffer.alloc(0);
      const signature = createHmac("sha256", secret).update(body).digest("hex");
      const { statusCode, body: answer } = await request(channel.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-service-event": "review.created",
          "x-service-signature": `sha256=${signature}`,
        },
        body,
        dispatcher: agent,
      });
      await answer.dump();
      if (statusCode !== 204) throw new Error(`the receiver answered ${statusCode}`);
    }
  };
  const measured = await measure(world, count, async () => {
    await Promise.all(Array.from({ length: connectionCount }, post));
  });
  await agent.close();
  await world.clear();
  return measured;
}

/** Claimed, signed, sent and saved. */
export async function measureEngine(
  world: BenchWorld,
  { count, channelCount }: { count: number; channelCount: number },
): Promise<Throughput> {
  const channels = await world.addChannels(world.receiver.url("/hook"), channelCount);
  await world.queue(channels, count);
  await world.admin.query("vacuum analyze");
  await world.receiver.report();
  let savedCount = 0;
  let close = async (): Promise<void> => {};
  const measured = await measure(world, count, async () => {
    await new Promise<void>((resolve) => {
      const engine = world.startEngine((attempts) => {
        savedCount += attempts.length;
        if (savedCount >= count) resolve();
      });
      close = () => engine.close();
    });
  });
  await close();
  const { count: receivedCount } = await world.receiver.report();
  if (receivedCount !== count) throw new Error(`${receivedCount} of ${count} arrived`);
  await world.clear();
  return measured;
}

async function measure(
  world: BenchWorld,
  count: number,
  work: () => Promise<void>,
): Promise<Throughput> {
  const readCpu = await openCpuTime(world);
  const before = readCpu?.();
  const walBefore = await readWal(world);
  const startedMs = performance.now();
  await work();
  const perSecond = (count / (performance.now() - startedMs)) * 1_000;
  const after = readCpu?.();
  const walBytes = (await readWal(world)) - walBefore;
  const cpu = before && after ? share(before, after, count) : null;
  return { perSecond, cpu, walBytes: walBytes / count };
}

async function readWal({ admin }: BenchWorld): Promise<number> {
  const { rows } = await admin.query<{ bytes: string }>(
    "select pg_current_wal_insert_lsn() - '0/0' as bytes",
  );
  return Number(rows[0]?.bytes);
}

function share(before: CpuTime, after: CpuTime, count: number): CpuTime {
  return {
    engineUs: (after.engineUs - before.engineUs) / count,
    receiverUs: (after.receiverUs - before.receiverUs) / count,
    databaseUs: (after.databaseUs - before.databaseUs) / count,
  };
}

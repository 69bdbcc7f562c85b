// (f): the memory of a service that delivers from a very long backlog.
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { startServiceProcess } from "./service-process.ts";
import type { BenchWorld } from "./world.ts";

const channelCount = 20;

/** In MiB, the most that was seen. */
export async function measureMemory(
  world: BenchWorld,
  wish: { backlog: number; seconds: number },
): Promise<{ rssMb: number; deliveredCount: number }> {
  const channels = await world.addChannels(world.receiver.url("/hook"), channelCount);
  await world.fill(channels, wish.backlog);
  await world.receiver.report();
  const service = await startServiceProcess(world);
  const ended = once(service, "exit");
  await delay(wish.seconds * 1_000);
  const answered = once(service, "message");
  service.send({ report: true });
  const [{ rssMax }] = (await answered) as [{ rssMax: number }];
  service.disconnect();
  await ended;
  const { count: deliveredCount } = await world.receiver.report();
  await world.clear();
  return { rssMb: rssMax / 1_048_576, deliveredCount };
}

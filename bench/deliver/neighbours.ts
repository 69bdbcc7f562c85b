// (l): how long after its commit an event of one customer arrives, and how much memory a whole service process needs,
// while the endpoints of others answer 200 slowly, or have long bodies as well.
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Channel } from "../../src/domain/channel/channel.ts";
import { type Latency, measureRound } from "./latency.ts";
import { startServiceProcess } from "./service-process.ts";
import type { BenchWorld } from "./world.ts";

export type Neighbours = Latency & {
  /** In MiB, the most that was seen. */
  rssMb: number;
};

type Wish = {
  seconds: number;
  perSecond: number;
  /** Channels of others: how many, on how many hosts, after how long they answer, what waits for each. */
  slow: { channels: number; hosts: number; answerMs: number; waiting: number; bodyBytes?: number };
};

const heapMb = 512;
// Until every place that they can take is taken.
const settleMs = 8_000;

export async function measureNeighbours(world: BenchWorld, wish: Wish): Promise<Neighbours> {
  const { slow, seconds, perSecond } = wish;
  const healthy = await world.addChannels(world.receiver.url("/hook"), 1);
  const others: Channel[] = [];
  for (let index = 0; index < slow.channels; index += 1) {
    const url = world.receiver.url(`/slow/${slow.answerMs}`, 2 + (index % slow.hosts));
    others.push(...(await world.addChannels(url, 1)));
  }
  if (others.length > 0) {
    const { bodyBytes } = slow;
    const filling = bodyBytes === undefined ? {} : { bodyBytes };
    await world.fill(others, slow.waiting * others.length, filling);
  }
  const service = await startServiceProcess(world, { heapMb });
  await delay(settleMs);
  const latency = await measureRound(world, healthy, { seconds, perSecond });
  const answered = once(service, "message");
  service.send({ report: true });
  const [{ rssMax }] = (await answered) as [{ rssMax: number }];
  const killed = once(service, "exit");
  // Its close would wait for slow answers.
  service.kill("SIGKILL");
  await killed;
  await world.clear();
  return { ...latency, rssMb: rssMax / 1_048_576 };
}

// Endpoints and stores that attack their clients, beside healthy ones: each attack ends in words and within the
// deadline, nothing of it is kept in memory, and the others get what is theirs meanwhile.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openHttpClient } from "../../../src/lib/http-client.ts";
import { type ChannelWorld, openChannelWorld } from "../../support/channel-world.ts";
import {
  type Attack,
  attacks,
  bombMb,
  type HostileEndpoint,
  openHostileEndpoint,
} from "../../support/hostile-endpoint.ts";
import { openReceiver, type Receiver } from "../../support/receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const scale = Number(process.env["CHAOS_SCALE"] ?? 1);
// Long enough for a busy machine: the attacks are made in this process.
const timeoutMs = 3_000;
const isSilent = /^no answer within/;
const names = Object.keys(attacks) as Attack[];
let world: ChannelWorld;
let hostile: HostileEndpoint;
let healthy: Receiver;

beforeAll(async () => {
  world = await openChannelWorld();
  hostile = await openHostileEndpoint();
  healthy = await openReceiver();
});
afterAll(async () => {
  await world.close();
  await Promise.all([hostile.close(), healthy.close()]);
});

test("hostile endpoints take nothing away from those that answer", async () => {
  const attackers = [];
  for (const name of names) {
    const { channel } = await world.addChannel({ url: hostile.urlOf(name) });
    attackers.push({ name, channel });
    await world.queue(channel, 4 * scale);
  }
  const healthyCount = 200 * scale;
  const { channel: good } = await world.addChannel({ url: healthy.url });
  await world.queue(good, healthyCount);
  const usedBefore = process.memoryUsage.rss();
  const engine = world.run({ timeoutMs });
  await healthy.waitFor(healthyCount, 60_000);
  // Each of the attackers has had its first try by now, or has it under way.
  const reasonOf = async (channelId: string): Promise<string> => {
    const isIts = (attempt: { channelId: string }): boolean => attempt.channelId === channelId;
    const found = await waitFor(() => engine.outcomes.items.find(isIts), {
      withinMs: 60_000,
      what: "the outcome of an attack",
    });
    return found.reason ?? "delivered";
  };
  const reasons: Partial<Record<Attack, string>> = {};
  for (const { name, channel } of attackers) reasons[name] = await reasonOf(channel.id);
  await engine.close();
  const grownMb = Math.round((process.memoryUsage.rss() - usedBefore) / 1_048_576);
  process.stdout.write(`chaos: hostile endpoints: ${JSON.stringify(reasons)}, ${grownMb} MB\n`);
  expect(Object.values(reasons)).not.toContain("delivered");
  for (const name of ["silence", "dripping head"] as const) expect(reasons[name]).toMatch(isSilent);
  // Nobody goes on reading what says nothing.
  expect(reasons["a flood of 1xx"]).toBe("the endpoint sent too many interim answers");
  expect(reasons["a bomb"]).toBe("HTTP 500");
  // One bomb unpacked would be more than this.
  expect(grownMb).toBeLessThan(bombMb);
});

test("a store that attacks is a failure within the deadline, whatever it does", async () => {
  const answers = await Promise.all(
    names.map(async (name) => {
      const client = openHttpClient({ userAgent: "test", totalTimeoutMs: 1_000 });
      const answer = await client.http({ method: "GET", url: hostile.urlOf(name) });
      await client.close();
      return [name, answer.kind];
    }),
  );
  expect(answers).toEqual(names.map((name) => [name, "failed"]));
});

// Each attempt of the log is one request, whatever the answer does: counted at the endpoint and in the log, for every fault
// of an answer × at once and slow × new and used connections × types of channels × one and many deliveries.
import { afterAll, beforeAll, expect, test } from "vitest";
import { aReviewEvent } from "../../../test/support/channel-events.ts";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import {
  type FaultyEndpoint,
  faultyAnswers,
  openFaultyEndpoint,
} from "../../../test/support/faulty-answers.ts";
import { patience } from "../../../test/support/patience.ts";
import { takeTurn } from "../../../test/support/volume.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { Channel } from "../../domain/channel/channel.ts";

const types = ["webhook", "slack", "http"] as const;
const delays = [0, 300];
const timeoutMs = patience(3_000);
/** A chat channel sends one a second, and each waits for the deadline where nothing comes. */
const countOf = (fault: string): number[] => (fault === "nothing" ? [1] : [1, 3]);

type Case = {
  name: string;
  fault: string;
  type: (typeof types)[number];
  delayMs: number;
  isUsed: boolean;
  count: number;
};

const cases: Case[] = Object.keys(faultyAnswers).flatMap((fault) =>
  types.flatMap((type) =>
    delays.flatMap((delayMs) =>
      [false, true].flatMap((isUsed) =>
        countOf(fault).map((count) => {
          const name = `${type}, ${fault}, after ${delayMs} ms, ${isUsed ? "used" : "new"}, ${count}`;
          return { name, fault, type, delayMs, isUsed, count };
        }),
      ),
    ),
  ),
);

type Tried = Case & { endpoint: FaultyEndpoint; channel: Channel };

let world: ChannelWorld;
const tried: Tried[] = [];
beforeAll(async () => {
  world = await openChannelWorld();
  for (const one of takeTurn(cases, new Date().getMinutes())) tried.push(await prepare(one));
});
afterAll(async () => {
  await Promise.all(tried.map(({ endpoint }) => endpoint.close()));
  await world.close();
});

async function prepare(one: Case): Promise<Tried> {
  const { answer } = faultyAnswers[one.fault] ?? { answer: () => {} };
  const goodCount = one.isUsed ? 1 : 0;
  const endpoint = await openFaultyEndpoint({ answer, delayMs: one.delayMs, goodCount });
  const { channel } = await world.addChannel(channelOf(one, endpoint.url));
  return { ...one, endpoint, channel };
}

function channelOf({ type }: Case, url: string) {
  if (type === "webhook") return { url };
  if (type === "slack") return { type, url: "http://127.0.0.1/…", secret: url };
  // The first of a review creates something over a new connection, the others update it.
  const [method, body] = ["POST" as const, '{"text":"{{message}}"}'];
  const request = { method, body, idAt: "/id", update: { method, path: "/{{id}}", body } };
  const secret = JSON.stringify({ url, headers: [], token: "invented" });
  return { type, url: "http://127.0.0.1/…", request, secret };
}

test(
  "the endpoint gets as many requests as the log has attempts, and none before its time",
  async () => {
    const body = Buffer.from(JSON.stringify(aReviewEvent()));
    const engine = world.run({ timeoutMs });
    const ended = new Map<string, number>();
    const isAtRest = (): boolean => {
      const now = world.clock.now();
      for (const { deliveryId, number, outcome } of engine.outcomes.items) {
        if (outcome.kind !== "retry" || outcome.dueAt > now) ended.set(deliveryId, number);
      }
      return ended.size === queuedCount;
    };
    let queuedCount = 0;
    async function send(list: readonly Tried[], countOf: (one: Tried) => number): Promise<void> {
      for (const one of list) {
        queuedCount += (await world.queue(one.channel, countOf(one), { body })).length;
      }
      engine.wake();
      const what = () => `${queuedCount - ended.size} of ${queuedCount} deliveries`;
      await waitFor(isAtRest, { withinMs: 60_000, what });
    }
    const used = tried.filter(({ isUsed }) => isUsed);
    await send(used, () => 1);
    await send(tried, ({ count }) => count);
    await engine.close();

    const logged = (await world.admin(
      `select p.channel_id as id, count(*)::int as count from attempts a
     join deliveries p on p.id = a.delivery_id group by 1`,
    )) as { id: string; count: number }[];
    const attemptsOf = new Map(logged.map(({ id, count }) => [id, count]));
    const wrong = tried.flatMap(({ name, endpoint, channel, count, isUsed }) => {
      const attempts = attemptsOf.get(channel.id) ?? 0;
      const requests = endpoint.requestCount();
      // A used connection that ends at once is tried again, over a new one.
      const requestsMax = isUsed ? 1 + 2 * count : count;
      const isRight = requests === attempts && requests <= requestsMax;
      return isRight ? [] : [`${name}: ${requests} requests, ${attempts} attempts`];
    });
    expect(wrong).toEqual([]);
    const undelivered = tried.filter(
      ({ fault, channel }) =>
        faultyAnswers[fault]?.isRead === true &&
        engine.outcomes.items.some(
          ({ channelId, outcome }) => channelId === channel.id && outcome.kind !== "delivered",
        ),
    );
    expect(undelivered.map(({ name }) => name)).toEqual([]);
  },
  patience(180_000),
);

// A channel that another process takes over while a delivery is on its way: both requests are attempts in the log, whichever
// is answered first, for every answer × type of channel.
import { afterEach, beforeEach, expect, test } from "vitest";
import { aReviewEvent } from "../../../test/support/channel-events.ts";
import { type ChannelWorld, openChannelWorld } from "../../../test/support/channel-world.ts";
import { openReceiver, type Receiver } from "../../../test/support/receiver.ts";
import { waitFor } from "../../../test/support/wait-for.ts";

const types = ["webhook", "slack", "http"] as const;
const statuses = [204, 503];
const cases = types.flatMap((type) => statuses.map((status) => ({ type, status })));

let world: ChannelWorld;
beforeEach(async () => {
  world = await openChannelWorld();
});
afterEach(() => world.close());

/** Answers each request when its turn is released: the first of a channel is the one whose channel is taken over. */
async function openEndpoint(status: number) {
  const releases: (() => void)[] = [];
  const gates = [0, 1].map(
    (at) =>
      new Promise<void>((resolve) => {
        releases[at] = resolve;
      }),
  );
  const receiver = await openReceiver();
  world.onClose(() => receiver.close());
  let count = 0;
  receiver.reply(async () => {
    const gate = gates[count];
    count += 1;
    await gate;
    return { kind: "status", status, body: '{"id":"1"}' };
  });
  return { receiver, release: (at: number) => releases[at]?.() };
}

function describeChannel(type: (typeof types)[number], { url }: Receiver) {
  if (type === "webhook") return { url };
  if (type === "slack") return { type, url: "http://127.0.0.1/…", secret: url };
  const request = { method: "POST" as const, body: '{"text":"{{message}}"}' };
  const secret = JSON.stringify({ url, headers: [], token: "invented" });
  return { type, url: "http://127.0.0.1/…", request, secret };
}

test.each([
  { name: "the process that lost the channel first", order: [0, 1] },
  { name: "the process that took it over first", order: [1, 0] },
])("$name: as many attempts as requests", async ({ order }) => {
  const body = Buffer.from(JSON.stringify(aReviewEvent()));
  const tried = await Promise.all(
    cases.map(async ({ type, status }) => {
      const endpoint = await openEndpoint(status);
      const { channel } = await world.addChannel(describeChannel(type, endpoint.receiver));
      await world.queue(channel, 1, { body });
      return { ...endpoint, name: `${type}, ${status}`, channel };
    }),
  );
  const settings = { version: "9.9.9", leaseMs: 1_500 };
  world.run({ settings });
  await Promise.all(tried.map(({ receiver }) => receiver.waitFor(1)));
  // As if its lease had ended.
  await world.admin("delete from delivery_workers");
  world.run({ settings });
  await Promise.all(tried.map(({ receiver }) => receiver.waitFor(2)));

  const listAttempts = () =>
    world.admin(
      `select p.channel_id as id, array_agg(a.number order by a.number) as numbers
       from attempts a join deliveries p on p.id = a.delivery_id group by 1`,
    ) as Promise<{ id: string; numbers: number[] }[]>;
  for (const [index, at] of order.entries()) {
    for (const { release } of tried) release(at);
    const count = async () => (await listAttempts()).flatMap(({ numbers }) => numbers).length;
    const expected = (index + 1) * tried.length;
    const isLogged = async () => (await count()) >= expected;
    await waitFor(isLogged, { withinMs: 10_000, what: `${expected} attempts` });
  }
  // On a busy machine the other lease can end as well: then the channel goes back, and is sent a third time.
  const listWrong = async () => {
    const sent = new Map(
      tried.map(({ receiver, channel }) => [channel.id, receiver.requests.length]),
    );
    const logged = new Map((await listAttempts()).map(({ id, numbers }) => [id, numbers]));
    const states = (await world.admin(
      `select channel_id as id, attempt_count as count from pending
       union all select channel_id, attempt_count from ended_deliveries`,
    )) as { id: string; count: number }[];
    // Without those that were delivered, whose count is their last attempt.
    const counted = new Map(states.map(({ id, count }) => [id, count]));
    return tried.flatMap(({ name, channel: { id } }) => {
      const numbers = logged.get(id) ?? [];
      const count = counted.get(id) ?? numbers.at(-1);
      const counts = [numbers.length, numbers.at(-1), count];
      if (counts.every((one) => one === sent.get(id))) return [];
      return [`${name}: ${sent.get(id)} requests, attempts ${numbers}, counted ${count}`];
    });
  };
  await expect.poll(listWrong).toEqual([]);
});

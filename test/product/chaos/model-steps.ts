// The steps of the model check: each changes the world and the model alike. Everything random comes from a seed.
import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../../../src/database/database.ts";
import { monotonicMs, systemClock } from "../../../src/lib/clock.ts";
import type { SecretBox } from "../../../src/lib/secret-box.ts";
import { aChannel, aDelivery } from "../../support/factories.ts";
import type { Received, Reply } from "../../support/receiver.ts";
import type { Model, ModelChannel } from "./model.ts";

export type Random = { below(limit: number): number; pick<T>(items: readonly T[]): T | undefined };

/** A small generator (mulberry32): the same seed takes the same steps. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (items) => items[below(items.length)] };
}

type World = {
  database: Database;
  box: Pick<SecretBox, "seal">;
  model: Model;
  random: Random;
  workspaceId: string;
  urls: readonly string[];
};

export async function addChannel(world: World): Promise<void> {
  const { database, box, model, random, workspaceId } = world;
  const url = `${random.pick(world.urls)}/${model.channels.size}`;
  const channel = aChannel({ workspaceId, createdAt: systemClock.now(), url });
  const secret = newSecret();
  model.channels.set(channel.id, {
    channel,
    secrets: [{ secret, endedAtMs: null }],
    starsSoFar: [null],
    goneAtMs: null,
    isRetiring: false,
  });
  const encryptedSecret = box.seal(secret, channel.id);
  await database.insertChannel({ ...channel, encryptedSecret });
}

/** One transaction for several channels, as an ingest is. */
export async function enqueue({ database, model, random }: World): Promise<void> {
  const channels = model.living.filter(() => random.below(3) > 0);
  const reviewId = randomUUID();
  const deliveries = channels.flatMap(({ channel }) =>
    Array.from({ length: 1 + random.below(12) }, () =>
      aDelivery(channel, {
        now: systemClock.now(),
        filterable: {
          rating: 1 + random.below(5),
          topics: [],
          facts: { sentiment: null, language: null, hasReply: false },
        },
        ...(random.below(8) === 0 ? { reviewId } : {}),
        ...(random.below(30) === 0 ? { body: Buffer.alloc(200_000, "x") } : {}),
      }),
    ),
  );
  // Known before they can arrive; a transaction that broke off did not queue them.
  for (const delivery of deliveries) model.deliveries.set(delivery.id, delivery);
  try {
    await database.enqueueDeliveries({ deliveries, now: systemClock.now() });
  } catch {
    // Whether it was committed before the connection was cut says the database.
    for (const { id } of deliveries) {
      const found = await database.findDelivery({ id, workspaceId: null });
      if (found === null) model.deliveries.delete(id);
    }
  }
  await database.notify("deliveries").catch(() => {});
}

export async function rotate(world: World, known: ModelChannel): Promise<void> {
  const secret = newSecret();
  const { id } = known.channel;
  const before = known.secrets.at(-1);
  known.secrets.push({ secret, endedAtMs: null });
  await world.database.setChannelSecret({ id, encryptedSecret: world.box.seal(secret, id) });
  if (before) before.endedAtMs = monotonicMs();
}

export async function edit({ database, random, urls }: World, known: ModelChannel): Promise<void> {
  const stars = random.below(3) === 0 ? null : [1, 2, 3, 4, 5].filter(() => random.below(4) > 0);
  const url = new URL(known.channel.url);
  known.starsSoFar.push(stars);
  known.channel = { ...known.channel, stars, url: `${random.pick(urls)}${url.pathname}` };
  await database.transaction(async (tx) => {
    await tx.updateChannel(known.channel);
    await tx.cancelDeliveries({ channelId: known.channel.id, now: systemClock.now() });
  });
}

export async function remove({ database }: World, known: ModelChannel): Promise<void> {
  await database.deleteChannel(known.channel.id);
  known.goneAtMs = monotonicMs();
}

/** Everything that was, or is to be, delivered about one review. */
export async function erase({ database, model, random }: World): Promise<void> {
  const stored = [...model.deliveries.values()].filter(
    ({ id, reviewId }) => reviewId !== null && !model.erasedAtMs.has(id),
  );
  const reviewId = random.pick(stored)?.reviewId;
  if (!reviewId) return;
  const erased = stored.filter((delivery) => delivery.reviewId === reviewId);
  // Not owed from here on, and not to arrive from the end of the erasure on.
  for (const { id } of erased) model.erasedAtMs.set(id, Number.POSITIVE_INFINITY);
  await database.transaction((tx) => tx.deleteDeliveriesOfReview(reviewId));
  for (const { id } of erased) model.erasedAtMs.set(id, monotonicMs());
}

/** Those of a channel that failed and wait for their next attempt. */
export async function retryNow({ database }: World, known: ModelChannel): Promise<void> {
  const retryingOfChannelId = known.channel.id;
  await database.redeliver({ retryingOfChannelId, workspaceId: null, now: systemClock.now() });
}

export async function redeliver({ database, model, random }: World): Promise<void> {
  const delivery = random.pick([...model.deliveries.values()]);
  if (!delivery) return;
  const { redeliveryCounts } = model;
  redeliveryCounts.set(delivery.id, (redeliveryCounts.get(delivery.id) ?? 0) + 1);
  await database.redeliver({ id: delivery.id, workspaceId: null, now: systemClock.now() });
}

const failures: readonly Reply[] = [
  { kind: "status", status: 500 },
  { kind: "status", status: 404 },
  { kind: "reset" },
  { kind: "garbage" },
  { kind: "drip", status: 200 },
  { kind: "hang" },
];

/** How an endpoint answers while the world is upside down; later it takes everything. */
export function decideReply(
  { model, random }: Pick<World, "model" | "random">,
  request: Received,
  isCalm: boolean,
): Reply {
  const known = model.noteArrival(request);
  if (known?.isRetiring) return { kind: "status", status: 410 };
  if (!isCalm && random.below(10) === 0) {
    const failure = random.pick(failures);
    // A 2xx that drips is delivered.
    if (failure?.kind === "drip") model.noteAccepted(request);
    if (failure) return failure;
  }
  model.noteAccepted(request);
  return { kind: "status", status: 200 };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

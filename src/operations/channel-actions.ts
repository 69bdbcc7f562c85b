// Actions on a channel beside its settings: its secrets, tests, and sending again.
import { z } from "zod";
import type { ListedChannel } from "../domain/channel/channel.ts";
import type { LoggedDelivery } from "../domain/channel/delivery.ts";
import { AppError } from "../domain/error.ts";
import { failField, notFound } from "../domain/validation-errors.ts";
import { hourMs } from "../lib/timestamp.ts";
import { channelNoun } from "./channel.ts";
import {
  action,
  type Done,
  defineNoun,
  type OperationContext,
  type Resource,
} from "./operation.ts";
import { generateSigningSecret, openSecret } from "./signing-secret.ts";

const owned = { role: "owner", isSensitive: true } as const;

type ShownSecrets = {
  secret: string | null;
  /** Signs nothing until the next rotation switches to it; null when none was created. */
  nextSecret: string | null;
  /** Until when the secret before the last rotation signs as well; null when it does not. */
  oldSecretEndsAt: Date | null;
};

/** Null for a type without a signing secret. */
export const showSecret = action(channelNoun, {
  ...owned,
  verb: "show-secret",
  summary: "Show the signing secret of a webhook",
  keepsVersion: true,
  audit: "channel.secret_viewed",
  async run({ deps, tx, now }, { before: { id, type } }): Promise<Done<ShownSecrets>> {
    // A token or URL of another service was entered once and is never returned.
    if (type !== "webhook")
      return { result: { secret: null, nextSecret: null, oldSecretEndsAt: null }, detail: null };
    const found = await tx.findChannelSecret(id);
    if (!found) throw notFound("channel", id);
    const next = await tx.findNextSecret(id);
    const result = {
      secret: openSecret(deps.secretBox, { ...found, id }),
      nextSecret: next && openSecret(deps.secretBox, { ...next, id }),
      oldSecretEndsAt: await tx.findOldSecretEnd({ id, now }),
    };
    return { result, detail: {} };
  },
});

/**
 * Creates the secret that the next rotation switches to, in place of one that was created before. It signs nothing until
 * then, so a receiver can accept both before the switch and refuses nothing.
 */
export const createNextSecret = action(channelNoun, {
  ...owned,
  verb: "next-secret",
  summary: "Create the secret that the next rotation switches to",
  audit: "channel.next_secret_created",
  async run({ deps, tx, now }, { before }) {
    assertWebhook(before);
    const { id } = before;
    const nextSecret = generateSigningSecret();
    const encryptedSecret = deps.secretBox.seal(nextSecret, id);
    await tx.setNextSecret({ id, encryptedSecret, now });
    return { result: { id, nextSecret }, detail: {} };
  },
});

const secretOverlapMsDefault = 24 * hourMs;

/**
 * Switches to the secret that was created for this rotation, else to a new one. `webhook-signature` also carries the
 * signature by the old one until `oldSecretEndsAt`, so that an endpoint can change over.
 */
export const rotateSecret = action(channelNoun, {
  ...owned,
  verb: "rotate-secret",
  summary: "Give a webhook a new signing secret",
  description:
    "Deliveries are signed with it at once; until `oldSecretEndsAt`, `webhook-signature` carries the old one as well.",
  scope: "manage",
  output: {
    operationId: "rotateChannelSecret",
    schema: z
      .object({
        secret: z.string().describe("Webhooks: what their deliveries are signed with."),
        oldSecretEndsAt: z.iso.datetime().nullable(),
      })
      .meta({ id: "RotatedSecret" }),
  },
  audit: "channel.secret_rotated",
  async run({ deps, tx, now }, { before }) {
    assertWebhook(before);
    const { id } = before;
    const overlapMs = deps.secretOverlapMs ?? secretOverlapMsDefault;
    const oldSecretEndsAt = overlapMs > 0 ? new Date(now.getTime() + overlapMs) : null;
    const next = await tx.takeNextSecret(id);
    const encryptedSecret =
      next?.encryptedSecret ?? deps.secretBox.seal(generateSigningSecret(), id);
    await tx.setChannelSecret({ id, encryptedSecret, oldEndsAt: oldSecretEndsAt, now });
    const secret = openSecret(deps.secretBox, { id, encryptedSecret });
    return { result: { id, secret, nextSecret: null, oldSecretEndsAt }, detail: {} };
  },
});

/** Ends the time in which the secret before the last rotation signs as well. Whether there was one. */
export const endOldSecret = action(channelNoun, {
  verb: "end-old-secret",
  summary: "Sign with the new secret alone",
  role: "owner",
  audit: "channel.old_secret_ended",
  async run({ tx, now }, { before: { id } }) {
    const isEnded = await tx.endOldSecret({ id, now });
    return { result: { id, isEnded }, detail: isEnded ? {} : null };
  },
});

function assertWebhook({ type }: ListedChannel): void {
  if (type !== "webhook") failField("id", `a channel of the type ${type} has no signing secret`);
}

const sending = {
  role: "member",
  isSending: true,
  keepsVersion: true,
  notifies: "deliveries",
} as const;
// Each is a request to a third-party server.
const limits = [{ perMinute: 10, by: "resource" }] as const;
const queued = z.object({ queued: z.int() }).meta({ id: "Queued" });

/** Queues a sample event, whatever the filters are; the service delivers it like any other. */
export const testChannel = action(channelNoun, {
  ...sending,
  verb: "test",
  scope: "manage",
  summary: "Send a test event to a channel",
  description: "The filters of the channel don't count.",
  limits,
  output: {
    operationId: "testChannel",
    schema: z.object({ deliveryId: z.string() }).meta({ id: "TestedChannel" }),
  },
  audit: "channel.tested",
  async run({ deps, tx, now }, { before }) {
    const delivery = deps.composeTest(before);
    await tx.enqueueDeliveries({ deliveries: [delivery], now });
    const { id: deliveryId, event } = delivery;
    return { result: { channelId: before.id, deliveryId, event }, detail: { event } };
  },
});

export const redeliverExpired = action(channelNoun, {
  ...sending,
  verb: "redeliver-expired",
  scope: "manage",
  summary: "Send all expired deliveries of a channel again",
  description: "Those that its filters of now don't want stay expired.",
  limits,
  output: { operationId: "redeliverExpired", schema: queued },
  audit: "channel.expired_redelivered",
  run: (context, { before }) => redeliver(context, before, { expiredOfChannelId: before.id }),
});

/** Tries at once what failed and waits for its next attempt. */
export const retryChannel = action(channelNoun, {
  ...sending,
  verb: "retry",
  summary: "Try failed deliveries of a channel again at once",
  limits,
  audit: "channel.retried",
  run: (context, { before }) => redeliver(context, before, { retryingOfChannelId: before.id }),
});

const deliveryNoun = defineNoun<LoggedDelivery & Resource & { channel: ListedChannel }>({
  noun: "delivery",
  plural: "deliveries",
  path: "deliveries",
  async find(database, ref) {
    const delivery = await database.findDelivery(ref);
    if (!delivery) return null;
    const { channelId: id } = delivery;
    const channel = await database.findChannel({ ...ref, id });
    return channel && { ...delivery, channel, workspaceId: channel.workspaceId, version: 0 };
  },
  list: async () => [],
  toView: ({ id, channel }) => ({ id, name: channel.name }),
  viewSchema: null,
});

/** Sends one delivery again, whatever its status, with the same body and id. */
export const redeliverOne = action(deliveryNoun, {
  ...sending,
  verb: "redeliver",
  scope: "manage",
  summary: "Send a delivery again",
  description: "It keeps its id and its body.",
  output: { operationId: "redeliver", schema: queued },
  audit: "delivery.redelivered",
  async run(context, { before }) {
    const { id, channel, status, isTest } = before;
    const isPaused = channel.isPaused && !isTest;
    const done = await redeliver(context, { isPaused }, { id });
    if (done.result.queued > 0) return done;
    throw new AppError("conflict", `delivery ${id} is ${status} and being sent right now`);
  },
});

/** @throws AppError `conflict` for a paused channel, whose worker would cancel the deliveries */
async function redeliver(
  { tx, workspaceId, now }: OperationContext,
  { isPaused }: Pick<ListedChannel, "isPaused">,
  choice: { id: string } | { expiredOfChannelId: string } | { retryingOfChannelId: string },
) {
  if (isPaused) throw new AppError("conflict", "the channel is paused: resume it first");
  const count = await tx.redeliver({ ...choice, workspaceId, now });
  return { result: { queued: count }, detail: { queued: count } };
}

/** An owner answers for the channel of a former member. */
export const keepChannel = action(channelNoun, {
  ...owned,
  verb: "keep",
  summary: "Keep a channel",
  keepsVersion: true,
  audit: "channel.kept",
  run: async () => ({ result: {}, detail: {} }),
});

/** The actions by the last part of their paths in the dashboard's API, which answers with their results. */
export const channelActions = {
  secret: showSecret,
  "secret/next": createNextSecret,
  "secret/rotate": rotateSecret,
  "secret/end-old": endOldSecret,
  test: testChannel,
  "redeliver-expired": redeliverExpired,
  retry: retryChannel,
} as const;
export const deliveryActions = { redeliver: redeliverOne } as const;

// The signing secret of a channel: generated here, stored encrypted for that channel alone, shown on
// request.
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";
import type { ListedChannel } from "../../domain/channel.ts";
import { AppError } from "../../domain/error.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { type SecretBox, SecretBoxError } from "../../lib/secret-box.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { recordAudit } from "../audit.ts";
import { requireChannel } from "./channels.ts";

type ShownSecrets = {
  secret: string | null;
  /** Signs nothing until the next rotation switches to it; null when none was created. */
  nextSecret: string | null;
  /** Until when the secret before the last rotation signs as well; null when it does not. */
  oldSecretEndsAt: Date | null;
};
type ChannelQuery = { id: string; workspaceId: string | null };

/** `whsec_` and 32 random bytes in base64: the form that Standard Webhooks libraries take. */
/** @param bytes 32 bytes, random unless given */
export function generateSigningSecret(bytes: Buffer = randomBytes(32)): string {
  return `whsec_${bytes.toString("base64")}`;
}

/**
 * The channel with its signing secret; null for a type without one. The audit log says who saw it, before it is shown.
 *
 * @throws AppError `invalid_input`, `not_found`, or `invalid_setting` without the encryption key
 */
export async function revealChannel(
  deps: {
    clock: Clock;
    database: Pick<
      Database,
      | "findChannel"
      | "findChannelSecret"
      | "findNextSecret"
      | "findOldSecretEnd"
      | "insertAuditEntry"
    >;
    secretBox: Pick<SecretBox, "open">;
    actor: string;
  },
  query: ChannelQuery,
): Promise<ListedChannel & ShownSecrets> {
  const channel = await requireChannel(deps.database, query);
  // A token or URL of another service was entered once and is never returned.
  if (channel.type !== "webhook") {
    return { ...channel, secret: null, nextSecret: null, oldSecretEndsAt: null };
  }
  const found = await deps.database.findChannelSecret(channel.id);
  if (!found) throw notFound("channel", channel.id);
  const secret = openSecret(deps.secretBox, { ...found, id: channel.id });
  const { id: subject, workspaceId } = channel;
  await recordAudit(deps, deps.database, { action: "channel.secret_viewed", subject, workspaceId });
  const now = deps.clock.now();
  const next = await deps.database.findNextSecret(subject);
  const nextSecret = next && openSecret(deps.secretBox, { ...next, id: subject });
  const oldSecretEndsAt = await deps.database.findOldSecretEnd({ id: subject, now });
  return { ...channel, secret, nextSecret, oldSecretEndsAt };
}

function openSecret(
  secretBox: Pick<SecretBox, "open">,
  sealed: { id: string; encryptedSecret: Buffer },
): string {
  try {
    return secretBox.open(sealed.encryptedSecret, sealed.id);
  } catch (cause) {
    if (!(cause instanceof SecretBoxError)) throw cause;
    const message = `the secret of channel ${sealed.id} can't be opened: ${cause.message}`;
    throw new AppError("invalid_setting", message, { cause });
  }
}

const secretOverlapMsDefault = 24 * hourMs;

/**
 * Creates the secret that the next rotation switches to, in place of one that was created before. It signs nothing until
 * then, so a receiver can accept both before the switch and refuses nothing.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function createNextSecret(
  deps: {
    clock: Clock;
    database: Pick<Database, "findChannel" | "transaction">;
    secretBox: Pick<SecretBox, "seal">;
    actor: string;
  },
  query: ChannelQuery,
): Promise<{ id: string; nextSecret: string }> {
  const { id, workspaceId } = await requireWebhook(deps.database, query);
  const nextSecret = generateSigningSecret();
  const encryptedSecret = deps.secretBox.seal(nextSecret, id);
  await deps.database.transaction(async (tx) => {
    if (!(await tx.lockChannel(id))) throw notFound("channel", id);
    await tx.setNextSecret({ id, encryptedSecret });
    await recordAudit(deps, tx, {
      action: "channel.next_secret_created",
      subject: id,
      workspaceId,
    });
  });
  return { id, nextSecret };
}

/**
 * Switches to the secret that was created for this rotation, else to a new one, and signs the next attempt with it. `webhook-signature` also carries the signature by the old
 * one until `oldSecretEndsAt`, so that an endpoint can change over; null when it carries the new one alone.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function rotateSecret(
  deps: {
    clock: Clock;
    database: Pick<Database, "findChannel" | "transaction">;
    secretBox: Pick<SecretBox, "open" | "seal">;
    /** How long the old secret signs as well. */
    secretOverlapMs?: number;
    actor: string;
  },
  query: ChannelQuery & { isOldEnded?: boolean },
): Promise<{ id: string; secret: string; oldSecretEndsAt: Date | null }> {
  const { id, workspaceId } = await requireWebhook(deps.database, query);
  const overlapMs = query.isOldEnded ? 0 : (deps.secretOverlapMs ?? secretOverlapMsDefault);
  const oldEndsAt = overlapMs > 0 ? new Date(deps.clock.now().getTime() + overlapMs) : null;
  const secret = await deps.database.transaction(async (tx) => {
    const next = await tx.takeNextSecret(id);
    const encryptedSecret =
      next?.encryptedSecret ?? deps.secretBox.seal(generateSigningSecret(), id);
    const isSet = await tx.setChannelSecret({ id, encryptedSecret, oldEndsAt });
    if (!isSet) throw notFound("channel", id);
    await recordAudit(deps, tx, { action: "channel.secret_rotated", subject: id, workspaceId });
    return openSecret(deps.secretBox, { id, encryptedSecret });
  });
  return { id, secret, oldSecretEndsAt: oldEndsAt };
}

async function requireWebhook(
  database: Pick<Database, "findChannel">,
  query: ChannelQuery,
): Promise<ListedChannel> {
  const channel = await requireChannel(database, query);
  const { type } = channel;
  if (type !== "webhook") failField("id", `a channel of the type ${type} has no signing secret`);
  return channel;
}

/**
 * Ends the time in which the secret before the last rotation signs as well. Whether there was one.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function endOldSecret(
  deps: { clock: Clock; database: Pick<Database, "findChannel" | "transaction">; actor: string },
  query: ChannelQuery,
): Promise<{ id: string; isEnded: boolean }> {
  const { id, workspaceId } = await requireChannel(deps.database, query);
  const isEnded = await deps.database.transaction(async (tx) => {
    const wasUsed = await tx.endOldSecret({ id, now: deps.clock.now() });
    const act = { action: "channel.old_secret_ended", subject: id, workspaceId };
    if (wasUsed) await recordAudit(deps, tx, act);
    return wasUsed;
  });
  return { id, isEnded };
}

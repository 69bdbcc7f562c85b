// The signing secret of a channel: generated here, stored encrypted for that channel alone, shown on
// request.
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";
import type { ListedChannel } from "../../domain/channel.ts";
import { AppError } from "../../domain/error.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { type SecretBox, SecretBoxError } from "../../lib/secret-box.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { type ActDeps, type Actor, recordAudit } from "../audit.ts";
import { requireChannel } from "./channels.ts";

export type ShownSecrets = {
  secret: string | null;
  /** Signs nothing until the next rotation switches to it; null when none was created. */
  nextSecret: string | null;
  /** Until when the secret before the last rotation signs as well; null when it does not. */
  oldSecretEndsAt: Date | null;
};
type ChannelQuery = { id: string; workspaceId: string | null };

/**
 * `whsec_` and 32 random bytes in base64: the form that Standard Webhooks libraries take.
 *
 * @param bytes 32 bytes, random unless given
 */
export function generateSigningSecret(bytes: Buffer = randomBytes(32)): string {
  return `whsec_${bytes.toString("base64")}`;
}

/**
 * The channel with its signing secret; null for a type without one. The audit log says who saw it, before it is shown.
 *
 * @throws AppError `invalid_input`, `not_found`, or `invalid_setting` without the encryption key
 */
export async function revealChannel(
  deps: Actor & { database: Database; secretBox: Pick<SecretBox, "open"> },
  query: ChannelQuery,
): Promise<ListedChannel & ShownSecrets> {
  const { clock, database, secretBox } = deps;
  const channel = await requireChannel(database, query);
  // A token or URL of another service was entered once and is never returned.
  if (channel.type !== "webhook") {
    return { ...channel, secret: null, nextSecret: null, oldSecretEndsAt: null };
  }
  const { id } = channel;
  const found = await database.findChannelSecret(id);
  if (!found) throw notFound("channel", id);
  const secret = openSecret(secretBox, { ...found, id });
  await recordAudit(deps, database, "channel.secret_viewed", channel);
  const next = await database.findNextSecret(id);
  const nextSecret = next && openSecret(secretBox, { ...next, id });
  const oldSecretEndsAt = await database.findOldSecretEnd({ id, now: clock.now() });
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
  deps: ActDeps<"findChannel"> & { secretBox: Pick<SecretBox, "seal"> },
  query: ChannelQuery,
): Promise<{ id: string; nextSecret: string }> {
  const channel = await requireWebhook(deps.database, query);
  const { id } = channel;
  const nextSecret = generateSigningSecret();
  const encryptedSecret = deps.secretBox.seal(nextSecret, id);
  await deps.database.transaction(async (tx) => {
    if (!(await tx.lockChannel(id))) throw notFound("channel", id);
    await tx.setNextSecret({ id, encryptedSecret });
    await recordAudit(deps, tx, "channel.next_secret_created", channel);
  });
  return { id, nextSecret };
}

/**
 * Switches to the secret that was created for this rotation, else to a new one, and signs the next attempt with it.
 * `webhook-signature` also carries the signature by the old one until `oldSecretEndsAt`, so that an endpoint can change
 * over; null when it carries the new one alone.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function rotateSecret(
  deps: ActDeps<"findChannel"> & {
    secretBox: Pick<SecretBox, "open" | "seal">;
    /** How long the old secret signs as well. */
    secretOverlapMs?: number;
  },
  query: ChannelQuery & { isOldEnded?: boolean },
): Promise<{ id: string; secret: string; oldSecretEndsAt: Date | null }> {
  const channel = await requireWebhook(deps.database, query);
  const { id } = channel;
  const overlapMs = query.isOldEnded ? 0 : (deps.secretOverlapMs ?? secretOverlapMsDefault);
  const oldEndsAt = overlapMs > 0 ? new Date(deps.clock.now().getTime() + overlapMs) : null;
  const secret = await deps.database.transaction(async (tx) => {
    const next = await tx.takeNextSecret(id);
    const encryptedSecret =
      next?.encryptedSecret ?? deps.secretBox.seal(generateSigningSecret(), id);
    const isSet = await tx.setChannelSecret({ id, encryptedSecret, oldEndsAt });
    if (!isSet) throw notFound("channel", id);
    await recordAudit(deps, tx, "channel.secret_rotated", channel);
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
  deps: ActDeps<"findChannel">,
  query: ChannelQuery,
): Promise<{ id: string; isEnded: boolean }> {
  const channel = await requireChannel(deps.database, query);
  const { id } = channel;
  return deps.database.transaction(async (tx) => {
    const isEnded = await tx.endOldSecret({ id, now: deps.clock.now() });
    if (isEnded) await recordAudit(deps, tx, "channel.old_secret_ended", channel);
    return { id, isEnded };
  });
}

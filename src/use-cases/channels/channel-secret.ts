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
      "findChannel" | "findChannelSecret" | "findOldSecretEnd" | "insertAuditEntry"
    >;
    secretBox: Pick<SecretBox, "open">;
    actor: string;
  },
  query: ChannelQuery,
): Promise<ListedChannel & { secret: string | null; oldSecretEndsAt: Date | null }> {
  const channel = await requireChannel(deps.database, query);
  // A token or a URL of somebody else's service was entered once, and is not handed out.
  if (channel.type !== "webhook") return { ...channel, secret: null, oldSecretEndsAt: null };
  const found = await deps.database.findChannelSecret(channel.id);
  if (!found) throw notFound("channel", channel.id);
  const secret = openSecret(deps.secretBox, { ...found, id: channel.id });
  const { id: subject, workspaceId } = channel;
  await recordAudit(deps, deps.database, { action: "channel.secret_viewed", subject, workspaceId });
  const now = deps.clock.now();
  const oldSecretEndsAt = await deps.database.findOldSecretEnd({ id: channel.id, now });
  return { ...channel, secret, oldSecretEndsAt };
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
 * The next attempt is signed with the new secret. `webhook-signature` also carries the signature by the old
 * one until `oldSecretEndsAt`, so that an endpoint can change over; null when it carries the new one alone.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function rotateSecret(
  deps: {
    clock: Clock;
    database: Pick<Database, "findChannel" | "transaction">;
    secretBox: Pick<SecretBox, "seal">;
    /** How long the old secret signs as well. */
    secretOverlapMs?: number;
    actor: string;
  },
  query: ChannelQuery & { isOldEnded?: boolean },
): Promise<{ id: string; secret: string; oldSecretEndsAt: Date | null }> {
  const { id, type, workspaceId } = await requireChannel(deps.database, query);
  if (type !== "webhook") failField("id", `a channel of the type ${type} has no signing secret`);
  const secret = generateSigningSecret();
  const encryptedSecret = deps.secretBox.seal(secret, id);
  const overlapMs = query.isOldEnded ? 0 : (deps.secretOverlapMs ?? secretOverlapMsDefault);
  const oldEndsAt = overlapMs > 0 ? new Date(deps.clock.now().getTime() + overlapMs) : null;
  await deps.database.transaction(async (tx) => {
    const isSet = await tx.setChannelSecret({ id, encryptedSecret, oldEndsAt });
    if (!isSet) throw notFound("channel", id);
    await recordAudit(deps, tx, { action: "channel.secret_rotated", subject: id, workspaceId });
  });
  return { id, secret, oldSecretEndsAt: oldEndsAt };
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

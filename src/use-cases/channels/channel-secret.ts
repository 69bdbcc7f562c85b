// The signing secret of a channel: generated here, stored encrypted for that channel alone, shown on
// request.
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/database.ts";
import type { Channel } from "../../domain/channel.ts";
import { AppError } from "../../domain/error.ts";
import { notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { type SecretBox, SecretBoxError } from "../../lib/secret-box.ts";
import { recordAudit } from "../audit.ts";
import { requireChannel } from "./channels.ts";

type ChannelQuery = { id: string; workspaceId: string | null };

/** `whsec_` and 32 random bytes in base64: the form that Standard Webhooks libraries take. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/**
 * The channel with its secret. The audit log says who saw it, before it is shown.
 *
 * @throws AppError `invalid_input`, `not_found`, or `invalid_setting` without the encryption key
 */
export async function revealChannel(
  deps: {
    clock: Clock;
    database: Pick<Database, "findChannel" | "findChannelSecret" | "insertAuditEntry">;
    secretBox: Pick<SecretBox, "open">;
    actor: string;
  },
  query: ChannelQuery,
): Promise<Channel & { secret: string }> {
  const channel = await requireChannel(deps.database, query);
  const found = await deps.database.findChannelSecret(channel.id);
  if (!found) throw notFound("channel", channel.id);
  const secret = openSecret(deps.secretBox, { ...found, id: channel.id });
  const { id: subject, workspaceId } = channel;
  await recordAudit(deps, deps.database, { action: "channel.secret_viewed", subject, workspaceId });
  return { ...channel, secret };
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

/**
 * The next attempt is signed with the new secret.
 *
 * @throws AppError `invalid_input` or `not_found`
 */
export async function rotateSecret(
  deps: {
    clock: Clock;
    database: Pick<Database, "findChannel" | "transaction">;
    secretBox: Pick<SecretBox, "seal">;
    actor: string;
  },
  query: ChannelQuery,
): Promise<{ id: string; secret: string }> {
  const { id, workspaceId } = await requireChannel(deps.database, query);
  const secret = generateSigningSecret();
  const encryptedSecret = deps.secretBox.seal(secret, id);
  await deps.database.transaction(async (tx) => {
    if (!(await tx.setChannelSecret({ id, encryptedSecret }))) throw notFound("channel", id);
    await recordAudit(deps, tx, { action: "channel.secret_rotated", subject: id, workspaceId });
  });
  return { id, secret };
}

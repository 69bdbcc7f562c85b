// The signing secret of a channel: made here, kept sealed for that channel alone, shown on request.
import { randomBytes } from "node:crypto";
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import { type SecretBox, SecretBoxError } from "../lib/secret-box.ts";
import type { Channel } from "../reviews/channel.ts";
import { AppError } from "../reviews/error.ts";
import { recordAct } from "./audit.ts";
import { requireChannel } from "./channels.ts";
import { notFound } from "./refusal.ts";

type Wanted = { id: string; workspaceId: string | null };

/** `whsec_` and 32 random bytes in base64: the form that Standard Webhooks libraries take. */
export function writeSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Who looks at a secret is written down before it is shown. */
export async function showChannel(
  rooms: {
    clock: Clock;
    keep: Pick<Keep, "findChannel" | "findSealedSecret" | "insertAudit">;
    secretBox: Pick<SecretBox, "open">;
    actor: string;
  },
  wanted: Wanted,
): Promise<Channel & { secret: string }> {
  const channel = await requireChannel(rooms.keep, wanted);
  const found = await rooms.keep.findSealedSecret(channel.id);
  if (!found) throw notFound("channel", channel.id);
  const secret = openSecret(rooms.secretBox, { ...found, id: channel.id });
  const { id: subject, workspaceId } = channel;
  await recordAct(rooms, rooms.keep, { action: "channel.secret_viewed", subject, workspaceId });
  return { ...channel, secret };
}

function openSecret(
  secretBox: Pick<SecretBox, "open">,
  sealed: { id: string; sealedSecret: Buffer },
): string {
  try {
    return secretBox.open(sealed.sealedSecret, sealed.id);
  } catch (cause) {
    if (!(cause instanceof SecretBoxError)) throw cause;
    const message = `the secret of channel ${sealed.id} can't be opened: ${cause.message}`;
    throw new AppError("invalid_setting", message, { cause });
  }
}

/** The old secret stops at once: the next attempt is signed with the new one. */
export async function rotateSecret(
  rooms: {
    clock: Clock;
    keep: Pick<Keep, "findChannel" | "transaction">;
    secretBox: Pick<SecretBox, "seal">;
    actor: string;
  },
  wanted: Wanted,
): Promise<{ id: string; secret: string }> {
  const { id, workspaceId } = await requireChannel(rooms.keep, wanted);
  const secret = writeSecret();
  const sealedSecret = rooms.secretBox.seal(secret, id);
  await rooms.keep.transaction(async (tx) => {
    if (!(await tx.setSealedSecret({ id, sealedSecret }))) throw notFound("channel", id);
    await recordAct(rooms, tx, { action: "channel.secret_rotated", subject: id, workspaceId });
  });
  return { id, secret };
}

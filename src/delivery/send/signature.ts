// The headers of a delivery: the contract's three, the stable id, and the Standard Webhooks trio
// (standardwebhooks.com), so that ready-made libraries can verify and refuse replays.
import { createHmac } from "node:crypto";
import type { DueDelivery } from "../../domain/channel/delivery.ts";
import { SecretBoxError } from "../../lib/secret-box.ts";

/** Opens what secret-box.ts sealed. */
export type Secrets = { open(box: Buffer, associatedData: string): string };

/** The keys of a channel's secret, valid for one version of the channel; or why they can't be had. */
type Signer =
  | { kind: "open"; bodyKey: Buffer; messageKey: Buffer }
  | { kind: "sealed"; reason: string };

/**
 * A key that is missing for the moment must not lose a delivery: it is retried like any failure.
 * @throws errors that don't concern keys
 */
export function openSigner(
  secrets: Secrets,
  sealed: { channelId: string; encryptedSecret: Buffer },
): Signer {
  try {
    return readSigner(secrets.open(sealed.encryptedSecret, sealed.channelId));
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { kind: "sealed", reason: `the signing secret can't be opened: ${error.message}` };
  }
}

export function readSigner(secret: string): Signer & { kind: "open" } {
  return {
    kind: "open",
    // The contract's key is the UTF-8 bytes of the whole secret, as it is shown.
    bodyKey: Buffer.from(secret, "utf8"),
    // The other's is what the part after `whsec_` encodes.
    messageKey: Buffer.from(secret.replace(/^whsec_/, ""), "base64"),
  };
}

/** The message keys of the secret in use and of the one before, while that signs as well. */
export function listMessageKeys(
  signers: { signer: Signer & { kind: "open" }; oldSigner: Signer | null; oldEndsAt: Date | null },
  now: Date,
): Buffer[] {
  const { signer, oldSigner, oldEndsAt } = signers;
  const isOldUsed = oldSigner?.kind === "open" && oldEndsAt !== null && oldEndsAt > now;
  return isOldUsed ? [signer.messageKey, oldSigner.messageKey] : [signer.messageKey];
}

/** Names and values in turn, which spares the sender taking an object apart. */
export function composeHeaders(
  delivery: Pick<DueDelivery, "id" | "event" | "body" | "isTest">,
  signing: { bodyKey: Buffer; messageKeys: readonly Buffer[]; now: Date; version: string },
): string[] {
  const { id, event, body, isTest } = delivery;
  const { bodyKey } = signing;
  const timestamp = String(Math.floor(signing.now.getTime() / 1_000));
  const headers = [
    "Content-Type",
    "application/json",
    "User-Agent",
    `Starpost/${signing.version}`,
    "X-Service-Event",
    event,
    "X-Service-Signature",
    `sha256=${createHmac("sha256", bodyKey).update(body).digest("hex")}`,
    "X-Service-Delivery",
    id,
    "webhook-id",
    id,
    "webhook-timestamp",
    timestamp,
    "webhook-signature",
    signing.messageKeys.map((key) => signMessage(key, { id, timestamp, body })).join(" "),
  ];
  if (isTest) headers.push("X-Service-Test", "1");
  return headers;
}

function signMessage(
  key: Buffer,
  message: { id: string; timestamp: string; body: Buffer },
): string {
  const { id, timestamp, body } = message;
  const hmac = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${hmac.digest("base64")}`;
}

// The headers of a delivery: the contract's three, the stable id, and the Standard Webhooks trio
// (standardwebhooks.com), so that ready-made libraries can verify and refuse replays.
import { createHmac } from "node:crypto";
import type { ClaimedDelivery } from "../reviews/delivery.ts";

export function composeHeaders(
  delivery: Pick<ClaimedDelivery, "id" | "event" | "body" | "isTest">,
  signing: { secret: string; now: Date; version: string },
): Record<string, string> {
  const { id, event, body, isTest } = delivery;
  const timestamp = String(Math.floor(signing.now.getTime() / 1_000));
  return {
    "Content-Type": "application/json",
    "User-Agent": `Starpost/${signing.version}`,
    "X-Service-Event": event,
    "X-Service-Signature": signBody(signing.secret, body),
    "X-Service-Delivery": id,
    ...(isTest ? { "X-Service-Test": "1" } : {}),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signMessage(signing.secret, { id, timestamp, body }),
  };
}

/** Keyed by the UTF-8 bytes of the whole secret, as it is shown. */
function signBody(secret: string, body: Buffer): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Keyed by what the part after `whsec_` encodes. */
function signMessage(
  secret: string,
  message: { id: string; timestamp: string; body: Buffer },
): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = createHmac("sha256", key)
    .update(`${message.id}.${message.timestamp}.`)
    .update(message.body);
  return `v1,${signed.digest("base64")}`;
}

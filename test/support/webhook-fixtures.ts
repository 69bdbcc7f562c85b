// The requests of examples/webhook-fixtures.json, which receivers verify.
import fs from "node:fs";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { root } from "./source-tree.ts";

export type WebhookFixture = {
  name: string;
  isValid: boolean;
  body: string;
  headers: Record<string, string>;
};

export const { secret, fixtures } = JSON.parse(
  fs.readFileSync(path.join(root, "examples/webhook-fixtures.json"), "utf8"),
) as { secret: string; fixtures: WebhookFixture[] };

/** The same request sent now: receivers refuse old ones. A signature by an invalid one stays wrong. */
export function sendNow(
  fixture: WebhookFixture,
  { id = fixture.headers["webhook-id"] ?? "", at = new Date() } = {},
): WebhookFixture {
  const { body, headers, isValid } = fixture;
  const fresh = { ...headers, "webhook-id": id, "webhook-timestamp": secondsOf(at) };
  if (!isValid) return { ...fixture, headers: fresh };
  const signature = new Webhook(secret).sign(id, at, body);
  return { ...fixture, headers: { ...fresh, "webhook-signature": signature } };
}

/** A recorded request of 30 days ago that an attacker gave a new time and id. */
export function replay(fixture: WebhookFixture): WebhookFixture {
  const at = new Date(Date.now() - 30 * 86_400_000);
  const { headers, ...recorded } = sendNow(fixture, { at });
  const forged = { "webhook-id": "another", "X-Service-Delivery": "another" };
  const time = { "webhook-timestamp": secondsOf(new Date()) };
  return { ...recorded, isValid: false, headers: { ...headers, ...forged, ...time } };
}

function secondsOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1_000));
}

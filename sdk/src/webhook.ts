// Verifies a webhook: the signature of Standard Webhooks over id, time and the exact bytes (HMAC-SHA256), and how old it
// is. Uses Web Crypto, so it runs wherever `crypto.subtle` exists.
import type { StarpostEvent } from "./types.ts";

/** Header names are found in any case; of several values the first counts. */
export type HeaderSource =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** The body as it came, before parsing. A body that was parsed and written again has other bytes. */
  body: string | Uint8Array | ArrayBuffer;
  headers: HeaderSource;
  /** The channel's secret as shown, `whsec_…`; several while a rotation is under way. */
  secret: string | readonly string[];
  /** How old or how far ahead the timestamp may be, in seconds; default 300. `false` accepts any age. */
  toleranceSeconds?: number | false;
  /**
   * Also accepts requests without `webhook-signature`, by `X-Service-Signature` alone; default false. That signature
   * covers the body and neither id nor time, so an attacker who recorded a request can replay it at any time.
   */
  acceptsBodySignature?: boolean;
  /** Milliseconds since 1970, for tests. */
  now?: () => number;
};

export type WebhookFailure = "missing_signature" | "wrong_signature" | "wrong_time" | "not_json";

/** The request did not come from the channel, is too old, or is not an event. Answer it with 400 or 401. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly reason: WebhookFailure;

  constructor(reason: WebhookFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type VerifiedWebhook = {
  event: StarpostEvent;
  /** The delivery's id, the same in every attempt; null without the header. Signed unless `acceptsBodySignature`. */
  deliveryId: string | null;
  /** A test event, sent from the dashboard or the command line. */
  isTest: boolean;
};

/**
 * Verifies the signature in constant time. `webhook-signature` covers id, time and body: one of its values is `v1,` and the
 * base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed by the bytes that the secret encodes in base64
 * behind `whsec_`. It is checked alone where it is present, because after a rotation `X-Service-Signature` (`sha256=` and
 * the hexadecimal HMAC-SHA256 of the body, keyed by the UTF-8 bytes of the whole secret) is by the new secret only.
 *
 * @throws WebhookError with the reason, TypeError for an empty secret; only a result means that the event can be trusted
 */
export async function verifyWebhook(options: VerifyOptions): Promise<VerifiedWebhook> {
  const header = (name: string): string | null => readHeader(options.headers, name);
  const body = toBytes(options.body);
  const secrets = typeof options.secret === "string" ? [options.secret] : options.secret;
  // An environment variable that is not set, for example. Anyone could sign with an empty key.
  if (secrets.length === 0 || secrets.includes("")) {
    throw new TypeError("the channel's secret is empty");
  }
  const isBodyEnough =
    options.acceptsBodySignature === true && header("webhook-signature") === null;
  const signed = isBodyEnough ? readBodySignature(header, body) : readStandard(header, body);
  if (!(await isSignedByAny(secrets, signed))) {
    throw new WebhookError("wrong_signature", "the signature does not match the request");
  }
  if (!isBodyEnough) checkTime(header("webhook-timestamp"), options);
  return {
    event: parseEvent(body),
    deliveryId: header(isBodyEnough ? "x-service-delivery" : "webhook-id"),
    isTest: header("x-service-test") === "1",
  };
}

type Signed = { message: Bytes; signatures: Bytes[]; toKey: (secret: string) => Bytes | null };
type ReadHeader = (name: string) => string | null;

/** More than a rotation ever has. */
const signaturesMax = 10;

function readStandard(header: ReadHeader, body: Bytes): Signed {
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  const signatures = (header("webhook-signature") ?? "")
    .split(" ", signaturesMax)
    .flatMap((text) => (text.startsWith("v1,") ? (fromBase64(text.slice(3)) ?? []) : []));
  if (id === null || timestamp === null || signatures.length === 0) {
    throw new WebhookError(
      "missing_signature",
      "webhook-id, webhook-timestamp or webhook-signature is missing or malformed",
    );
  }
  const head = toBytes(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + body.length);
  message.set(head);
  message.set(body, head.length);
  return { message, signatures, toKey: (secret) => fromBase64(secret.replace(/^whsec_/, "")) };
}

function readBodySignature(header: ReadHeader, body: Bytes): Signed {
  const signature = /^sha256=([\da-f]{64})$/i.exec(header("x-service-signature") ?? "")?.[1];
  if (signature === undefined) {
    throw new WebhookError(
      "missing_signature",
      "the X-Service-Signature header is missing or malformed",
    );
  }
  return { message: body, signatures: [fromHex(signature)], toKey: toBytes };
}

function checkTime(timestamp: string | null, options: VerifyOptions): void {
  const { toleranceSeconds = 300, now = Date.now } = options;
  if (toleranceSeconds === false) return;
  const isInTime = Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceSeconds;
  if (!isInTime)
    throw new WebhookError("wrong_time", "the webhook-timestamp header is too old or ahead");
}

async function isSignedByAny(
  secrets: readonly string[],
  { message, signatures, toKey }: Signed,
): Promise<boolean> {
  const subtle = await findSubtle();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  let isSigned = false;
  for (const secret of secrets) {
    const bytes = toKey(secret);
    // An empty key can't be imported.
    if (bytes === null || bytes.length === 0) continue;
    const key = await subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
    for (const signature of signatures) {
      if (await subtle.verify("HMAC", key, signature, message)) isSigned = true;
    }
  }
  return isSigned;
}

type WebCrypto = typeof globalThis.crypto;

/** Node 18 has Web Crypto, but not as a global; the name is a variable so that bundlers leave it alone. */
async function findSubtle(): Promise<WebCrypto["subtle"]> {
  const global: WebCrypto | undefined = globalThis.crypto;
  if (global) return global.subtle;
  const nodeCrypto = "node:crypto";
  const { webcrypto } = (await import(nodeCrypto)) as { webcrypto: WebCrypto };
  return webcrypto.subtle;
}

function parseEvent(body: Bytes): StarpostEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof event === "object" && event !== null && "event" in event)
      return event as StarpostEvent;
  } catch {
    // Reported below, like JSON that is not an event.
  }
  throw new WebhookError("not_json", "the body is not a Starpost event");
}

type Bytes = Uint8Array<ArrayBuffer>;

function toBytes(value: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof value === "string") return new TextEncoder().encode(value);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value);
}

function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** null for a text that is not base64. */
function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function readHeader(headers: HeaderSource, name: string): string | null {
  if (typeof Headers !== "undefined" && headers instanceof Headers) return headers.get(name);
  const entries = Object.entries(headers as Record<string, string | readonly string[] | undefined>);
  const value = entries.find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof value === "string" ? value : value?.[0]) ?? null;
}

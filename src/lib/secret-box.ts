// Secrets at rest: AES-256-GCM under a ring of keys. The first key seals, every key opens, and a box
// opens only for the thing (the associated data) that it was sealed for.
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";

export type SecretBox = {
  seal(plain: string, associatedData: string): Buffer;
  /** @throws SecretBoxError for a key that is not in the ring or a box that was altered */
  open(box: Buffer, associatedData: string): string;
  /** The id of the key that sealed the box, in hex; it reveals nothing of the key. */
  keyIdOf(box: Buffer): string;
  /** 32 bytes that only this key and purpose give, the same each time. */
  derive(purpose: string): Buffer;
  /** Whether the box was sealed with the first key of the ring. */
  isCurrent(box: Buffer): boolean;
};

/** Why a secret can't be opened. The message never holds the secret or a key. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
}

// A box: version (1) | key id (8) | nonce (12) | tag (16) | ciphertext.
const version = 1;
const keyIdEnd = 9;
const nonceEnd = 21;
const tagEnd = 37;

/**
 * @param keys 32 bytes each, at least one
 * @throws SecretBoxError for keys of another length, or none
 */
export function createSecretBox(keys: readonly Buffer[]): SecretBox {
  const ring = new Map(keys.map((key) => [keyIdOfKey(key), key]));
  const [first] = keys;
  if (!first || keys.some((key) => key.length !== 32))
    throw new SecretBoxError("ENCRYPTION_KEY: expected keys of 32 bytes");
  return {
    seal: (plain, associatedData) => seal(first, { plain, associatedData }),
    open(box, associatedData) {
      const key = ring.get(keyIdOf(box));
      if (!key)
        throw new SecretBoxError(
          `ENCRYPTION_KEY lacks the key ${keyIdOf(box)} that a secret was sealed with`,
        );
      return open(key, { box, associatedData });
    },
    keyIdOf,
    derive: (purpose) => createHmac("sha256", first).update(purpose).digest(),
    isCurrent: (box) => keyIdOf(box) === keyIdOfKey(first),
  };
}

function seal(key: Buffer, secret: { plain: string; associatedData: string }): Buffer {
  const head = Buffer.concat([Buffer.of(version), Buffer.from(keyIdOfKey(key), "hex")]);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(bindTo(head, secret.associatedData));
  const ciphertext = Buffer.concat([cipher.update(secret.plain, "utf8"), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), ciphertext]);
}

function open(key: Buffer, secret: { box: Buffer; associatedData: string }): string {
  const { box, associatedData } = secret;
  try {
    const nonce = box.subarray(keyIdEnd, nonceEnd);
    const cipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
    cipher.setAAD(bindTo(box.subarray(0, keyIdEnd), associatedData));
    cipher.setAuthTag(box.subarray(nonceEnd, tagEnd));
    const plain = Buffer.concat([cipher.update(box.subarray(tagEnd)), cipher.final()]);
    return plain.toString("utf8");
  } catch (cause) {
    throw new SecretBoxError("a sealed secret was altered or belongs elsewhere", { cause });
  }
}

function bindTo(head: Buffer, associatedData: string): Buffer {
  return Buffer.concat([head, Buffer.from(associatedData, "utf8")]);
}

export function keyIdOf(box: Buffer): string {
  return box[0] === version && box.length >= tagEnd
    ? box.subarray(1, keyIdEnd).toString("hex")
    : "unknown";
}

/** Tells keys apart, in hex: a hash of 8 bytes gives none of the 32 away. */
export function keyIdOfKey(key: Buffer): string {
  return createHash("sha256").update("starpost key id").update(key).digest("hex").slice(0, 16);
}

// The signing secret of a webhook: generated here, stored encrypted for its channel alone.
import { randomBytes } from "node:crypto";
import { AppError } from "../domain/error.ts";
import { type SecretBox, SecretBoxError } from "../lib/secret-box.ts";

/**
 * `whsec_` and 32 random bytes in base64: the form that Standard Webhooks libraries take.
 *
 * @param bytes 32 bytes, random unless given
 */
export function generateSigningSecret(bytes: Buffer = randomBytes(32)): string {
  return `whsec_${bytes.toString("base64")}`;
}

/** @throws AppError `invalid_setting` without the encryption key */
export function openSecret(
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

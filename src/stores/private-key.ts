// Private keys as people paste them: PKCS#8 in PEM, at times with `\n` written out for line breaks.
import { type CryptoKey, importPKCS8 } from "jose";

/** null: no private key for that algorithm. */
export async function parsePrivateKey(
  pem: string,
  algorithm: "ES256" | "RS256",
): Promise<CryptoKey | null> {
  try {
    return await importPKCS8(pem.replaceAll("\\n", "\n").trim(), algorithm);
  } catch {
    // The reason does not help, and might quote the key.
    return null;
  }
}

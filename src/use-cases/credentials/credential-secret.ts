// Reads the key file that a store hands out, once, when a credential is added: what is no key is refused
// before anything is kept.
import { createPrivateKey, type KeyObject } from "node:crypto";
import type { CredentialSecret } from "../../domain/credential.ts";
import type { FieldError } from "../../domain/error.ts";
import type { StoreId } from "../../domain/store-id.ts";
import { failFields } from "../../domain/validation-errors.ts";
import { isObject } from "../imports/import-rows.ts";

export type CredentialSecretInput = {
  /** The content of the key file: Apple's .p8, Google's JSON. */
  keyFile: string;
  keyId: string | null;
  issuerId: string | null;
  bucket: string | null;
};

/** @throws AppError `invalid_input` that names every field that can't be right, and no secret */
export function parseCredentialSecret(
  store: StoreId,
  parts: CredentialSecretInput,
): { secret: CredentialSecret; subject: string } {
  return store === "appstore" ? readApple(parts) : readGoogle(parts);
}

// An issuer is a UUID; a key id has ten characters, and nobody promised that it always will.
const issuerPattern = /^[0-9a-f-]{36}$/i;
const keyIdPattern = /^[A-Za-z0-9]{4,40}$/;
const bucketPattern = /^[a-z0-9][a-z0-9._-]{2,220}$/;

function readApple(parts: CredentialSecretInput): { secret: CredentialSecret; subject: string } {
  const { keyId, issuerId } = parts;
  const privateKey = readPrivateKey(parts.keyFile);
  const isCurve =
    privateKey?.asymmetricKeyType === "ec" &&
    privateKey.asymmetricKeyDetails?.namedCurve === "prime256v1";
  failFields([
    ...(isCurve ? [] : [fault("keyFile", "is not the .p8 key file of App Store Connect")]),
    ...(keyId && keyIdPattern.test(keyId) ? [] : [fault("keyId", "must be the key's id")]),
    ...(issuerId === null || issuerPattern.test(issuerId)
      ? []
      : [fault("issuerId", "must be a UUID, or left out for the key of one person")]),
    ...(parts.bucket === null ? [] : [fault("bucket", "belongs to googleplay")]),
  ]);
  const key = { store: "appstore" as const, keyId: keyId ?? "", issuerId };
  return { secret: { ...key, privateKey: parts.keyFile.trim() }, subject: key.keyId };
}

function readGoogle(parts: CredentialSecretInput): { secret: CredentialSecret; subject: string } {
  const file = parseFile(parts.keyFile);
  const email = file["client_email"];
  const clientEmail = typeof email === "string" ? email : "";
  // A common slip of the paste: line ends as two characters.
  const written = file["private_key"];
  const privateKey = typeof written === "string" ? written.replaceAll("\\n", "\n") : "";
  const isRsa = readPrivateKey(privateKey)?.asymmetricKeyType === "rsa";
  const { bucket } = parts;
  failFields([
    ...(isRsa && /^[^@\s\p{C}]+@[^@\s\p{C}]+$/u.test(clientEmail)
      ? []
      : [fault("keyFile", "is not the JSON key file of a service account")]),
    ...(bucket === null || bucketPattern.test(bucket)
      ? []
      : [fault("bucket", "must be a bucket's name, like pubsite_prod_rev_0123")]),
    ...(parts.keyId === null ? [] : [fault("keyId", "belongs to appstore")]),
    ...(parts.issuerId === null ? [] : [fault("issuerId", "belongs to appstore")]),
  ]);
  const keyId = file["private_key_id"];
  const privateKeyId = typeof keyId === "string" ? keyId : null;
  const secret = { store: "googleplay" as const, clientEmail, privateKeyId, privateKey, bucket };
  return { secret, subject: clientEmail };
}

function readPrivateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    // What exactly is wrong with it could show a part of it.
    return null;
  }
}

function parseFile(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    // The refusal says what was expected; the parser's words would quote the file.
    return {};
  }
}

function fault(field: string, message: string): FieldError {
  return { field, message };
}

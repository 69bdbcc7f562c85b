// The fields that are entered to add an account at a store, and the secret that is stored.

import { createPrivateKey, type KeyObject } from "node:crypto";
import { z } from "zod";
import { oneOfSchema } from "../../domain/fields.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { parseJson } from "../../lib/json.ts";

const text = z.string({ error: "is required" }).max(1_000, { error: "is too long" });
const optionalText = text.nullable().default(null);

/** The stores with an API for accounts. */
const accountStoreIds = ["appstore", "googleplay"] as const satisfies readonly StoreId[];

/** The fields that are entered to add one, before the store's own schema checks it. */
export const credentialEntrySchema = z
  .strictObject({
    store: oneOfSchema(accountStoreIds).describe("The store of the account."),
    name: text.describe("Its name for people."),
    keyFile: z
      .string({ error: "is required" })
      .max(20_000, { error: "is too long for a key file" })
      .describe("The content of the key file: Apple's .p8, Google's JSON. It is never shown."),
    keyId: optionalText.describe("App Store: the id of the key."),
    issuerId: optionalText.describe(
      "App Store: the id of the issuer; null for the key of one person.",
    ),
    bucket: optionalText.describe("Google Play: the bucket of the Play Console's reports."),
  })
  .meta({ id: "CredentialInput" });

/** As it is stored: encrypted, as JSON. */
export const credentialSecretSchema = z.discriminatedUnion("store", [
  z.object({
    store: z.literal("appstore"),
    keyId: z.string(),
    /** null for the key of a single user. */
    issuerId: z.string().nullable(),
    /** PKCS#8 in PEM, of an EC key on P-256. */
    privateKey: z.string(),
  }),
  z.object({
    store: z.literal("googleplay"),
    clientEmail: z.string(),
    privateKeyId: z.string().nullable(),
    /** PKCS#8 in PEM, of an RSA key. */
    privateKey: z.string(),
    /** Where Play Console puts its reports, `pubsite_prod_rev_…`; null: they are not read. */
    bucket: z.string().nullable(),
  }),
]);
export type CredentialSecret = z.output<typeof credentialSecretSchema>;

type Entered = { secret: CredentialSecret; subject: string };

/** The schema of the fields of one store; no message quotes a key. */
export function credentialInputSchema(store: (typeof accountStoreIds)[number]) {
  return { appstore: appleInput, googleplay: googleInput }[store];
}

// An issuer is a UUID; a key id has ten characters today, which Apple does not promise.
const issuerPattern = /^[0-9a-f-]{36}$/i;
const keyIdPattern = /^[A-Za-z0-9]{4,40}$/;
const bucketPattern = /^[a-z0-9][a-z0-9._-]{2,220}$/;
const keyIdError = { error: "must be the key's id" };
const ofAppleError = { error: "belongs to appstore" };

const appleInput = z
  .object({
    keyFile: z.string().refine(isAppleKey, {
      error: "is not the .p8 key file of App Store Connect",
    }),
    keyId: z.string(keyIdError).regex(keyIdPattern, keyIdError),
    issuerId: z
      .string()
      .regex(issuerPattern, { error: "must be a UUID, or left out for the key of a single user" })
      .nullable(),
    bucket: z.null({ error: "belongs to googleplay" }),
  })
  .transform(({ keyFile, keyId, issuerId }): Entered => {
    const secret = { store: "appstore" as const, keyId, issuerId, privateKey: keyFile.trim() };
    return { secret, subject: keyId };
  });

const keyFileSchema = z.object({
  client_email: z.string().regex(/^[^@\s\p{C}]+@[^@\s\p{C}]+$/u),
  private_key_id: z.string().nullable().catch(null),
  private_key: z
    .string()
    // Pasted keys often have line ends as the two characters \ and n.
    .transform((key) => key.replaceAll("\\n", "\n"))
    .refine((key) => parsePrivateKey(key)?.asymmetricKeyType === "rsa"),
});

const googleInput = z
  .object({
    keyFile: z.string().transform((text, context) => {
      const { data } = keyFileSchema.safeParse(parseJson(text));
      if (data) return data;
      context.addIssue("is not the JSON key file of a service account");
      return z.NEVER;
    }),
    bucket: z
      .string()
      // Play Console copies the address of a folder in it.
      .transform((text) => text.trim().replace(/^gs:\/\/([^/]*).*$/, "$1"))
      .pipe(
        z
          .string()
          .regex(bucketPattern, { error: "must be a bucket's name, like pubsite_prod_rev_0123" }),
      )
      .nullable(),
    keyId: z.null(ofAppleError),
    issuerId: z.null(ofAppleError),
  })
  .transform(({ keyFile, bucket }): Entered => {
    const { client_email: clientEmail, private_key_id: privateKeyId } = keyFile;
    const secret = { clientEmail, privateKeyId, privateKey: keyFile.private_key, bucket };
    return { secret: { store: "googleplay", ...secret }, subject: clientEmail };
  });

function isAppleKey(pem: string): boolean {
  const key = parsePrivateKey(pem);
  return key?.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
}

function parsePrivateKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    // The message of the error could quote a part of the key.
    return null;
  }
}

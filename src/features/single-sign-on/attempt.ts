// The browser keeps, sealed in a cookie, the state of a sign-in at the provider. An answer counts only in the browser that
// asked, for ten minutes.
import { z } from "zod";
import { boundedText } from "../../domain/text-values.ts";
import type { Clock } from "../../lib/clock.ts";
import { type SecretBox, SecretBoxError } from "../../lib/secret-box.ts";
import type { OpenIdAttempt } from "./open-id.ts";

/** Where to go after a sign-in through the provider: a path of this service. */
const ownPath = z
  .string()
  .max(1_000)
  .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/, { error: "must be a path like /overview" });
export const providerStart = z.strictObject({
  returnTo: ownPath,
  /** Token of the invitation to accept. */
  invitation: boundedText(200).nullable(),
  /** The provider shall have the user sign in again although it knows them. */
  isFresh: z.boolean({ error: "must be true or false" }),
});

const purpose = "sign-in attempt at the provider";

const attemptSchema = z.object({
  attempt: z.object({ state: z.string(), nonce: z.string(), codeVerifier: z.string() }),
  invitation: z.string().nullable(),
  returnTo: z.string(),
  endsAtMs: z.number(),
});

type ProviderAttempt = {
  attempt: OpenIdAttempt;
  /** Token of the invitation that it accepts. */
  invitation: string | null;
  /** The path of the page to show then. */
  returnTo: string;
};

export function sealAttempt(
  { clock, secretBox }: { clock: Clock; secretBox: Pick<SecretBox, "seal"> },
  { lastsMs, ...attempt }: ProviderAttempt & { lastsMs: number },
): string {
  const endsAtMs = clock.now().getTime() + lastsMs;
  return secretBox.seal(JSON.stringify({ ...attempt, endsAtMs }), purpose).toString("base64url");
}

/**
 * null for one that is missing, altered or too old.
 *
 * @throws what is not about the seal: a bug
 */
export function openAttempt(
  { clock, secretBox }: { clock: Clock; secretBox: Pick<SecretBox, "open"> },
  sealed: string | null,
): ProviderAttempt | null {
  if (sealed === null) return null;
  try {
    const text = secretBox.open(Buffer.from(sealed, "base64url"), purpose);
    const parsed = attemptSchema.safeParse(JSON.parse(text));
    return parsed.success && parsed.data.endsAtMs > clock.now().getTime() ? parsed.data : null;
  } catch (error) {
    if (error instanceof SecretBoxError) return null;
    throw error;
  }
}

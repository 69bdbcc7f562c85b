// The browser keeps, sealed in a cookie, the state of a sign-in at the provider. An answer counts only in the browser that
// asked, for ten minutes.
import { z } from "zod";
import type { Clock } from "../../lib/clock.ts";
import { type SecretBox, SecretBoxError } from "../../lib/secret-box.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import type { OpenIdAttempt } from "./open-id.ts";

export const attemptMs = 10 * minuteMs;
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
  attempt: ProviderAttempt,
): string {
  const endsAtMs = clock.now().getTime() + attemptMs;
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

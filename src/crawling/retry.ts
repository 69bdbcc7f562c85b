// Up to three tries of one request to a store, with full jitter between them.
import type { Delay } from "../lib/delay.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { Unknown } from "../stores/store.ts";
import type { Random } from "./schedule.ts";

export type Patience = {
  delay: Delay;
  random: Random;
  /** Cuts the waiting short; nothing is asked again after it. */
  signal?: AbortSignal | undefined;
};

const tryCountMax = 3;
const backoffBaseMs = 2 * secondMs;
const backoffMaxMs = 60 * secondMs;
// What a store asks for beyond this is waited for outside the pass.
const retryAfterMaxMs = 60 * secondMs;

/** Asks again while the answer is `unknown` and asking again can help. */
export async function fetchWithTries<T extends { outcome: "ok" } | { outcome: "empty" } | Unknown>(
  patience: Patience,
  fetchOnce: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const fetched = await fetchOnce();
    if (fetched.outcome !== "unknown" || fetched.blocked || fetched.isFinal) return fetched;
    if (tries === tryCountMax) return fetched;
    const askedFor = fetched.retryAfterMs ?? 0;
    if (askedFor > retryAfterMaxMs) return fetched;
    const backoff = patience.random() * Math.min(backoffBaseMs * 2 ** tries, backoffMaxMs);
    await patience.delay(Math.max(askedFor, backoff), patience.signal);
    if (patience.signal?.aborted) return fetched;
  }
}

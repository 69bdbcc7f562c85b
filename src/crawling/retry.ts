// Up to four tries of one request to a store, with growing delays between them.
import type { Delay } from "../lib/delay.ts";
import { secondMs } from "../lib/timestamp.ts";
import type { UnknownOutcome } from "../stores/store.ts";

/** A number from 0 up to 1, like Math.random: passed in, so that tests know it. */
export type Random = () => number;

export type RetryOptions = {
  delay: Delay;
  random: Random;
  /** Ends the waiting; no try follows it. */
  signal?: AbortSignal | undefined;
};

const tryCountMax = 4;
const backoffBaseMs = 2 * secondMs;
// A store that demands more is tried again by the next crawl.
const retryAfterMaxMs = 60 * secondMs;

/** Tries again while the outcome is `unknown` and another try can help. */
export async function fetchWithRetry<
  T extends { outcome: "ok" } | { outcome: "empty" } | UnknownOutcome,
>({ delay, random, signal }: RetryOptions, fetchOnce: () => Promise<T>): Promise<T> {
  for (let tryCount = 1; ; tryCount += 1) {
    const fetched = await fetchOnce();
    if (fetched.outcome !== "unknown" || fetched.blocked) return fetched;
    if (fetched.isFinal || fetched.isNotSent) return fetched;
    const retryAfterMs = fetched.retryAfterMs ?? 0;
    if (tryCount === tryCountMax || retryAfterMs > retryAfterMaxMs) return fetched;
    // Half of it is jitter: each delay is longer than the one before.
    const backoffMs = (0.5 + random() / 2) * backoffBaseMs * 2 ** tryCount;
    await delay(Math.max(retryAfterMs, backoffMs), signal);
    if (signal?.aborted) return fetched;
  }
}

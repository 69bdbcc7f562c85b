// Reads that fail for a reason that may pass are tried again here and nowhere else. One of them at a time asks whether the
// service is back, with a growing distance that honours Retry-After; when it is, all others follow. Until then each read
// stays under way, so a page neither blinks nor asks on its own, and the failure is shown until the read succeeds.
import { isTransient, type RequestError } from "./http-request.ts";

const delaysMs = [3_000, 12_500, 30_000, 60_000];
/** Many browsers that lost the service at once don't come back at once. */
const jitter = 0.2;
const retryAfterMaxMs = 5 * 60_000;

type Read<T> = { key: string; attempt: () => Promise<T>; signal: AbortSignal };

export class Recovery {
  /** By key, the oldest first: each until its read succeeds or is given up. */
  readonly #failures = new Map<string, RequestError>();
  readonly #runCounts = new Map<string, number>();
  /** Functions that let the reads go on that wait for their next attempt. */
  readonly #waiting = new Map<string, () => void>();
  readonly #listeners = new Set<() => void>();
  readonly #isOnline: () => boolean;
  #probe: string | null = null;
  #probeCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(isOnline: () => boolean) {
    this.#isOnline = isOnline;
  }

  /** @throws what can't pass by itself, and when the signal aborts */
  async run<T>({ key, attempt, signal }: Read<T>): Promise<T> {
    this.#runCounts.set(key, (this.#runCounts.get(key) ?? 0) + 1);
    try {
      for (;;) {
        try {
          return this.#noteSuccess(key, await attempt());
        } catch (error) {
          if (signal.aborted || !isTransient(error)) throw error;
          this.#noteFailure(key, error);
          await this.#waitToRetry(key, signal);
        }
      }
    } finally {
      this.#end(key);
    }
  }

  /** The failure of the read that has failed for the longest time; null while all reads succeed. */
  readonly readFailure = (): RequestError | null => this.#failures.values().next().value ?? null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** All at once: the user asked for it, or the connection is back. */
  readonly tryNow = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#probeCount = 0;
    this.#resumeAll();
  };

  /** Resolves when a read fails: what waits for fresh data need not wait for the service to come back. */
  readonly nextFailure = (): Promise<void> =>
    new Promise((resolve) => {
      const before = this.#failures.size;
      const stop = this.subscribe(() => {
        if (this.#failures.size <= before) return;
        stop();
        resolve();
      });
    });

  #noteSuccess<T>(key: string, answer: T): T {
    if (this.#probe === key) this.#probe = null;
    if (this.#failures.delete(key)) {
      this.#publish();
      this.tryNow();
    }
    return answer;
  }

  #noteFailure(key: string, error: RequestError): void {
    if (this.#probe === key) this.#probe = null;
    this.#failures.set(key, error);
    this.#publish();
  }

  #waitToRetry(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.set(key, () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#probe !== null || this.#waiting.size === 0) return;
    const planned = delaysMs[Math.min(this.#probeCount, delaysMs.length - 1)] ?? 0;
    const requestedMs = Math.max(
      0,
      ...[...this.#failures.values()].map((one) => one.retryAfterMs ?? 0),
    );
    this.#probeCount += 1;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        // Without a connection the browser reports when there is one again.
        if (this.#isOnline()) this.#sendProbe();
      },
      Math.max(planned * (1 + Math.random() * jitter), Math.min(requestedMs, retryAfterMaxMs)),
    );
  }

  #sendProbe(): void {
    const [key] = this.#waiting.keys();
    if (key === undefined) return;
    this.#probe = key;
    this.#resume(key);
  }

  #resumeAll(): void {
    for (const key of [...this.#waiting.keys()]) this.#resume(key);
  }

  #resume(key: string): void {
    const resume = this.#waiting.get(key);
    this.#waiting.delete(key);
    resume?.();
  }

  #end(key: string): void {
    const runCount = (this.#runCounts.get(key) ?? 1) - 1;
    if (runCount > 0) this.#runCounts.set(key, runCount);
    else this.#runCounts.delete(key);
    // A read that is replaced by another one of the same key keeps its message.
    setTimeout(() => {
      if (this.#runCounts.has(key)) return;
      if (this.#probe === key) this.#probe = null;
      if (this.#failures.delete(key)) this.#publish();
      if (this.#waiting.size === 0) this.tryNow();
      else this.#schedule();
    });
  }

  #publish(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

export const recovery = new Recovery(() => navigator.onLine);

/** Once for the page. */
export function recoverWhenOnline(): void {
  window.addEventListener("online", recovery.tryNow);
}

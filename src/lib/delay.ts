// Waiting as a dependency: tests hand in their own, and a signal ends it early.

/** Resolves after that time, or as soon as the signal aborts; never rejects. */
export type Delay = (durationMs: number, signal?: AbortSignal) => Promise<void>;

export const systemDelay: Delay = (durationMs, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(finish, durationMs);
    signal?.addEventListener("abort", finish, { once: true });
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    }
  });

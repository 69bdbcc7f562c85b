// Waiting, as something that can be handed in and cut short.

/** Resolves after that time, or at once when the signal says so; never rejects. */
export type Delay = (durationMs: number, signal?: AbortSignal) => Promise<void>;

export const systemDelay: Delay = (durationMs, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, durationMs);
    signal?.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });

// The loop that every background worker runs in: a round of work, then a wait that a wake-up cuts short.
// A round that fails is logged and tried again later, and closing takes a bounded time.
import { type Delay, systemDelay } from "./delay.ts";
import { errorCode } from "./errors.ts";
import type { Log } from "./log.ts";
import { minuteMs, secondMs } from "./timestamp.ts";

export type WorkerLoopOptions = {
  /** As log lines name it, e.g. `crawl worker`. */
  name: string;
  log: Log;
  /** Waits between rounds: the system's timer by default. */
  delay?: Delay;
  /**
   * One round of work. Resolves to how long to wait for the next round, in ms; 0 goes on at once. The
   * signal is aborted when the loop closes.
   */
  runRound(signal: AbortSignal): Promise<number>;
  /** How long the first round waits, in ms; 0 by default. */
  firstDelayMs?: number;
  /** Waits after the first failed round; each further failure in a row doubles it up to `retryMsMax`. */
  retryMs?: number;
  retryMsMax?: number;
  /** Awaited when the last round is over: what rounds started and left running. */
  finish?(): Promise<unknown>;
  /** `close` does not wait longer than this for a round and for `finish`, in ms. */
  closeMsMax?: number;
};

export type WorkerLoop = {
  /** Starts the next round now. During a round it is remembered, and another round follows at once. */
  wake(): void;
  /** Aborts the round's signal; resolves when the round is over, or after `closeMsMax`. */
  close(): Promise<void>;
};

/** Starts at once; the caller closes it. */
export function startWorkerLoop(options: WorkerLoopOptions): WorkerLoop {
  const { name, log, delay = systemDelay, closeMsMax = minuteMs } = options;
  const stop = new AbortController();
  const wakeSignal = new WakeSignal();
  const nextDelay = createBackoff(options);
  const ended = run();

  async function run(): Promise<void> {
    await wakeSignal.wait(options.firstDelayMs ?? 0, delay);
    while (!stop.signal.aborted) {
      // From here on a wake-up may mean work that this round does not see.
      wakeSignal.reset();
      const waitMs = await options.runRound(stop.signal).then(nextDelay.afterSuccess, retryLater);
      if (waitMs !== null && !stop.signal.aborted) await wakeSignal.wait(waitMs, delay);
    }
    await options.finish?.();
  }

  /** Wake-ups do not cut this wait: what wakes a failing worker often must not make it spin. */
  async function retryLater(error: unknown): Promise<null> {
    const retryInMs = nextDelay.afterFailure();
    if (stop.signal.aborted) return null;
    // The worker can't help that the database is away.
    const level = errorCode(error) === "unavailable" ? "warn" : "error";
    log[level]({ err: error, retryInMs }, `the ${name} failed; it tries again`);
    await delay(retryInMs, stop.signal);
    return null;
  }

  return {
    wake: () => wakeSignal.notify(),
    async close() {
      stop.abort();
      wakeSignal.notify();
      if (!(await isOverWithin(closeMsMax, ended))) {
        log.warn(
          { closeMsMax },
          `the ${name} did not stop in time; its leases expire by themselves`,
        );
      }
    },
  };
}

/** Cuts a wait short, also one that begins after the notification. */
class WakeSignal {
  #controller = new AbortController();

  notify(): void {
    this.#controller.abort();
  }

  /** Forgets notifications; call it before the work that they are about. */
  reset(): void {
    if (this.#controller.signal.aborted) this.#controller = new AbortController();
  }

  /** Resolves after that time, or as soon as it is notified. */
  async wait(durationMs: number, delay: Delay): Promise<void> {
    if (durationMs > 0) await delay(durationMs, this.#controller.signal);
  }
}

function createBackoff({ retryMs = secondMs, retryMsMax = minuteMs }: WorkerLoopOptions) {
  let failureCount = 0;
  return {
    afterSuccess(waitMs: number): number {
      failureCount = 0;
      return waitMs;
    },
    afterFailure(): number {
      failureCount += 1;
      return Math.min(retryMs * 2 ** (failureCount - 1), retryMsMax);
    },
  };
}

/** The system's timer, whatever delay the loop has: the bound is for the operator who waits. */
async function isOverWithin(durationMs: number, work: Promise<void>): Promise<boolean> {
  const timer = new AbortController();
  const timeout = systemDelay(durationMs, timer.signal).then(() => false);
  const isOver = await Promise.race([work.then(() => true), timeout]);
  timer.abort();
  return isOver;
}

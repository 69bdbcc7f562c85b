// Schedules password hashes: a hash takes 32 MB and a good part of a second, so few run at once, and one client's
// requests can't fill the queue for all others.
import { AppError } from "../../domain/error.ts";

/** Whose turn it is; null for what the service or an operator does. */
export type PasswordTurn = {
  /** The client's network. */
  network: string;
  /** The target of the guess: the account, whether it exists or not. */
  account: string;
  standing: Standing;
  /** Aborted when the client has disconnected. */
  signal: AbortSignal;
};

/**
 * The order of the queue: a browser that has signed in to this account before, then networks with one try or few in the last
 * minutes, each with a line of its own, so that those who flood one wait behind people who come for the first time.
 */
const standings = ["known browser", "first try", "few tries", "many tries"] as const;
export type Standing = (typeof standings)[number];

type PasswordQueueLimits = {
  runningMax: number;
  /** Waiting jobs of each priority. */
  waitingMax: number;
  waitingPerNetworkMax: number;
  waitingPerAccountMax: number;
};

type PasswordQueue = {
  /** @throws AppError `rate_limited`, or `unavailable` when far too many wait already */
  run<T>(turn: PasswordTurn | null, work: () => Promise<T>): Promise<T>;
};

type Waiter = { turn: PasswordTurn | null; start: () => void };

export function createPasswordQueue(limits: PasswordQueueLimits): PasswordQueue {
  let runningCount = 0;
  const waiting = new Set<Waiter>();

  function assertFree(turn: PasswordTurn | null): void {
    if (turn === null) return;
    const others = [...waiting].flatMap((one) => (one.turn ? [one.turn] : []));
    const alike = others.filter((one) => one.standing === turn.standing);
    if (alike.length >= limits.waitingMax) throw tooMany("unavailable", "");
    // The same limits keep one known browser from taking all places.
    const count = (name: "network" | "account") =>
      alike.filter((one) => one[name] === turn[name]).length;
    // First guesses of others must not take the place of an account's first try.
    if (turn.standing !== "first try" && count("account") >= limits.waitingPerAccountMax) {
      throw tooMany("rate_limited", " for this account");
    }
    if (count("network") >= limits.waitingPerNetworkMax) {
      throw tooMany("rate_limited", " for this network");
    }
  }

  function wait(turn: PasswordTurn | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(waiter);
        reject(new AppError("rate_limited", "nobody waits for the answer any more"));
      };
      const start = () => {
        waiting.delete(waiter);
        turn?.signal.removeEventListener("abort", leave);
        resolve();
      };
      const waiter = { turn, start };
      if (turn?.signal.aborted) return leave();
      waiting.add(waiter);
      turn?.signal.addEventListener("abort", leave, { once: true });
    });
  }

  function next(): Waiter | undefined {
    const waiters = [...waiting];
    const first = (standing: Standing | null) =>
      waiters.find(({ turn }) => (turn?.standing ?? null) === standing);
    return [null, ...standings].map(first).find((waiter) => waiter !== undefined);
  }

  return {
    async run(turn, work) {
      if (runningCount >= limits.runningMax) {
        assertFree(turn);
        // A finished job hands its place to the next one, so the count stays while jobs wait.
        await wait(turn);
      } else runningCount += 1;
      try {
        return await work();
      } finally {
        const waiter = next();
        if (waiter) waiter.start();
        else runningCount -= 1;
      }
    },
  };
}

function tooMany(code: "rate_limited" | "unavailable", whose: string): AppError {
  const remedy = "try again in a moment, or by a link to your e-mail address";
  return new AppError(code, `too many passwords are being checked${whose}: ${remedy}`);
}

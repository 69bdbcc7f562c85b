// Schedules password hashes: a hash takes 32 MB and a good part of a second, so few run at once, and one client's
// requests can't fill the queue for all others.
import { AppError } from "../../domain/error.ts";
import { createFairQueue, type Turn } from "../../lib/fair-queue.ts";

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

type PasswordLine = Turn & { attempt: PasswordTurn | null };

export function createPasswordQueue(limits: PasswordQueueLimits): PasswordQueue {
  const takeTurn = createFairQueue<PasswordLine>({
    slotCount: limits.runningMax,
    isInTurns: true,
    admit({ attempt }, waiting) {
      if (attempt === null) return;
      const others = waiting.flatMap((one) => one.attempt ?? []);
      assertFree(attempt, {
        limits,
        alike: others.filter((one) => one.standing === attempt.standing),
      });
    },
    refuse: () => new AppError("rate_limited", "nobody waits for the answer any more"),
  });
  return {
    run(attempt, work) {
      if (attempt === null) return takeTurn({ line: null, attempt }, work);
      const { network, standing, signal } = attempt;
      const rank = 1 + standings.indexOf(standing);
      return takeTurn({ line: `${rank} ${network}`, owner: network, rank, signal, attempt }, work);
    },
  };
}

/** The same limits keep one known browser from taking all slots. */
function assertFree(
  turn: PasswordTurn,
  { limits, alike }: { limits: PasswordQueueLimits; alike: readonly PasswordTurn[] },
): void {
  if (alike.length >= limits.waitingMax) throw tooMany("unavailable", "");
  const count = (name: "network" | "account") =>
    alike.filter((one) => one[name] === turn[name]).length;
  // First guesses of others must not take the place of an account's first try.
  if (turn.standing !== "first try" && count("account") >= limits.waitingPerAccountMax)
    throw tooMany("rate_limited", " for this account");
  if (count("network") >= limits.waitingPerNetworkMax)
    throw tooMany("rate_limited", " for this network");
}

function tooMany(code: "rate_limited" | "unavailable", whose: string): AppError {
  const remedy = "try again in a moment, or by a link to your e-mail address";
  return new AppError(code, `too many passwords are being checked${whose}: ${remedy}`);
}

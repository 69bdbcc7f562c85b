// Saves what attempts came to in batches: one transaction for many. While the database is away they
// wait; their leases decide whether they still count.

import type { FinishedAttempt } from "../domain/delivery.ts";
import { AppError } from "../domain/error.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { Queue } from "./queue.ts";

export type Completions = {
  /** Calls back once the outcome is saved or given up. */
  add(attempt: FinishedAttempt, onSaved: () => void): void;
  /** How many are not saved yet. */
  count(): number;
  /** Saves what is left; what can't be saved now is sent again once its lease has ended. */
  close(): Promise<void>;
};

const batchMax = 256;
const lingerMs = 20;
const againMs = 1_000;

export function openCompletions(open: {
  clock: Clock;
  log: Log;
  queue: Pick<Queue, "transaction">;
}): Completions {
  const { clock, log, queue } = open;
  const waiting: { attempt: FinishedAttempt; onSaved: () => void }[] = [];
  let timer: NodeJS.Timeout | null = null;
  let saving: Promise<void> | null = null;
  let isClosing = false;

  function saveIn(delayMs: number): void {
    if (timer || saving || isClosing) return;
    timer = setTimeout(saveNow, delayMs);
  }

  function saveNow(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (saving) return;
    saving = saveAll().then((isSaved) => {
      saving = null;
      if (waiting.length > 0) saveIn(isSaved ? lingerMs : againMs);
    });
  }

  /** False when the database is away. */
  async function saveAll(): Promise<boolean> {
    while (waiting.length > 0) {
      const attempts = waiting.slice(0, batchMax).map(({ attempt }) => attempt);
      try {
        await queue.transaction((tx) => tx.finishAttempts({ attempts, now: clock.now() }));
      } catch (error) {
        const isAway = error instanceof AppError && error.code === "unavailable";
        const facts = { reason: String(error), count: attempts.length };
        if (isAway) {
          log.warn(facts, "outcomes can't be saved right now");
          return false;
        }
        log.error(facts, "outcomes were not saved");
        // A batch that can't be saved at all must not hold up the others: its leases end.
      }
      for (const { onSaved } of waiting.splice(0, attempts.length)) onSaved();
    }
    return true;
  }

  return {
    add(attempt, onSaved) {
      waiting.push({ attempt, onSaved });
      if (waiting.length >= batchMax) saveNow();
      else saveIn(lingerMs);
    },
    count: () => waiting.length,
    async close() {
      isClosing = true;
      if (timer) clearTimeout(timer);
      await saving;
      await saveAll();
    },
  };
}

// A signal that a test waits for, with a limit: instead of sleeping or looking again and again.
import { patience } from "./patience.ts";

export type Signal = {
  notify(): void;
  /** @throws (rejects) when nothing notified within the time, with `what` in the message */
  received(withinMs: number): Promise<void>;
};

export function createSignal(what: string): Signal {
  let notify = (): void => {};
  const notified = new Promise<void>((resolve) => {
    notify = resolve;
  });
  return {
    notify,
    async received(withinMs) {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_, reject) => {
        const error = new Error(`waited ${withinMs} ms in vain for ${what}`);
        timer = setTimeout(() => reject(error), patience(withinMs));
      });
      try {
        await Promise.race([notified, tooLate]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

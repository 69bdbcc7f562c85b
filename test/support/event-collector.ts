// Collects events of a test, which waits until enough have come, or fails at a time limit.
import { patience } from "./patience.ts";

export type EventCollector<T> = {
  readonly items: readonly T[];
  add(item: T): void;
  /** Resolves with the first `count` items; rejects after `limitMs` with the number of those that came. */
  waitFor(count: number, limitMs?: number): Promise<T[]>;
};

export function createEventCollector<T>(name: string): EventCollector<T> {
  const items: T[] = [];
  const checks = new Set<() => void>();
  return {
    items,
    add(item) {
      items.push(item);
      for (const check of [...checks]) check();
    },
    waitFor(count, limitMs = 30_000) {
      return new Promise((resolve, reject) => {
        const check = (): void => {
          if (items.length < count) return;
          clearTimeout(timer);
          checks.delete(check);
          resolve(items.slice(0, count));
        };
        const timer = setTimeout(() => {
          checks.delete(check);
          reject(new Error(`${name}: ${items.length} of ${count} came within ${limitMs} ms`));
        }, patience(limitMs));
        checks.add(check);
        check();
      });
    },
  };
}

// A list that a test can wait on: it ends the wait as soon as enough has come, or fails at a limit.

export type EventCollector<T> = {
  readonly items: readonly T[];
  add(item: T): void;
  /** The first `count` items, once they are there. */
  waitFor(count: number, limitMs?: number): Promise<T[]>;
};

export function createEventCollector<T>(name: string): EventCollector<T> {
  const items: T[] = [];
  const waiting = new Set<() => void>();
  return {
    items,
    add(item) {
      items.push(item);
      for (const look of [...waiting]) look();
    },
    waitFor(count, limitMs = 30_000) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (items.length < count) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(items.slice(0, count));
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${name}: ${items.length} of ${count} came within ${limitMs} ms`));
        }, limitMs);
        waiting.add(look);
        look();
      });
    },
  };
}

// Work that holds a connection in a transaction asks for no second one: it would wait for a turn or a connection that others
// hold, who wait in the same way, until all of them are refused.
import type { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";

/** Tests alone watch: while a storage is in use, Node 20 hooks every promise of the process. */
let held: AsyncLocalStorage<readonly pg.Pool[]> | null = null;

export function watchNestedUse(storage: AsyncLocalStorage<readonly pg.Pool[]>): void {
  held = storage;
}

/** In a transaction on a connection of the pool. */
export function whileHolding<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  return held ? held.run([...(held.getStore() ?? []), pool], work) : work();
}

/** @throws for a statement or transaction beside the one that is open, which is a bug */
export function assertNotHeld(pool: pg.Pool): void {
  if (!held?.getStore()?.includes(pool)) return;
  throw new Error(
    "inside of a transaction everything is read and written through it; for another process use test/support/as-another.ts",
  );
}

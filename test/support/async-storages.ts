// Loaded by every test file: ends the use of AsyncLocalStorage with the file. While a storage is in use, Node hooks every
// promise of the process: asynchronous code takes up to ten times as long, also in later files of the worker. Playwright
// never ends the use of its own.
import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll } from "vitest";

const used = new Set<AsyncLocalStorage<unknown>>();
const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
  used.add(this);
  return Reflect.apply(run, this, args);
};

afterAll(() => {
  AsyncLocalStorage.prototype.run = run;
  for (const storage of used) storage.disable();
});

// Work of another request or process in the middle of a transaction of the test.
import { AsyncResource } from "node:async_hooks";

const outside = new AsyncResource("another");

export function asAnother<T>(work: () => T): T {
  return outside.runInAsyncScope(work);
}

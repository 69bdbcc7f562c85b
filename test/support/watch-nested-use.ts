// Loaded by every test file: a statement beside an open transaction of the same work is an error.
import { AsyncLocalStorage } from "node:async_hooks";
import { watchNestedUse } from "../../src/database/nested-use.ts";

watchNestedUse(new AsyncLocalStorage());

// Every repository in one object, and how they are bound to a connection or a pool.
import type { Db } from "./query.ts";
import * as repositories from "./repositories.ts";

/** Functions on a connection are its methods; parts of statements that the same files export are not. */
type BoundTo<M> = {
  [K in keyof M as M[K] extends (db: Db, ...rest: never[]) => unknown ? K : never]: M[K] extends (
    db: Db,
    ...rest: infer Rest
  ) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Every repository, on the one connection of a transaction. */
export type DatabaseTransaction = BoundTo<typeof repositories>;

// A connection lives through many transactions, and binding costs more than a small one of them.
const boundConnections = new WeakMap<Db, DatabaseTransaction>();

/** For connections that are bound often. */
export function bindOnce(db: Db): DatabaseTransaction {
  const bound = boundConnections.get(db) ?? bind(db);
  boundConnections.set(db, bound);
  return bound;
}

export function bind(db: Db): DatabaseTransaction {
  const bound = Object.entries(repositories).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "function" ? [[name, (...rest: unknown[]) => value(db, ...rest)]] : [],
  );
  return asTransaction(Object.fromEntries(bound));
}

// The one place that knows that binding keeps every name and drops only the first parameter.
function asTransaction(bound: Record<string, unknown>): DatabaseTransaction {
  return bound as DatabaseTransaction;
}

// Every repository in one object, and how they are bound to a connection or a pool.
import pg from "pg";
import { assertNotHeld } from "./nested-use.ts";
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

/** Every repository of the core, on the one connection of a transaction. */
export type DatabaseTransaction = BoundTo<typeof repositories> & {
  /** The statements of a feature, on the same connection or pool and in the same turn. */
  with<M extends object>(statements: M): BoundTo<M>;
};

// A connection lives through many transactions, and binding costs more than a small one of them.
const boundConnections = new WeakMap<Db, DatabaseTransaction>();

/** For connections that are bound often. */
export function bindOnce(db: Db): DatabaseTransaction {
  const bound = boundConnections.get(db) ?? bind(db);
  boundConnections.set(db, bound);
  return bound;
}

export function bind(db: Db): DatabaseTransaction {
  const ofFeatures = new Map<object, unknown>();
  return {
    ...bindModule(db, repositories),
    with<M extends object>(statements: M) {
      const bound = ofFeatures.get(statements) ?? bindModule(db, statements);
      ofFeatures.set(statements, bound);
      return bound as BoundTo<M>;
    },
  };
}

function bindModule<M extends object>(db: Db, statements: M): BoundTo<M> {
  const pool = db instanceof pg.Pool ? db : null;
  const bound = Object.entries(statements).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value !== "function") return [];
    const run = (...rest: unknown[]): unknown => {
      if (pool) assertNotHeld(pool);
      return value(db, ...rest);
    };
    return [[name, run]];
  });
  // Binding keeps every name and drops only the first parameter.
  return Object.fromEntries(bound) as BoundTo<M>;
}

// How long each statement of the ingest transaction took.
import type { Database } from "../../src/database/database.ts";

export type StatementTimes = { name: string; seconds: number }[];

/** The same database, with the time of every statement inside a transaction. */
export function timeStatements(database: Database): {
  database: Database;
  times(): StatementTimes;
} {
  const totals = new Map<string, number>();
  const add = (name: string, startedAt: number): void => {
    totals.set(name, (totals.get(name) ?? 0) + performance.now() - startedAt);
  };
  const timed = (tx: object): object =>
    Object.fromEntries(
      Object.entries(tx).map(([name, statement]) => [
        name,
        name === "with"
          ? (statements: object) => timed(statement(statements))
          : async (...params: unknown[]) => {
              const startedAt = performance.now();
              try {
                return await statement(...params);
              } finally {
                add(name, startedAt);
              }
            },
      ]),
    );
  return {
    database: {
      ...database,
      async transaction(work) {
        const startedAt = performance.now();
        try {
          return await database.transaction((tx) => work(timed(tx) as typeof tx));
        } finally {
          add("whole transaction", startedAt);
        }
      },
    },
    times: () =>
      [...totals]
        .map(([name, ms]) => ({ name, seconds: ms / 1_000 }))
        .sort((one, other) => other.seconds - one.seconds),
  };
}

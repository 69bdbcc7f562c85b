// How long each statement of the ingest transaction kept its caller waiting.
import type { Database } from "../../src/database/database.ts";

export type StatementTimes = { name: string; seconds: number }[];

/** The same keep, with a clock at every statement inside a transaction. */
export function timeStatements(database: Database): {
  database: Database;
  times(): StatementTimes;
} {
  const spent = new Map<string, number>();
  const add = (name: string, startedAt: number): void => {
    spent.set(name, (spent.get(name) ?? 0) + performance.now() - startedAt);
  };
  const timed = (tx: object) =>
    Object.fromEntries(
      Object.entries(tx).map(([name, statement]) => [
        name,
        async (...given: unknown[]) => {
          const startedAt = performance.now();
          try {
            return await statement(...given);
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
      [...spent]
        .map(([name, ms]) => ({ name, seconds: ms / 1_000 }))
        .sort((one, other) => other.seconds - one.seconds),
  };
}

// Lets use cases, each of which opens a transaction of its own, run inside one that is open already, or be undone at
// their end.
import type { Database, DatabaseTransaction } from "../database/database.ts";

/** The use cases of `work` take effect together or not at all; what they announce is announced afterwards. */
export async function inOneTransaction<T>(
  database: Database,
  work: (joined: Database) => Promise<T>,
): Promise<T> {
  let notices: Parameters<Database["notify"]>[] = [];
  const result = await database.transaction((tx) => {
    notices = [];
    return work({
      ...database,
      ...tx,
      transaction: (inner) => inner(tx),
      async notify(...notice) {
        notices.push(notice);
      },
    });
  });
  for (const notice of notices) await database.notify(...notice);
  return result;
}

/**
 * A database whose first transaction begins with `first`, and whose transactions are rolled back at their end when
 * `isRehearsal`: a use case then returns what it would have done.
 *
 * @throws what the use case throws
 */
export function guardTransactions(
  database: Database,
  { first, isRehearsal }: { first(tx: DatabaseTransaction): Promise<void>; isRehearsal: boolean },
): Database {
  let isFirst = true;
  const guarded: Database = {
    ...database,
    async transaction(work) {
      const result = await database.transaction(async (tx) => {
        if (isFirst) await first(tx);
        return work(tx);
      });
      isFirst = false;
      return result;
    },
  };
  if (!isRehearsal) return guarded;
  return {
    ...guarded,
    async transaction<T>(work: (tx: DatabaseTransaction) => Promise<T>): Promise<T> {
      try {
        return await guarded.transaction(async (tx): Promise<T> => {
          throw new Rehearsed(await work(tx));
        });
      } catch (error) {
        if (error instanceof Rehearsed) return error.result as T;
        throw error;
      }
    },
    notify: async () => {},
    // Rows of an app that stays.
    deleteRowsOfRemovedListing: async () => 0,
  };
}

/** Rolls a transaction back and takes its result out. */
class Rehearsed extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super("rolled back");
    this.result = result;
  }
}

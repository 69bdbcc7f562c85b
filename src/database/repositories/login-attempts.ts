// Tries to sign in by key (an account, an address), counted in stretches of time that begin with the
// first try. They are counted before the password is looked at, so that many at once can't slip by.
import { type Db, queryRows } from "../query.ts";

export type LoginAttemptCount = { key: string; attemptCount: number; endsAt: Date };

/** Counts one more for each key; keys are named once. */
export function countLoginAttempts(
  db: Db,
  count: { keys: readonly string[]; now: Date; endsAt: Date },
): Promise<LoginAttemptCount[]> {
  return queryRows(
    db,
    "countLoginAttempts",
    `insert into sign_in_tries as t (key, try_count, ends_at)
     select key, 1, $3 from unnest($1::text[]) key order by key
     on conflict (key) do update set
       try_count = case when t.ends_at <= $2 then 1 else least(t.try_count + 1, 1000000) end,
       ends_at = case when t.ends_at <= $2 then $3 else t.ends_at end
     returning key, try_count as "tryCount", ends_at as "endsAt"`,
    [[...count.keys].sort(), count.now, count.endsAt],
  );
}

/** After a try that was right: one less for some keys, and none for others. */
export async function resetLoginAttempts(
  db: Db,
  forgiven: { clearedKeys: readonly string[]; decrementedKeys: readonly string[] },
): Promise<void> {
  await queryRows(db, "clearTries", "delete from sign_in_tries where key = any($1::text[])", [
    [...forgiven.clearedKeys].sort(),
  ]);
  await queryRows(
    db,
    "lessenTries",
    "update sign_in_tries set try_count = greatest(try_count - 1, 0) where key = any($1::text[])",
    [[...forgiven.decrementedKeys].sort()],
  );
}

// Login attempts by key (an account, an address), counted in windows that begin with the first attempt.
// They are counted before the password is checked, so that many at once can't pass uncounted.
import { type Db, queryRows } from "../query.ts";

export type LoginAttemptCount = { key: string; attemptCount: number; endsAt: Date };

/** Counts one more for each key; `keys` holds each once. */
export function countLoginAttempts(
  db: Db,
  count: { keys: readonly string[]; now: Date; endsAt: Date },
): Promise<LoginAttemptCount[]> {
  return queryRows(
    db,
    "countLoginAttempts",
    `insert into login_attempts as t (key, attempt_count, ends_at)
     select key, 1, $3 from unnest($1::text[]) key order by key
     on conflict (key) do update set
       attempt_count = case when t.ends_at <= $2 then 1 else least(t.attempt_count + 1, 1000000) end,
       ends_at = case when t.ends_at <= $2 then $3 else t.ends_at end
     returning key, attempt_count as "attemptCount", ends_at as "endsAt"`,
    [[...count.keys].sort(), count.now, count.endsAt],
  );
}

/** After a successful login: some keys count one attempt less, others begin anew. */
export async function resetLoginAttempts(
  db: Db,
  forgiven: { clearedKeys: readonly string[]; decrementedKeys: readonly string[] },
): Promise<void> {
  await queryRows(
    db,
    "clearLoginAttempts",
    "delete from login_attempts where key = any($1::text[])",
    [[...forgiven.clearedKeys].sort()],
  );
  await queryRows(
    db,
    "decrementLoginAttempts",
    "update login_attempts set attempt_count = greatest(attempt_count - 1, 0) where key = any($1::text[])",
    [[...forgiven.decrementedKeys].sort()],
  );
}

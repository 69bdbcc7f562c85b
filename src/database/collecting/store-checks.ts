// The daily check of the stores' pages: the parsers read one well-known app, and each result is kept for the status
// and the metrics.
import type { StoreId } from "../../domain/store-id.ts";
import { type Db, execute, queryRows } from "../query.ts";

export type StoreCheckEndpoint = "reviews" | "ratings";
type StoreCheckKey = { store: StoreId; endpoint: StoreCheckEndpoint };

/** `fault`: null where the page was as it should be. */
export type StoreCheckResult = StoreCheckKey & { checkedAt: Date; fault: string | null };

/** Takes the check for this process. False while it is not due, and where no app is read from the store's public pages. */
export async function claimStoreCheck(
  db: Db,
  check: StoreCheckKey & { now: Date; dueBefore: Date; faultyDueBefore: Date },
): Promise<boolean> {
  const count = await execute(
    db,
    "claimStoreCheck",
    `insert into store_checks as c (store, endpoint, checked_at)
     select $1, $2, $3 where exists
       (select from listings where store = $1 and credential_id is null and removed_at is null)
     on conflict (store, endpoint) do update set checked_at = excluded.checked_at
     where c.checked_at < case when c.fault is null then $4::timestamptz else $5::timestamptz end`,
    [check.store, check.endpoint, check.now, check.dueBefore, check.faultyDueBefore],
  );
  return count === 1;
}

/** The claim has set the time of the check. */
export async function saveStoreCheck(
  db: Db,
  result: Omit<StoreCheckResult, "checkedAt">,
): Promise<void> {
  await execute(
    db,
    "saveStoreCheck",
    "update store_checks set fault = $3 where store = $1 and endpoint = $2",
    [result.store, result.endpoint, result.fault],
  );
}

export function listStoreChecks(db: Db): Promise<StoreCheckResult[]> {
  return queryRows<StoreCheckResult>(
    db,
    "listStoreChecks",
    `select store, endpoint, checked_at as "checkedAt", fault from store_checks order by store, endpoint`,
  );
}

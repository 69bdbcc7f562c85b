// The daily check of the stores' pages: the parsers read one well-known app, and each result is kept for the status
// and the metrics.
import type { StoreId } from "../../domain/store/store-id.ts";
import { changesRow, type Db, execute, queryRows } from "../query.ts";

export type StoreCheckEndpoint = "reviews" | "ratings";
type StoreCheckKey = { store: StoreId; endpoint: StoreCheckEndpoint };

/** `fault`: null where the page was as it should be. */
type StoreCheckResult = StoreCheckKey & { checkedAt: Date; fault: string | null };

/** Takes the check for this process. False while it is not due, and where no app is read from the store's public pages. */
export function claimStoreCheck(
  db: Db,
  check: StoreCheckKey & { now: Date; dueBefore: Date; faultyDueBefore: Date },
): Promise<boolean> {
  return changesRow(db, "claimStoreCheck")`insert into store_checks as c (store, endpoint,
    checked_at) select ${check.store}, ${check.endpoint}, ${check.now} where exists
      (select from listings where store = ${check.store} and credential_id is null
        and removed_at is null)
    on conflict (store, endpoint) do update set checked_at = excluded.checked_at
    where c.checked_at < case when c.fault is null then ${check.dueBefore}::timestamptz
      else ${check.faultyDueBefore}::timestamptz end`;
}

/** The claim has set the time of the check. */
export async function saveStoreCheck(
  db: Db,
  result: Omit<StoreCheckResult, "checkedAt">,
): Promise<void> {
  await execute(db, "saveStoreCheck")`update store_checks set fault = ${result.fault}
      where store = ${result.store} and endpoint = ${result.endpoint}`;
}

export function listStoreChecks(db: Db): Promise<StoreCheckResult[]> {
  return queryRows(db, "listStoreChecks")<StoreCheckResult>`select store, endpoint,
    checked_at as "checkedAt", fault from store_checks order by store, endpoint`;
}

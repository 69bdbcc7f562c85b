// Parts of statements on feeds that are due, by lane, and on those whose process ended.
import { overBudget } from "../../domain/feed.ts";
import { storeIds } from "../../domain/store-id.ts";

/** The index of feeds by lanes has no other beginnings. */
export const lanesSql = `select * from unnest(array[${storeIds.map((id) => `'${id}'`).join(", ")}]) as stores (store)
  cross join (values (false), (true)) as sources (official) cross join (values (false), (true)) as lengths (long)`;
export const isInLane =
  "w.store = lanes.store and w.is_official = lanes.official and w.is_long = lanes.long";

/**
 * The `stop_reason` of a claimed feed whose last lease was never given back: its crawl ended with its process.
 * Parts of a statement on `feeds f`.
 */
export const endedWithProcess = "process ended";
/**
 * Postponed by `postponeLostFeeds`, or over its budget: nothing reads such a feed before its time, a user's request
 * included.
 */
export const isPostponed = (now: string): string =>
  `(f.lease_token is null and coalesce(f.stop_reason, '') in ('${endedWithProcess}', '${overBudget}') and f.next_due_at > ${now})`;
export const noteLostLease = `stop_reason = case when f.lease_token is null then f.stop_reason else '${endedWithProcess}' end`;

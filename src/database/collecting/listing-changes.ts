// Changes of listings are written last, right before the commit. On a Citus each server has a copy of the row, and a
// transaction that has written one holds up all others that write any, until it ends.
import sql from "sql-template-tag";
import { type Db, execute, queryFirstRow, queryValue } from "../query.ts";
import { nextRowVersion, parameter } from "../sql.ts";

export type ListingChange = { listingId: string; regions?: readonly string[] };

type NotedChange = { changedAt: string | null; regions: Set<string> };

const noted = new WeakMap<Db, Map<string, NotedChange>>();

/**
 * Notes it for the end of the transaction that `db` is, and returns its moment, as text, because a Date has no
 * microseconds. It is the same throughout a transaction for one listing, and later than that of any earlier
 * transaction.
 */
export async function noteListingChange(
  db: Db,
  { listingId, regions = [] }: ListingChange,
): Promise<string | null> {
  const changes = noted.get(db) ?? new Map<string, NotedChange>();
  noted.set(db, changes);
  const known = changes.get(listingId);
  const change = known ?? { changedAt: await beginChange(db, listingId), regions: new Set() };
  for (const region of regions) change.regions.add(region);
  changes.set(listingId, change);
  return change.changedAt;
}

async function beginChange(db: Db, listingId: string): Promise<string | null> {
  // By itself, so that the lock that it takes is on the coordinator, like all of them.
  // Citus refuses to write what each server has a copy of after it has written to several at the same time.
  const statement = sql`select begin_change()::text as at,
    set_config('citus.multi_shard_modify_mode', 'sequential', true) as mode`;
  const begun = await queryFirstRow<{ at: string }>(db, "beginChange", statement);
  return queryValue<string>(
    db,
    "readNextChange",
    sql`select greatest(${begun?.at}::timestamptz,
        (changed_at at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC')::text as at
      from listings where id = ${listingId}`,
  );
}

/** Writes what the transaction noted. */
export async function saveListingChanges(db: Db): Promise<void> {
  const changes = [...(noted.get(db) ?? [])].sort(([one], [other]) => (one < other ? -1 : 1));
  noted.delete(db);
  for (const [listingId, { changedAt, regions }] of changes) {
    const added = parameter([...regions]);
    const statement = sql`update listings set version = ${nextRowVersion},
        changed_at = greatest(changed_at, ${changedAt}::timestamptz),
        regions = case when ${added}::text[] <@ regions then regions
          else array(select unnest(regions) union select unnest(${added}::text[]) order by 1) end
      where id = ${listingId}`;
    await execute(db, "saveListingChange", statement);
  }
}

/** Forgets the changes of a finished transaction: its connection is reused. */
export function forgetListingChanges(db: Db): void {
  noted.delete(db);
}

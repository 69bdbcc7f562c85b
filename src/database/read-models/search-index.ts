// Whether the search index is there, and what it understands.
import { advisoryLocks } from "../advisory-locks.ts";
import { type Db, queryFirstRow } from "../query.ts";
import { searchIndexes } from "../search-index-sql.ts";

/** `incomplete`: its making was interrupted, and no search uses it. */
export type SearchIndexState = "none" | "building" | "incomplete" | "ready";

export type SearchIndex = { state: SearchIndexState; bytes: number };

type Row = {
  tableCount: number;
  madeCount: number;
  readyCount: number;
  bytes: number;
  isBeingMade: boolean;
};

// Asked by searches, which so notice what the command does: it takes a fraction of a millisecond.
export async function readSearchIndex(db: Db): Promise<SearchIndex> {
  const row = await queryFirstRow<Row>(
    db,
    "readSearchIndex",
    `select count(*) as "tableCount", count(index_id) as "madeCount",
       count(*) filter (where is_ready) as "readyCount",
       coalesce(sum(pg_relation_size(index_id)), 0)::bigint as bytes,
       exists (select from pg_locks l where l.locktype = 'advisory' and l.granted and l.classid = 0
         and l.objid = $1 and l.database = (select oid from pg_database where datname = current_database())
       ) as "isBeingMade"
     from (${searchIndexes}) t`,
    [advisoryLocks.searchIndex],
  );
  return row ? { state: stateOf(row), bytes: row.bytes } : { state: "none", bytes: 0 };
}

function stateOf({ tableCount, madeCount, readyCount, isBeingMade }: Row): SearchIndexState {
  if (readyCount === tableCount) return "ready";
  if (isBeingMade) return "building";
  return madeCount === 0 ? "none" : "incomplete";
}

/**
 * Whether PostgreSQL takes these for letters. Where `LC_CTYPE` is `C`, as in the embedded one, it knows those of ASCII alone,
 * and the index has nothing of other scripts. Only for a database with the index, which brings the function.
 */
export async function isKnownToSearchIndex(db: Db, letters: string): Promise<boolean> {
  const row = await queryFirstRow<{ isKnown: boolean }>(
    db,
    "isKnownToSearchIndex",
    `select show_trgm($1) <> '{}' as "isKnown"`,
    [letters],
  );
  return row?.isKnown === true;
}

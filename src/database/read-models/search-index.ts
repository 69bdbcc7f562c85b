// Whether the search index is there, and what it understands.
import { advisoryLocks } from "../advisory-locks.ts";
import { type Db, queryFirstRow } from "../query.ts";
import { indexNameOf, searchedTables } from "../search-index-sql.ts";

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
    `select count(*) as "tableCount", count(i.indexrelid) as "madeCount",
       count(i.indexrelid) filter (where i.indisvalid and i.indisready) as "readyCount",
       coalesce(sum(pg_relation_size(i.indexrelid)), 0)::bigint as bytes,
       exists (select from pg_locks l where l.locktype = 'advisory' and l.granted and l.classid = 0
         and l.objid = $1 and l.database = (select oid from pg_database where datname = current_database())
       ) as "isBeingMade"
     from (${searchedTables}) t
     left join pg_class n on n.relnamespace = current_schema()::regnamespace
       and n.relname = t.name || $2
     left join pg_index i on i.indexrelid = n.oid and i.indrelid = t.oid`,
    [advisoryLocks.searchIndex, indexNameOf("")],
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

// Reviews in the order in which they changed, for whoever keeps a copy. Nothing is skipped: a page ends
// before the oldest change that is not committed yet, because whatever was behind it would never be shown.
import { type Db, queryFirstRow } from "../query.ts";
import { readPage } from "./merged-pages.ts";
import { buildChangeStatement } from "./review-change-sql.ts";
import type { PageQuery, ReviewPage } from "./review-pages.ts";

export type ChangeQuery = PageQuery & {
  /** ISO 8601 in UTC. Changes of this moment or later. */
  since: string;
  /** Changes before this moment, from `findChangeHorizon`. */
  until: string;
};

/**
 * The moment before which all changes are committed: ISO 8601 in UTC with microseconds. Find it before the
 * changes themselves.
 */
export async function findChangeHorizon(db: Db): Promise<string> {
  const found = await queryFirstRow<{ until: string }>(
    db,
    "findChangeHorizon",
    `select to_char(changes_complete_until() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as until`,
  );
  // A function without a condition always returns one row: this is for the type alone.
  return found?.until ?? "-infinity";
}

/** Reviews that match and changed in this time, the earliest change first, each as it is now. */
export function listReviewChanges(db: Db, query: ChangeQuery): Promise<ReviewPage> {
  return readPage(db, query, { build: buildChangeStatement, order: "earliestFirst" });
}

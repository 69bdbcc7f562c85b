// Pages of reviews for the read API: newest first, or in the order of changes, a few index ranges per app, merged. The cost
// is apps × page, at any depth and for any number of reviews.

import { readByApp } from "../cluster/distributed-reads.ts";
import { type Db, queryFirstRow } from "../query.ts";
import {
  buildChangeStatement,
  buildKeyStatement,
  buildPageStatement,
  type KeyRow,
  type PageRow,
  toPage,
} from "./review-page-sql.ts";
import type { ChangeQuery, PageQuery, ReviewPage, ReviewPosition } from "./review-ranges.ts";

/** Reviews that match, the newest first, those after `after` in that order. */
export function listReviewPage(db: Db, query: PageQuery): Promise<ReviewPage> {
  return readPage(db, query, { build: buildPageStatement, order: "newestFirst" });
}

export type ReviewKey = { listingId: string; id: string };

/** The same reviews by their keys, for callers that read more of each. */
export function listReviewKeys(
  db: Db,
  query: PageQuery,
): Promise<{ keys: ReviewKey[]; last: ReviewPosition | null }> {
  return readKeys(db, query, buildKeyStatement);
}

// Reviews in the order in which they changed, for whoever keeps a copy. Nothing is skipped: a page ends
// before the oldest change that is not committed yet, because whatever was behind it would never be shown.

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

// Pages over several apps where tables are spread over servers: no statement can merge what several servers have in
// order, so each app's page is read where its rows are, and they are merged here.

/** With where each of its reviews stands. */
type PlacedPageRow = PageRow & { micros?: string[] | null; ids?: string[] | null };

/** `newestFirst`, or by the earliest change. */
type Order = "newestFirst" | "earliestFirst";

/** The page that the statement of `build` finds, in that statement's order. */
export async function readPage<Query extends PageQuery>(
  db: Db,
  query: Query,
  { build, order }: { build: (query: Query) => PageStatement; order: Order },
): Promise<ReviewPage> {
  const { limit } = query;
  const [only, ...others] = await readByApp(db, query.apps, (apps) => {
    const { name, text, values } = build({ ...query, apps });
    return queryFirstRow<PlacedPageRow>(db, name, text, values);
  });
  if (others.length === 0) return toPage(only, limit);
  const rows = [only, ...others].filter((row) => row !== null);
  return mergePages(rows, { limit, order });
}

export async function readKeys<Query extends PageQuery>(
  db: Db,
  query: Query,
  build: (query: Query) => PageStatement,
): Promise<{ keys: ReviewKey[]; last: ReviewPosition | null }> {
  const { limit } = query;
  const rows = await readByApp(db, query.apps, (apps) => {
    const { name, text, values } = build({ ...query, apps });
    return queryFirstRow<KeyRow>(db, name, text, values);
  });
  const found = rows.flatMap((row) => (row ? listKeys(row) : []));
  const ends = rows.flatMap((row) =>
    row && row.count <= limit && row.endMicros && row.endId
      ? [{ micros: BigInt(row.endMicros), id: row.endId }]
      : [],
  );
  const { page, last } = mergeFound({ found, ends }, { limit, order: "newestFirst" });
  return { keys: page.map(({ listingId, id }) => ({ listingId, id })), last };
}

function listKeys({ listingIds, ids, micros }: KeyRow): (ReviewKey & ReviewPosition)[] {
  return (ids ?? []).map((id, index) => {
    const [listingId, at] = [listingIds?.[index], micros?.[index]];
    if (listingId === undefined || at === undefined) throw new Error("a review without its place");
    return { listingId, id, micros: BigInt(at) };
  });
}

type PageStatement = { name: string; text: string; values: readonly unknown[] };

/** The first `limit` reviews of all, as if they were read as one page. */
function mergePages(
  rows: readonly PlacedPageRow[],
  { limit, order }: { limit: number; order: Order },
): ReviewPage {
  const found = rows.flatMap(listReviews);
  const ends = rows.flatMap(({ count, endMicros, endId }) =>
    count <= limit && endMicros && endId ? [{ micros: BigInt(endMicros), id: endId }] : [],
  );
  const { page, last } = mergeFound({ found, ends }, { limit, order });
  return { json: page.map(({ json }) => json).join(",\n"), last };
}

/** @param parts `ends` are where those stopped that have more: behind the first of them nothing is known */
export function mergeFound<Found extends ReviewPosition>(
  parts: { found: readonly Found[]; ends: readonly ReviewPosition[] },
  { limit, order }: { limit: number; order: Order },
): { page: Found[]; last: ReviewPosition | null } {
  const compare = order === "newestFirst" ? compareNewest : compareEarliest;
  const [end = null] = [...parts.ends].sort(compare);
  const known = [...parts.found]
    .sort(compare)
    .filter((review) => end === null || compare(review, end) <= 0);
  const page = known.slice(0, limit);
  const final = page.at(-1);
  if (known.length <= limit || !final) return { page, last: end };
  return { page, last: { micros: final.micros, id: final.id } };
}

function listReviews(row: PlacedPageRow): (ReviewPosition & { json: string })[] {
  if (row.json === null) return [];
  // No line ends inside an object: JSON escapes it.
  return row.json.split(",\n").map((json, index) => {
    const [micros, id] = [row.micros?.[index], row.ids?.[index]];
    if (micros === undefined || id === undefined) throw new Error("a review without its place");
    return { json, micros: BigInt(micros), id };
  });
}

function compareEarliest(one: ReviewPosition, other: ReviewPosition): number {
  if (one.micros !== other.micros) return one.micros < other.micros ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

const compareNewest = (one: ReviewPosition, other: ReviewPosition): number =>
  compareEarliest(other, one);

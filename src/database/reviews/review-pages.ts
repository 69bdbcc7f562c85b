// Pages of reviews: newest first, or in the order of changes, a few index ranges per app, merged. The cost is apps × page, at
// any depth and for any number of reviews.
import type { Sql } from "sql-template-tag";
import { readByApp } from "../cluster/coordinator.ts";
import { type Db, queryFirstRow, queryRows } from "../query.ts";
import {
  buildChangeStatement,
  buildPageStatement,
  type ChangeQuery,
  type PageQuery,
} from "./review-page-sql.ts";
import type { ReviewPosition } from "./review-ranges.ts";

/** Reviews as the API returns them: the JSON of each is stored with it, and nothing here reads it. */
export type ReviewPage = {
  reviews: PageReview[];
  /**
   * Where the next page begins: after this position. null when there is none. Filters that no index covers
   * can end a page before it is full, even before its first review.
   */
  last: ReviewPosition | null;
};

/** Its place in the order of pages, and the review object of the public contract. */
export type PageReview = ReviewPosition & { listingId: string; json: string };

/** Reviews that match, the newest first, those after `after` in that order. */
export async function listReviewPage(db: Db, query: PageQuery): Promise<ReviewPage> {
  const build = (part: PageQuery): Sql => buildPageStatement(part, "json");
  return toJson(await readPage(db, query, { build, compare: compareNewest }), query);
}

export type ReviewKey = { listingId: string; id: string };

/** The same reviews by their keys, for callers that read more of each. */
export async function listReviewKeys(
  db: Db,
  query: PageQuery,
): Promise<{ keys: ReviewKey[]; last: ReviewPosition | null; scannedCount: number }> {
  const build = (part: PageQuery): Sql => buildPageStatement(part, "keys");
  const found = await readPage(db, query, { build, compare: compareNewest });
  return { ...found, keys: found.page.map(({ listingId, id }) => ({ listingId, id })) };
}

/**
 * The moment before which all changes are committed: ISO 8601 in UTC with microseconds. Find it before the
 * changes themselves.
 */
export async function findChangeHorizon(db: Db): Promise<string> {
  const found = await queryFirstRow(db, "findChangeHorizon")<{ until: string }>`
    select to_char(changes_complete_until() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as until`;
  // A function without a condition always returns one row: this is for the type alone.
  return found?.until ?? "-infinity";
}

/**
 * Reviews that match and changed in this time, the earliest change first, each as it is now. Nothing is skipped: a page
 * ends before the oldest change that is not committed yet, because what was behind it would never be shown.
 */
export async function listReviewChanges(db: Db, query: ChangeQuery): Promise<ReviewPage> {
  const how = { build: buildChangeStatement, compare: compareEarliest };
  return toJson(await readPage(db, query, how), query);
}

type Found = { page: PageReview[]; last: ReviewPosition | null; scannedCount: number };

/** The start of each object, up to its id and behind it, is the same for all reviews of an app. */
function toJson({ page, last }: Found, { apps }: PageQuery): ReviewPage {
  const heads = new Map(
    apps.map(({ listingId, store, externalAppId }) => [
      listingId,
      `","store":"${store}","externalAppId":${JSON.stringify(externalAppId)},`,
    ]),
  );
  const reviews = page.map(({ json, ...review }) => ({
    ...review,
    json: `{"id":"${review.id}${heads.get(review.listingId)}${json}`,
  }));
  return { reviews, last };
}

/** See `writePage`. */
type Row = {
  listingId: string | null;
  id: string;
  micros: string;
  number: number;
  json?: string;
  scannedCount: number;
  endMicros: string | null;
  endId: string | null;
};

async function readPage<Query extends PageQuery>(
  db: Db,
  query: Query,
  { build, compare }: { build: (query: Query) => Sql; compare: Compare },
): Promise<Found> {
  if (query.apps.length === 0) return { page: [], last: null, scannedCount: 0 };
  // Planned for its values: there are too many forms to keep.
  const parts = await readByApp(db, query.apps, (apps) =>
    queryRows(db, "")<Row>(build({ ...query, apps })),
  );
  const found: PageReview[] = [];
  const ends: ReviewPosition[] = [];
  let scannedCount = 0;
  for (const rows of parts) {
    const [first] = rows;
    // Up to the last review of a full page, where the next page begins.
    scannedCount += rows[query.limit - 1]?.number ?? first?.scannedCount ?? 0;
    if (first?.endId) ends.push({ micros: BigInt(first.endMicros ?? 0), id: first.endId });
    for (const { listingId, id, micros, json = "" } of rows) {
      if (listingId !== null) found.push({ listingId, id, micros: BigInt(micros), json });
    }
  }
  return { ...mergeFound({ found, ends }, { limit: query.limit, compare }), scannedCount };
}

/** @param parts `ends` are where those stopped that have more: behind the first of them nothing is known */
function mergeFound<One extends ReviewPosition>(
  parts: { found: readonly One[]; ends: readonly ReviewPosition[] },
  { limit, compare }: { limit: number; compare: Compare },
): { page: One[]; last: ReviewPosition | null } {
  const [end = null] = [...parts.ends].sort(compare);
  const known = [...parts.found]
    .sort(compare)
    .filter((review) => end === null || compare(review, end) <= 0);
  const page = known.slice(0, limit);
  const final = page.at(-1);
  if (known.length <= limit || !final) return { page, last: end };
  return { page, last: { micros: final.micros, id: final.id } };
}

type Compare = (one: ReviewPosition, other: ReviewPosition) => number;

function compareEarliest(one: ReviewPosition, other: ReviewPosition): number {
  if (one.micros !== other.micros) return one.micros < other.micros ? -1 : 1;
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

const compareNewest: Compare = (one, other) => compareEarliest(other, one);

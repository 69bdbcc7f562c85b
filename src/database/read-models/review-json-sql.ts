// Pages of reviews as the JSON of the public contract: put together by PostgreSQL from what is stored with each
// review, and read by nothing in Node.
import { allTopics } from "./own-topic-sql.ts";
import type { ReviewPage, ReviewPosition } from "./review-pages.ts";

/** What `writeJson` needs of a review besides its id and date, and `app_id` where the workspace has own topics. */
export function reviewColumns(hasOwnTopics: boolean): string {
  return hasOwnTopics ? "r.json, r.topics" : "r.json";
}

// Topics are the end of the JSON of a review: own ones are put in their place among them.
const withOwnTopics = `left(p.json, -1 - length(to_json(p.topics)::text))
  || to_json(${allTopics({ topics: "p.topics", appId: "p.app_id", id: "p.id" })})::text || '}'`;

/** What stands between the id of a review and the JSON that is stored with it: the same for all of an app. */
export const jsonHead = `concat('","store":"', l.store, '","externalAppId":', to_json(l.external_app_id), ',')`;

/**
 * The rows as JSON, in the order in which they come: one sorted subquery, so that nothing is numbered or sorted
 * again. There can be one more than the page has, which `toPage` cuts off.
 */
export function writeJson(
  found: string,
  options: { by: "date" | "changed_at"; hasOwnTopics: boolean; limit?: string },
): string {
  const { by, hasOwnTopics, limit = "$6::integer" } = options;
  const json = hasOwnTopics ? withOwnTopics : "p.json";
  return `select count(*) as count, string_agg('{"id":"' || p.id || p.head || ${json}, ',\n') as json,
      ${micros(`(array_agg(p.${by}))[${limit}]`)} as "lastMicros",
      (array_agg(p.id))[${limit}]::text as "lastId"
      /*distributed , array_agg(${micros(`p.${by}`)}) as micros, array_agg(p.id::text) as ids */
    from (${found}) p`;
}

/** The keys of the rows, in the order in which they come. */
export function writeKeyRow(found: string): string {
  return `select count(*)::integer as count, array_agg(p.listing_id::text) as "listingIds",
      array_agg(p.id::text) as ids, array_agg(${micros("p.date")}) as micros
    from (${found}) p`;
}

/** What `writeKeyRow` returns; lists are null without rows. */
export type KeyRow = {
  count: number;
  listingIds: string[] | null;
  ids: string[] | null;
  micros: string[] | null;
  endMicros?: string | null;
  endId?: string | null;
};

/** As text: a number of JavaScript is not exact so far. */
export function micros(date: string): string {
  return `(extract(epoch from ${date}) * 1000000)::bigint::text`;
}

/** What `writeJson` returns; a scan adds where it ended before its ranges did. */
export type PageRow = {
  count: number;
  /** null without rows. */
  json: string | null;
  /** The last position on a full page. */
  lastMicros: string | null;
  lastId: string | null;
  endMicros?: string | null;
  endId?: string | null;
};

export function toPage(found: PageRow | null, limit: number): ReviewPage {
  // A count without a group always returns one row: this is for the type alone.
  if (!found) return { json: "", last: null };
  const { count, lastMicros, lastId, endMicros = null, endId = null } = found;
  const json = found.json ?? "";
  if (count <= limit) return { json, last: toPosition(endMicros, endId) };
  // No line ends inside an object: JSON escapes it.
  return { json: json.slice(0, json.lastIndexOf(",\n")), last: toPosition(lastMicros, lastId) };
}

function toPosition(micros: string | null, id: string | null): ReviewPosition | null {
  return micros === null || id === null ? null : { micros: BigInt(micros), id };
}

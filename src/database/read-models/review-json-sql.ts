// Rows of reviews as the JSON of the public contract, written by PostgreSQL: nothing in Node reads it.
import { allTopics } from "./own-topic-sql.ts";
import type { ReviewPage, ReviewPosition } from "./review-pages.ts";

/** What `writeJson` needs of a review besides its id, date, store, external app id and `app_id`. */
export const reviewColumns = `r.author, r.rating, r.title, r.body, r.version, r.country, r.translated_text,
  r.translated_from, r.sentiment, r.sentiment_score, r.topics`;

/**
 * The rows as JSON, in the order in which they come: one sorted subquery, so that nothing is numbered or sorted
 * again. There can be one more than the page has, which `toPage` cuts off. Each object is written by one
 * `concat`: row_to_json looks up the type of each of its columns for each row.
 */
export function writeJson(
  found: string,
  { by, hasOwnTopics }: { by: "date" | "changed_at"; hasOwnTopics: boolean },
): string {
  const topics = hasOwnTopics
    ? allTopics({ topics: "p.topics", appId: "p.app_id", id: "p.id" })
    : "p.topics";
  return `select count(*) as count, string_agg(${written(topics)}, ',\n') as json,
      ${micros(`(array_agg(p.${by}))[$6::integer]`)} as "lastMicros",
      (array_agg(p.id))[$6::integer]::text as "lastId"
    from (select f.*, (f.date at time zone 'UTC')::text as utc from (${found}) f) p`;
}

/** As text: a number of JavaScript is not exact so far. */
export function micros(date: string): string {
  return `(extract(epoch from ${date}) * 1000000)::bigint::text`;
}

// Most dates are whole seconds, whose text has 19 characters: that is cheaper than to_char.
const date = `case length(p.utc) when 19 then replace(p.utc, ' ', 'T') || 'Z'
    else to_char(p.date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`;

// Sentiment labels are a closed set: they need no escaping.
const sentiment = `case when p.sentiment is null then 'null'
    else concat('{"label":"', p.sentiment, '","score":', p.sentiment_score, '}') end`;

const orNull = (column: string): string => `coalesce(to_json(${column})::text, 'null')`;

// In the order of the public contract.
const written = (topics: string): string => `concat('{"id":"', p.id, '","store":"', p.store,
    '","externalAppId":', to_json(p.external_app_id), ',"author":', to_json(p.author),
    ',"rating":', p.rating, ',"title":', ${orNull("p.title")}, ',"text":', to_json(p.body),
    ',"translatedText":', ${orNull("p.translated_text")},
    ',"translatedFrom":', ${orNull("p.translated_from")},
    ',"version":', to_json(p.version), ',"country":', to_json(p.country), ',"date":"', ${date},
    '","sentiment":', ${sentiment}, ',"topics":', to_json(${topics}), '}')`;

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

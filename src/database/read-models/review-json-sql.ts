// Rows of reviews as the JSON of the public contract, written by PostgreSQL: nothing in Node reads it.
import type { ReviewPage, ReviewPosition } from "./review-pages.ts";

/** What `writeJson` needs of a review besides its id, date, store and external app id. */
export const reviewColumns = `r.author, r.rating, r.title, r.body, r.version, r.country, r.translated_text,
  r.translated_from, r.sentiment, r.sentiment_score, r.topics`;

/** The rows as JSON, in their order; the row beyond the page only sets `isMore`. */
export function writeJson(found: string, by: "date" | "changed_at" = "date"): string {
  return `select count(*) > $6::integer as "isMore",
      coalesce(string_agg(row_to_json(w)::text, ',' order by p.number)
        filter (where p.number <= $6::integer), '') as json,
      max(${micros(`p.${by}`)}) filter (where p.number = $6::integer) as "lastMicros",
      max(p.id::text) filter (where p.number = $6::integer) as "lastId"
    from (select f.*, row_number() over () as number,
        (f.date at time zone 'UTC')::text as utc from (${found}) f) p
    cross join lateral (select ${writtenColumns}) w`;
}

/** As text: a number of JavaScript is not exact so far. */
export function micros(date: string): string {
  return `(extract(epoch from ${date}) * 1000000)::bigint::text`;
}

// Most dates are whole seconds, whose text has 19 characters: that is cheaper than to_char.
const writtenDate = `case length(p.utc) when 19 then replace(p.utc, ' ', 'T') || 'Z'
    else to_char(p.date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end`;

// In the order of the public contract. Sentiment labels are a closed set: they need no escaping.
const writtenColumns = `p.id, p.store, p.external_app_id as "externalAppId", p.author, p.rating,
    p.title, p.body as text, p.translated_text as "translatedText",
    p.translated_from as "translatedFrom", p.version, p.country, ${writtenDate} as date,
    ('{"label":"' || p.sentiment || '","score":' || p.sentiment_score || '}')::json as sentiment,
    p.topics`;

/** What `writeJson` returns; a scan adds where it ended before its ranges did. */
export type PageRow = {
  isMore: boolean;
  json: string;
  lastMicros: string | null;
  lastId: string | null;
  endMicros?: string | null;
  endId?: string | null;
};

export function toPage(found: PageRow | null): ReviewPage {
  // A count without a group always returns one row: this is for the type alone.
  if (!found) return { json: "", last: null };
  const { json, isMore, lastMicros, lastId, endMicros = null, endId = null } = found;
  return { json, last: isMore ? toPosition(lastMicros, lastId) : toPosition(endMicros, endId) };
}

function toPosition(micros: string | null, id: string | null): ReviewPosition | null {
  return micros === null || id === null ? null : { micros: BigInt(micros), id };
}

// The statement of one page of reviews. Each set of filters has its own, because a plan for "filter or not"
// can't use an index range. Each is made of index ranges in the order of pages, merged as far as the page
// reaches.
import { sentimentLabels } from "../../domain/analysis.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import type { ReviewFilters, ReviewPosition } from "./review-pages.ts";

/** Reviews of `from` or later that stand after (`before`, `beforeId`) in the order of pages. */
export type PageBounds = { from: string; before: string; beforeId: string };

// The largest page of the API and the review after it. It is part of the statement: with a parameter,
// PostgreSQL plans for a tenth of the table.
const rowsMax = 101;

export function buildPageStatement(page: {
  filters: ReviewFilters;
  bounds: PageBounds;
  limit: number;
}): { name: string; text: string; values: unknown[] } {
  const { filters, bounds, limit } = page;
  const { workspaceId, stores } = filters;
  const values: unknown[] = [
    workspaceId,
    stores,
    bounds.from,
    bounds.before,
    bounds.beforeId,
    limit,
  ];
  const parts: string[] = [];
  const parameter = (part: string, value: unknown): string | null => {
    if (value === null) return null;
    parts.push(part);
    return `$${values.push(value)}`;
  };
  const app = parameter("App", filters.appId);
  const kind = {
    rating: parameter("Rating", filters.rating),
    sentiment: parameter("Sentiment", filters.sentiment),
  };
  const topic = parameter("Topic", filters.topic);
  const name = `listReviewPage${parts.join("")}`;
  const text = texts.get(name) ?? writeText({ kind, topic, app });
  texts.set(name, text);
  return { name, text, values };
}

// One for each set of filters, so there are 16 at most.
const texts = new Map<string, string>();

function writeText(filters: { kind: Kind; topic: string | null; app: string | null }): string {
  const { kind, topic, app } = filters;
  const range = topic === null ? selectByKind(kind) : selectByTopic(kind, topic);
  const found = `select p.*, l.store, l.external_app_id
    from apps a join listings l on l.id = a.listing_id
    cross join lateral (select * from (${range}) q limit $6::integer + 1) p
    where a.workspace_id = $1 and l.store = any($2::text[])${app === null ? "" : ` and a.id = ${app}`}
    order by p.date desc, p.id desc limit $6::integer + 1`;
  return writeRows(found);
}

/** The rows as JSON, in their order; the row beyond the page only sets `isMore`. */
function writeRows(found: string): string {
  return `select count(*) > $6::integer as "isMore",
      coalesce(string_agg(row_to_json(w)::text, ',' order by p.number)
        filter (where p.number <= $6::integer), '') as json,
      max((extract(epoch from p.date) * 1000000)::bigint)
        filter (where p.number = $6::integer)::text as "lastDateMicros",
      max(p.id::text) filter (where p.number = $6::integer) as "lastId"
    from (select f.*, row_number() over () as number from (${found}) f) p
    cross join lateral (select ${writtenColumns}) w`;
}

const writtenDate = `to_char(p.date at time zone 'UTC',
    case date_trunc('second', p.date) when p.date then 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
      else 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' end)`;

// In the order of the public contract. Sentiment labels are a closed set: they need no escaping.
const writtenColumns = `p.id, p.store, p.external_app_id as "externalAppId", p.author, p.rating,
    p.title, p.body as text, p.translated_text as "translatedText",
    p.translated_from as "translatedFrom", p.version, p.country, ${writtenDate} as date,
    ('{"label":"' || p.sentiment || '","score":' || p.sentiment_score || '}')::json as sentiment,
    p.topics`;

const readColumns = `r.id, r.author, r.rating, r.title, r.body, r.version, r.country, r.date,
  r.translated_text, r.translated_from, r.sentiment, r.sentiment_score, r.topics`;

/** The parameters of a filter by stars and of one by sentiment. */
type Kind = { rating: string | null; sentiment: string | null };

function selectByKind(kind: Kind): string {
  const kinds = listKinds(kind, { rating: "r.rating", sentiment: "coalesce(r.sentiment, '')" });
  return merge(
    "r.date desc, r.id desc",
    kinds.map(
      (condition) => `select ${readColumns} from reviews r
        where r.listing_id = a.listing_id ${condition} and r.date >= $3::timestamptz
          and (r.date, r.id) < ($4::timestamptz, $5::uuid)`,
    ),
  );
}

// The narrow rows of the topic find the page; only the reviews on the page are read.
function selectByTopic(kind: Kind, topic: string): string {
  const kinds = listKinds(kind, { rating: "t.rating", sentiment: "t.sentiment" });
  const found = merge(
    "t.date desc, t.review_id desc",
    kinds.map(
      (condition) => `select t.date, t.review_id from review_topics t
        where t.listing_id = a.listing_id and t.topic = ${topic} ${condition}
          and t.date >= $3::timestamptz
          and (t.date, t.review_id) < ($4::timestamptz, $5::uuid)`,
    ),
  );
  // The inner limit makes this one lookup of the primary key for each row, whatever the statistics are.
  return `select r.* from (${found}) t cross join lateral (
      select ${readColumns} from reviews r
      where r.listing_id = a.listing_id and r.id = t.review_id limit 1
    ) r order by t.date desc, t.review_id desc`;
}

/**
 * Conditions that fix both stars and sentiment, so that each is one index range. When only one of them is
 * filtered by, there is a condition for every value of the other; when none is, nothing is fixed.
 */
function listKinds(kind: Kind, columns: { rating: string; sentiment: string }): string[] {
  if (kind.rating === null && kind.sentiment === null) return [""];
  const ratings = kind.rating === null ? ["1", "2", "3", "4", "5"] : [kind.rating];
  const sentiments =
    kind.sentiment === null
      ? ["", ...sentimentLabels].map((label) => `'${label}'`)
      : [kind.sentiment];
  return ratings.flatMap((rating) =>
    sentiments.map(
      (sentiment) => `and ${columns.rating} = ${rating} and ${columns.sentiment} = ${sentiment}`,
    ),
  );
}

// Every range is ordered and limited by itself, so that no more than that is read, merged or sorted.
function merge(order: string, ranges: readonly string[]): string {
  const limited = ranges.map((range) => `${range} order by ${order} limit ${rowsMax}`);
  if (limited.length === 1) return limited.join("");
  const bare = order.replaceAll(/\w\./g, "");
  return `select * from ((${limited.join(") union all (")})) m order by ${bare} limit ${rowsMax}`;
}

const lowestId = "00000000-0000-0000-0000-000000000000";

/** From the start of `from` up to the cursor or the end of `to`, whichever is earlier. */
export function pageBounds(
  filters: Pick<ReviewFilters, "from" | "to">,
  after: ReviewPosition | null,
): PageBounds {
  const from = filters.from === null ? "-infinity" : startOf(filters.from);
  const end = filters.to === null ? null : startOf(addDays(filters.to, 1));
  if (after === null) return { from, before: end ?? "infinity", beforeId: lowestId };
  const date = toMicrosText(after.dateMicros);
  return end !== null && end <= date
    ? { from, before: end, beforeId: lowestId }
    : { from, before: date, beforeId: after.id };
}

function startOf(day: Day): string {
  return `${day}T00:00:00.000000Z`;
}

function toMicrosText(dateMicros: bigint): string {
  // Reviews are of 2008 or later, so the remainder is never negative.
  const micros = String(dateMicros % 1_000n).padStart(3, "0");
  return `${new Date(Number(dateMicros / 1_000n)).toISOString().slice(0, -1)}${micros}Z`;
}

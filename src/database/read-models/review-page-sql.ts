// The statement of one page of reviews. Each set of filters has its own, because a plan for "filter or not"
// can't use an index range. Each is made of index ranges in the order of pages, merged as far as the page
// reaches; filters without an index are checked on the reviews of those ranges, up to a bound.
import { sentimentLabels } from "../../domain/analysis.ts";
import { pageBounds } from "./page-bounds-sql.ts";
import type { PageQuery } from "./review-pages.ts";

type Statement = { name: string; text: string; values: unknown[] };

/** How many reviews are looked at for one page where no index has the answer. */
export const scanMax = 1_000;

// The largest page of the API and the review after it. It is part of the statement: with a parameter,
// PostgreSQL plans for a tenth of the table.
const rowsMax = 101;

export function buildPageStatement(page: PageQuery): Statement {
  const { apps, workspaceId, filters, limit } = page;
  const { from, before, beforeId } = pageBounds(filters, page.after);
  const values: unknown[] = [workspaceId, apps.map(({ id }) => id), from, before, beforeId, limit];
  const parts: string[] = [];
  const add = (part: string, value: unknown): string => {
    parts.push(part);
    return `$${values.push(value)}`;
  };
  const each = (part: string, list: readonly unknown[] | null): string[] | null =>
    list?.map((value) => add(part, value)) ?? null;
  const kind = {
    ratings: each("Rating", filters.ratings),
    sentiments: each("Sentiment", filters.sentiments),
  };
  const topics = each("Topic", filters.topics);
  const checks = uncoveredColumns.flatMap(({ name, column }) => {
    const list = filters[name];
    return list === null ? [] : [`${column} = any(${add(name, list)}::text[])`];
  });
  const isPartial = apps.some(({ regions }) => regions !== null);
  const pairs = isPartial ? add("Regions", apps.flatMap(listPairs)) : null;
  const isByDate = topics === null && kind.ratings === null && kind.sentiments === null;
  const isScan = checks.length > 0 || (isPartial && !isByDate);
  const text = writeText({ kind, topics, checks, pairs });
  // Statements for lists are planned each time: there would be too many of them to keep. So are scans: a plan
  // for any values would sort all that a frequent topic has.
  const isPlannedEachTime = new Set(parts).size < parts.length || isScan;
  return { name: isPlannedEachTime ? "" : `listReviewPage${parts.join("")}`, text, values };
}

/** Placeholders of the filters; null for those that are not set. */
type Placeholders = {
  kind: Kind;
  topics: string[] | null;
  checks: readonly string[];
  pairs: string | null;
};

function writeText({ kind, topics, checks, pairs }: Placeholders): string {
  const isByKind = kind.ratings !== null || kind.sentiments !== null;
  if (pairs !== null && topics === null && !isByKind) {
    const range = { ...ofReviews, conditions: [`and ${regionColumn} = a.region`] };
    return checks.length > 0
      ? writeScan({ range, checks, source: sourceOfPairs(pairs) })
      : writePage({ range, source: sourceOfPairs(pairs) });
  }
  const range = topics === null ? rangesByKind(kind) : rangesByTopic(kind, topics);
  const all = pairs === null ? checks : [...checks, isVisible(pairs)];
  return all.length > 0
    ? writeScan({ range, checks: all, source: sourceOfApps })
    : writePage({ range, source: sourceOfApps });
}

const uncoveredColumns = [
  { name: "countries", column: "r.country" },
  { name: "languages", column: "r.language" },
  { name: "versions", column: "r.version" },
] as const;

// Neither an id nor a region has a slash. A listing that is seen as a whole has null as its region.
function listPairs({ id, regions }: PageQuery["apps"][number]): string[] {
  return regions === null ? [`${id}/`] : regions.map((region) => `${id}/${region}`);
}

const sourceOfApps = `(select a.id, a.listing_id, l.store, l.external_app_id
    from apps a join listings l on l.id = a.listing_id
    where a.workspace_id = $1 and a.id = any($2::uuid[])) a`;

/** One row for each app and region; for an app that is seen as a whole, each region of its listing. */
function sourceOfPairs(pairs: string): string {
  return `(select a.id, a.listing_id, l.store, l.external_app_id, g.region
    from unnest(${pairs}::text[]) p
    join apps a on a.id = split_part(p, '/', 1)::uuid and a.workspace_id = $1
      and a.id = any($2::uuid[])
    join listings l on l.id = a.listing_id
    cross join lateral unnest(case split_part(p, '/', 2) when '' then l.regions
      else array[split_part(p, '/', 2)] end) g (region)) a`;
}

const regionColumn = "coalesce(r.language_hint, nullif(r.country, ''), 'und')";

function isVisible(pairs: string): string {
  return `(f.app_id::text || '/' = any(${pairs}::text[])
    or f.app_id::text || '/' || ${regionColumn} = any(${pairs}::text[]))`;
}

/** Index ranges of one table, each with a condition that fixes all columns before the date. */
type Range = { table: string; id: string; conditions: readonly string[] };
const ofReviews = { table: "reviews r", id: "r.id" };
const ofTopics = { table: "review_topics t", id: "t.review_id" };

const columns = `r.author, r.rating, r.title, r.body, r.version, r.country, r.translated_text,
  r.translated_from, r.sentiment, r.sentiment_score, r.topics`;

/** Up to one review more than the page has; the ranges are read no further than that. */
function writePage({ range, source }: { range: Range; source: string }): string {
  const order = "order by f.date desc, f.id desc limit $6::integer + 1";
  if (range.table === ofReviews.table) {
    const merged = merge(range, { limit: rowsMax, read: `r.date, r.id, ${columns}` });
    return writeJson(`select a.store, a.external_app_id, f.* from ${source}
      cross join lateral (select * from (${merged}) q limit $6::integer + 1) f ${order}`);
  }
  // The narrow rows of the topic find the page; only the reviews on the page are read.
  const merged = distinctOf(merge(range, { limit: rowsMax }));
  return writeJson(`select f.store, f.external_app_id, f.date, f.id, ${columns} from (
      select a.listing_id, a.store, a.external_app_id, f.date, f.id from ${source}
      cross join lateral (select * from (${merged}) q limit $6::integer + 1) f ${order}
    ) f cross join lateral (${lookUp("true")}) r order by f.date desc, f.id desc`);
}

// The limit makes this one lookup of the primary key for each row, whatever the statistics are.
function lookUp(condition: string): string {
  return `select * from reviews r
    where r.listing_id = f.listing_id and r.id = f.id and ${condition} limit 1`;
}

/** Looks at the reviews of the ranges in order until the page is full, and says where it ended. */
function writeScan(scan: { range: Range; checks: readonly string[]; source: string }): string {
  const { range, checks, source } = scan;
  const merged = distinctOf(merge(range, { limit: scanMax }));
  const found = `select f.store, f.external_app_id, f.date, f.id, ${columns} from scanned f
    cross join lateral (${lookUp(checks.join(" and "))}) r
    order by f.date desc, f.id desc limit $6::integer + 1`;
  return `with scanned as materialized (
      select a.id as app_id, a.listing_id, a.store, a.external_app_id, f.date, f.id from ${source}
      cross join lateral (select * from (${merged}) q limit ${scanMax}) f
      order by f.date desc, f.id desc limit ${scanMax}
    )
    select j.*, e."endDateMicros", e."endId" from (${writeJson(found)}) j
    left join (
      select ${micros("f.date")} as "endDateMicros", f.id as "endId"
      from scanned f order by f.date desc, f.id desc offset ${scanMax - 1} limit 1
    ) e on true`;
}

/** The rows as JSON, in their order; the row beyond the page only sets `isMore`. */
function writeJson(found: string): string {
  return `select count(*) > $6::integer as "isMore",
      coalesce(string_agg(row_to_json(w)::text, ',' order by p.number)
        filter (where p.number <= $6::integer), '') as json,
      max(${micros("p.date")}) filter (where p.number = $6::integer) as "lastDateMicros",
      max(p.id::text) filter (where p.number = $6::integer) as "lastId"
    from (select f.*, row_number() over () as number,
        (f.date at time zone 'UTC')::text as utc from (${found}) f) p
    cross join lateral (select ${writtenColumns}) w`;
}

function micros(date: string): string {
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

/** The parameters of filters by stars and by sentiment. */
type Kind = { ratings: string[] | null; sentiments: string[] | null };

function rangesByKind(kind: Kind): Range {
  const names = { rating: "r.rating", sentiment: "coalesce(r.sentiment, '')" };
  return { ...ofReviews, conditions: listKinds(kind, names) };
}

function rangesByTopic(kind: Kind, topics: readonly string[]): Range {
  const kinds = listKinds(kind, { rating: "t.rating", sentiment: "t.sentiment" });
  const conditions = topics.flatMap((topic) =>
    kinds.map((condition) => `and t.topic = ${topic} ${condition}`),
  );
  return { ...ofTopics, conditions };
}

/**
 * Conditions that fix both stars and sentiment, so that each is one index range. When only one of them is
 * filtered by, there is a condition for every value of the other; when none is, nothing is fixed.
 */
function listKinds(kind: Kind, columns: { rating: string; sentiment: string }): string[] {
  if (kind.ratings === null && kind.sentiments === null) return [""];
  const ratings = kind.ratings ?? ["1", "2", "3", "4", "5"];
  const sentiments = kind.sentiments ?? ["", ...sentimentLabels].map((label) => `'${label}'`);
  return ratings.flatMap((rating) =>
    sentiments.map(
      (sentiment) => `and ${columns.rating} = ${rating} and ${columns.sentiment} = ${sentiment}`,
    ),
  );
}

// Every range is ordered and limited by itself, so that no more than that is read, merged or sorted.
function merge(
  { table, id, conditions }: Range,
  { limit, read = "" }: { limit: number; read?: string },
): string {
  const prefix = table.slice(-1);
  const ranges = conditions.map(
    (condition) => `select ${read === "" ? `${prefix}.date, ${id} as id` : read} from ${table}
      where ${prefix}.listing_id = a.listing_id ${condition} and ${prefix}.date >= $3::timestamptz
        and (${prefix}.date, ${id}) < ($4::timestamptz, $5::uuid)
      order by ${prefix}.date desc, ${id} desc limit ${limit}`,
  );
  if (ranges.length === 1) return ranges.join("");
  return `select * from ((${ranges.join(") union all (")})) m order by date desc, id desc limit ${limit}`;
}

/** A review with two of the topics has two rows in their ranges. */
function distinctOf(ranges: string): string {
  return `select distinct on (date, id) * from (${ranges}) d order by date desc, id desc`;
}

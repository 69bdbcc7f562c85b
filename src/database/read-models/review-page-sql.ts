// The statement of one page of reviews. Each set of filters has its own, because a plan for "filter or not"
// can't use an index range. Each is made of index ranges in the order of pages, merged as far as the page
// reaches; filters without an index are checked on the reviews of those ranges, up to a bound.
import { sentimentLabels } from "../../domain/analysis.ts";
import { isTopicName } from "../../domain/topics.ts";
import { ownTopicId } from "./own-topic-sql.ts";
import { type PageBounds, pageBounds } from "./page-bounds-sql.ts";
import { jsonHead, micros, reviewColumns, writeJson } from "./review-json-sql.ts";
import type { PageQuery } from "./review-pages.ts";

export type Statement = { name: string; text: string; values: unknown[] };

/** How many reviews are looked at for one page where no index has the answer. */
export const scanMax = 1_000;

// The largest page of the API and the review after it. It is part of the statement: with a parameter,
// PostgreSQL plans for a tenth of the table.
export const rowsMax = 101;

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
  // A statement without own topics is the same as if there were none anywhere.
  const hasOwnTopics = apps.some((app) => app.hasOwnTopics);
  const topics =
    filters.topics?.map((name) => ({
      parameter: add("Topic", name),
      isOwn: hasOwnTopics && !isTopicName(name),
    })) ?? null;
  const checks = uncoveredColumns.flatMap(({ name, column }) => {
    const list = filters[name];
    return list === null ? [] : [`${column} = any(${add(name, list)}::text[])`];
  });
  const regionCount = Math.max(0, ...apps.map(({ regions }) => regions?.length ?? 0));
  const isPartial = apps.some(({ regions }) => regions !== null);
  const isByDate = topics === null && kind.ratings === null && kind.sentiments === null;
  const isByRegion = isPartial && isByDate && regionCount <= regionRangeMax;
  // Rounded up, so that there are few statements. A range too many is empty.
  const rangeCount = isByRegion ? 2 ** Math.ceil(Math.log2(Math.max(1, regionCount))) : null;
  const regions = isPartial ? add(`Regions${rangeCount ?? ""}`, listRegions(apps)) : null;
  const source = sourceOfApps(regions);
  const range = chooseRange({ kind, topics, rangeCount });
  if (isPartial && !isByRegion) checks.push(isFollowed);
  const isScan = checks.length > 0;
  const written = { range, source, hasOwnTopics };
  const text = isScan ? writeScan({ ...written, checks }) : writePage(written);
  // Statements for lists are planned each time: there would be too many of them to keep. So are scans: a plan
  // for any values would sort all that a frequent topic has.
  const isPlannedEachTime = new Set(parts).size < parts.length || isScan;
  if (hasOwnTopics) parts.push("Own");
  if (topics?.some(({ isOwn }) => isOwn)) parts.push("Named");
  return { name: isPlannedEachTime ? "" : `listReviewPage${parts.join("")}`, text, values };
}

/** Whether one plan is right for all values of the statement of this page, and its cost has a low bound. */
export function isPlannedOnce(page: PageQuery): boolean {
  return page.apps.length === 1 && buildPageStatement(page).name !== "";
}

// Each region is an index range of its own; of more of them than this, the reviews of the listing are looked at.
const regionRangeMax = 16;

/** The parameter of a topic's name, and whether only an own topic can have it. */
type Topic = { parameter: string; isOwn: boolean };
type Ranged = { kind: Kind; topics: readonly Topic[] | null; rangeCount: number | null };

function chooseRange({ kind, topics, rangeCount }: Ranged): Range {
  if (rangeCount !== null) return rangesByRegion(rangeCount);
  return topics === null ? rangesByKind(kind) : rangesByTopic(kind, topics);
}

export const uncoveredColumns = [
  { name: "countries", column: "r.country" },
  { name: "languages", column: "r.language" },
  { name: "versions", column: "r.version" },
] as const;

/** For each app its regions with slashes between them, which no region has; `*` is all of the listing. */
export function listRegions(apps: PageQuery["apps"]): string[] {
  return apps.map(({ regions }) => regions?.join("/") ?? "*");
}

/** The apps of the workspace, each with the regions that it follows; null is all of the listing. */
export function sourceOfApps(regions: string | null): string {
  const named =
    regions === null
      ? "unnest($2::uuid[]) p (id)"
      : `unnest($2::uuid[], ${regions}::text[]) p (id, regions)`;
  return `(select a.id, a.listing_id, ${jsonHead} as head, ${
    regions === null ? "null::text[]" : "string_to_array(nullif(p.regions, '*'), '/')"
  } as regions
    from ${named} join apps a on a.id = p.id and a.workspace_id = $1
    join listings l on l.id = a.listing_id) a`;
}

export const regionColumn = "coalesce(r.language_hint, nullif(r.country, ''), 'und')";
const isFollowed = `(f.regions is null or ${regionColumn} = any(f.regions))`;

/** Index ranges, each with a condition that fixes all columns before the date. */
type Range = { isOfReviews: boolean; parts: readonly RangePart[] };
type RangePart = { table: Table; condition: string };
type Table = { from: string; prefix: "r" | "t"; id: string; isOfApp?: true };
const reviews: Table = { from: "reviews r", prefix: "r", id: "r.id" };
const builtInTopics: Table = { from: "review_topics t", prefix: "t", id: "t.review_id" };
const ownTopics: Table = {
  ...{ from: "own_topic_reviews t", prefix: "t", id: "t.review_id", isOfApp: true },
};

function ofReviews(conditions: readonly string[]): Range {
  const parts = conditions.map((condition) => ({ table: reviews, condition }));
  return { isOfReviews: true, parts };
}

type Written = { range: Range; source: string; hasOwnTopics: boolean };

/** Up to one review more than the page has; the ranges are read no further than that. */
function writePage({ range, source, hasOwnTopics }: Written): string {
  const order = "order by f.date desc, f.id desc limit $6::integer + 1";
  const columns = reviewColumns(hasOwnTopics);
  const json = { by: "date", hasOwnTopics } as const;
  if (range.isOfReviews) {
    const merged = merge(range, { limit: rowsMax, read: `r.date, r.id, ${columns}` });
    const found = `select a.head, a.id as app_id, f.* from ${source}
      cross join lateral (select * from (${merged}) q limit $6::integer + 1) f ${order}`;
    return writeJson(found, json);
  }
  // The narrow rows of the topic find the page; only the reviews on the page are read.
  const merged = distinctOf(merge(range, { limit: rowsMax }));
  const found = `select f.head, f.app_id, f.date, f.id, ${columns} from (
      select a.listing_id, a.head, a.id as app_id, f.date, f.id from ${source}
      cross join lateral (select * from (${merged}) q limit $6::integer + 1) f ${order}
    ) f cross join lateral (${lookUp("true")}) r order by f.date desc, f.id desc`;
  return writeJson(found, json);
}

// The limit makes this one lookup of the primary key for each row, whatever the statistics are.
function lookUp(condition: string): string {
  return `select * from reviews r
    where r.listing_id = f.listing_id and r.id = f.id and ${condition} limit 1`;
}

/** Looks at the reviews of the ranges in order until the page is full, and says where it ended. */
function writeScan(scan: Written & { checks: readonly string[] }): string {
  const { range, checks, source, hasOwnTopics } = scan;
  const merged = distinctOf(merge(range, { limit: scanMax }));
  const found = `select f.head, f.app_id, f.date, f.id, ${reviewColumns(hasOwnTopics)} from scanned f
    cross join lateral (${lookUp(checks.join(" and "))}) r
    order by f.date desc, f.id desc limit $6::integer + 1`;
  return `with scanned as materialized (
      select a.regions, a.listing_id, a.head, a.id as app_id, f.date, f.id from ${source}
      cross join lateral (select * from (${merged}) q limit ${scanMax}) f
      order by f.date desc, f.id desc limit ${scanMax}
    )
    select j.*, e."endMicros", e."endId" from (${writeJson(found, { by: "date", hasOwnTopics })}) j
    left join (
      select ${micros("f.date")} as "endMicros", f.id as "endId"
      from scanned f order by f.date desc, f.id desc offset ${scanMax - 1} limit 1
    ) e on true`;
}

/** The parameters of filters by stars and by sentiment. */
type Kind = { ratings: string[] | null; sentiments: string[] | null };

export function rangesByKind(kind: Kind): Range {
  const names = { rating: "r.rating", sentiment: "coalesce(r.sentiment, '')" };
  return ofReviews(listKinds(kind, names));
}

/** The whole listing, or one range for each region that is followed of it. */
function rangesByRegion(count: number): Range {
  const conditions = Array.from(
    { length: count },
    (_, index) => `and ${regionColumn} = a.regions[${index + 1}]`,
  );
  return ofReviews(["and a.regions is null", ...conditions]);
}

export function rangesByTopic(kind: Kind, topics: readonly Topic[]): Range {
  const kinds = listKinds(kind, { rating: "t.rating", sentiment: "t.sentiment" });
  const parts = topics.flatMap(({ parameter, isOwn }) =>
    kinds.map((condition) =>
      isOwn
        ? { table: ownTopics, condition: `and t.topic_id = ${ownTopicId(parameter)} ${condition}` }
        : { table: builtInTopics, condition: `and t.topic = ${parameter} ${condition}` },
    ),
  );
  return { isOfReviews: false, parts };
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

/** Where in a statement the values of `PageBounds` are. */
type Bounds = PageBounds;
const ofParameters: Bounds = {
  from: "$3::timestamptz",
  before: "$4::timestamptz",
  beforeId: "$5::uuid",
};

// Every range is ordered and limited by itself, so that no more than that is read, merged or sorted.
export function merge(
  { parts }: Range,
  options: { limit: number; read?: string; listing?: string; bounds?: Bounds },
): string {
  const { limit, read, listing = "a.listing_id", bounds = ofParameters } = options;
  const ranges = parts.map(({ table: { from, prefix, id, isOfApp }, condition }) => {
    const of = isOfApp ? "t.app_id = a.id" : `${prefix}.listing_id = ${listing}`;
    return `select ${read ?? `${prefix}.date, ${id} as id`} from ${from}
      where ${of} ${condition} and ${prefix}.date >= ${bounds.from}
        and (${prefix}.date, ${id}) < (${bounds.before}, ${bounds.beforeId})
      order by ${prefix}.date desc, ${id} desc limit ${limit}`;
  });
  if (ranges.length === 1) return ranges.join("");
  return `select * from ((${ranges.join(") union all (")})) m order by date desc, id desc limit ${limit}`;
}

/** A review with two of the topics has two rows in their ranges. */
function distinctOf(ranges: string): string {
  return `select distinct on (date, id) * from (${ranges}) d order by date desc, id desc`;
}

// The statement of one page of reviews, by date or by change. Each set of filters has its own, because a plan for "filter or not"
// can't use an index range. Each is made of index ranges in the order of pages, merged as far as the page
// reaches; filters without an index are checked on the reviews of those ranges, up to a bound.

import sql, { empty, join, type Sql } from "sql-template-tag";
import { valuesOf } from "../../domain/review-filter.ts";
import { isTopicName } from "../../domain/topics.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { ofEachListing } from "../cluster/distributed-sql.ts";
import { literal, type Parameter, parameter } from "../sql.ts";
import { listRegions } from "./followed-apps.ts";
import { allTopics, writeConditions } from "./review-filters.ts";
import {
  type AppColumns,
  type Bounds,
  type ChangeQuery,
  distinctOf,
  type Kind,
  merge,
  ofApps,
  type PageQuery,
  pageBounds,
  type Range,
  rangesByKind,
  rangesByRegion,
  rangesByTopic,
  readRecentReviews,
  regionColumn,
  shareOf,
  type Topic,
  toMicrosText,
  writeBounds,
  writeNewest,
} from "./review-ranges.ts";

export type NamedStatement = { name: string; statement: Sql };

/** A review of a page in the order of pages, with the JSON that is stored with it, or its key alone. */
type Output = "json" | "keys";

type RowOptions = { output: Output; hasOwnTopics: boolean; workspaceId: Parameter };

/** The columns of a review `r` that a row needs besides its id and date. */
function reviewColumns({ output, hasOwnTopics }: RowOptions): Sql {
  if (output === "keys") return empty;
  return hasOwnTopics ? sql`, r.json, r.topics` : sql`, r.json`;
}

/** Reads `reviewColumns` of rows `listing_id, app_id, id`, with their position, in the order of the rows. */
function writeRows(found: Sql, options: RowOptions & { by: Sql }): Sql {
  const { by, output, hasOwnTopics, workspaceId } = options;
  const columns = { topics: sql`p.topics`, id: sql`p.id` };
  const topics = allTopics(columns, { workspaceId, appId: sql`p.app_id` });
  // Topics are the end of the JSON of a review: own ones are put in their place among them.
  const json = hasOwnTopics
    ? sql`left(p.json, -1 - length(to_json(p.topics)::text)) || to_json(${topics})::text || '}'`
    : sql`p.json`;
  return sql`select p.listing_id as "listingId", p.id, ${micros(sql`p.${by}`)} as micros
      ${output === "json" ? sql`, ${json} as json` : empty}
    from (${found}) p`;
}

/** As text, which BigInt reads: a Date would lose microseconds. */
function micros(date: Sql): Sql {
  return sql`(extract(epoch from ${date}) * 1000000)::bigint::text`;
}

/**
 * A scan: its rows, each with where `scanned` ended, when that was not before the bound and the page is
 * not full. Without rows one that has nothing else. Unless it is counted, no more of `scanned` is read than needed.
 */
function writeScanned(
  rows: Sql,
  scan: { by: Sql; order: Sql; limit: Sql; scanMax: number; isCounted?: boolean },
): Sql {
  const { by, order, limit, isCounted = false } = scan;
  // Up to the last review of a full page, where the next page begins.
  const count = sql`(select count(*)::integer from scanned f where not exists (
      select from (select * from found offset ${limit} - 1 limit 1) l
      where (${micros(sql`f.${by}`)}::bigint, f.id) < (l.micros::bigint, l.id)
    ))`;
  return sql`found as materialized (${rows})
    select p.*, e."endMicros", e."endId" ${isCounted ? sql`, ${count} as "scannedCount"` : empty}
    from (select) one
    left join lateral (
      select ${micros(sql`f.${by}`)} as "endMicros", f.id as "endId" from scanned f
      where (select count(*) from found) <= ${limit} ${order} offset ${literal(scan.scanMax - 1)} limit 1
    ) e on true
    left join found p on true`;
}

/** How many reviews are looked at for one page of the API where no index has the answer. */
export const scanMax = 1_000;
/** People look for words that few reviews have, and would need many pages: docs/adr/0070-searches-stay-bounded.md. */
export const wordScanMax = 10_000;

// The largest page of the API and the review after it. It is part of the statement: with a parameter,
// PostgreSQL plans for a tenth of the table.
const rowsMax = 101;

export function buildPageStatement(page: PageQuery, output: Output): NamedStatement {
  const { apps, filters } = page;
  const workspaceId = parameter(page.workspaceId);
  const listingIds = parameter(apps.map(({ listingId }) => listingId));
  // The text depends on these besides the values; they are the end of its name.
  const parts: string[] = [];
  const each = (part: string, list: readonly unknown[] | null): Parameter[] | null => {
    if (list) parts.push(...list.map(() => part));
    return list?.map(parameter) ?? null;
  };
  const kind = {
    ratings: each("Rating", valuesOf(filters, "rating")),
    sentiments: each("Sentiment", valuesOf(filters, "sentiment")),
  };
  // A statement without own topics is the same as if there were none anywhere.
  const hasOwnTopics = apps.some((app) => app.hasOwnTopics);
  const named = valuesOf(filters, "topic");
  const topics = toTopics(named, each("Topic", named), hasOwnTopics);
  const { rating: _, sentiment: __, topic: ___, ...uncovered } = filters;
  const checks = Object.values(writeConditions(uncovered, { appId: sql`f.app_id`, workspaceId }));
  const isByDate = topics === null && kind.ratings === null && kind.sentiments === null;
  const { regions, rangeCount } = chooseRegions(apps, isByDate);
  if (regions !== null) parts.push(`Regions${rangeCount ?? ""}`);
  if (regions !== null && rangeCount === null) checks.push(isFollowed);
  const isCounted = page.scanMax !== undefined;
  const scannedMax = page.scanMax ?? (filters.q ? wordScanMax : scanMax);
  const isScan = checks.length > 0 || isCounted;
  const share = shareOf({ appCount: apps.length, limit: isScan ? scannedMax : rowsMax });
  const [first, ...others] = apps;
  const only = isScan && first && others.length === 0 ? ofOnlyApp(first.listingId) : null;
  const written: Written = {
    range: chooseRange({ kind, topics, rangeCount, app: only ?? ofApps, workspaceId }),
    apps: writeApps(page, { workspaceId, listingIds, regions }),
    bounds: writeBounds(pageBounds(filters, page.after)),
    limit: sql`${parameter(page.limit)}::integer`,
    repeatMax: topics?.length ?? 1,
    hasOwnTopics,
    share,
    only,
    output,
    workspaceId,
  };
  const scan = { ...written, checks: [...checks, sql`true`], scanMax: scannedMax, isCounted };
  const found = isScan ? writeScan(scan) : writePage(written);
  // Statements for lists are planned each time: there would be too many of them to keep. So are scans: a plan
  // for any values would sort all that a frequent topic has.
  const isPlannedEachTime = new Set(parts).size < parts.length || isScan;
  if (share !== null) parts.push(`Many${share}`);
  if (hasOwnTopics) parts.push("Own");
  if (topics?.some(({ isOwn }) => isOwn)) parts.push("Named");
  const name = output === "json" ? "listReviewPage" : "listReviewKeys";
  return {
    name: isPlannedEachTime ? "" : `${name}${parts.join("")}`,
    statement: sql`${ofEachListing(listingIds)}${found}`,
  };
}

function toTopics(
  names: readonly string[] | null,
  parameters: readonly Parameter[] | null,
  hasOwnTopics: boolean,
): Topic[] | null {
  if (names === null || parameters === null) return null;
  return parameters.map((name, index) => ({
    name,
    isOwn: hasOwnTopics && !isTopicName(names[index] ?? ""),
  }));
}

// Each region is an index range of its own; of more of them than this, the reviews of the listing are looked at.
const regionRangeMax = 16;

/** The followed regions of the apps, null for all of each; and the number of ranges where pages by date are read by region. */
function chooseRegions(
  apps: PageQuery["apps"],
  isByDate: boolean,
): { regions: string[] | null; rangeCount: number | null } {
  if (apps.every(({ regions }) => regions === null)) return { regions: null, rangeCount: null };
  const regions = listRegions(apps);
  const count = Math.max(0, ...apps.map((app) => app.regions?.length ?? 0));
  if (!isByDate || count > regionRangeMax) return { regions, rangeCount: null };
  // Rounded up, so that there are few statements. A range too many is empty.
  return { regions, rangeCount: 2 ** Math.ceil(Math.log2(Math.max(1, count))) };
}

type Ranged = {
  kind: Kind;
  topics: readonly Topic[] | null;
  rangeCount: number | null;
  app: AppColumns;
  workspaceId: Parameter;
};

function chooseRange({ kind, topics, rangeCount, app, workspaceId }: Ranged): Range {
  if (rangeCount !== null) return rangesByRegion(rangeCount, app);
  return topics === null ? rangesByKind(kind) : rangesByTopic(kind, topics, workspaceId);
}

/** The apps of the workspace, on their listings, each with the regions that it follows; null is all of the listing. */
// With the limit each app is looked up by its key. Joined, a plan for ten apps compares each of a hundred with each.
function writeApps(
  { apps }: Pick<PageQuery, "apps">,
  options: { workspaceId: Parameter; listingIds: Parameter; regions: string[] | null },
): Sql {
  const { workspaceId, listingIds, regions } = options;
  const ids = sql`${apps.map(({ id }) => id)}::uuid[], ${listingIds}::uuid[]`;
  const named =
    regions === null
      ? sql`unnest(${ids}) p (id, listing_id)`
      : sql`unnest(${ids}, ${regions}::text[]) p (id, listing_id, regions)`;
  const followed =
    regions === null ? sql`null::text[]` : sql`string_to_array(nullif(p.regions, '*'), '/')`;
  return sql`(select a.id, a.listing_id, ${followed} as regions
    from ${named} cross join lateral (
      select * from apps a
      where a.id = p.id and a.workspace_id = ${workspaceId} and a.listing_id = p.listing_id limit 1
    ) a)`;
}

const isFollowed = sql`(f.regions is null or ${regionColumn} = any(f.regions))`;

/** The pieces of the statement; for `share` see `shareOf`. */
type Written = RowOptions & {
  range: Range;
  /** See `writeApps`. */
  apps: Sql;
  bounds: Bounds;
  limit: Sql;
  share: number | null;
  repeatMax: number;
  /** Where there is one app. */
  only: AppColumns | null;
};

const byDate = sql`date`;
const inOrder = sql`order by f.date desc, f.id desc`;

/** Up to one review more than the page has; the ranges are read no further than that. */
function writePage(page: Written): Sql {
  const { range, apps, bounds, limit, share, output } = page;
  const rows = { ...page, by: byDate };
  const columns = reviewColumns(page);
  const onPage = sql`limit ${limit} + 1`;
  if (share === null && range.isOfReviews && output === "json") {
    const merged = merge(range, { bounds, limit: rowsMax, read: sql`r.date, r.id ${columns}` });
    const found = sql`select a.listing_id, a.id as app_id, f.* from ${apps} a
      cross join lateral (select * from (${merged}) q ${onPage}) f ${inOrder} ${onPage}`;
    return writeRows(found, rows);
  }
  // The narrow rows of the index find the page; only the reviews on the page are read.
  const keys = writeKeys(page, { count: sql`${limit} + 1`, countMax: rowsMax });
  const lookedUp = output === "json" ? sql`cross join lateral (${lookUp(sql`true`)}) r` : empty;
  const found = sql`select f.listing_id, f.app_id, f.date, f.id ${columns} from (${keys}) f
    ${lookedUp} ${inOrder}`;
  return writeRows(found, rows);
}

function writeKeys(
  { range, apps, bounds, share, repeatMax }: Written,
  size: { count: Sql; countMax: number },
): Sql {
  const { filter, parts } = range;
  const readRecent =
    filter !== undefined && parts.length > 1
      ? (limit: number): Sql => readRecentReviews(filter, { bounds, limit })
      : undefined;
  const readRange = (limit: number, since?: Sql): Sql => merge(range, { bounds, limit, since });
  return writeNewest({ apps, share, readRange, readRecent, repeatMax, ...size });
}

// The limit makes this one lookup of the primary key for each row, whatever the statistics are.
function lookUp(condition: Sql): Sql {
  return sql`select * from reviews r
    where r.listing_id = f.listing_id and r.id = f.id and ${condition} limit 1`;
}

/** Looks at the reviews of the ranges in order until the page is full. */
type WrittenScan = Written & { checks: readonly Sql[]; scanMax: number; isCounted: boolean };

function writeScan(scan: WrittenScan): Sql {
  const { only, checks, limit } = scan;
  const found = sql`select f.listing_id, f.app_id, f.date, f.id ${reviewColumns(scan)}
    from scanned f cross join lateral (${lookUp(join(checks, " and "))}) r ${inOrder} limit ${limit} + 1`;
  return sql`${only ? scanOnlyApp(scan, only) : scanApps(scan)},
    ${writeScanned(writeRows(found, { ...scan, by: byDate }), { ...scan, by: byDate, order: inOrder })}`;
}

function scanApps(scan: WrittenScan): Sql {
  const keys = writeKeys(scan, { count: literal(scan.scanMax), countMax: scan.scanMax });
  return sql`with scanned as materialized (${keys})`;
}

// Without a join to the app the order of the ranges is the order of the scan: nothing is sorted, so nothing behind
// the end of the page is read.
function scanOnlyApp(scan: WrittenScan, app: AppColumns): Sql {
  const { range, apps, bounds, repeatMax } = scan;
  const merged = distinctOf(merge(range, { bounds, limit: scan.scanMax * repeatMax, app }));
  return sql`with app as materialized (select * from ${apps} a), scanned as materialized (
      select ${app.listingId} as listing_id, ${app.id} as app_id, ${app.regions} as regions, f.date, f.id
      from (${merged}) f where exists (select from app) ${inOrder} limit ${literal(scan.scanMax)}
    )`;
}

/** Columns of a statement with one row `app`, or none when the app belongs to another workspace. */
function ofOnlyApp(listingId: string): AppColumns {
  return {
    listingId: sql`${parameter(listingId)}::uuid`,
    id: sql`(select id from app)`,
    regions: sql`(select regions from app)`,
  };
}

// The statement of one page of changed reviews, the earliest change first: one index range for each app.
// All filters are checked on the reviews of those ranges, up to a bound.

export function buildChangeStatement(query: ChangeQuery): NamedStatement {
  const { apps, filters } = query;
  const workspaceId = parameter(query.workspaceId);
  const listingIds = parameter(apps.map(({ listingId }) => listingId));
  const days = pageBounds(filters, null);
  const checks = Object.values(writeConditions(filters, { appId: sql`a.id`, workspaceId }));
  if (filters.from) checks.push(sql`r.date >= ${days.from}::timestamptz`);
  if (filters.to) checks.push(sql`r.date < ${days.before}::timestamptz`);
  if (apps.some((app) => app.regions !== null)) {
    checks.push(sql`(a.regions is null or ${regionColumn} = any(a.regions))`);
  }
  const hasOwnTopics = apps.some((app) => app.hasOwnTopics);
  const source = writeApps(query, { workspaceId, listingIds, regions: listRegions(apps) });
  const page = writeChanges(query, {
    checks,
    source,
    rows: { output: "json", hasOwnTopics, workspaceId },
  });
  // Planned for its values: there would be too many forms to keep.
  const name = `listReviewChanges${hasOwnTopics ? "Own" : ""}`;
  return {
    name: checks.length > 0 ? "" : name,
    statement: sql`${ofEachListing(listingIds)}${page}`,
  };
}

const byChange = sql`changed_at`;

function writeChanges(
  { since, until, after, ...query }: ChangeQuery,
  pieces: { checks: readonly Sql[]; source: Sql; rows: RowOptions },
): Sql {
  const { checks, source } = pieces;
  const rows = { ...pieces.rows, by: byChange };
  const [begin, beginId] = after ? [toMicrosText(after.micros), after.id] : [since, lowestUuid];
  const limit = sql`${parameter(query.limit)}::integer`;
  const onPage = sql`limit ${limit} + 1`;
  const order = sql`order by f.changed_at, f.id`;
  const isScan = checks.length > 0;
  const ranges = (end: Sql): Sql => sql`
    select a.regions, a.listing_id, a.id as app_id, f.* from ${source} a
    cross join lateral (select * from (
      select r.changed_at, r.id, r.json, r.topics, ${join([...checks, sql`true`], " and ")} as is_match
      from reviews r where r.listing_id = a.listing_id
        and (r.changed_at, r.id) > (${begin}::timestamptz, ${beginId}::uuid)
        and r.changed_at < ${until}::timestamptz
      order by r.changed_at, r.id limit ${literal(isScan ? scanMax : rowsMax)}
    ) q ${end}) f ${order} ${end}`;
  if (!isScan) return writeRows(ranges(onPage), rows);
  const found = sql`select * from scanned f where f.is_match ${order} ${onPage}`;
  return sql`with scanned as materialized (${ranges(sql`limit ${literal(scanMax)}`)}),
    ${writeScanned(writeRows(found, rows), { by: byChange, order, limit, scanMax })}`;
}

// The statement of one page of reviews, by date or by change. Each set of filters has its own, because a plan for "filter or not"
// can't use an index range. Each is made of index ranges in the order of pages, merged as far as the page
// reaches; filters without an index are checked on the reviews of those ranges, up to a bound.

import { isTopicName } from "../../domain/topics.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { ofEachListing } from "../cluster/distributed-sql.ts";
import { listRegions } from "./followed-apps.ts";
import { allTopics, writeConditions } from "./review-filters.ts";
import {
  type AppColumns,
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
  writeNewest,
} from "./review-ranges.ts";

export type Statement = { name: string; text: string; values: unknown[] };

/** A review of a page in the order of pages, with the JSON that is stored with it, or its key alone. */
type Output = "json" | "keys";

/** The columns of a review `r` that a row needs besides its id and date. */
function reviewColumns({ output, hasOwnTopics }: Pick<Written, "output" | "hasOwnTopics">): string {
  if (output === "keys") return "";
  return hasOwnTopics ? ", r.json, r.topics" : ", r.json";
}

// Topics are the end of the JSON of a review: own ones are put in their place among them.
const withOwnTopics = `left(p.json, -1 - length(to_json(p.topics)::text))
  || to_json(${allTopics({ topics: "p.topics", appId: "p.app_id", id: "p.id" })})::text || '}'`;

/** Reads `reviewColumns` of rows `listing_id, app_id, id`, with their position, in the order of the rows. */
function writeRows(
  found: string,
  { by, output, hasOwnTopics }: Pick<Written, "output" | "hasOwnTopics"> & { by: Moment },
): string {
  const json = hasOwnTopics ? withOwnTopics : "p.json";
  return `select p.listing_id as "listingId", p.id, ${micros(`p.${by}`)} as micros
      ${output === "json" ? `, ${json} as json` : ""}
    from (${found}) p`;
}

type Moment = "date" | "changed_at";

/** As text, which BigInt reads: a Date would lose microseconds. */
export function micros(date: string): string {
  return `(extract(epoch from ${date}) * 1000000)::bigint::text`;
}

/**
 * A scan: its rows, each with where `scanned` ended, when that was not before the bound and the page is
 * not full. Without rows one that has nothing else. Unless it is counted, no more of `scanned` is read than needed.
 */
function writeScanned(
  rows: string,
  scan: { by: Moment; order: string; scanMax: number; isCounted?: boolean },
): string {
  const { by, order, scanMax, isCounted = false } = scan;
  // Up to the last review of a full page, where the next page begins.
  const count = `(select count(*)::integer from scanned f where not exists (
      select from (select * from found offset $6::integer - 1 limit 1) l
      where (${micros(`f.${by}`)}::bigint, f.id) < (l.micros::bigint, l.id)
    ))`;
  return `found as materialized (${rows})
    select p.*, e."endMicros", e."endId" ${isCounted ? `, ${count} as "scannedCount"` : ""}
    from (select) one
    left join lateral (
      select ${micros(`f.${by}`)} as "endMicros", f.id as "endId" from scanned f
      where (select count(*) from found) <= $6::integer ${order} offset ${scanMax - 1} limit 1
    ) e on true
    left join found p on true`;
}

/** How many reviews are looked at for one page of the API where no index has the answer. */
export const scanMax = 1_000;
/** People look for words that few reviews have, and would need many pages: docs/adr/0070-searches-stay-bounded.md. */
export const wordScanMax = 10_000;

// The largest page of the API and the review after it. It is part of the statement: with a parameter,
// PostgreSQL plans for a tenth of the table.
export const rowsMax = 101;

export function buildPageStatement(page: PageQuery, output: Output): Statement {
  const { apps, workspaceId, filters, limit } = page;
  const { from, before, beforeId } = pageBounds(filters, page.after);
  const values: unknown[] = [workspaceId, apps.map(({ id }) => id), from, before, beforeId, limit];
  values.push(apps.map(({ listingId }) => listingId));
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
  const uncovered = { ...filters, ratings: null, sentiments: null, topics: null };
  const checks = Object.values(writeConditions(uncovered, { appId: "f.app_id", add }));
  const regionCount = Math.max(0, ...apps.map(({ regions }) => regions?.length ?? 0));
  const isPartial = apps.some(({ regions }) => regions !== null);
  const isByDate = topics === null && kind.ratings === null && kind.sentiments === null;
  const isByRegion = isPartial && isByDate && regionCount <= regionRangeMax;
  // Rounded up, so that there are few statements. A range too many is empty.
  const rangeCount = isByRegion ? 2 ** Math.ceil(Math.log2(Math.max(1, regionCount))) : null;
  const regions = isPartial ? add(`Regions${rangeCount ?? ""}`, listRegions(apps)) : null;
  if (isPartial && !isByRegion) checks.push(isFollowed);
  const isCounted = page.scanMax !== undefined;
  const scannedMax = page.scanMax ?? (filters.words ? wordScanMax : scanMax);
  const isScan = checks.length > 0 || isCounted;
  const share = shareOf({ appCount: apps.length, limit: isScan ? scannedMax : rowsMax });
  const [{ listingId = "" } = {}, ...others] = apps;
  const only = isScan && others.length === 0 ? ofOnlyApp(`$${values.push(listingId)}::uuid`) : null;
  const range = chooseRange({ kind, topics, rangeCount, app: only ?? ofApps });
  const repeatMax = topics?.length ?? 1;
  const written = { range, regions, hasOwnTopics, share, only, repeatMax, output };
  const scan = { ...written, checks: [...checks, "true"], scanMax: scannedMax, isCounted };
  const found = isScan ? writeScan(scan) : writePage(written);
  const text = `${ofEachListing("$7")}${found}`;
  // Statements for lists are planned each time: there would be too many of them to keep. So are scans: a plan
  // for any values would sort all that a frequent topic has.
  const isPlannedEachTime = new Set(parts).size < parts.length || isScan;
  if (share !== null) parts.push(`Many${share}`);
  if (hasOwnTopics) parts.push("Own");
  if (topics?.some(({ isOwn }) => isOwn)) parts.push("Named");
  const name = output === "json" ? "listReviewPage" : "listReviewKeys";
  return { name: isPlannedEachTime ? "" : `${name}${parts.join("")}`, text, values };
}

/** Whether one plan is right for all values of the statement of this page, and its cost has a low bound. */
export function isPlannedOnce(page: PageQuery): boolean {
  return page.apps.length === 1 && buildPageStatement(page, "json").name !== "";
}

// Each region is an index range of its own; of more of them than this, the reviews of the listing are looked at.
const regionRangeMax = 16;

type Ranged = {
  kind: Kind;
  topics: readonly Topic[] | null;
  rangeCount: number | null;
  app: AppColumns;
};

function chooseRange({ kind, topics, rangeCount, app }: Ranged): Range {
  if (rangeCount !== null) return rangesByRegion(rangeCount, app);
  return topics === null ? rangesByKind(kind) : rangesByTopic(kind, topics);
}

/** The apps of the workspace, on the listings `$7`, each with the regions that it follows; null is all of the listing. */
// With the limit each app is looked up by its key. Joined, a plan for ten apps compares each of a hundred with each.
function writeApps(regions: string | null): string {
  const named =
    regions === null
      ? "unnest($2::uuid[], $7::uuid[]) p (id, listing_id)"
      : `unnest($2::uuid[], $7::uuid[], ${regions}::text[]) p (id, listing_id, regions)`;
  return `(select a.id, a.listing_id, ${
    regions === null ? "null::text[]" : "string_to_array(nullif(p.regions, '*'), '/')"
  } as regions
    from ${named} cross join lateral (
      select * from apps a where a.id = p.id and a.workspace_id = $1 and a.listing_id = p.listing_id limit 1
    ) a)`;
}

const isFollowed = `(f.regions is null or ${regionColumn} = any(f.regions))`;

/** `regions` is the parameter of what is followed of the apps; for `share` see `shareOf`. */
type Written = {
  range: Range;
  regions: string | null;
  hasOwnTopics: boolean;
  share: number | null;
  repeatMax: number;
  /** Where there is one app. */
  only: AppColumns | null;
  output: Output;
};

const inOrder = "order by f.date desc, f.id desc";
const onPage = "limit $6::integer + 1";

/** Up to one review more than the page has; the ranges are read no further than that. */
function writePage(page: Written): string {
  const { range, regions, share, output } = page;
  const rows = { ...page, by: "date" } as const;
  const columns = reviewColumns(page);
  if (share === null && range.isOfReviews && output === "json") {
    const merged = merge(range, { limit: rowsMax, read: `r.date, r.id ${columns}` });
    const found = `select a.listing_id, a.id as app_id, f.* from ${writeApps(regions)} a
      cross join lateral (select * from (${merged}) q ${onPage}) f ${inOrder} ${onPage}`;
    return writeRows(found, rows);
  }
  // The narrow rows of the index find the page; only the reviews on the page are read.
  const keys = writeKeys(page, { count: "$6::integer + 1", countMax: rowsMax });
  const lookedUp = output === "json" ? `cross join lateral (${lookUp("true")}) r` : "";
  const found = `select f.listing_id, f.app_id, f.date, f.id ${columns} from (${keys}) f
    ${lookedUp} ${inOrder}`;
  return writeRows(found, rows);
}

function writeKeys(
  { range, regions, share, repeatMax }: Written,
  size: { count: string; countMax: number },
): string {
  const readRange = (limit: number, since?: string): string => merge(range, { limit, since });
  const { filter, parts } = range;
  const readRecent =
    filter !== undefined && parts.length > 1
      ? (limit: number): string => readRecentReviews(filter, limit)
      : undefined;
  return writeNewest({
    apps: writeApps(regions),
    share,
    readRange,
    readRecent,
    repeatMax,
    ...size,
  });
}

// The limit makes this one lookup of the primary key for each row, whatever the statistics are.
function lookUp(condition: string): string {
  return `select * from reviews r
    where r.listing_id = f.listing_id and r.id = f.id and ${condition} limit 1`;
}

/** Looks at the reviews of the ranges in order until the page is full. */
type WrittenScan = Written & { checks: readonly string[]; scanMax: number; isCounted: boolean };

function writeScan(scan: WrittenScan): string {
  const found = `select f.listing_id, f.app_id, f.date, f.id ${reviewColumns(scan)}
    from scanned f cross join lateral (${lookUp(scan.checks.join(" and "))}) r ${inOrder} ${onPage}`;
  return `${scan.only ? scanOnlyApp(scan, scan.only) : scanApps(scan)},
    ${writeScanned(writeRows(found, { ...scan, by: "date" }), { ...scan, by: "date", order: inOrder })}`;
}

function scanApps({ scanMax, ...scan }: WrittenScan): string {
  const keys = writeKeys(scan, { count: String(scanMax), countMax: scanMax });
  return `with scanned as materialized (${keys})`;
}

// Without a join to the app the order of the ranges is the order of the scan: nothing is sorted, so nothing behind
// the end of the page is read.
function scanOnlyApp({ range, regions, repeatMax, scanMax }: WrittenScan, app: AppColumns): string {
  const merged = distinctOf(merge(range, { limit: scanMax * repeatMax, app }));
  return `with app as materialized (select * from ${writeApps(regions)} a), scanned as materialized (
      select ${app.listingId} as listing_id, ${app.id} as app_id, ${app.regions} as regions, f.date, f.id
      from (${merged}) f where exists (select from app) ${inOrder} limit ${scanMax}
    )`;
}

/** Columns of a statement with one row `app`, or none when the app belongs to another workspace. */
function ofOnlyApp(listingId: string): AppColumns {
  return { listingId, id: "(select id from app)", regions: "(select regions from app)" };
}

// The statement of one page of changed reviews, the earliest change first: one index range for each app.
// All filters are checked on the reviews of those ranges, up to a bound.

export function buildChangeStatement(query: ChangeQuery): Statement {
  const { workspaceId, apps, filters, since, until, after, limit } = query;
  const begin = after ? [toMicrosText(after.micros), after.id] : [since, lowestUuid];
  const ids = apps.map(({ id }) => id);
  const listingIds = apps.map(({ listingId }) => listingId);
  const regions = listRegions(apps);
  const values: unknown[] = [workspaceId, ids, ...begin, until, limit, listingIds, regions];
  const days = pageBounds(filters, null);
  const hasOwnTopics = apps.some((app) => app.hasOwnTopics);
  const add = (_: string, value: unknown): string => `$${values.push(value)}`;
  const checks = Object.values(writeConditions(filters, { appId: "a.id", add }));
  if (filters.from) checks.push(`r.date >= ${add("from", days.from)}::timestamptz`);
  if (filters.to) checks.push(`r.date < ${add("to", days.before)}::timestamptz`);
  if (apps.some((app) => app.regions !== null)) {
    checks.push(`(a.regions is null or ${regionColumn} = any(a.regions))`);
  }
  // Planned for its values: there would be too many forms to keep.
  const name = `listReviewChanges${hasOwnTopics ? "Own" : ""}`;
  const text = `${ofEachListing("$7")}${writeText(checks, hasOwnTopics)}`;
  return { name: checks.length > 0 ? "" : name, text, values };
}

function writeText(checks: readonly string[], hasOwnTopics: boolean): string {
  const rows = { by: "changed_at", output: "json", hasOwnTopics } as const;
  const order = "order by f.changed_at, f.id";
  const ranges = (limit: string): string => `
    select a.regions, a.listing_id, a.id as app_id, f.* from ${writeApps("$8")} a
    cross join lateral (select * from (
      select r.changed_at, r.id, r.json, r.topics, ${checks.join(" and ") || "true"} as is_match
      from reviews r where r.listing_id = a.listing_id
        and (r.changed_at, r.id) > ($3::timestamptz, $4::uuid) and r.changed_at < $5::timestamptz
      order by r.changed_at, r.id limit ${checks.length > 0 ? scanMax : rowsMax}
    ) q limit ${limit}) f ${order} limit ${limit}`;
  if (checks.length === 0) return writeRows(ranges("$6::integer + 1"), rows);
  const found = `select * from scanned f where f.is_match ${order} ${onPage}`;
  return `with scanned as materialized (${ranges(String(scanMax))}),
    ${writeScanned(writeRows(found, rows), { by: "changed_at", order, scanMax: scanMax })}`;
}

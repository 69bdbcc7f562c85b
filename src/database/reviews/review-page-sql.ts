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
  type ReviewPage,
  type ReviewPosition,
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

/** What `writeJson` needs of a review besides its id and date, and `app_id` where the workspace has own topics. */
export function reviewColumns(hasOwnTopics: boolean): string {
  return hasOwnTopics ? "r.json, r.topics" : "r.json";
}

// Topics are the end of the JSON of a review: own ones are put in their place among them.
const withOwnTopics = `left(p.json, -1 - length(to_json(p.topics)::text))
  || to_json(${allTopics({ topics: "p.topics", appId: "p.app_id", id: "p.id" })})::text || '}'`;

/** What stands between the id of a review and the JSON that is stored with it: the same for all of an app. */
const jsonHead = `concat('","store":"', l.store, '","externalAppId":', to_json(l.external_app_id), ',')`;

/**
 * The rows as JSON, in the order in which they come: one sorted subquery, so that nothing is numbered or sorted
 * again. There can be one more than the page has, which `toPage` cuts off.
 */
function writeJson(
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
function writeKeyRow(found: string): string {
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

// The statement of one page of reviews. Each set of filters has its own, because a plan for "filter or not"
// can't use an index range. Each is made of index ranges in the order of pages, merged as far as the page
// reaches; filters without an index are checked on the reviews of those ranges, up to a bound.

export type Statement = { name: string; text: string; values: unknown[] };

/** How many reviews are looked at for one page where no index has the answer. */
export const scanMax = 1_000;

// The largest page of the API and the review after it. It is part of the statement: with a parameter,
// PostgreSQL plans for a tenth of the table.
export const rowsMax = 101;

/** The page as JSON. */
export function buildPageStatement(page: PageQuery): Statement {
  return buildStatement(page, "json");
}

/** The page as keys of its reviews. */
export function buildKeyStatement(page: PageQuery): Statement {
  return buildStatement(page, "keys");
}

function buildStatement(page: PageQuery, output: "json" | "keys"): Statement {
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
  const isScan = checks.length > 0;
  const share = shareOf({ appCount: apps.length, limit: isScan ? scanMax : rowsMax });
  const [{ listingId = "" } = {}, ...others] = apps;
  const only = isScan && others.length === 0 ? ofOnlyApp(`$${values.push(listingId)}::uuid`) : null;
  const range = chooseRange({ kind, topics, rangeCount, app: only ?? ofApps });
  const repeatMax = topics?.length ?? 1;
  const written = { range, regions, hasOwnTopics, share, only, repeatMax, output };
  const found = isScan ? writeScan({ ...written, checks }) : writePage(written);
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
  return page.apps.length === 1 && buildPageStatement(page).name !== "";
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
function sourceOfApps(regions: string | null): string {
  return `(select s.*, ${jsonHead} as head from ${writeApps(regions)} s
    join listings l on l.id = s.listing_id) a`;
}

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
  output: "json" | "keys";
};

const inOrder = "order by f.date desc, f.id desc";
const onPage = "limit $6::integer + 1";

/** Up to one review more than the page has; the ranges are read no further than that. */
function writePage(page: Written): string {
  const { range, regions, hasOwnTopics, share, output } = page;
  const json = { by: "date", hasOwnTopics } as const;
  const columns = reviewColumns(hasOwnTopics);
  if (share === null && range.isOfReviews && output === "json") {
    const merged = merge(range, { limit: rowsMax, read: `r.date, r.id, ${columns}` });
    const found = `select a.head, a.id as app_id, f.* from ${sourceOfApps(regions)}
      cross join lateral (select * from (${merged}) q ${onPage}) f ${inOrder} ${onPage}`;
    return writeJson(found, json);
  }
  // The narrow rows of the index find the page; only the reviews on the page are read.
  const keys = writeKeys(page, { count: "$6::integer + 1", countMax: rowsMax });
  if (output === "keys") {
    return writeKeyRow(`select f.listing_id, f.date, f.id from (${keys}) f ${inOrder}`);
  }
  const found = `select l.head, f.app_id, f.date, f.id, ${columns} from (${keys}) f
    cross join lateral (${headOf}) l cross join lateral (${lookUp("true")}) r ${inOrder}`;
  return writeJson(found, json);
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

const headOf = `select ${jsonHead} as head from listings l where l.id = f.listing_id limit 1`;

// The limit makes this one lookup of the primary key for each row, whatever the statistics are.
function lookUp(condition: string): string {
  return `select * from reviews r
    where r.listing_id = f.listing_id and r.id = f.id and ${condition} limit 1`;
}

/**
 * Looks at the reviews of the ranges in order until the page is full, and says where it ended when that was not
 * before the bound. No more of `scanned` is read than somebody asks for.
 */
function writeScan(scan: Written & { checks: readonly string[] }): string {
  const { checks, hasOwnTopics, output } = scan;
  const matching = `from scanned f cross join lateral (${lookUp(checks.join(" and "))}) r`;
  const row =
    output === "keys"
      ? writeKeyRow(`select f.listing_id, f.date, f.id ${matching} ${inOrder} ${onPage}`)
      : writeJson(
          `select l.head, f.app_id, f.date, f.id, ${reviewColumns(hasOwnTopics)}
           ${matching} cross join lateral (${headOf}) l ${inOrder} ${onPage}`,
          { by: "date", hasOwnTopics },
        );
  return `${scan.only ? scanOnlyApp(scan, scan.only) : scanApps(scan)}
    select j.*, e."endMicros", e."endId" from (${row}) j
    left join lateral (
      select ${micros("f.date")} as "endMicros", f.id as "endId" from scanned f
      where j.count <= $6::integer ${inOrder} offset ${scanMax - 1} limit 1
    ) e on true`;
}

function scanApps(scan: Written): string {
  const keys = writeKeys(scan, { count: String(scanMax), countMax: scanMax });
  return `with scanned as materialized (${keys})`;
}

// Without a join to the app the order of the ranges is the order of the scan: nothing is sorted, so nothing behind
// the end of the page is read.
function scanOnlyApp({ range, regions, repeatMax }: Written, app: AppColumns): string {
  const merged = distinctOf(merge(range, { limit: scanMax * repeatMax, app }));
  return `with app as materialized (select * from ${writeApps(regions)} a), scanned as materialized (
      select ${app.listingId} as listing_id, ${app.id} as app_id, ${app.regions} as regions, f.date, f.id
      from (${merged}) f where exists (select from app) ${inOrder} limit ${scanMax}
    )`;
}

/** Of a statement with the one row `app`, or none when it is not the workspace's. */
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
  const json = { by: "changed_at", hasOwnTopics } as const;
  const order = "order by f.changed_at, f.id";
  const ranges = (limit: string): string => `
    select a.regions, a.head, a.id as app_id, f.* from ${sourceOfApps("$8")}
    cross join lateral (select * from (
      select r.changed_at, r.id, ${reviewColumns(true)}, ${checks.join(" and ") || "true"} as is_match
      from reviews r where r.listing_id = a.listing_id
        and (r.changed_at, r.id) > ($3::timestamptz, $4::uuid) and r.changed_at < $5::timestamptz
      order by r.changed_at, r.id limit ${checks.length > 0 ? scanMax : rowsMax}
    ) q limit ${limit}) f ${order} limit ${limit}`;
  const onPage = "$6::integer + 1";
  if (checks.length === 0) return writeJson(ranges(onPage), json);
  const found = `select * from scanned f where f.is_match ${order} limit ${onPage}`;
  return `with scanned as materialized (${ranges(String(scanMax))})
    select j.*, e."endMicros", e."endId" from (${writeJson(found, json)}) j
    left join (
      select ${micros("f.changed_at")} as "endMicros", f.id as "endId"
      from scanned f ${order} offset ${scanMax - 1} limit 1
    ) e on true`;
}

// The statement of one page of reviews. Each set of filters has its own, because a plan for "filter or not"
// can't use an index range. Each is made of index ranges in the order of pages, merged as far as the page
// reaches; filters without an index are checked on the reviews of those ranges, up to a bound.
import { isTopicName } from "../../domain/topics.ts";
import { ofEachListing } from "../distributed-sql.ts";
import { shareOf, writeBound } from "./newest-reviews-sql.ts";
import { pageBounds } from "./page-bounds-sql.ts";
import { jsonHead, micros, reviewColumns, writeJson } from "./review-json-sql.ts";
import type { PageQuery } from "./review-pages.ts";
import {
  boundsOf,
  distinctOf,
  type Kind,
  merge,
  type Range,
  rangesByKind,
  rangesByRegion,
  rangesByTopic,
  regionColumn,
  type Topic,
} from "./review-ranges-sql.ts";
import { listRegions } from "./seen-listings-sql.ts";

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
  const share = shareOf({ appCount: apps.length, limit: isScan ? scanMax : rowsMax });
  const written = { range, source, hasOwnTopics, share };
  const found = isScan ? writeScan({ ...written, checks }) : writePage(written);
  const text = `${ofEachListing("$7")}${found}`;
  // Statements for lists are planned each time: there would be too many of them to keep. So are scans: a plan
  // for any values would sort all that a frequent topic has.
  const isPlannedEachTime = new Set(parts).size < parts.length || isScan;
  if (share !== null) parts.push(`Many${share}`);
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

/** The apps of the workspace, on the listings `$7`, each with the regions that it follows; null is all of the listing. */
export function sourceOfApps(regions: string | null): string {
  const named =
    regions === null
      ? "unnest($2::uuid[], $7::uuid[]) p (id, listing_id)"
      : `unnest($2::uuid[], $7::uuid[], ${regions}::text[]) p (id, listing_id, regions)`;
  return `(select a.id, a.listing_id, ${jsonHead} as head, ${
    regions === null ? "null::text[]" : "string_to_array(nullif(p.regions, '*'), '/')"
  } as regions
    from ${named} join apps a on a.id = p.id and a.workspace_id = $1 and a.listing_id = p.listing_id
    join listings l on l.id = a.listing_id) a`;
}

const isFollowed = `(f.regions is null or ${regionColumn} = any(f.regions))`;

/** `share` is how many of each app are read first, when there are many; see `newest-reviews-sql.ts`. */
type Written = { range: Range; source: string; hasOwnTopics: boolean; share: number | null };

/** Up to one review more than the page has; the ranges are read no further than that. */
function writePage(page: Written): string {
  const { range, source, hasOwnTopics, share } = page;
  const bound = boundOf(page, rowsMax);
  const order = "order by f.date desc, f.id desc limit $6::integer + 1";
  const columns = reviewColumns(hasOwnTopics);
  const json = { by: "date", hasOwnTopics } as const;
  if (range.isOfReviews) {
    const read = `r.date, r.id, ${columns}`;
    const merged = merge(range, { limit: rowsMax, read, bounds: boundsOf(share) });
    const found = `${bound}select a.head, a.id as app_id, f.* from ${source}
      cross join lateral (select * from (${merged}) q limit $6::integer + 1) f ${order}`;
    return writeJson(found, json);
  }
  // The narrow rows of the topic find the page; only the reviews on the page are read.
  const merged = distinctOf(merge(range, { limit: rowsMax, bounds: boundsOf(share) }));
  const found = `${bound}select f.head, f.app_id, f.date, f.id, ${columns} from (
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
  const { range, checks, source, hasOwnTopics, share } = scan;
  const bound = boundOf(scan, scanMax);
  const merged = distinctOf(merge(range, { limit: scanMax, bounds: boundsOf(share) }));
  const found = `select f.head, f.app_id, f.date, f.id, ${reviewColumns(hasOwnTopics)} from scanned f
    cross join lateral (${lookUp(checks.join(" and "))}) r
    order by f.date desc, f.id desc limit $6::integer + 1`;
  return `with scanned as materialized (
      ${bound}select a.regions, a.listing_id, a.head, a.id as app_id, f.date, f.id from ${source}
      cross join lateral (select * from (${merged}) q limit ${scanMax}) f
      order by f.date desc, f.id desc limit ${scanMax}
    )
    select j.*, e."endMicros", e."endId" from (${writeJson(found, { by: "date", hasOwnTopics })}) j
    left join (
      select ${micros("f.date")} as "endMicros", f.id as "endId"
      from scanned f order by f.date desc, f.id desc offset ${scanMax - 1} limit 1
    ) e on true`;
}

/** With many apps nothing older is read of each than the page can reach. */
function boundOf({ range, source, share }: Written, limit: number): string {
  if (share === null) return "";
  const heads = `${source} cross join lateral (${distinctOf(merge(range, { limit: share }))}) h`;
  return `with ${writeBound({ heads, limit })} `;
}

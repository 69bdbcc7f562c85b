// The statement of one page of reviews, planned for its values. Index ranges in the order of pages are merged over the
// apps as far as the page reaches; filters without an index are checked on the reviews of those ranges, up to a bound.
import sql, { empty, join, type Sql } from "sql-template-tag";
import { type ReviewFilters, valuesOf } from "../../domain/review/review-filter.ts";
import { parameter, unnest } from "../sql.ts";
import { type AppScope, type FollowedApp, regionColumn, type ScopedApp } from "./followed-apps.ts";
import { allTopics, writeConditions } from "./review-filters.ts";
import {
  inOrder,
  kindRanges,
  type List,
  listByChange,
  listByDate,
  type Range,
  type ReviewPosition,
  type RowKeys,
  regionRanges,
  topicRanges,
  wholeRange,
  writeScanned,
} from "./review-ranges.ts";

type PageApp = Pick<
  FollowedApp,
  "id" | "listingId" | "store" | "externalAppId" | "regions" | "hasOwnTopics"
>;

export type PageQuery = {
  workspaceId: string;
  apps: readonly PageApp[];
  filters: ReviewFilters;
  after: ReviewPosition | null;
  limit: number;
  /** How many reviews are scanned; the limit of the API's pages by default. */
  scanMax?: number;
};

export type ChangeQuery = PageQuery & {
  /** ISO 8601 in UTC. Changes of this moment or later. */
  since: string;
  /** Changes before this moment, from `findChangeHorizon`. */
  until: string;
};

/** How many reviews are scanned for one page of the API if no index answers the filters. */
export const scanMax = 1_000;
/** Searches for rare words would need many pages: docs/adr/0070-searches-stay-bounded.md. */
export const wordScanMax = 10_000;

/** @param output the JSON that is stored with each review, or its key alone */
export function buildPageStatement(query: PageQuery, output: "json" | "keys"): Sql {
  const { apps, filters } = query;
  const keys = keysOf(query);
  const list = listByDate(filters, query.after);
  const { rating, sentiment, topic, ...unindexed } = filters;
  const names = valuesOf(filters, "topic");
  const isByKind = valuesOf(filters, "rating") !== null || valuesOf(filters, "sentiment") !== null;
  const isOfRegions = apps.some(({ regions }) => regions !== null);
  const hasRange = apps.every(({ regions }) => (regions?.length ?? 0) <= regionRangeMax);
  const isByRegion = isOfRegions && hasRange && names === null && !isByKind;
  const checks = Object.values(writeConditions(unindexed, keys));
  if (isOfRegions && !isByRegion) checks.push(isFollowed);
  const chooseRanges = (): Range[] => {
    if (names !== null) {
      const hasOwnTopics = apps.some((app) => app.hasOwnTopics);
      return topicRanges({ ...filters, topic: names }, { ...keys, hasOwnTopics });
    }
    if (isByKind) return kindRanges(filters, list, keys);
    return isByRegion ? regionRanges(list, keys) : [wholeRange(list, keys)];
  };
  return writePage(query, { list, keys, ranges: chooseRanges(), checks, output });
}

/** Each followed region is a range of its own; with more of them the reviews of the listing are looked at. */
const regionRangeMax = 16;

/** All filters are checked on the reviews. */
export function buildChangeStatement(query: ChangeQuery): Sql {
  const { filters } = query;
  const keys = keysOf(query);
  const list = listByChange(query);
  const checks = Object.values(writeConditions(filters, keys));
  if (valuesOf(filters, "from") !== null || valuesOf(filters, "to") !== null) {
    checks.push(listByDate(filters, null).isWithin(sql`r.date`, sql`r.id`));
  }
  if (query.apps.some(({ regions }) => regions !== null)) checks.push(isFollowed);
  return writePage(query, {
    list,
    keys,
    ranges: [wholeRange(list, keys)],
    checks,
    output: "json",
  });
}

export const isFollowed = sql`(a.regions is null or ${regionColumn} = any(a.regions))`;

export function keysOf({ workspaceId, apps: [first, ...others] }: AppScope): RowKeys {
  const isOne = first !== undefined && others.length === 0;
  return {
    workspaceId: parameter(workspaceId),
    appId: sql`a.app_id`,
    listingId: isOne ? sql`${parameter(first.listingId)}::uuid` : sql`a.listing_id`,
  };
}

type Page = {
  list: List;
  keys: RowKeys;
  ranges: readonly Range[];
  checks: readonly Sql[];
  output: "json" | "keys";
};

/**
 * Up to one review more than the page has. Each row also has where the scan ended, if its bound ended it and the page
 * is not full; without reviews there is one row, which has nothing else.
 */
function writePage(query: PageQuery, { list, keys, ranges, checks, output }: Page): Sql {
  const { apps, filters, limit } = query;
  const checkedMax = filters.q ? wordScanMax : scanMax;
  const countMax = query.scanMax ?? (checks.length === 0 ? limit + 1 : checkedMax);
  const isLookedUp = join(
    [sql`r.listing_id = ${keys.listingId} and r.id = a.id`, ...checks],
    " and ",
  );
  const hasOwnTopics = apps.some((app) => app.hasOwnTopics);
  const json = hasOwnTopics ? withOwnTopics(keys) : sql`a.json`;
  return sql`with ${writeApps(apps, keys)}, ${writeScanned(list, { ranges, countMax, appCount: apps.length })},
    found as materialized (
      select a.* ${output === "json" ? sql`, r.json, r.topics` : empty} from scanned a
      cross join lateral (select * from reviews r where ${isLookedUp} limit 1) r
      ${inOrder(list, sql`a`)} limit ${limit} + 1
    )
    select a.listing_id as "listingId", a.id, ${micros(sql`a.at`)} as micros, a.number,
      ${output === "json" ? sql`${json} as json,` : empty} (select count(*)::integer from scanned) as "scannedCount",
      ${micros(sql`e.at`)} as "endMicros", e.id as "endId"
    from (select) one left join scanned e on e.number = ${countMax} and (select count(*) from found) <= ${limit}
    left join found a on true`;
}

/** The table `followed (app_id, listing_id, regions)`: those of the workspace, with null for all regions of a listing. */
export function writeApps(apps: readonly ScopedApp[], { workspaceId }: RowKeys): Sql {
  const named = unnest("p", apps, {
    id: ["uuid", ({ id }) => id],
    listing_id: ["uuid", ({ listingId }) => listingId],
    regions: ["text", ({ regions }) => regions?.join("/") ?? "*"],
  });
  return sql`followed as materialized (
      select a.id as app_id, a.listing_id, string_to_array(nullif(p.regions, '*'), '/') as regions
      from ${named} join apps a on a.id = p.id and a.listing_id = p.listing_id
      where a.workspace_id = ${workspaceId}
    )`;
}

/** Topics are the end of the JSON of a review: own ones are put in their place among them. */
function withOwnTopics(keys: RowKeys): Sql {
  const topics = allTopics({ topics: sql`a.topics`, id: sql`a.id` }, keys);
  return sql`left(a.json, -1 - length(to_json(a.topics)::text)) || to_json(${topics})::text || '}'`;
}

/** As text, which BigInt reads: a Date would lose microseconds. */
function micros(at: Sql): Sql {
  return sql`(extract(epoch from ${at}) * 1000000)::bigint::text`;
}

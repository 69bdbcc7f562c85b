// Index ranges of reviews in the order of pages: where a page begins and ends, one range for each value that an index
// fixes, and the newest reviews of many apps.

import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import { sentimentLabels } from "../../domain/analysis.ts";
import { type ReviewFilters, valuesOf } from "../../domain/review-filter.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { literal, type Parameter, parameter } from "../sql.ts";
import type { FollowedApp } from "./followed-apps.ts";

export type ChangeQuery = PageQuery & {
  /** ISO 8601 in UTC. Changes of this moment or later. */
  since: string;
  /** Changes before this moment, from `findChangeHorizon`. */
  until: string;
};

type PageApp = Pick<
  FollowedApp,
  "id" | "listingId" | "store" | "externalAppId" | "regions" | "hasOwnTopics"
>;

export type PageQuery = {
  workspaceId: string;
  apps: readonly PageApp[];
  filters: ReviewFilters;
  after: ReviewPosition | null;
  /** At most 100 without `scanMax`. */
  limit: number;
  /** How many reviews are looked at where no index has the answer, which are counted then; without it as for a page of the API. */
  scanMax?: number;
};

/** Reviews as the API returns them: the JSON of each is stored with it, and nothing here reads it. */
export type ReviewPage = {
  reviews: PageReview[];
  /**
   * Where the next page begins: after this position. null when there is none. Filters that no index covers
   * can end a page before it is full, even before its first review.
   */
  last: ReviewPosition | null;
};

/** Its place in the order of pages, and the review object of the public contract. */
export type PageReview = ReviewPosition & { listingId: string; json: string };

/** The position of a review in the order of pages: by date (or by its change), then by id. */
export type ReviewPosition = {
  /** Microseconds since 1970: PostgreSQL keeps them, a Date would lose them and skip reviews. */
  micros: bigint;
  id: string;
};

/** Reviews of `from` or later that stand after (`before`, `beforeId`) in the order of pages. */
type PageBounds = { from: string; before: string; beforeId: string };

/** From the start of `from` up to the cursor or the end of `to`, whichever is earlier. */
export function pageBounds(
  filters: Pick<ReviewFilters, "from" | "to">,
  after: ReviewPosition | null,
): PageBounds {
  const [first] = valuesOf(filters, "from") ?? [];
  const [last] = valuesOf(filters, "to") ?? [];
  const from = first === undefined ? "-infinity" : startOf(first);
  const end = last === undefined ? null : startOf(addDays(last, 1));
  if (after === null) return { from, before: end ?? "infinity", beforeId: lowestUuid };
  const date = toMicrosText(after.micros);
  return end !== null && end <= date
    ? { from, before: end, beforeId: lowestUuid }
    : { from, before: date, beforeId: after.id };
}

function startOf(day: Day): string {
  return `${day}T00:00:00.000000Z`;
}

export function toMicrosText(micros: bigint): string {
  // Reviews are of 2008 or later, so the remainder is never negative.
  const rest = String(micros % 1_000n).padStart(3, "0");
  return `${new Date(Number(micros / 1_000n)).toISOString().slice(0, -1)}${rest}Z`;
}

// Index ranges of reviews in the order of pages, for each set of filters that an index answers.

export const regionColumn = sql`coalesce(r.language_hint, nullif(r.country, ''), 'und')`;

/** Index ranges, each with a condition that fixes all columns before the date. */
export type Range = {
  isOfReviews: boolean;
  parts: readonly RangePart[];
  /** The union of all ranges as one condition on a review `r`; absent where the ranges alone can say it. */
  filter?: Sql;
};
type RangePart = { table: Table; condition: Sql };
type Table = { from: Sql; date: Sql; id: Sql; of: (app: AppPlace) => Sql };

/** Where in a statement an app is. */
type AppPlace = Pick<AppColumns, "listingId" | "id">;

const reviews: Table = {
  from: sql`reviews r`,
  date: sql`r.date`,
  id: sql`r.id`,
  of: ({ listingId }) => sql`r.listing_id = ${listingId}`,
};
const topicTable = { date: sql`t.date`, id: sql`t.review_id` };
const builtInTopics: Table = {
  ...topicTable,
  from: sql`review_topics t`,
  of: ({ listingId }) => sql`t.listing_id = ${listingId}`,
};
const ownTopics: Table = {
  ...topicTable,
  from: sql`own_topic_reviews t`,
  of: ({ id }) => sql`t.app_id = ${id}`,
};

/** Where in a statement an app is: its listing, its id, and the regions that are followed, null for all of it. */
export type AppColumns = { listingId: Sql; id: Sql; regions: Sql };

/** Each of the apps `a`. */
export const ofApps: AppColumns = {
  listingId: sql`a.listing_id`,
  id: sql`a.id`,
  regions: sql`a.regions`,
};

function ofReviews(conditions: readonly Sql[]): Range {
  const parts = conditions.map((condition) => ({ table: reviews, condition }));
  return { isOfReviews: true, parts };
}

/** Filters by stars and by sentiment. */
export type Kind = {
  ratings: readonly Parameter[] | null;
  sentiments: readonly Parameter[] | null;
};
type KindColumns = { rating: Sql; sentiment: Sql };

export function rangesByKind(kind: Kind): Range {
  const columns = { rating: sql`r.rating`, sentiment: sql`coalesce(r.sentiment, '')` };
  const isIn = (column: Sql, values: readonly Parameter[] | null): Sql[] =>
    values === null ? [] : [sql`${column} in (${join(values, ", ")})`];
  const filters = [
    ...isIn(columns.rating, kind.ratings),
    ...isIn(columns.sentiment, kind.sentiments),
  ];
  const ranges = ofReviews(listKinds(kind, columns));
  return filters.length > 0 ? { ...ranges, filter: join(filters, " and ") } : ranges;
}

/** The whole listing, or one range for each region that is followed of it. */
export function rangesByRegion(count: number, { regions }: AppColumns): Range {
  const conditions = Array.from(
    { length: count },
    (_, index) => sql`and ${regionColumn} = ${regions}[${literal(index + 1)}]`,
  );
  return ofReviews([sql`and ${regions} is null`, ...conditions]);
}

/** A topic's name, and whether only an own topic of the workspace can have it. */
export type Topic = { name: Parameter; isOwn: boolean };

export function rangesByTopic(kind: Kind, topics: readonly Topic[], workspaceId: Parameter): Range {
  const kinds = listKinds(kind, { rating: sql`t.rating`, sentiment: sql`t.sentiment` });
  const parts = topics.flatMap(({ name, isOwn }) => {
    const table = isOwn ? ownTopics : builtInTopics;
    const isTopic = isOwn
      ? sql`t.topic_id = (select id from own_topics where workspace_id = ${workspaceId} and name = ${name})`
      : sql`t.topic = ${name}`;
    return kinds.map((condition) => ({ table, condition: sql`and ${isTopic} ${condition}` }));
  });
  return { isOfReviews: false, parts };
}

/**
 * Conditions that fix both stars and sentiment, so that each is one index range. When only one of them is
 * filtered by, there is a condition for every value of the other; when none is, nothing is fixed.
 */
function listKinds(kind: Kind, columns: KindColumns): Sql[] {
  if (kind.ratings === null && kind.sentiments === null) return [empty];
  const ratings = kind.ratings ?? [1, 2, 3, 4, 5].map(literal);
  const sentiments = kind.sentiments ?? ["", ...sentimentLabels].map((label) => raw(`'${label}'`));
  return ratings.flatMap((rating) =>
    sentiments.map(
      (sentiment) => sql`and ${columns.rating} = ${rating} and ${columns.sentiment} = ${sentiment}`,
    ),
  );
}

/** `PageBounds` as a statement names them. */
export type Bounds = { from: Sql; before: Sql; beforeId: Sql };

export function writeBounds({ from, before, beforeId }: PageBounds): Bounds {
  return {
    from: sql`${parameter(from)}::timestamptz`,
    before: sql`${parameter(before)}::timestamptz`,
    beforeId: sql`${parameter(beforeId)}::uuid`,
  };
}

// Every range is ordered and limited by itself, so that no more than that is read, merged or sorted.
export function merge(
  { parts }: Range,
  options: {
    bounds: Bounds;
    limit: number;
    read?: Sql;
    app?: AppPlace;
    /** Nothing earlier is read. */
    since?: Sql | undefined;
  },
): Sql {
  const { read, app = ofApps, bounds, since } = options;
  const limit = literal(options.limit);
  const first = since ? sql`greatest(${bounds.from}, ${since})` : bounds.from;
  const ranges = parts.map(({ table: { from, date, id, of }, condition }) => {
    return sql`select ${read ?? sql`${date}, ${id} as id`} from ${from}
      where ${of(app)} ${condition} and ${date} >= ${first}
        and (${date}, ${id}) < (${bounds.before}, ${bounds.beforeId})
      order by ${date} desc, ${id} desc limit ${limit}`;
  });
  const [only, ...others] = ranges;
  if (only && others.length === 0) return only;
  return sql`select * from ((${join(ranges, ") union all (")})) m order by date desc, id desc limit ${limit}`;
}

/** The newest reviews of the app `a`, up to that many, each with whether it is in the ranges. */
export function readRecentReviews(
  filter: Sql,
  { bounds, limit }: { bounds: Bounds; limit: number },
): Sql {
  const read = sql`r.date, r.id, ${filter} as is_found`;
  return merge(ofReviews([empty]), { bounds, limit, read });
}

/** A review with two of the topics has two rows in their ranges. */
export function distinctOf(ranges: Sql): Sql {
  return sql`select distinct on (date, id) * from (${ranges}) d order by date desc, id desc`;
}

// The newest reviews of many listings. Reading as many of each listing as of all of them together would cost listings ×
// limit, so the first few of each are read, and more of those whose first few are all among the newest.

/** Fewer listings are read in one step. */
const manyMin = 8;

/**
 * How many of each listing are read first; null for few of them. Twice its share of the limit, as a power of two so
 * that there are few forms of a statement.
 */
export function shareOf({ appCount, limit }: { appCount: number; limit: number }): number | null {
  if (appCount < manyMin) return null;
  return Math.min(limit, 2 ** Math.ceil(Math.log2((2 * limit) / appCount + 1)));
}

type NewestOfApps = {
  /** A subquery of `id, listing_id, regions`. */
  apps: Sql;
  share: number | null;
  /** `date, id` of one of these apps, `a`: the newest, up to that many, those since an expression. */
  readRange: (limit: number, since?: Sql) => Sql;
  /** How many are wanted, and what it can't exceed. */
  count: Sql;
  countMax: number;
  /** How often a review can come: once for each topic that is asked for. */
  repeatMax?: number;
  /**
   * Where each app has several ranges: `date, id, is_found` of the newest of one of these apps, `a`, whether they are in
   * its ranges or not.
   */
  readRecent?: ((limit: number) => Sql) | undefined;
};

/** A query of the newest of all apps, `listing_id, id, date, regions, app_id`, in the order of pages. */
export function writeNewest(newest: NewestOfApps): Sql {
  const { apps, share, readRange, count, countMax, repeatMax = 1 } = newest;
  const isRepeated = repeatMax > 1;
  const readAll = (since?: Sql): Sql => {
    const range = readRange(countMax * repeatMax, since);
    return sql`select q.* from (${isRepeated ? distinctOf(range) : range}) q limit ${count}`;
  };
  const columns = sql`a.listing_id, f.id, f.date, a.regions, a.id as app_id`;
  const order = sql`order by n.date desc, n.id desc limit ${count}`;
  if (share === null) {
    return sql`select n.* from (
      select ${columns} from ${apps} a cross join lateral (${readAll()}) f
    ) n ${order}`;
  }
  const bound = sql`(select date from bound)`;
  const { heads, ofThese } = writeHeads(newest, { share, columns });
  return sql`with ${heads},
    bound as materialized (
      select coalesce((
        select h.date from ${isRepeated ? sql`(select distinct date, id from heads)` : sql`heads`} h
        order by h.date desc offset ${count} - 1 limit 1
      ), '-infinity') as date
    ),
    crowded as materialized (
      select h.app_id as id, h.listing_id, h.regions from heads h ${ofThese} group by 1, 2, 3
      having count(*) >= ${literal(share)} and min(h.date) >= ${bound}
    )
    select ${isRepeated ? sql`distinct on (n.date, n.id) ` : empty}n.* from (
      select h.* from heads h where h.date >= ${bound} and h.app_id not in (select c.id from crowded c)
      union all
      select ${columns} from crowded a cross join lateral (${readAll(bound)}) f
    ) n ${order}`;
}

type Heads = {
  /** The common table expression `heads`, and what it needs. */
  heads: Sql;
  /** The ranges that may have more reviews of their app. */
  ofThese: Sql;
};

/**
 * The first few of each app. To look into five ranges of each of a hundred apps takes three times as long as to look into
 * one, so where there are several, the newest of each app are read first, whatever they are. Mostly the page is among
 * them; then the ranges are read of those apps alone whose newest are all newer than its end.
 */
function writeHeads(
  { apps, readRange, count, readRecent }: NewestOfApps,
  { share, columns }: { share: number; columns: Sql },
): Heads {
  if (!readRecent) {
    const all = sql`select ${columns} from ${apps} a cross join lateral (${readRange(share)}) f`;
    return { heads: sql`heads as materialized (${all})`, ofThese: empty };
  }
  const recentMax = 2 * share;
  const end = sql`(select date from recent_end)`;
  const heads = sql`recent as materialized (
      select ${columns}, f.is_found from ${apps} a cross join lateral (${readRecent(recentMax)}) f
    ),
    recent_end as materialized (
      select coalesce((
        select r.date from recent r where r.is_found order by r.date desc offset ${count} - 1 limit 1
      ), '-infinity') as date
    ),
    unread as materialized (
      select r.app_id as id, r.listing_id, r.regions from recent r group by 1, 2, 3
      having count(*) >= ${literal(recentMax)} and min(r.date) >= ${end}
    ),
    heads as materialized (
      select r.listing_id, r.id, r.date, r.regions, r.app_id from recent r
      where r.is_found and r.date >= ${end} and r.app_id not in (select u.id from unread u)
      union all
      select ${columns} from unread a cross join lateral (${readRange(share, end)}) f
    )`;
  return { heads, ofThese: sql`where h.app_id in (select u.id from unread u)` };
}

/**
 * The common table expression `newest` of a search: the newest `scanMax` reviews within the bounds. The number is in the
 * text as well: with a parameter PostgreSQL plans for a tenth of the table.
 *
 * @param search.rows those of `seenListings`
 */
export function newestReviews(search: {
  rows: Sql;
  appCount: number;
  scanMax: number;
  bounds: Bounds;
}): Sql {
  const { rows, appCount, scanMax, bounds } = search;
  const readRange = (limit: number, since?: Sql): Sql =>
    merge(ofReviews([empty]), { bounds, limit, since });
  const apps = sql`(select a.id, s.listing_id, seen.regions from ${rows})`;
  const share = shareOf({ appCount, limit: scanMax });
  const count = sql`${parameter(scanMax)}::integer`;
  return sql`newest as (${writeNewest({ apps, share, readRange, count, countMax: scanMax })})`;
}

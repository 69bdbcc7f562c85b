// Index ranges of reviews in the order of pages: where a page begins and ends, one range for each value that an index
// fixes, and the newest reviews of many apps.

import { sentimentLabels } from "../../domain/analysis.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import type { FollowedApp } from "./followed-apps.ts";
import { seenListings } from "./followed-apps.ts";
import { ownTopicId, type ReviewFilters } from "./review-filters.ts";

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
  const from = filters.from === null ? "-infinity" : startOf(filters.from);
  const end = filters.to === null ? null : startOf(addDays(filters.to, 1));
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

export const regionColumn = "coalesce(r.language_hint, nullif(r.country, ''), 'und')";

/** Index ranges, each with a condition that fixes all columns before the date. */
export type Range = {
  isOfReviews: boolean;
  parts: readonly RangePart[];
  /** The union of all ranges as one condition on a review `r`; absent where the ranges alone can say it. */
  filter?: string;
};
type RangePart = { table: Table; condition: string };
type Table = { from: string; prefix: "r" | "t"; id: string; isOfApp?: true };
const reviews: Table = { from: "reviews r", prefix: "r", id: "r.id" };
const builtInTopics: Table = { from: "review_topics t", prefix: "t", id: "t.review_id" };
const ownTopics: Table = {
  from: "own_topic_reviews t",
  prefix: "t",
  id: "t.review_id",
  isOfApp: true,
};

/** Where in a statement an app is: its listing, its id, and the regions that are followed, null for all of it. */
export type AppColumns = { listingId: string; id: string; regions: string };

/** Each of the apps `a`. */
export const ofApps: AppColumns = {
  listingId: "a.listing_id",
  id: "a.id",
  regions: "a.regions",
};

function ofReviews(conditions: readonly string[]): Range {
  const parts = conditions.map((condition) => ({ table: reviews, condition }));
  return { isOfReviews: true, parts };
}

/** The parameters of filters by stars and by sentiment. */
export type Kind = { ratings: string[] | null; sentiments: string[] | null };

export function rangesByKind(kind: Kind): Range {
  const names = { rating: "r.rating", sentiment: "coalesce(r.sentiment, '')" };
  const isIn = (column: string, values: string[] | null): string[] =>
    values === null ? [] : [`${column} in (${values.join(", ")})`];
  const filters = [...isIn(names.rating, kind.ratings), ...isIn(names.sentiment, kind.sentiments)];
  const ranges = ofReviews(listKinds(kind, names));
  return filters.length > 0 ? { ...ranges, filter: filters.join(" and ") } : ranges;
}

/** The whole listing, or one range for each region that is followed of it. */
export function rangesByRegion(count: number, { regions }: AppColumns): Range {
  const conditions = Array.from(
    { length: count },
    (_, index) => `and ${regionColumn} = ${regions}[${index + 1}]`,
  );
  return ofReviews([`and ${regions} is null`, ...conditions]);
}

/** The parameter of a topic's name, and whether only an own topic can have it. */
export type Topic = { parameter: string; isOwn: boolean };

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
  options: {
    limit: number;
    read?: string;
    app?: Pick<AppColumns, "listingId" | "id">;
    bounds?: Bounds;
    /** An expression: nothing earlier is read. */
    since?: string | undefined;
  },
): string {
  const { limit, read, app = ofApps, bounds = ofParameters, since } = options;
  const first = since ? `greatest(${bounds.from}, ${since})` : bounds.from;
  const ranges = parts.map(({ table: { from, prefix, id, isOfApp }, condition }) => {
    const of = isOfApp ? `t.app_id = ${app.id}` : `${prefix}.listing_id = ${app.listingId}`;
    return `select ${read ?? `${prefix}.date, ${id} as id`} from ${from}
      where ${of} ${condition} and ${prefix}.date >= ${first}
        and (${prefix}.date, ${id}) < (${bounds.before}, ${bounds.beforeId})
      order by ${prefix}.date desc, ${id} desc limit ${limit}`;
  });
  if (ranges.length === 1) return ranges.join("");
  return `select * from ((${ranges.join(") union all (")})) m order by date desc, id desc limit ${limit}`;
}

/** The newest reviews of the app `a`, up to that many, each with whether it is in the ranges. */
export function readRecentReviews(filter: string, limit: number): string {
  const all = ofReviews([""]);
  return merge(all, { limit, read: `r.date, r.id, ${filter} as is_found` });
}

/** A review with two of the topics has two rows in their ranges. */
export function distinctOf(ranges: string): string {
  return `select distinct on (date, id) * from (${ranges}) d order by date desc, id desc`;
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
  apps: string;
  share: number | null;
  /** `date, id` of one of these apps, `a`: the newest, up to that many, those since an expression. */
  readRange: (limit: number, since?: string) => string;
  /** How many are wanted: an expression, and what it can't exceed. */
  count: string;
  countMax: number;
  /** How often a review can come: once for each topic that is asked for. */
  repeatMax?: number;
  /**
   * Where each app has several ranges: `date, id, is_found` of the newest of one of these apps, `a`, whether they are in
   * its ranges or not.
   */
  readRecent?: ((limit: number) => string) | undefined;
};

/** A query of the newest of all apps, `listing_id, id, date, regions, app_id`, in the order of pages. */
export function writeNewest(newest: NewestOfApps): string {
  const { apps, share, readRange, count, countMax, repeatMax = 1 } = newest;
  const isRepeated = repeatMax > 1;
  const readAll = (since?: string): string => {
    const range = readRange(countMax * repeatMax, since);
    return `select q.* from (${isRepeated ? distinctOf(range) : range}) q limit ${count}`;
  };
  const columns = "a.listing_id, f.id, f.date, a.regions, a.id as app_id";
  const order = `order by n.date desc, n.id desc limit ${count}`;
  if (share === null) {
    return `select n.* from (
      select ${columns} from ${apps} a cross join lateral (${readAll()}) f
    ) n ${order}`;
  }
  const bound = "(select date from bound)";
  const { heads, ofThese } = writeHeads(newest, { share, columns });
  return `with ${heads},
    bound as materialized (
      select coalesce((
        select h.date from ${isRepeated ? "(select distinct date, id from heads)" : "heads"} h
        order by h.date desc offset ${count} - 1 limit 1
      ), '-infinity') as date
    ),
    crowded as materialized (
      select h.app_id as id, h.listing_id, h.regions from heads h ${ofThese} group by 1, 2, 3
      having count(*) >= ${share} and min(h.date) >= ${bound}
    )
    select ${isRepeated ? "distinct on (n.date, n.id) " : ""}n.* from (
      select h.* from heads h where h.date >= ${bound} and h.app_id not in (select c.id from crowded c)
      union all
      select ${columns} from crowded a cross join lateral (${readAll(bound)}) f
    ) n ${order}`;
}

type Heads = {
  /** The common table expression `heads`, and what it needs. */
  heads: string;
  /** The ranges that may have more reviews of their app. */
  ofThese: string;
};

/**
 * The first few of each app. To look into five ranges of each of a hundred apps takes three times as long as to look into
 * one, so where there are several, the newest of each app are read first, whatever they are. Mostly the page is among
 * them; then the ranges are read of those apps alone whose newest are all newer than its end.
 */
function writeHeads(
  { apps, readRange, count, readRecent }: NewestOfApps,
  { share, columns }: { share: number; columns: string },
): Heads {
  if (!readRecent) {
    const all = `select ${columns} from ${apps} a cross join lateral (${readRange(share)}) f`;
    return { heads: `heads as materialized (${all})`, ofThese: "" };
  }
  const recentMax = 2 * share;
  const end = "(select date from recent_end)";
  const heads = `recent as materialized (
      select ${columns}, f.is_found from ${apps} a cross join lateral (${readRecent(recentMax)}) f
    ),
    recent_end as materialized (
      select coalesce((
        select r.date from recent r where r.is_found order by r.date desc offset ${count} - 1 limit 1
      ), '-infinity') as date
    ),
    unread as materialized (
      select r.app_id as id, r.listing_id, r.regions from recent r group by 1, 2, 3
      having count(*) >= ${recentMax} and min(r.date) >= ${end}
    ),
    heads as materialized (
      select r.listing_id, r.id, r.date, r.regions, r.app_id from recent r
      where r.is_found and r.date >= ${end} and r.app_id not in (select u.id from unread u)
      union all
      select ${columns} from unread a cross join lateral (${readRange(share, end)}) f
    )`;
  return { heads, ofThese: "where h.app_id in (select u.id from unread u)" };
}

/**
 * The common table expression `newest` of a search. `$1` to `$3` are those of `seenListings`, `$4` the earliest date,
 * `$5` and `$6` the position after which they stand; `$7` is `scanMax` once more, which the text holds as well: with a
 * parameter PostgreSQL plans for a tenth of the table.
 */
export function newestReviews({
  appCount,
  scanMax,
}: {
  appCount: number;
  scanMax: number;
}): string {
  const readRange = (limit: number, since?: string): string => `select r.id, r.date from reviews r
      where r.listing_id = a.listing_id and r.date >= $4::timestamptz
        ${since ? `and r.date >= ${since}` : ""} and (r.date, r.id) < ($5::timestamptz, $6::uuid)
      order by r.date desc, r.id desc limit ${limit}`;
  const apps = `(select a.id, s.listing_id, seen.regions from ${seenListings})`;
  const share = shareOf({ appCount, limit: scanMax });
  const count = "$7::integer";
  return `newest as (${writeNewest({ apps, share, readRange, count, countMax: scanMax })})`;
}

// Index ranges in the order of a list of reviews: one for each value that an index fixes, merged, and the first of them over
// all apps. Statements have the apps as `followed a (app_id, listing_id, regions)`.
import sql, { empty, join, type Sql } from "sql-template-tag";
import { sentimentLabels } from "../../domain/review/analysis.ts";
import {
  newReviewDaysMax,
  type ReviewFilters,
  valuesOf,
} from "../../domain/review/review-filter.ts";
import { isTopicName } from "../../domain/review/topics.ts";
import { addDays, type Day, dayMs } from "../../lib/timestamp.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import { type Parameter, parameter } from "../sql.ts";
import { regionColumn } from "./followed-apps.ts";

/** The position of a review in a list: by date or by its change, then by id. */
export type ReviewPosition = {
  /** Microseconds since 1970: PostgreSQL keeps them, a Date would lose them and skip reviews. */
  micros: bigint;
  id: string;
};

/** A part of a list: positions `at, id` in order. */
export type List = {
  /** Of reviews. */
  column: Sql;
  direction: Sql;
  isWithin(at: Sql, id: Sql): Sql;
  /** Whether a time is not behind another one. */
  reaches(at: Sql, end: Sql): Sql;
  /** Later than every review. */
  end: Sql;
};

/** The newest first, from the first day of the filters up to the position or the end of `to`, whichever is earlier. */
export function listByDate(
  filters: Pick<ReviewFilters, "from" | "to" | "newSince">,
  after: ReviewPosition | null,
): List {
  const [last] = valuesOf(filters, "to") ?? [];
  const from = parameter(findStart(filters));
  const end = last === undefined ? "infinity" : startOf(addDays(last, 1));
  const position = after === null ? null : toMicrosText(after.micros);
  const isAfter = after !== null && position !== null && (end === "infinity" || position < end);
  const before = parameter(isAfter ? position : end);
  const beforeId = parameter(isAfter ? after.id : lowestUuid);
  return {
    column: sql`date`,
    direction: sql`desc`,
    isWithin: (at, id) =>
      sql`${at} >= ${from}::timestamptz and (${at}, ${id}) < (${before}::timestamptz, ${beforeId}::uuid)`,
    reaches: (at, end) => sql`${at} >= ${end}`,
    end: sql`'-infinity'`,
  };
}

/** Reviews that are new since a moment are dated at most some days before it. */
function findStart(filters: Pick<ReviewFilters, "from" | "newSince">): string {
  const starts = (valuesOf(filters, "from") ?? []).map(startOf);
  const [moment] = valuesOf(filters, "newSince") ?? [];
  if (moment !== undefined) {
    starts.push(new Date(Date.parse(moment) - newReviewDaysMax * dayMs).toISOString());
  }
  return starts.sort().at(-1) ?? "-infinity";
}

function startOf(day: Day): string {
  return `${day}T00:00:00.000000Z`;
}

export function toMicrosText(micros: bigint): string {
  // Reviews are of 2008 or later, so the remainder is never negative.
  const rest = String(micros % 1_000n).padStart(3, "0");
  return `${new Date(Number(micros / 1_000n)).toISOString().slice(0, -1)}${rest}Z`;
}

/** The earliest change first, from `since` or behind the position up to `until`, which is not included. */
export function listByChange(changes: {
  since: string;
  until: string;
  after: ReviewPosition | null;
}): List {
  const { since, until, after } = changes;
  const begin = parameter(after ? toMicrosText(after.micros) : since);
  const beginId = parameter(after?.id ?? lowestUuid);
  const end = parameter(until);
  return {
    column: sql`changed_at`,
    direction: sql`asc`,
    isWithin: (at, id) =>
      sql`(${at}, ${id}) > (${begin}::timestamptz, ${beginId}::uuid) and ${at} < ${end}::timestamptz`,
    reaches: (at, end) => sql`${at} <= ${end}`,
    end: sql`'infinity'`,
  };
}

/** The keys of the app `a` in a statement: constants as far as there is one app. */
export type RowKeys = { workspaceId: Parameter; listingId: Sql; appId: Sql };

/** A condition that fixes all columns of an index before the position. */
export type Range = {
  /** The values that the condition is repeated for. */
  each?: Sql;
  table: Sql;
  at: Sql;
  id: Sql;
  condition: Sql;
};

/** All reviews of an app. */
export function wholeRange({ column }: List, { listingId }: RowKeys): Range {
  const condition = sql`r.listing_id = ${listingId}`;
  return { table: sql`reviews r`, at: sql`r.${column}`, id: sql`r.id`, condition };
}

/** Reviews of the regions that are followed of the app. */
export function regionRanges(list: List, keys: RowKeys): Range[] {
  const whole = wholeRange(list, keys);
  return [
    { ...whole, condition: sql`a.regions is null and ${whole.condition}` },
    {
      ...whole,
      each: sql`unnest(a.regions) g (region)`,
      condition: sql`${whole.condition} and ${regionColumn} = g.region`,
    },
  ];
}

type Kind = Pick<ReviewFilters, "rating" | "sentiment">;

export function kindRanges(kind: Kind, list: List, keys: RowKeys): Range[] {
  const whole = wholeRange(list, keys);
  const columns = { rating: sql`r.rating`, sentiment: sql`coalesce(r.sentiment, '')` };
  return listKinds(kind, columns).map((isKind) => ({
    ...whole,
    condition: sql`${whole.condition} ${isKind}`,
  }));
}

/** @param options.hasOwnTopics whether a name can be that of an own topic of the workspace */
export function topicRanges(
  { topic: names, ...kind }: Kind & { topic: readonly string[] },
  { workspaceId, listingId, appId, hasOwnTopics }: RowKeys & { hasOwnTopics: boolean },
): Range[] {
  const kinds = listKinds(kind, { rating: sql`t.rating`, sentiment: sql`t.sentiment` });
  return names.flatMap((name) => {
    const isOwn = hasOwnTopics && !isTopicName(name);
    const isTopic = isOwn
      ? sql`t.app_id = ${appId} and t.topic_id = (
          select id from own_topics where workspace_id = ${workspaceId} and name = ${name})`
      : sql`t.listing_id = ${listingId} and t.topic = ${name}`;
    return kinds.map((isKind) => ({
      table: isOwn ? sql`own_topic_reviews t` : sql`review_topics t`,
      at: sql`t.date`,
      id: sql`t.review_id`,
      condition: sql`${isTopic} ${isKind}`,
    }));
  });
}

/**
 * Conditions that fix both stars and sentiment, so that each is one index range. When only one of them is
 * filtered by, there is a condition for every value of the other; when none is, nothing is fixed.
 */
function listKinds(kind: Kind, columns: { rating: Sql; sentiment: Sql }): Sql[] {
  const filtered = { rating: valuesOf(kind, "rating"), sentiment: valuesOf(kind, "sentiment") };
  if (filtered.rating === null && filtered.sentiment === null) return [empty];
  const ratings = filtered.rating ?? [1, 2, 3, 4, 5];
  const sentiments = filtered.sentiment ?? ["", ...sentimentLabels];
  return ratings.flatMap((rating) =>
    sentiments.map(
      (sentiment) => sql`and ${columns.rating} = ${rating} and ${columns.sentiment} = ${sentiment}`,
    ),
  );
}

// The first few of each of more apps than this show how far the scan reaches: else it would read all that it may scan
// of each app.
const fewApps = 8;

/**
 * The tables `scanned (app_id, listing_id, regions, at, id, number)`, the first `countMax` in order over all apps, and what it needs.
 */
export function writeScanned(
  list: List,
  scan: { ranges: readonly Range[]; countMax: number; appCount: number },
): Sql {
  const { countMax, appCount } = scan;
  const read = (
    limit: number,
    end?: Sql,
  ): Sql => sql`select a.*, f.at, f.id from followed a cross join lateral (${mergeRanges(list, { ...scan, limit, end })}) f
    ${inOrder(list, sql`f`)}`;
  const number = sql`(row_number() over (${inOrder(list, sql`s`)}))::integer as number`;
  const numbered = (rows: Sql): Sql =>
    sql`scanned as materialized (select s.*, ${number} from (${rows} limit ${countMax}) s)`;
  const share = Math.ceil((2 * countMax) / appCount);
  if (appCount <= fewApps) return numbered(read(countMax));
  return sql`reach as materialized (select coalesce(
      (select h.at from (${read(share)} limit ${countMax}) h offset ${countMax} - 1), ${list.end}
    ) as at), ${numbered(read(countMax, sql`(select at from reach)`))}`;
}

/** Each range is ordered and limited by itself, so that no more than that is read, merged or sorted. */
function mergeRanges(
  list: List,
  { ranges, limit, end }: { ranges: readonly Range[]; limit: number; end: Sql | undefined },
): Sql {
  const parts = ranges.map(({ each, table, at, id, condition }) => {
    const range = sql`select ${at} as at, ${id} as id from ${table}
      where ${condition} and ${list.isWithin(at, id)} ${end ? sql`and ${list.reaches(at, end)}` : empty}
      order by ${at} ${list.direction}, ${id} ${list.direction} limit ${limit}`;
    return each ? sql`select o.* from ${each} cross join lateral (${range}) o` : range;
  });
  const [only, ...others] = parts;
  if (only && others.length === 0) return only;
  // A review with two of the topics is in the ranges of both.
  return sql`select distinct on (m.at, m.id) m.* from ((${join(parts, ") union all (")})) m
    ${inOrder(list, sql`m`)} limit ${limit}`;
}

export function inOrder({ direction }: List, rows: Sql): Sql {
  return sql`order by ${rows}.at ${direction}, ${rows}.id ${direction}`;
}

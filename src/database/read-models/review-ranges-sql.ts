// Index ranges of reviews in the order of pages, for each set of filters that an index answers.
import { sentimentLabels } from "../../domain/analysis.ts";
import { ownTopicId } from "./own-topic-sql.ts";
import type { PageBounds } from "./page-bounds-sql.ts";

export const regionColumn = "coalesce(r.language_hint, nullif(r.country, ''), 'und')";

/** Index ranges, each with a condition that fixes all columns before the date. */
export type Range = {
  isOfReviews: boolean;
  parts: readonly RangePart[];
  /** What all of them hold, as one condition on a review `r`; absent where the ranges alone can say it. */
  filter?: string;
};
type RangePart = { table: Table; condition: string };
type Table = { from: string; prefix: "r" | "t"; id: string; isOfApp?: true };
const reviews: Table = { from: "reviews r", prefix: "r", id: "r.id" };
const builtInTopics: Table = { from: "review_topics t", prefix: "t", id: "t.review_id" };
const ownTopics: Table = {
  ...{ from: "own_topic_reviews t", prefix: "t", id: "t.review_id", isOfApp: true },
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

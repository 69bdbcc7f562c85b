// The reviews that verdicts are made of: of several ranges of several apps by one statement, each review once. The cost
// depends on the number of ranges and on a limit of each, never on the number of reviews.
import sql from "sql-template-tag";
import { readListings } from "../../database/cluster/coordinator.ts";
import type { Db } from "../../database/query.ts";
import { listRegions, regionColumn, type ScopedApp } from "../../database/reviews/followed-apps.ts";
import { parameter } from "../../database/sql.ts";
import type { SentimentLabel } from "../../domain/review/analysis.ts";

export type ReviewRange = {
  app: ScopedApp;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** If there are more than the limit: the newest or the oldest of them. */
  order: "newest" | "oldest";
};

export type VerdictReviewRow = {
  listingId: string;
  id: string;
  date: Date;
  firstSeenAt: Date;
  rating: number;
  version: string;
  /** The storefront or language of the feed. */
  region: string;
  languageHint: string | null;
  sentiment: SentimentLabel | null;
  topics: string[];
  topicScores: number[] | null;
  /** The review before each of its edits, oldest first; null without any. */
  earlier: EarlierState[] | null;
};

export type EarlierState = {
  rating: number;
  title: string | null;
  text: string;
  version: string;
  /** ISO 8601. */
  date: string;
  replacedAt: string;
  sentiment: SentimentLabel | null;
  /** null: it is not analysed. */
  topics: string[] | null;
  topicScores: number[] | null;
};

/** The beginning of a text decides its analysis. */
const textMax = 1_000;
/** The newest earlier versions of a review. */
const earlierMax = 20;

const inRegions = sql`(w.region_list = '*' or ${regionColumn} = any(string_to_array(w.region_list, '/')))`;
const current = sql`select r.id from reviews r
  where r.listing_id = w.listing_id and r.date >= w.since and r.date < w.until and ${inRegions}`;
// An edit moves a review to its own day; the text before it stays in the range.
const replaced = sql`select r.id from review_versions v
  join reviews r on r.listing_id = v.listing_id and r.id = v.review_id
  where v.listing_id = w.listing_id and v.date >= w.since and v.date < w.until and ${inRegions}`;

/**
 * Removed ones included: they were written. A list of `VerdictReviewRow` as JSON, with dates in ISO 8601, which a thread
 * parses: there may be thousands.
 */
export async function listVerdictReviews(
  db: Db,
  query: { workspaceId: string; ranges: readonly ReviewRange[]; limit: number },
): Promise<string> {
  const { workspaceId, ranges, limit } = query;
  const apps = ranges.map(({ app }) => app);
  const listingIds = parameter(apps.map(({ listingId }) => listingId));
  const tables = ["reviews", "review_versions"] as const;
  const read = readListings(db, "listVerdictReviews", { listingIds, tables });
  const [found] = await read<{
    reviews: string;
  }>`select coalesce(json_agg(f), '[]')::text as reviews from (
    select r.listing_id as "listingId", r.id, r.date,
      r.first_seen_at as "firstSeenAt",
      r.rating, r.version, ${regionColumn} as region, r.language_hint as "languageHint", r.sentiment,
      r.topics, r.topic_scores as "topicScores",
      case when r.edited_at is not null then (
        select json_agg(json_build_object('rating', v.rating, 'title', v.title,
          'text', case when v.topics is null then left(v.body, ${textMax}) else '' end,
          'version', v.version, 'date', v.date, 'replacedAt', v.replaced_at, 'sentiment', v.sentiment,
          'topics', v.topics, 'topicScores', v.topic_scores) order by v.number)
        from (
          select * from review_versions v where v.listing_id = r.listing_id and v.review_id = r.id
          order by v.number desc limit ${earlierMax}
        ) v
      ) end as earlier
    from (
      select distinct w.listing_id, n.id
      from unnest(${listingIds}::uuid[], ${listRegions(apps)}::text[],
          ${ranges.map(({ from }) => from.toISOString())}::timestamptz[],
          ${ranges.map(({ to }) => to.toISOString())}::timestamptz[],
          ${ranges.map(({ order }) => order === "newest")}::boolean[])
        w (listing_id, region_list, since, until, is_newest)
      join apps a on a.workspace_id = ${workspaceId} and a.listing_id = w.listing_id
      cross join lateral (
        (${current} and w.is_newest order by r.date desc, r.id desc limit ${limit})
        union all
        (${current} and not w.is_newest order by r.date, r.id limit ${limit})
        union all
        (${replaced} and w.is_newest order by v.date desc, r.id desc limit ${limit})
        union all
        (${replaced} and not w.is_newest order by v.date, r.id limit ${limit})
      ) n
    ) n
    cross join lateral (
      select * from reviews where listing_id = n.listing_id and id = n.id offset 0
    ) r) f`;
  return found?.reviews ?? "[]";
}

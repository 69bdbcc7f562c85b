// The statement of pages of reviews, each of one app and with what its workspace sees of the app: the question that
// is asked most, in one round trip and one snapshot for all that are asked at the same moment. It is for filters
// with one value each, whose plan is the same for all values.
import { pageBounds } from "./page-bounds-sql.ts";
import { jsonHead, writeJson } from "./review-json-sql.ts";
import { rowsMax, type Statement, uncoveredColumns } from "./review-page-sql.ts";
import type { AppPageQuery } from "./review-pages.ts";
import { merge, rangesByKind, rangesByTopic } from "./review-ranges-sql.ts";

/** The filters of a page that decide about its statement; null for those that need a plan for their values. */
export function filtersOfAppPage({ filters }: Pick<AppPageQuery, "filters">): string | null {
  const { ratings, sentiments, topics } = filters;
  const isListed = [ratings, sentiments, topics].some((list) => list && list.length !== 1);
  if (isListed || uncoveredColumns.some(({ name }) => filters[name] !== null)) return null;
  return `${ratings ? "Rating" : ""}${sentiments ? "Sentiment" : ""}${topics ? "Topic" : ""}`;
}

/** @param pages all with the same `filtersOfAppPage` */
export function buildAppPageStatement(pages: readonly AppPageQuery[], filters: string): Statement {
  const text = texts.get(filters) ?? writeText(filters);
  texts.set(filters, text);
  const bounds = pages.map((page) => pageBounds(page.filters, page.after));
  const values = [
    pages.map(({ workspaceId }) => workspaceId),
    pages.map(({ appId }) => appId),
    bounds.map(({ from }) => from),
    bounds.map(({ before }) => before),
    bounds.map(({ beforeId }) => beforeId),
    pages.map(({ limit }) => limit),
    // Empty where the statement does not filter by them.
    pages.flatMap((page) => page.filters.ratings ?? []),
    pages.flatMap((page) => page.filters.sentiments ?? []),
    pages.flatMap((page) => page.filters.topics ?? []),
  ];
  return { name: `listReviewPagesOfApps${filters}`, text, values };
}

// One for each set of filters, so there are eight at most.
const texts = new Map<string, string>();

// What is asked for is read by index ranges, page by page. Without a join to the app the order of the index is the
// order of the page, and nothing is sorted.
function writeText(filters: string): string {
  const has = (part: string): boolean => filters.includes(part);
  const kind = {
    ratings: has("Rating") ? ["q.rating"] : null,
    sentiments: has("Sentiment") ? ["q.sentiment"] : null,
  };
  const listing = "(select whole_id from app)";
  const head = "(select head from app) as head";
  const bounds = { from: "q.since", before: "q.before", beforeId: "q.before_id" };
  // Workspaces with own topics are answered by `listReviewPage`: no range is of the app's id.
  const app = { listingId: listing, id: "q.app_id" };
  const options = { limit: rowsMax, app, bounds };
  const topics = [{ parameter: "q.topic", isOwn: false }];
  const found = has("Topic")
    ? `select ${head}, f.date, f.id, r.json from (select * from (
          ${merge(rangesByTopic(kind, topics), options)}
        ) m limit q.page_limit + 1) f cross join lateral (
          select json from reviews r where r.listing_id = ${listing} and r.id = f.id limit 1
        ) r order by f.date desc, f.id desc`
    : `select ${head}, m.* from (
          ${merge(rangesByKind(kind), { ...options, read: "r.date, r.id, r.json" })}
        ) m limit q.page_limit + 1`;
  const json = { by: "date", hasOwnTopics: false, limit: "q.page_limit" } as const;
  return `select q.index::integer, b.*
    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::uuid[], $6::integer[],
      $7::smallint[], $8::text[], $9::text[]) with ordinality
      q (workspace_id, app_id, since, before, before_id, page_limit, rating, sentiment, topic, index)
    cross join lateral (
      with app as materialized (
        select l.listing_id, l.store, l.version, l.regions, o.has_own_topics, ${jsonHead} as head,
          case when l.regions is null and not o.has_own_topics then l.listing_id end as whole_id
        from followed_apps l
        cross join (
          select exists (select from own_topics where workspace_id = q.workspace_id) as has_own_topics
        ) o
        where l.workspace_id = q.workspace_id and l.id = q.app_id
      )
      select a.listing_id as "listingId", a.store, a.version, a.regions, a.has_own_topics as "hasOwnTopics", p.* from app a
      cross join (${writeJson(found, json)}) p
    ) b`;
}

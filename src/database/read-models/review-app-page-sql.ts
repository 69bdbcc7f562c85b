// The statement of one page of one app's reviews, with what the workspace sees of the app: the question that is
// asked most, in one round trip and one snapshot. It is for filters with one value each, whose plan is the same
// for all values.
import { pageBounds } from "./page-bounds-sql.ts";
import { jsonHead, writeJson } from "./review-json-sql.ts";
import {
  merge,
  rangesByKind,
  rangesByTopic,
  rowsMax,
  type Statement,
  uncoveredColumns,
} from "./review-page-sql.ts";
import type { AppPageQuery } from "./review-pages.ts";

/** null for filters that need a plan for their values, see `buildPageStatement`. */
export function buildAppPageStatement(page: AppPageQuery): Statement | null {
  const { workspaceId, appId, filters, after, limit } = page;
  const { ratings, sentiments, topics } = filters;
  const isListed = [ratings, sentiments, topics].some((list) => list && list.length !== 1);
  if (isListed || uncoveredColumns.some(({ name }) => filters[name] !== null)) return null;
  const { from, before, beforeId } = pageBounds(filters, after);
  const values: unknown[] = [workspaceId, appId, from, before, beforeId, limit];
  let name = "listReviewPageOfApp";
  const add = (part: string, list: readonly unknown[] | null): string[] | null => {
    if (list === null) return null;
    name += part;
    return [`$${values.push(list[0])}`];
  };
  const kind = { ratings: add("Rating", ratings), sentiments: add("Sentiment", sentiments) };
  // Workspaces with own topics are answered by `listReviewPage`.
  const named = { kind, topics: add("Topic", topics) };
  const text = texts.get(name) ?? writeText(named);
  texts.set(name, text);
  return { name, text, values };
}

// One for each set of filters, so there are eight at most.
const texts = new Map<string, string>();

type Kind = Parameters<typeof rangesByKind>[0];

// Without a join to the app the order of the index is the order of the page, and nothing is sorted.
function writeText({ kind, topics }: { kind: Kind; topics: string[] | null }): string {
  const listing = "(select whole_id from app)";
  const head = "(select head from app) as head";
  const found =
    topics === null
      ? `select ${head}, q.* from (
          ${merge(rangesByKind(kind), { limit: rowsMax, read: "r.date, r.id, r.json", listing })}
        ) q limit $6::integer + 1`
      : `select ${head}, f.date, f.id, r.json from (select * from (
          ${merge(rangesByTopic(kind, topics.map(builtIn)), { limit: rowsMax, listing })}
        ) q limit $6::integer + 1) f cross join lateral (
          select json from reviews r where r.listing_id = ${listing} and r.id = f.id limit 1
        ) r order by f.date desc, f.id desc`;
  return `with app as materialized (
      select l.listing_id, l.store, l.version, l.regions, o.has_own_topics, ${jsonHead} as head,
        case when l.regions is null and not o.has_own_topics then l.listing_id end as whole_id
      from followed_apps l
      cross join (select exists (select from own_topics where workspace_id = $1) as has_own_topics) o
      where l.workspace_id = $1 and l.id = $2
    )
    select a.listing_id as "listingId", a.store, a.version, a.regions, a.has_own_topics as "hasOwnTopics", p.* from app a
    cross join (${writeJson(found, { by: "date", hasOwnTopics: false })}) p`;
}

const builtIn = (parameter: string) => ({ parameter, isOwn: false });

// The conditions of review filters where no index range answers them, for pages of the read API, changes, the review feed,
// its counts, digests, previews and exports. domain/review/review-filter.ts defines the filters.
import sql, { type Sql } from "sql-template-tag";
import { anyCasePattern } from "../../domain/review/letter-case.ts";
import {
  type FilterName,
  newReviewDaysMax,
  type ReviewFilters,
  valuesOf,
} from "../../domain/review/review-filter.ts";
import { type Parameter, parameter } from "../sql.ts";

/** The dates of a page are its bounds: see `pageBounds`. Its apps are chosen before. */
type CheckedFilter = Exclude<FilterName, "app" | "store" | "from" | "to" | "range">;

/** Where a statement has the review `r` that a condition is for. */
type RowKeys = { workspaceId: string | Parameter; appId: Sql };

const workOf = ({ workspaceId }: RowKeys): Sql =>
  sql`select from review_work k where k.workspace_id = ${workspaceId} and k.review_id = r.id`;

/** Each gets all values of its filter, any of which counts. */
const conditions: Record<CheckedFilter, (values: Parameter, keys: RowKeys) => Sql> = {
  newSince: (values) => sql`exists (select from unnest(${values}::timestamptz[]) m (moment)
    where r.first_seen_at >= m.moment and r.date >= m.moment - make_interval(days => ${newReviewDaysMax}))`,
  rating: (values) => sql`r.rating = any(${values}::smallint[])`,
  sentiment: (values) => sql`r.sentiment = any(${values}::text[])`,
  topic: (values, keys) => hasTopic(values, keys),
  country: (values) => sql`r.country = any(${values}::text[])`,
  language: (values) => sql`r.language = any(${values}::text[])`,
  version: (values) => sql`r.version = any(${values}::text[])`,
  hasText: (values) => sql`(r.body <> '') = any(${values}::boolean[])`,
  minLength: (values) => sql`char_length(r.body) >= any(${values}::integer[])`,
  hasReply: (values) => sql`(r.reply_text is not null) = any(${values}::boolean[])`,
  reply: (values, keys) => sql`${replyState(keys)} = any(${values}::text[])`,
  edited: (values) => sql`(r.edited_at is not null) = any(${values}::boolean[])`,
  removed: (values) => sql`(r.removed_at is not null) = any(${values}::boolean[])`,
  tag: (values, keys) => sql`exists (${workOf(keys)} and k.tags && ${values}::text[])`,
  assignee: (values, keys) =>
    sql`exists (${workOf(keys)} and k.assignee_id = any(${values}::uuid[]))`,
  status: (values, keys) =>
    sql`(case when exists (${workOf(keys)} and k.is_done) then 'done' else 'open' end) = any(${values}::text[])`,
  q: (patterns) => sql`(r.body ~ any(${patterns}::text[]) or r.title ~ any(${patterns}::text[])
      or r.author ~ any(${patterns}::text[]) or r.translated_text ~ any(${patterns}::text[]))`,
};

/** As the filter calls it. An answer of ours that was sent counts from then on; else what the store was last seen to have. */
function replyState({ workspaceId }: RowKeys): Sql {
  return sql`coalesce((
      select case
        when k.state in ('sending', 'waiting', 'published') and not k.is_withdrawal
          then case when r.edited_at is distinct from k.answered_edit then 'outdated' else 'answered' end
        when k.checked_at is null then null
        when k.store_text is null then 'unanswered'
        when k.store_at < r.date then 'outdated' else 'answered' end
      from review_replies k where k.workspace_id = ${workspaceId} and k.review_id = r.id
    ), case when r.reply_text is null then 'unanswered'
      when r.reply_at < r.date then 'outdated' else 'answered' end)`;
}

const checkedFilters = Object.keys(conditions) as readonly CheckedFilter[];

/** Filters whose reviews an index has in the order of pages, as ranges. */
const indexedFilters: readonly CheckedFilter[] = ["rating", "sentiment", "topic"];

/** Whether an index answers all of the filters. */
export function isIndexed(filters: ReviewFilters): boolean {
  return checkedFilters.every((name) => {
    const values = valuesOf(filters, name);
    if (values === null) return true;
    return indexedFilters.includes(name) && (name !== "rating" || values.length <= 1);
  });
}

/** The condition of each filter that is set. */
export function writeConditions(
  filters: ReviewFilters,
  keys: RowKeys,
): Partial<Record<CheckedFilter, Sql>> {
  const written: Partial<Record<CheckedFilter, Sql>> = {};
  for (const name of checkedFilters) {
    const values = valuesOf(filters, name);
    if (values === null) continue;
    const sent = name === "q" ? values.map((words) => anyCasePattern(String(words))) : values;
    written[name] = conditions[name](parameter(sent), keys);
  }
  return written;
}

// Own topics in the statements of pages and counts. A statement without them is written without this.

/** The topics of a review with those of the workspace, sorted, each once. */
export function allTopics(
  { topics, id }: { topics: Sql; id: Sql },
  { workspaceId, appId }: RowKeys,
): Sql {
  return sql`array(select u.topic from (
      select unnest(${topics}) union
      select t.name from own_topic_reviews o join own_topics t on t.id = o.topic_id
      where o.app_id = ${appId} and o.review_id = ${id} and t.workspace_id = ${workspaceId}
    ) u (topic) order by u.topic collate "C")`;
}

/** Whether a review has one of the named topics of the workspace, built-in or its own. */
function hasTopic(names: Parameter, { workspaceId, appId }: RowKeys): Sql {
  const own = sql`own_topics t where t.workspace_id = ${workspaceId} and t.name = any(${names}::text[])`;
  // The first is looked up once: without such a topic there is nothing to look for in each review. The second has a
  // limit, so that it is one lookup for each review: PostgreSQL would rather read all that any review has.
  return sql`(r.topics && ${names}::text[] or ((select count(*) > 0 from ${own}) and (
      select true from own_topic_reviews o where o.app_id = ${appId} and o.review_id = r.id
        and o.topic_id = any(array(select t.id from ${own})) limit 1
    )))`;
}

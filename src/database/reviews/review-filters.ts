// The filters of reviews, for pages of the read API, changes, the review feed, its counts, previews and exports: the type of
// each, and its condition where no index range answers it. To add a filter, add it here and to the parameters that set it.
import sql, { type Sql } from "sql-template-tag";
import type { SentimentLabel } from "../../domain/analysis.ts";
import { letterCases } from "../../domain/review-filter.ts";
import type { Day } from "../../lib/timestamp.ts";
import { type Parameter, parameter } from "../sql.ts";

/** Lists match any of their values; null does not filter. */
export type ReviewFilters = {
  /** UTC days, both inclusive. */
  from: Day | null;
  to: Day | null;
  ratings: readonly number[] | null;
  sentiments: readonly SentimentLabel[] | null;
  topics: readonly string[] | null;
  countries: readonly string[] | null;
  languages: readonly string[] | null;
  versions: readonly string[] | null;
  hasText: boolean | null;
  /** Characters of the text, not of its title. */
  minLength: number | null;
  hasReply: boolean | null;
  isEdited: boolean | null;
  /** Removed by the store, as far as its lists show. */
  isRemoved: boolean | null;
  /** The workspace's triage of reviews. */
  tag: string | null;
  assigneeId: string | null;
  isDone: boolean | null;
  /** Texts, any of which must occur, in upper or lower case. */
  words: readonly string[] | null;
};

export const noReviewFilters: ReviewFilters = {
  from: null,
  to: null,
  ratings: null,
  sentiments: null,
  topics: null,
  countries: null,
  languages: null,
  versions: null,
  hasText: null,
  minLength: null,
  hasReply: null,
  isEdited: null,
  isRemoved: null,
  tag: null,
  assigneeId: null,
  isDone: null,
  words: null,
};

/** The dates of a page are its bounds: see `pageBounds`. */
export type CheckedFilter = Exclude<keyof ReviewFilters, "from" | "to">;

/** Where a statement has the review `r` that a condition is for. */
type Place = { workspaceId: string | Parameter; appId: Sql };

const workOf = ({ workspaceId }: Place): Sql =>
  sql`select from review_work k where k.workspace_id = ${workspaceId} and k.review_id = r.id`;

const conditions: Record<CheckedFilter, (value: Parameter, place: Place) => Sql> = {
  ratings: (value) => sql`r.rating = any(${value}::smallint[])`,
  sentiments: (value) => sql`r.sentiment = any(${value}::text[])`,
  topics: (value, place) => hasTopic(value, place),
  countries: (value) => sql`r.country = any(${value}::text[])`,
  languages: (value) => sql`r.language = any(${value}::text[])`,
  versions: (value) => sql`r.version = any(${value}::text[])`,
  hasText: (value) => sql`(r.body <> '') = ${value}::boolean`,
  minLength: (value) => sql`char_length(r.body) >= ${value}::integer`,
  hasReply: (value) => sql`(r.reply_text is not null) = ${value}::boolean`,
  isEdited: (value) => sql`(r.edited_at is not null) = ${value}::boolean`,
  isRemoved: (value) => sql`(r.removed_at is not null) = ${value}::boolean`,
  tag: (value, place) => sql`exists (${workOf(place)} and k.tags @> array[${value}::text])`,
  assigneeId: (value, place) => sql`exists (${workOf(place)} and k.assignee_id = ${value}::uuid)`,
  isDone: (value, place) => sql`exists (${workOf(place)} and k.is_done) = ${value}::boolean`,
  words: (value) => sql`(r.body ilike any(${value}::text[]) or r.title ilike any(${value}::text[])
      or r.author ilike any(${value}::text[]) or r.translated_text ilike any(${value}::text[]))`,
};

export const checkedFilters = Object.keys(conditions) as readonly CheckedFilter[];

/** Filters whose reviews an index has in the order of pages, as ranges. */
export const indexedFilters = ["ratings", "sentiments", "topics"] as const;

/** The condition of each filter that is set. */
export function writeConditions(
  filters: ReviewFilters,
  place: Place,
): Partial<Record<CheckedFilter, Sql>> {
  const written: Partial<Record<CheckedFilter, Sql>> = {};
  for (const name of checkedFilters) {
    if (filters[name] === null) continue;
    const value =
      name === "words" ? filters.words?.flatMap(letterCases).map(toPattern) : filters[name];
    written[name] = conditions[name](parameter(value), place);
  }
  return written;
}

/** Searches for the text itself: no character of it is a wildcard. */
function toPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}

// Own topics in the statements of pages and counts. A statement without them is written without this.

/** The topics of a review with those of the workspace, sorted, each once. */
export function allTopics(
  { topics, id }: { topics: Sql; id: Sql },
  { workspaceId, appId }: Place,
): Sql {
  return sql`array(select u.topic from (
      select unnest(${topics}) union
      select t.name from own_topic_reviews o join own_topics t on t.id = o.topic_id
      where o.app_id = ${appId} and o.review_id = ${id} and t.workspace_id = ${workspaceId}
    ) u (topic) order by u.topic collate "C")`;
}

/** Whether a review has one of the named topics of the workspace, built-in or its own. */
function hasTopic(names: Parameter, { workspaceId, appId }: Place): Sql {
  const own = sql`own_topics t where t.workspace_id = ${workspaceId} and t.name = any(${names}::text[])`;
  // The first is looked up once: without such a topic there is nothing to look for in each review. The second has a
  // limit, so that it is one lookup for each review: PostgreSQL would rather read all that any review has.
  return sql`(r.topics && ${names}::text[] or ((select count(*) > 0 from ${own}) and (
      select true from own_topic_reviews o where o.app_id = ${appId} and o.review_id = r.id
        and o.topic_id = any(array(select t.id from ${own})) limit 1
    )))`;
}

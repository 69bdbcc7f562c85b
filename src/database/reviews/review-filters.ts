// The filters of reviews, for pages of the read API, changes, the review feed, its counts, previews and exports: the type of
// each, and its condition where no index range answers it. To add a filter, add it here and to the parameters that set it.
import type { SentimentLabel } from "../../domain/analysis.ts";
import { letterCases } from "../../domain/review-filter.ts";
import type { Day } from "../../lib/timestamp.ts";

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

const ofWork = "select from review_work k where k.workspace_id = $1 and k.review_id = r.id";

/** On a review `r` of an app, with the parameter of the filter's value; `$1` is the workspace. */
const conditions: Record<CheckedFilter, (value: string, appId: string) => string> = {
  ratings: (value) => `r.rating = any(${value}::smallint[])`,
  sentiments: (value) => `r.sentiment = any(${value}::text[])`,
  topics: (value, appId) => hasTopic({ topics: "r.topics", appId, id: "r.id" }, value),
  countries: (value) => `r.country = any(${value}::text[])`,
  languages: (value) => `r.language = any(${value}::text[])`,
  versions: (value) => `r.version = any(${value}::text[])`,
  hasText: (value) => `(r.body <> '') = ${value}::boolean`,
  minLength: (value) => `char_length(r.body) >= ${value}::integer`,
  hasReply: (value) => `(r.reply_text is not null) = ${value}::boolean`,
  isEdited: (value) => `(r.edited_at is not null) = ${value}::boolean`,
  isRemoved: (value) => `(r.removed_at is not null) = ${value}::boolean`,
  tag: (value) => `exists (${ofWork} and k.tags @> array[${value}::text])`,
  assigneeId: (value) => `exists (${ofWork} and k.assignee_id = ${value}::uuid)`,
  isDone: (value) => `exists (${ofWork} and k.is_done) = ${value}::boolean`,
  words: (value) => `(r.body ilike any(${value}::text[]) or r.title ilike any(${value}::text[])
      or r.author ilike any(${value}::text[]) or r.translated_text ilike any(${value}::text[]))`,
};

export const checkedFilters = Object.keys(conditions) as readonly CheckedFilter[];

/** Filters whose reviews an index has in the order of pages, as ranges. */
export const indexedFilters = ["ratings", "sentiments", "topics"] as const;

/**
 * The condition of each filter that is set.
 *
 * @param add makes a value a parameter of the statement
 */
export function writeConditions(
  filters: ReviewFilters,
  statement: { appId: string; add: (name: CheckedFilter, value: unknown) => string },
): Partial<Record<CheckedFilter, string>> {
  const { appId, add } = statement;
  const written: Partial<Record<CheckedFilter, string>> = {};
  for (const name of checkedFilters) {
    if (filters[name] === null) continue;
    const value =
      name === "words" ? filters.words?.flatMap(letterCases).map(toPattern) : filters[name];
    written[name] = conditions[name](add(name, value), appId);
  }
  return written;
}

/** Searches for the text itself: no character of it is a wildcard. */
function toPattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, "\\$&")}%`;
}

// Own topics in the statements of pages and counts. A statement without them is written without this.

/** The topics of a review with those of the workspace `$1`, sorted, each once. */
export function allTopics(review: { topics: string; appId: string; id: string }): string {
  return `array(select u.topic from (
      select unnest(${review.topics}) union
      select t.name from own_topic_reviews o join own_topics t on t.id = o.topic_id
      where o.app_id = ${review.appId} and o.review_id = ${review.id} and t.workspace_id = $1
    ) u (topic) order by u.topic collate "C")`;
}

/** The id of the workspace's topic of this name; null without one. */
export function ownTopicId(name: string): string {
  return `(select id from own_topics where workspace_id = $1 and name = ${name})`;
}

/** Whether a review has one of the named topics of the workspace `$1`, built-in or its own. */
export function hasTopic(
  review: { topics: string; appId: string; id: string },
  names: string,
): string {
  const own = `own_topics t where t.workspace_id = $1 and t.name = any(${names}::text[])`;
  // The first is looked up once: without such a topic there is nothing to look for in each review. The second has a
  // limit, so that it is one lookup for each review: PostgreSQL would rather read all that any review has.
  return `(${review.topics} && ${names}::text[] or ((select count(*) > 0 from ${own}) and (
      select true from own_topic_reviews o where o.app_id = ${review.appId} and o.review_id = ${review.id}
        and o.topic_id = any(array(select t.id from ${own})) limit 1
    )))`;
}

// The filter of reviews that people choose, save and send to a channel: the search parameters of the Reviews page. Its names,
// and which review it matches, are defined here; database/reviews/review-filters.ts has the same conditions in SQL.
import { z } from "zod";
import { sentimentLabels } from "./analysis.ts";
import { daySchema, idSchema, oneOfSchema, parseWholeNumber } from "./fields.ts";
import { reviewLimits } from "./review.ts";
import { tagSchema } from "./review-work.ts";
import { type StoreId, storeIds } from "./store-id.ts";

const flag = oneOfSchema(["true", "false"]).transform((text) => text === "true");

/** `1,2`: each once, in order. */
const stars = z
  .string()
  .regex(/^[1-5](,[1-5]){0,4}$/, { error: "must be some of 1, 2, 3, 4, 5, separated by commas" })
  .transform((text) => [...new Set(text.split(","))].map(Number).sort());

/** `14d`: today and the 13 days before, in UTC. */
const dayRange = z
  .string()
  .regex(/^[1-9]\d{0,2}d$/, { error: "must be a number of days such as 14d" });

const lengthBounds = { min: 1, max: reviewLimits.textMax };

/** Strict, because a filter that this version does not know must not show more than a link was made for. */
export const reviewFilterSchema = z.strictObject({
  app: idSchema.optional(),
  store: oneOfSchema(storeIds).optional(),
  from: daySchema.optional(),
  to: daySchema.optional(),
  /** `14d`: the last 14 days with today, in UTC, in place of `from` and `to`. */
  range: dayRange.optional(),
  /** Any of these stars; written `1,2`. */
  rating: stars.optional(),
  sentiment: oneOfSchema(sentimentLabels).optional(),
  topic: plainText({ min: 1, max: 64 }).optional(),
  /** As the review has it: a storefront, or the language of a Google Play review. */
  country: plainText({ min: 1, max: 20 }).optional(),
  /** That the analysis found, e.g. `de`. */
  language: plainText({ min: 1, max: 20 }).optional(),
  /** The exact version that a review names. */
  version: plainText({ min: 1, max: 200 }).optional(),
  /** In title, text, translation or author, in any case. */
  q: plainText({ min: 2, max: 100 }).optional(),
  /** true: only with a text; false: only without. */
  hasText: flag.optional(),
  /** Characters that the text has at least. */
  minLength: z
    .string()
    .refine((text) => parseWholeNumber(text, lengthBounds) !== null, {
      error: `must be a whole number from ${lengthBounds.min} to ${lengthBounds.max}`,
    })
    .transform(Number)
    .optional(),
  /** Only reviews that were edited since they were first seen. */
  editedOnly: flag.optional(),
  /** true: only with a developer's reply; false: only without. */
  hasReply: flag.optional(),
  /** That the workspace gave the review. */
  tag: tagSchema.optional(),
  /** The user who looks after the review. */
  assignee: idSchema.optional(),
  status: oneOfSchema(["open", "done"]).optional(),
});
export type ReviewFilter = z.output<typeof reviewFilterSchema>;

/** The search parameters of the Reviews page as a filter, or the fault in them. */
export function parseReviewFilter(
  query: string,
): { ok: true; filter: ReviewFilter } | { ok: false; fault: string } {
  const values = new URLSearchParams(query);
  const names = [...values.keys()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) return { ok: false, fault: `${repeated} is there twice` };
  const parsed = reviewFilterSchema.safeParse(Object.fromEntries(values));
  if (parsed.success) return { ok: true, filter: parsed.data };
  const { path, message, code } = parsed.error.issues[0] ?? { path: [], message: "", code: "" };
  const isUnknown = code === "unrecognized_keys";
  return {
    ok: false,
    fault: isUnknown
      ? `the filters are ${Object.keys(reviewFilterSchema.shape).join(", ")}`
      : `${path.join(".")} ${message}`,
  };
}

// A channel announces a review when it is first seen: the team has not worked on it yet, and it has not been edited.
const neverNew = {
  editedOnly: ({ editedOnly }: ReviewFilter) => editedOnly === true,
  tag: ({ tag }: ReviewFilter) => tag !== undefined,
  assignee: ({ assignee }: ReviewFilter) => assignee !== undefined,
  status: ({ status }: ReviewFilter) => status === "done",
};

/**
 * The reason why a channel can't have this filter; null when it can. Every new review is open and in a range that ends
 * today, so a channel takes `status=open` and `range` as they are.
 */
export function findChannelFault(filter: ReviewFilter): string | null {
  if (filter.from !== undefined || filter.to !== undefined)
    return "a channel sends reviews as they come: from and to can't limit it";
  const never = Object.entries(neverNew).find(([, applies]) => applies(filter));
  return never ? `no new review can match ${never[0]}, so a channel can't have it` : null;
}

export type FilterableReview = {
  rating: number;
  /** null while it is not analysed. */
  sentiment: string | null;
  language: string | null;
  /** With the workspace's own. */
  topics: readonly string[];
  country: string;
  version: string;
  hasReply: boolean;
  title: string | null;
  text: string;
  author: string;
  translatedText: string | null;
};

export function matchesApp(filter: ReviewFilter, app: { id: string; store: StoreId }): boolean {
  return isOrUnset(filter.app?.toLowerCase(), app.id) && isOrUnset(filter.store, app.store);
}

/** Whether a new review matches; its app is the matter of `matchesApp`. */
export function matchesReview(filter: ReviewFilter, review: FilterableReview): boolean {
  const { rating, topic, hasText, minLength = 0, q } = filter;
  return (
    (rating === undefined || rating.includes(review.rating)) &&
    (topic === undefined || review.topics.includes(topic)) &&
    isOrUnset(filter.sentiment, review.sentiment) &&
    isOrUnset(filter.country, review.country) &&
    isOrUnset(filter.language, review.language) &&
    isOrUnset(filter.version, review.version) &&
    isOrUnset(filter.hasReply, review.hasReply) &&
    isOrUnset(hasText, review.text !== "") &&
    // In characters, as PostgreSQL counts them: UTF-16 has two units for some.
    (minLength === 0 || [...review.text].length >= minLength) &&
    (q === undefined || containsWord(review, q))
  );
}

function isOrUnset<Value>(chosen: Value | undefined, value: Value): boolean {
  return chosen === undefined || chosen === value;
}

function containsWord(review: FilterableReview, word: string): boolean {
  const { title, text, author, translatedText } = review;
  const cases = letterCases(word).map(lowerAscii);
  return [text, title, author, translatedText].some((part) => {
    const lower = lowerAscii(part ?? "");
    return cases.some((one) => lower.includes(one));
  });
}

/**
 * The text itself; with other than ASCII letters also in lower case, upper case and capitalized: in most databases
 * `ilike` knows the case of ASCII letters alone.
 */
export function letterCases(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
  if (/^[\u0000-\u007f]*$/.test(text)) return [text];
  const lower = text.toLowerCase();
  const first = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([text, lower, text.toUpperCase(), first])];
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** PostgreSQL stores no NUL, so nothing matches one. */
function plainText({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .trim()
    .refine((text) => text.length >= min && text.length <= max && !text.includes("\0"), {
      error: `must have ${min} to ${max} characters`,
    });
}

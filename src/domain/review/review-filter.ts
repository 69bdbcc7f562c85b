// The filters of reviews, each defined once: its values, its meaning in words, and which new reviews it matches. The search
// parameters of the Reviews page, saved views, channels, the read API, the tools of assistants and the command line follow
// from this table; database/reviews/review-filters.ts has the conditions in SQL.
import { z } from "zod";
import { daySchema, idSchema, momentSchema, oneOfSchema } from "../fields.ts";
import { type StoreId, storeIds } from "../store/store-id.ts";
import { flagText, listText, plainText, wholeNumberText } from "../text-values.ts";
import { sentimentLabels } from "./analysis.ts";
import { anyCasePattern } from "./letter-case.ts";
import { replyFilterValues } from "./reply-state.ts";
import { reviewLimits } from "./review.ts";
import { tagSchema } from "./review-work.ts";

type Definition = {
  /** A value as a search parameter or an option has it. */
  text: z.ZodType<unknown, string>;
  /** A value as JSON has it. */
  json: z.ZodType;
  description: string;
  /** `api`: takes several values in the read API; `page`: on the Reviews page, too, where a value may else hold a comma. */
  list?: "api" | "page";
  /** The read API lacks it, or has it in another form. */
  isOnPageOnly?: true;
} & Meaning;

/** Any of several values counts. */
type Meaning =
  | { matches(review: FilterableReview, values: readonly unknown[]): boolean; ofNew?: never }
  /** Whether all new reviews match; else none does. */
  | { ofNew(values: readonly unknown[]): boolean; matches?: never };

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
  /** The review was changed after its reply. */
  isReplyOutdated?: true;
  title: string | null;
  text: string;
  author: string;
  translatedText: string | null;
};

const flag = { text: flagText, json: z.boolean() };
const upTo = (max: number) => ({ text: plainText({ max }), json: z.string().max(max) });
const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) => ({
  text: oneOfSchema(names),
  json: z.enum(names),
});
const wholeNumber = (bounds: { min: number; max: number }) => ({
  text: wholeNumberText(bounds),
  json: z.int().min(bounds.min).max(bounds.max),
});
const onPage = <Text extends z.ZodType<unknown, string>>(text: Text) => ({
  text,
  json: z.never(),
  isOnPageOnly: true as const,
});

const is =
  (read: (review: FilterableReview) => unknown) =>
  (review: FilterableReview, values: readonly unknown[]): boolean =>
    values.includes(read(review));
// A channel announces a review when it is first seen: the team has not worked on it yet, and it has not been edited.
const always = (value: unknown) => ({
  ofNew: (values: readonly unknown[]): boolean => values.includes(value),
});
const never = { ofNew: () => false };
/** See `matchesApp`. */
const ofApp = { ofNew: () => true };

/** Older ones are new to the service alone: a new app or an import brought them. */
export const newReviewDaysMax = 7;

export const reviewFilters = {
  app: { ...onPage(idSchema), ...ofApp, description: "Only reviews of this app." },
  store: {
    ...oneOf(storeIds),
    ...ofApp,
    list: "api",
    description: "Only reviews of this store.",
  },
  from: { ...onPage(daySchema), ...never, description: "First UTC day, inclusive." },
  to: { ...onPage(daySchema), ...never, description: "Last UTC day, inclusive." },
  range: {
    ...onPage(
      z.string().regex(/^[1-9]\d{0,2}d$/, { error: "must be a number of days such as 14d" }),
    ),
    // It ends today.
    ofNew: () => true,
    description: "`14d`: today and the 13 days before, in UTC, in place of `from` and `to`.",
  },
  newSince: {
    ...onPage(momentSchema),
    ...never,
    description: `First seen at this moment or later, and dated at most ${newReviewDaysMax} days before it: what a new app or an import brought doesn't count.`,
  },
  rating: {
    ...wholeNumber({ min: 1, max: 5 }),
    list: "page",
    matches: is(({ rating }) => rating),
    description: "Only reviews with this number of stars.",
  },
  sentiment: {
    ...oneOf(sentimentLabels),
    list: "api",
    matches: is(({ sentiment }) => sentiment),
    description: "Only reviews of this sentiment.",
  },
  topic: {
    ...upTo(64),
    // Any text may be asked for, and none matches that no topic can have.
    text: z
      .string()
      .transform((text) => text.replaceAll("\0", "\ufffd"))
      .pipe(plainText({ max: 64 }))
      .meta({ maxLength: 64 }),
    list: "api",
    matches: ({ topics }, values) => topics.some((topic) => values.includes(topic)),
    description: "Only reviews with this topic, built in or your own.",
  },
  country: {
    ...upTo(64),
    list: "api",
    matches: is(({ country }) => country),
    description:
      "Only reviews with this `country`: a storefront; for googleplay a language, and `001` for a store without storefronts.",
  },
  language: {
    ...upTo(64),
    list: "api",
    matches: is(({ language }) => language),
    description: "Only reviews written in this language.",
  },
  version: {
    ...upTo(200),
    list: "api",
    matches: is(({ version }) => version),
    description: "Only reviews of exactly this app version.",
  },
  q: {
    text: plainText({ min: 2, max: 100 }),
    json: z.string().min(2).max(100),
    matches: ({ title, text, author, translatedText }, [words]) => {
      const pattern = new RegExp(anyCasePattern(String(words)), "u");
      return [text, title, author, translatedText].some((part) => pattern.test(part ?? ""));
    },
    description:
      "Only reviews with this text in title, text, author or translation, in upper or lower case.",
  },
  hasText: {
    ...flag,
    matches: is(({ text }) => text !== ""),
    description: "Only reviews with a text (`true`), or with stars alone (`false`).",
  },
  minLength: {
    ...wholeNumber({ min: 1, max: reviewLimits.textMax }),
    // In characters, as PostgreSQL counts them: UTF-16 has two units for some.
    matches: ({ text }, [least]) => [...text].length >= Number(least),
    description: "Only reviews whose text has at least this many characters.",
  },
  hasReply: {
    ...flag,
    matches: is(({ hasReply }) => hasReply),
    description: "Only reviews with a public reply (`true`), or without one (`false`).",
  },
  reply: {
    ...oneOf(replyFilterValues),
    list: "api",
    matches: is(({ hasReply, isReplyOutdated }) => {
      if (!hasReply) return "unanswered";
      return isReplyOutdated ? "outdated" : "answered";
    }),
    description:
      "Only reviews that are `unanswered`, `answered`, or `outdated`: changed after they were answered. An answer that Starpost is sending counts.",
  },
  edited: {
    ...flag,
    ...always(false),
    description: "Only reviews that were edited since Starpost knows them, or that were not.",
  },
  removed: {
    ...flag,
    ...always(false),
    description: "Only reviews that the store no longer shows, or that it does.",
  },
  tag: { ...onPage(tagSchema), ...never, description: "A tag that the workspace gave." },
  assignee: { ...onPage(idSchema), ...never, description: "The user who looks after the review." },
  status: {
    ...onPage(oneOfSchema(["open", "done"])),
    ...always("open"),
    description: "Whether the workspace is done with the review.",
  },
} as const satisfies Record<string, Definition>;

type Filters = typeof reviewFilters;
export type FilterName = keyof Filters;
type Value<Name extends FilterName> = z.output<Filters[Name]["text"]>;
type Is<Name extends FilterName, List> = Filters[Name] extends { list: List } ? Name : never;
type ApiName = {
  [Name in FilterName]: Filters[Name] extends { isOnPageOnly: true } ? never : Name;
}[FilterName];
type Shape<Names extends FilterName, List> = {
  [Name in Names]: z.ZodOptional<
    z.ZodType<Name extends Is<Name, List> ? Value<Name>[] : Value<Name>, string>
  >;
};

const listed = "Several values are separated by commas; any of them counts.";

const definitions: [FilterName, Definition][] = Object.entries(reviewFilters) as [
  FilterName,
  Definition,
][];

/** Filters of any origin, each with one value or with several, any of which counts. */
export type ReviewFilters = {
  readonly [Name in FilterName]?: Value<Name> | readonly Value<Name>[] | undefined;
};

/** Strict, because a filter that this version does not know must not show more than a link was made for. */
export const reviewFilterSchema = z.strictObject(
  shapeOf(definitions, ["page"]) as Shape<FilterName, "page">,
);
/** As the search parameters of the Reviews page have it. */
export type ReviewFilter = z.output<typeof reviewFilterSchema>;

/** The filters of the read API. */
export const apiFilters = shapeOf(
  definitions.filter(([, one]) => !one.isOnPageOnly),
  ["page", "api"],
) as Shape<ApiName, "page" | "api">;

function shapeOf(
  filters: typeof definitions,
  lists: readonly Definition["list"][],
): Record<string, z.ZodType> {
  const shape = filters.map(([name, { text, list, description }]) => [
    name,
    list && lists.includes(list)
      ? listText(text as z.ZodType<string, string>)
          .optional()
          .describe(`${description} ${listed}`)
      : text.optional().describe(description),
  ]);
  return Object.fromEntries(shape);
}

type JsonShape = {
  [Name in ApiName]: z.ZodExactOptional<
    z.ZodType<Filters[Name] extends { list: unknown } ? Value<Name>[] : Value<Name>>
  >;
};

/** The filters of the read API as JSON has them. `list` makes the schema of several values from that of one. */
export function jsonFilters(list: (item: z.ZodType) => z.ZodType): JsonShape {
  const shape = definitions.flatMap(([name, { json, description, ...one }]) => {
    const values = one.list ? list(json) : json;
    return one.isOnPageOnly ? [] : [[name, values.exactOptional().describe(description)]];
  });
  return Object.fromEntries(shape) as JsonShape;
}

/** The values of one filter; null where it is not set. */
export function valuesOf<Name extends FilterName>(
  filters: ReviewFilters,
  name: Name,
): readonly Value<Name>[] | null {
  const chosen = filters[name];
  if (chosen === undefined) return null;
  const values = (Array.isArray(chosen) ? chosen : [chosen]) as readonly Value<Name>[];
  // To choose all stars is to choose none.
  return name === "rating" && values.length === 5 ? null : values;
}

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
      : `${String(path[0])} ${message}`,
  };
}

/**
 * The reason why a channel can't have this filter; null when it can. Every new review is open and in a range that ends
 * today, so a channel takes `status=open` and `range` as they are.
 */
export function findChannelFault(filter: ReviewFilters): string | null {
  if (filter.from !== undefined || filter.to !== undefined)
    return "a channel sends reviews as they come: from and to can't limit it";
  const fault = definitions.find(([name, { ofNew }]) => {
    const values = valuesOf(filter, name);
    return values !== null && ofNew?.(values) === false;
  });
  return fault ? `no new review can match ${fault[0]}, so a channel can't have it` : null;
}

export function matchesApp(filter: ReviewFilters, app: { id: string; store: StoreId }): boolean {
  const ids = valuesOf(filter, "app")?.map((id) => id.toLowerCase());
  return (
    (ids?.includes(app.id) ?? true) && (valuesOf(filter, "store")?.includes(app.store) ?? true)
  );
}

/** Whether a new review matches, and nothing matches what a channel can't have. Its app is the matter of `matchesApp`. */
export function matchesReview(filter: ReviewFilters, review: FilterableReview): boolean {
  return definitions.every(([name, { matches, ofNew }]) => {
    const values = valuesOf(filter, name);
    return values === null || (matches ? matches(review, values) : ofNew(values));
  });
}

// Query parameters: their schemas, and a parser that names every error at once. Unknown names are
// errors too, and names that are repeated, unless they take a list.
import { z } from "zod";
import { AppError, type FieldError } from "../domain/error.ts";
import { oneOfSchema } from "../domain/fields.ts";
import { apiFilters } from "../domain/review/review-filter.ts";
import { flagText, listText, plainText, wholeNumberText } from "../domain/text-values.ts";
import { isDay, minuteMs } from "../lib/timestamp.ts";
import { includableNames } from "./contract.ts";

export const pageSizeMax = 100;
export const pageSizeDefault = 50;
// Half of what the server accepts as a head, so that longer ones are distinguished.
const queryLengthMax = 16_384;
const nameLengthMax = 100;
const appListMax = 100;

const app = z
  .string({ error: "is required" })
  .meta({ description: "An app id, from `GET /apps`.", format: "uuid" });

const day = z
  .string()
  .superRefine((text, context) => {
    const message = dayError(text);
    if (message) context.addIssue({ code: "custom", message });
  })
  .meta({
    format: "date",
    pattern: "^(20(0[89]|[1-9][0-9])|2100)-[0-9]{2}-[0-9]{2}$",
    example: "2026-11-01",
  });

// Years as for days; PostgreSQL keeps six decimals.
const momentPattern =
  /^(20(?:0[89]|[1-9]\d)-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/;
const moment = z
  .string()
  .overwrite(toUtc)
  .refine((text) => isDay(momentPattern.exec(text)?.[1] ?? ""), {
    error: "must be a moment written YYYY-MM-DDThh:mm:ssZ, in the years 2008 to 2099",
  })
  .meta({
    format: "date-time",
    pattern: momentPattern.source,
    example: "2026-11-21T08:37:00Z",
  });

const offsetPattern =
  /^(\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3])(?::[0-5]\d){2})(\.\d{1,9})?(?:Z|([+ -])([01]\d|2[0-3]):?([0-5]\d))$/;

/**
 * In the form above, if it is a moment with an offset or more decimals: generated clients write either, some without a colon. An
 * unencoded `+` arrives as a space.
 */
function toUtc(text: string): string {
  const [, local = "", decimals = "", sign, hours = 0, minutes = 0] =
    offsetPattern.exec(text) ?? [];
  const localMs = Date.parse(`${local}Z`);
  if (Number.isNaN(localMs) || !isDay(local.slice(0, 10))) return text;
  const eastMs = (Number(hours) * 60 + Number(minutes)) * minuteMs * (sign === "-" ? -1 : 1);
  const utc = new Date(localMs - eastMs).toISOString().slice(0, 19);
  return `${utc}${decimals.slice(0, 7)}Z`;
}

const range = {
  from: day.optional().describe("First UTC day, inclusive."),
  to: day.optional().describe("Last UTC day, inclusive."),
};

const shortText = plainText({ max: 64 });
const listed = "Several values are separated by commas; any of them counts.";

export function flag(description: string) {
  return flagText.optional().describe(description);
}

export const noParameters = z.object({});
export const appParameters = z.object({ app });
export const ratingHistoryParameters = z.object({
  app,
  ...range,
  by: oneOfSchema(["day", "week"]).default("day"),
  region: listText(shortText)
    .optional()
    .describe(
      `Storefronts, each by itself; without it all that the app follows together. ${listed}`,
    ),
});
export const changesParameters = z.object({
  app,
  since: shortText
    .optional()
    .describe(
      "An app version: what changed since it came out. Without it, in the week up to `to`.",
    ),
  to: day
    .optional()
    .describe("Last UTC day. Without it yesterday, because today is not over; with `since` today."),
});

const review = z
  .string({ error: "is required" })
  .meta({ description: "A review id, from `GET /reviews` or a webhook.", format: "uuid" });
export const oneReviewParameters = z.object({ review });
export const editParameters = z.object({
  review,
  app: app.optional().describe("The app of the review; it is found without, too."),
});
export const trendParameters = z.object({
  app: listText(app, appListMax).describe(`An app id, from \`GET /apps\`. ${listed}`),
  ...range,
  topics: oneOfSchema(["own"])
    .optional()
    .describe("`own`: `topTopics` has the topics of the workspace alone."),
});
export const reviewParameters = z.object({
  app: listText(app, appListMax).optional().describe(`Only reviews of this app. ${listed}`),
  ...range,
  ...apiFilters,
  include: listText(oneOfSchema(includableNames), includableNames.length)
    .optional()
    .describe(
      "Further fields of each review, separated by commas. With `removed` a copy learns of reviews that were removed or erased.",
    ),
  updatedSince: moment
    .optional()
    .describe(
      "Only reviews that were new, edited, analysed or translated at this moment (UTC) or later; those that changed first come first. For whoever keeps a copy.",
    ),
  limit: wholeNumberText({ min: 1, max: pageSizeMax })
    .default(pageSizeDefault)
    .describe("Page size."),
  cursor: z.string().optional().meta({
    description: "`nextCursor` of the previous page, unchanged.",
    minLength: 1,
    pattern: "^[A-Za-z0-9_-]+$",
  }),
});

export const exportParameters = reviewParameters.omit({ limit: true, updatedSince: true }).extend({
  format: oneOfSchema(["ndjson", "csv"]).default("ndjson"),
  cursor: reviewParameters.shape.cursor.describe(
    "`cursor` of the last row that you have: begins behind it.",
  ),
});

/**
 * @param inPath the parameters that are parts of the path
 * @throws AppError `invalid_parameter` that names every invalid parameter
 */
export function parseParameters<Schema extends z.ZodObject>(
  schema: Schema,
  queryString: string,
  inPath: Values = {},
): z.infer<Schema> {
  if (queryString.length > queryLengthMax) {
    throw new AppError(
      "invalid_parameter",
      `The query string is longer than ${queryLengthMax} characters.`,
    );
  }
  const { values, errors } = collectValues(schema, new URLSearchParams(queryString), inPath);
  const parsed = schema.safeParse(values);
  for (const issue of parsed.error?.issues ?? []) {
    errors.push({ field: String(issue.path[0]), message: issue.message });
  }
  if (isReversed(values)) errors.push({ field: "from", message: "must not be after `to`" });
  if (!parsed.success || errors.length > 0) {
    const fields = errors.slice(0, errorCountMax);
    throw new AppError("invalid_parameter", describeErrors(fields), { fields });
  }
  return parsed.data;
}

/** Nobody reads more, and a query string can hold thousands. */
const errorCountMax = 20;

type Values = Partial<Record<string, string>>;

function collectValues(
  schema: z.ZodObject,
  parameters: URLSearchParams,
  inPath: Values,
): { values: Values; errors: FieldError[] } {
  const values: Values = { ...inPath };
  const errors: FieldError[] = [];
  for (const name of new Set(parameters.keys())) {
    const [value, ...more] = parameters.getAll(name);
    if (!Object.hasOwn(schema.shape, name) || Object.hasOwn(inPath, name)) {
      errors.push({
        field: name.slice(0, nameLengthMax),
        message: "is not a parameter of this endpoint",
      });
    } else {
      const isList = takesList(schema.shape[name]);
      if (more.length > 0 && !isList)
        errors.push({ field: name, message: "is given more than once" });
      values[name] = isList ? [value, ...more].join(",") : (value ?? "");
    }
  }
  return { values, errors };
}

/** Many generated clients repeat a parameter for each value of a list. */
function takesList(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional) return takesList(schema.unwrap());
  return schema instanceof z.ZodType && schema.meta()?.["type"] === "array";
}

function isReversed({ from, to }: Values): boolean {
  if (from === undefined || to === undefined || from <= to) return false;
  return dayError(from) === null && dayError(to) === null;
}

function describeErrors(errors: readonly FieldError[]): string {
  return `${errors.map(({ field, message }) => `\`${field}\` ${message}`).join("; ")}.`;
}

function dayError(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return "must be a date written YYYY-MM-DD";
  if (!isDay(text)) return "is not a date that exists";
  const year = Number(text.slice(0, 4));
  return year < 2008 || year > 2100 ? "must lie in the years 2008 to 2100" : null;
}

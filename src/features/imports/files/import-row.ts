// One row of an import file as a review or as a snapshot of ratings, by Starpost's names of the fields. In a CSV all values
// are text; a missing value and null are the same.
import { z } from "zod";
import { reviewLimits, type SourceReview } from "../../../domain/review/review.ts";
import { addsUp, type Histogram, type Snapshot } from "../../../domain/review/snapshot.ts";
import { parseJson } from "../../../lib/json.ts";
import { dayOf } from "../../../lib/timestamp.ts";
import {
  type ImportRowOptions,
  moment,
  type NumberRule,
  number,
  optionalCountry,
  optionalLanguage,
  optionalText,
  optionalWords,
  stars,
  statedText,
  storeReviewId,
} from "./import-fields.ts";
import { storedReviewSchema } from "./stored-review-row.ts";

/** `total` is null where there is an average alone. */
export type ImportedRating = Omit<Snapshot, "listingId" | "total"> & { total: number | null };

const { storeReviewIdMax, authorMax, titleMax, textMax } = reviewLimits;
const exampleDate = "2026-11-21T08:37:00Z";
const versionLengthMax = 200;
// Far above any app's ratings, and well inside what a double can hold exactly.
const countMax = 1_000_000_000_000;

export function reviewRowSchema(options: ImportRowOptions) {
  const row = z.object({
    id: storeReviewId(storeReviewIdMax),
    author: optionalWords(authorMax),
    rating: stars(),
    title: optionalText(titleMax),
    text: statedText(textMax),
    version: optionalWords(versionLengthMax),
    country: optionalCountry(),
    language: optionalLanguage(),
    date: moment(options, exampleDate),
    replyText: optionalText(textMax),
    replyDate: moment(options, exampleDate).nullish(),
    votes: z.union([z.null(), number(countOf(2 ** 31 - 1))]).optional(),
    device: optionalText(reviewLimits.deviceMax),
    osVersion: optionalWords(versionLengthMax),
    submittedAt: moment(options, exampleDate).nullish(),
    stored: storedReviewSchema(options).optional(),
  });
  return row.transform((fields): SourceReview => {
    const { author, rating, text, version, country, date, device, osVersion } = fields;
    const { submittedAt, stored } = fields;
    const review: SourceReview = {
      ...{ author, rating, text, version, country, date },
      storeReviewId: fields.id,
      title: fields.title || null,
      languageHint: fields.language,
      votes: fields.votes ?? null,
      reply: replyOf(fields.replyText, fields.replyDate),
      ...(device && { device }),
      ...(osVersion && { osVersion }),
      ...(submittedAt && { submittedAt }),
      ...(stored && { stored }),
    };
    return stored?.erasedId ? withoutContent(review) : review;
  });
}

/** An erased review has no content, and no longer the id of its store. */
function withoutContent({ stored, ...review }: SourceReview): SourceReview {
  const none = { storeReviewId: "", author: "", title: null, text: "", reply: null };
  const left = stored && { ...stored, translation: null, versions: [] };
  return { ...review, ...none, ...(left && { stored: left }) };
}

/** Fields without which a review is as true as with them: a value that can't be right is left out with a warning. */
const droppableFields = new Set([
  ...["author", "title", "version", "country", "language", "replyText", "replyDate", "votes"],
  ...["device", "osVersion", "submittedAt", "stored"],
]);

type ParsedRow = { review: SourceReview; warning?: string } | { reason: string };

export function parseReviewRow(
  schema: z.ZodType<SourceReview>,
  fields: Readonly<Record<string, unknown>>,
): ParsedRow {
  const { data: review, error } = schema.safeParse(fields);
  if (!error) return { review };
  const dropped = new Set(error.issues.map(({ path }) => String(path[0])));
  if ([...dropped].some((name) => !droppableFields.has(name)))
    return { reason: describeRowErrors(error) };
  const rest = Object.entries(fields).filter(([name]) => !dropped.has(name));
  const parsed = parseReviewRow(schema, Object.fromEntries(rest));
  return "review" in parsed ? { ...parsed, warning: describeRowErrors(error) } : parsed;
}

const countOf = (max: number): NumberRule => ({
  expected: "a whole number from 0 up",
  isValid: (value) => Number.isInteger(value) && value >= 0 && value <= max,
});

const averageOfRatings: NumberRule = {
  expected: "a number from 1 to 5",
  isValid: (value) => value === 0 || (value >= 1 && value <= 5),
};

/** Ratings of one day, of the whole app or of a storefront. A CSV has a column for each star, or the histogram in one cell. */
export function snapshotRowSchema(options: ImportRowOptions) {
  const count = number(countOf(countMax));
  const counts = { "1": count, "2": count, "3": count, "4": count, "5": count };
  const histogram = z.strictObject(counts);
  const row = z.looseObject({
    date: moment(options, "2026-11-21"),
    region: optionalCountry(),
    total: z.union([z.null(), count]),
    average: number(averageOfRatings),
  });
  return row.transform((fields, context): ImportedRating => {
    const { date, region, total, average } = fields;
    if ((total === 0) !== (average === 0)) {
      const expected = total === 0 ? "0 where there are no ratings" : averageOfRatings.expected;
      return reject(context, `must be ${expected}`, "average");
    }
    const snapshot = { region: region ?? "", day: dayOf(date), average, total };
    const raw = histogramOf(fields);
    if (raw === undefined || raw === null || total === null) {
      return { ...snapshot, histogram: null };
    }
    const parsed = histogram.safeParse(raw);
    if (!parsed.success) {
      return reject(context, 'must hold a whole number for each of "1" to "5"', "histogram");
    }
    const { "1": one, "2": two, "3": three, "4": four, "5": five } = parsed.data;
    const stars: Histogram = [one, two, three, four, five];
    if (!addsUp({ histogram: stars, total })) {
      return reject(context, `the histogram does not add up to the total of ${total}`);
    }
    return { ...snapshot, histogram: stars };
  });
}

/** Why a row is rejected, in words; for `error` of one of the schemas above. */
export function describeRowErrors(error: z.ZodError): string {
  const reasons = error.issues.map(({ path, message }) => [...path, message].join(" "));
  return [...new Set(reasons)].join("; ");
}

function reject(context: z.RefinementCtx, message: string, field?: string): never {
  context.addIssue({ code: "custom", message, path: field === undefined ? [] : [field] });
  return z.NEVER;
}

function replyOf(text: string, at: Date | null | undefined): SourceReview["reply"] {
  return text === "" ? null : { text, at: at ?? null };
}

/** A CSV has columns for it, or JSON in a cell. */
function histogramOf(fields: Readonly<Record<string, unknown>>): unknown {
  const cell = fields["histogram"];
  if (typeof cell === "string") return parseJson(cell);
  if ((cell ?? null) !== null) return cell;
  const named = ["1", "2", "3", "4", "5"].filter((star) => fields[star] !== undefined);
  if (named.length === 0) return null;
  return Object.fromEntries(named.map((star) => [star, fields[star]]));
}

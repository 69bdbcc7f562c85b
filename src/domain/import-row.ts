// One row of an import file as a review or as a snapshot of ratings: Starpost's own field names, or those
// of a Play Console export. In a CSV all values are text; a missing value, null and "" are the same.
import { z } from "zod";
import { dayOf } from "../lib/timestamp.ts";
import {
  type ImportRowOptions,
  moment,
  type NumberRule,
  number,
  optionalCode,
  optionalText,
  requiredText,
  stars,
} from "./import-fields.ts";
import { parseReviewLink } from "./play-link.ts";
import { reviewLimits, type SourceReview } from "./review.ts";
import type { Histogram, Snapshot } from "./snapshot.ts";

export type ImportedSnapshot = Omit<Snapshot, "listingId">;

const { storeReviewIdMax, authorMax, titleMax, textMax } = reviewLimits;
const versionLengthMax = 200;
const linkLengthMax = 2_048;
// Far above any app's ratings, and well inside what a double can hold exactly.
const countMax = 1_000_000_000_000;
/** How far a histogram may miss the total: stores refresh the two independently. */
const mismatchMax = 0.005;

export function reviewRowSchema(options: ImportRowOptions) {
  const row = z.object({
    id: requiredText(storeReviewIdMax),
    author: optionalText(authorMax),
    rating: stars(options),
    title: optionalText(titleMax),
    text: optionalText(textMax),
    version: optionalText(versionLengthMax),
    country: optionalCode(),
    language: optionalCode(),
    date: moment(options.now, "2026-11-21T08:37:00Z"),
  });
  return row.transform(
    ({ id, title, language, ...review }): SourceReview => ({
      ...review,
      storeReviewId: id,
      title: title || null,
      languageHint: language,
      votes: null,
      reply: null,
    }),
  );
}

/** @param options.packageName of the app that is imported into: rows of other apps are rejected */
export function playConsoleRowSchema(options: { now: Date; packageName: string }) {
  const row = z.object({
    "package name": z.unknown(),
    "review link": optionalText(linkLengthMax),
    "star rating": stars({ ...options, isText: true }),
    "review title": optionalText(textMax),
    "review text": optionalText(textMax),
    "app version name": optionalText(versionLengthMax),
    "app version code": optionalText(versionLengthMax),
    "reviewer language": optionalCode(),
    device: optionalText(reviewLimits.deviceMax),
    "review submit date and time": moment(options.now, "2026-11-21T08:37:00Z").nullish(),
    "review last update date and time": moment(options.now, "2026-11-21T08:37:00Z"),
    "developer reply text": optionalText(textMax),
    "developer reply date and time": moment(options.now, "2026-11-21T08:37:00Z").nullish(),
  });
  return row.transform((fields, context): SourceReview => {
    const link = fields["review link"];
    const storeReviewId = parseReviewLink(link);
    const replyText = fields["developer reply text"];
    const submittedAt = fields["review submit date and time"];
    if (fields["package name"] !== options.packageName) {
      return reject(context, `the row is of another app than ${options.packageName}`);
    }
    // The export names no id for stars without a review; an invented id would count the user twice
    // once there is a review.
    if (link === "") return reject(context, starsWithoutReview);
    if (storeReviewId === null || storeReviewId.length > storeReviewIdMax) {
      return reject(context, "the review link names no review");
    }
    return {
      storeReviewId,
      author: "",
      rating: fields["star rating"],
      title: null,
      // Old reviews may have a title alone.
      text: fields["review text"] || fields["review title"],
      version: fields["app version name"] || fields["app version code"],
      country: null,
      languageHint: fields["reviewer language"],
      date: fields["review last update date and time"],
      votes: null,
      reply: replyText === "" ? null : replyOf(replyText, fields["developer reply date and time"]),
      ...(fields.device && { device: fields.device }),
      ...(submittedAt && { submittedAt }),
    };
  });
}

const averageOfRatings: NumberRule = {
  expected: "a number from 1 to 5",
  isValid: (value) => value === 0 || (value >= 1 && value <= 5),
};

/** The whole app's ratings of one day. A CSV has a column for each star, or the histogram in one cell. */
export function snapshotRowSchema(options: ImportRowOptions) {
  const count = number(options, {
    expected: "a whole number from 0 up",
    isValid: (value) => Number.isInteger(value) && value >= 0 && value <= countMax,
  });
  const counts = { "1": count, "2": count, "3": count, "4": count, "5": count };
  const histogram = z.strictObject(counts);
  const row = z.looseObject({
    date: moment(options.now, "2026-11-21"),
    total: count,
    average: number(options, averageOfRatings),
  });
  return row.transform((fields, context): ImportedSnapshot => {
    const { date, total, average } = fields;
    if ((total === 0) !== (average === 0)) {
      const expected = total === 0 ? "0 where there are no ratings" : averageOfRatings.expected;
      return reject(context, `must be ${expected}`, "average");
    }
    const snapshot = { region: "", day: dayOf(date), average, total };
    const raw = options.isText ? histogramOfCells(fields) : fields["histogram"];
    if (raw === undefined || raw === null) return { ...snapshot, histogram: null };
    const parsed = histogram.safeParse(raw);
    if (!parsed.success) {
      return reject(context, 'must hold a whole number for each of "1" to "5"', "histogram");
    }
    const { "1": one, "2": two, "3": three, "4": four, "5": five } = parsed.data;
    if (Math.abs(one + two + three + four + five - total) > total * mismatchMax) {
      return reject(context, `the histogram does not add up to the total of ${total}`);
    }
    const stars: Histogram = [one, two, three, four, five];
    return { ...snapshot, histogram: stars };
  });
}

/** The reason of a row of the Play Console that is complete, and no review. */
export const starsWithoutReview = "stars without a review have no id";

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
  return { text, at: at ?? null };
}

function histogramOfCells(fields: Readonly<Record<string, unknown>>): unknown {
  const cell = fields["histogram"];
  if (typeof cell === "string") return parseJsonCell(cell);
  const named = ["1", "2", "3", "4", "5"].filter((star) => fields[star] !== undefined);
  if (named.length === 0) return null;
  return Object.fromEntries(named.map((star) => [star, fields[star]]));
}

// Numbers inside of a JSON cell are numbers; the schema of a CSV expects text.
function parseJsonCell(cell: string): unknown {
  try {
    return JSON.parse(cell, (_, value: unknown) =>
      typeof value === "number" ? String(value) : value,
    );
  } catch {
    // Text is no histogram: the schema says so.
    return cell;
  }
}

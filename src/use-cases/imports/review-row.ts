// One row of a review import as a review: Starpost's own field names, or a Play Console export's.
import type { Listing } from "../../domain/listing.ts";
import { parseReviewLink } from "../../domain/play-link.ts";
import { reviewLimits, type SourceReview } from "../../domain/review.ts";
import { FieldReader } from "./import-fields.ts";
import { type Fields, type ImportFormat, unreadableFile } from "./import-rows.ts";

export type ReadReview = { review: SourceReview } | { reason: string };

type ReadRow = (fields: Fields, now: Date) => ReadReview;

/** @throws AppError `invalid_input` when the columns of a CSV can't hold reviews */
export function chooseReviewReader(
  file: { format: ImportFormat; columns: readonly string[] | null },
  listing: Pick<Listing, "store" | "externalAppId">,
): ReadRow {
  const { format, columns } = file;
  if (columns && playConsoleColumns.every((name) => columns.includes(name))) {
    if (listing.store !== "googleplay") {
      throw unreadableFile("a Play Console export belongs to a googleplay app");
    }
    return (fields, now) => readPlayConsoleRow(fields, { now, packageName: listing.externalAppId });
  }
  const missing = columns === null ? [] : requiredNames.filter((name) => !columns.includes(name));
  if (missing.length > 0) throw unreadableFile(`the header lacks the column ${missing.join(", ")}`);
  return (fields, now) => readReviewRow(fields, { format, now });
}

const requiredNames = ["id", "rating", "date"];
const versionLengthMax = 200;
const linkLengthMax = 2_048;
const { storeReviewIdMax, authorMax, titleMax, textMax } = reviewLimits;
const stars = {
  what: "a whole number from 1 to 5",
  isRight: (value: number) => Number.isInteger(value) && value >= 1 && value <= 5,
};

export function readReviewRow(fields: Fields, as: { format: ImportFormat; now: Date }): ReadReview {
  const read = new FieldReader(fields, as.format);
  const review: SourceReview = {
    storeReviewId: read.name("id", storeReviewIdMax),
    author: read.text("author", authorMax),
    rating: read.number("rating", stars),
    title: read.text("title", titleMax) || null,
    text: read.text("text", textMax),
    version: read.text("version", versionLengthMax),
    country: read.code("country"),
    languageHint: read.code("language"),
    date: read.date("date", as.now),
    votes: null,
    reply: null,
  };
  return read.faults.length > 0 ? { reason: read.faults.join("; ") } : { review };
}

// Enough to tell a Play Console export from any other CSV.
const playConsoleColumns = ["package name", "star rating", "review text", "review link"];

function readPlayConsoleRow(fields: Fields, as: { now: Date; packageName: string }): ReadReview {
  const read = new FieldReader(fields, "csv");
  if (read.value("package name") !== as.packageName) {
    return { reason: `the row is of another app than ${as.packageName}` };
  }
  const link = read.text("review link", linkLengthMax);
  // The export names no id for stars without a review; an invented one would count the person twice
  // once there is a review.
  if (link === "") return { reason: "stars without a review have no id" };
  const storeReviewId = parseReviewLink(link);
  if (storeReviewId === null || storeReviewId.length > storeReviewIdMax) {
    return { reason: "the review link names no review" };
  }
  const review: SourceReview = {
    storeReviewId,
    author: "",
    rating: read.number("star rating", stars),
    title: null,
    // Old reviews may have a title alone.
    text: read.text("review text", textMax) || read.text("review title", textMax),
    version:
      read.text("app version name", versionLengthMax) ||
      read.text("app version code", versionLengthMax),
    country: null,
    languageHint: read.code("reviewer language"),
    date: read.date("review last update date and time", as.now),
    votes: null,
    reply: readReply(read, as.now),
  };
  return read.faults.length > 0 ? { reason: read.faults.join("; ") } : { review };
}

function readReply(read: FieldReader, now: Date): SourceReview["reply"] {
  const text = read.text("developer reply text", textMax);
  if (text === "") return null;
  const isDated = read.value("developer reply date and time") !== undefined;
  return { text, at: isDated ? read.date("developer reply date and time", now) : null };
}

// Merges a row of a file into the stored review. Files have no order: the same rows make the same review, whichever is
// imported first, and a row that was imported before changes nothing. Pure.
import type { Listing } from "../domain/feed/listing.ts";
import {
  agrees,
  type EarlierVersion,
  isLaterVersion,
  plausibleReviewDate,
  type Reply,
  type Review,
  type ReviewChange,
  type ReviewContent,
  type SourceReview,
  saysTheSame,
} from "../domain/review/review.ts";
import { hasReviewsByLanguage } from "../domain/store/store-traits.ts";
import { noteLate, placeVersions, preferNewer } from "./earlier-versions.ts";

type Stored = { before: Review; earlier: readonly EarlierVersion[]; now: Date };
type Found = Stored & { listing: Pick<Listing, "store">; row: SourceReview };

export function mergeRow(
  listing: Pick<Listing, "store">,
  { review, ...stored }: Stored & { review: SourceReview },
): ReviewChange {
  const found = { ...stored, listing, row: review };
  const age = ageOf(found);
  if (agrees(found.before, contentOf(found.row))) return completeVersion(found, age);
  return isNextVersion(found, age) ? replaceVersion(found, age) : keepVersion(found, age);
}

/** Above 0 for a row that is newer than the stored version, below for an older one. */
function ageOf({ before, row: { date, stored } }: Found): number {
  if (date === null) return 0;
  // A stated date is never older than a guess.
  if (before.isDateAssumed && !stored?.isDateAssumed) return 1;
  return Math.sign(date.getTime() - before.date.getTime());
}

function contentOf({ rating, title, text }: SourceReview): ReviewContent {
  return { rating, title, text: text ?? "" };
}

/** A row without a title or a text changes neither. */
function nextContent({ before, row }: Found): ReviewContent {
  return { rating: row.rating, title: row.title ?? before.title, text: row.text || before.text };
}

function isNextVersion(found: Found, age: number): boolean {
  if (age !== 0) return age > 0;
  const next = nextContent(found);
  const isKnown = found.earlier.some(
    (one) => one.date.getTime() === found.before.date.getTime() && agrees(one, next),
  );
  return !isKnown && isLaterVersion(next, found.before);
}

/** The row has the words and stars of the stored version, or a part of them. */
function completeVersion(found: Found, age: number): ReviewChange {
  const { before, row, earlier } = found;
  const content = { title: before.title ?? row.title, text: before.text || (row.text ?? "") };
  const version = preferNewer(age, { known: before.version, read: row.version });
  const after: Review = { ...before, ...mergeMetadata(found, age), ...content, version };
  const late = row.stored?.versions ?? [];
  return finish(found, { after, versions: placeVersions(earlier, { late, current: after }) });
}

function replaceVersion(found: Found, age: number): ReviewChange {
  const { before, row, earlier, now } = found;
  const next = nextContent(found);
  // A version that comes back is not an earlier one any more, and has the words that a row may lack.
  const back = earlier.findLast((one) => agrees(one, next));
  const content = {
    ...next,
    title: next.title ?? back?.title ?? null,
    text: next.text || (back?.text ?? ""),
  };
  const version = row.version || (back?.version ?? "");
  const reset = { analysis: null, translation: null, editedAt: now };
  const after: Review = {
    ...{ ...before, ...mergeMetadata(found, age), ...content, version, ...reset },
  };
  const { rating, title, text, date } = before;
  const replaced = { rating, title, text, version: before.version, date, replacedAt: now };
  const known = [...earlier.filter((one) => one !== back), replaced];
  const versions = placeVersions(known, { late: row.stored?.versions ?? [], current: after });
  const isMoreThanReplaced = back !== undefined || versions !== known;
  return { kind: "edited", before, after, ...(isMoreThanReplaced && { versions }) };
}

/** The row is an earlier version. */
function keepVersion(found: Found, age: number): ReviewChange {
  const { before, row, earlier } = found;
  const after: Review = { ...before, ...mergeMetadata(found, age) };
  const { version, date } = row;
  const one = { ...contentOf(row), version, date: date ?? before.date, replacedAt: null };
  const late = [...(row.stored?.versions ?? []), one];
  return finish(found, { after, versions: placeVersions(earlier, { late, current: after }) });
}

/** No other version counts than before. */
function finish(
  { before, earlier }: Found,
  { after, versions }: { after: Review; versions: readonly EarlierVersion[] },
): ReviewChange {
  const change = versions === earlier ? null : noteLate({ before, after, versions });
  // It has to be analysed with what is new.
  if (!saysTheSame(before, after) || before.languageHint !== after.languageHint) {
    const reset = { ...(change?.after ?? after), analysis: null, translation: null };
    return { ...change, kind: "edited", isCompletion: true, before, after: reset };
  }
  if (change) return change;
  return hasSameMetadata(before, after)
    ? { kind: "unchanged", before, after: before }
    : { kind: "metadata_changed", before, after };
}

/** Every field that is not of one version. "" and null mean that the row does not say. */
function mergeMetadata({ listing, before, row, now }: Found, age: number): Partial<Review> {
  const prefer = (name: "author" | "device" | "osVersion"): string =>
    preferNewer(age, { known: before[name], read: row[name] });
  const [device, osVersion] = [prefer("device"), prefer("osVersion")];
  const submittedAt = earliest(before.submittedAt, row.submittedAt);
  const isGuess = row.date === null || row.stored?.isDateAssumed === true;
  return {
    author: prefer("author"),
    // Counts of an older collection are lower.
    votes: before.votes === null ? row.votes : Math.max(before.votes, row.votes ?? 0),
    reply: laterReply(before.reply, row.reply),
    // The list that it was read from, and what a text's language was found to be, stay.
    languageHint: before.languageHint ?? row.languageHint,
    ...(hasReviewsByLanguage(listing.store)
      ? {}
      : { country: before.country || (row.country ?? "") }),
    date:
      age > 0 && row.date
        ? row.date
        : (plausibleReviewDate(before.date, now) ?? before.firstSeenAt),
    isDateAssumed: before.isDateAssumed && isGuess,
    ...(device && { device }),
    ...(osVersion && { osVersion }),
    ...(submittedAt && { submittedAt }),
  };
}

function earliest(known: Date | undefined, read: Date | undefined): Date | undefined {
  return known && read ? (read < known ? read : known) : (known ?? read);
}

/** It has a date of its own. */
function laterReply(known: Reply | null, read: Reply | null): Reply | null {
  if (known === null || read === null) return known ?? read;
  const step = time(read.at) - time(known.at);
  if (step !== 0) return step > 0 ? read : known;
  return read.text < known.text ? read : known;
}

function time(moment: Date | null): number {
  return moment?.getTime() ?? 0;
}

/** Whether nothing is to be saved of a version with the same words and stars. */
export function hasSameMetadata(before: Review, after: Review): boolean {
  return (
    after.author === before.author &&
    after.version === before.version &&
    after.votes === before.votes &&
    after.reply?.text === before.reply?.text &&
    time(after.reply?.at ?? null) === time(before.reply?.at ?? null) &&
    after.device === before.device &&
    after.osVersion === before.osVersion &&
    time(after.submittedAt ?? null) === time(before.submittedAt ?? null) &&
    after.isListed === before.isListed &&
    after.removedAt === before.removedAt &&
    after.isDateAssumed === before.isDateAssumed &&
    time(after.date) === time(before.date) &&
    after.country === before.country
  );
}

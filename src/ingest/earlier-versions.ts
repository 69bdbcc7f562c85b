// The earlier versions of a review: each content once, in the order of their dates, also those that arrive late, such as those
// of an older export.
import {
  agrees,
  type EarlierVersion,
  isLaterVersion,
  type Review,
  type ReviewChange,
  type ReviewVersion,
  reviewLimits,
  type SourceReview,
  saysTheSame,
} from "../domain/review/review.ts";
import { groupBy } from "../lib/group-by.ts";
import type { IdentifiedReview, ReviewRepository } from "./ingest-batch.ts";

export type EarlierVersions = ReadonlyMap<string, readonly EarlierVersion[]>;

/** Those of the reviews that the batch shows with other words or stars, or with versions of its own. */
export async function loadEarlierVersions(
  tx: Pick<ReviewRepository, "loadReviewVersions">,
  batch: {
    listingId: string;
    identified: readonly IdentifiedReview[];
    known: ReadonlyMap<string, Review>;
  },
): Promise<EarlierVersions> {
  const { listingId, identified, known } = batch;
  const reviewIds = identified.flatMap(({ id, review }) => {
    const before = known.get(id);
    return before && (review.stored || isOther(before, review)) ? [id] : [];
  });
  if (reviewIds.length === 0) return new Map();
  return groupBy(await tx.loadReviewVersions({ listingId, reviewIds }), (one) => one.reviewId);
}

function isOther(before: Review, { rating, title, text }: SourceReview): boolean {
  return !saysTheSame(before, { rating, title: title ?? before.title, text: text ?? before.text });
}

/** The change with all earlier versions of its review, if it needs others than the one that an edit replaces. */
export function placeEarlierVersions(
  change: ReviewChange,
  {
    stored,
    late,
    now,
  }: { stored: readonly EarlierVersion[]; late: readonly EarlierVersion[]; now: Date },
): ReviewChange {
  const { kind, before, after } = change;
  if (kind === "new") return change;
  const replaced = kind === "edited" ? [...stored, { ...before, replacedAt: now }] : stored;
  const versions = placeVersions(replaced, { late, current: after });
  if (versions === replaced) return change;
  return kind === "edited" ? { ...change, versions } : noteLate({ before, after, versions });
}

/** The review stays as it is. */
export function noteLate(change: {
  before: Review;
  after: Review;
  versions: readonly EarlierVersion[];
}): ReviewChange {
  const { after } = change;
  // It was edited when its present version was written.
  return {
    ...{ ...change, kind: "metadata_changed" },
    after: { ...after, editedAt: after.editedAt ?? after.date },
  };
}

/** The same list where all of them are known. */
export function placeVersions(
  list: readonly EarlierVersion[],
  { late, current }: { late: readonly EarlierVersion[]; current: Review },
): readonly EarlierVersion[] {
  return late.reduce((placed, one) => placeVersion(placed, { one, current }), list);
}

/** Each content once, where it was last. */
function placeVersion(
  list: readonly EarlierVersion[],
  { one, current }: { one: EarlierVersion; current: Review },
): readonly EarlierVersion[] {
  if (agrees(current, one)) return list;
  // A row without a text may be one of several: it is known if it adds nothing to one of them.
  const agreeing = list.filter((other) => agrees(other, one));
  if (agreeing.some((other) => isEqual(other, joinVersions(other, one)))) return list;
  const [known] = agreeing;
  const joined = known ? joinVersions(known, one) : one;
  const others = list.filter((other) => other !== known);
  const later = others.findIndex((other) => isLaterThan(other, joined));
  const placed = others.toSpliced(later === -1 ? others.length : later, 0, joined);
  const kept = placed.slice(-reviewLimits.versionsMax);
  return kept.includes(joined) ? kept : list;
}

function joinVersions(known: EarlierVersion, one: EarlierVersion): EarlierVersion {
  const age = one.date.getTime() - known.date.getTime();
  return {
    ...known,
    title: known.title ?? one.title,
    text: known.text || one.text,
    version: preferNewer(age, { known: known.version, read: one.version }),
    date: age > 0 ? one.date : known.date,
    replacedAt: known.replacedAt ?? one.replacedAt,
  };
}

/** The newer of two values, "" where a source has none; the greater one of the same date. `age`: above 0 if `read` is newer. */
export function preferNewer(
  age: number,
  { known, read }: { known: string | undefined; read: string | undefined },
): string {
  if (!read || !known) return read || (known ?? "");
  if (age !== 0) return age > 0 ? read : known;
  return read > known ? read : known;
}

function isEqual(one: EarlierVersion, other: EarlierVersion): boolean {
  return (
    saysTheSame(one, other) &&
    one.version === other.version &&
    one.date.getTime() === other.date.getTime()
  );
}

function isLaterThan(one: EarlierVersion, other: EarlierVersion): boolean {
  const step = one.date.getTime() - other.date.getTime();
  return step === 0 ? isLaterVersion(one, other) : step > 0;
}

/** The rows of those versions. */
export function numberVersions(
  changes: readonly ReviewChange[],
): (ReviewVersion & { reviewId: string })[] {
  return changes.flatMap(({ after, versions = [] }) =>
    versions.map((one, index) => {
      const { rating, title, text, version, date } = one;
      const next = versions[index + 1] ?? after;
      const content = { rating, title, text, version, date };
      const replacedAt = one.replacedAt ?? next.date;
      return { reviewId: after.id, number: index + 1, ...content, replacedAt };
    }),
  );
}

// Judges the name and the facts on an app's page. A name, a genre and a version that look wrong are saved when
// a second day shows the same; where they changed in many apps of the store at once, its layout did. Pure.
import type { AppFacts } from "../domain/feed/app-facts.ts";
import { dayMs, hourMs } from "../lib/timestamp.ts";

/** As far as they are compared. */
type ReadDetails = { name: string; developer?: string; facts?: AppFacts };
type StoredDetails = { name: string | null; facts: AppFacts | null };

type DetailsJudgement =
  | { kind: "plausible" }
  /** `details` and `since` are kept for the next reading. */
  | { kind: "held"; details: string; since: Date; reason: string };

/** Details are read once a day, not always at the same hour. */
const secondDayMs = 12 * hourMs;
/** Brands rename all of their apps; a layout that broke is mended within a week, or somebody noticed. */
const manyMs = 7 * dayMs;
const manyMin = 2;
const manyShare = 0.1;
/** A release may skip a major version. */
const majorStepMax = 2;
/** Versions by date, such as 2026.11 after 5.2, are a change of a project's mind. */
const plainMajorMax = 1_000;

export function judgeDetails(input: {
  read: ReadDetails;
  stored: StoredDetails | null;
  pending: { details: string; since: Date } | null;
  /** Other apps of the store whose details wait, and all other apps. */
  otherPendingCount: number;
  otherCount: number;
  /** Versions that the newest reviews of the app name. */
  reviewVersions: readonly string[];
  now: Date;
}): DetailsJudgement {
  const { read, pending, otherPendingCount, otherCount, now } = input;
  const isMany = otherPendingCount >= manyMin && otherPendingCount >= otherCount * manyShare;
  const reason = findReason(input, isMany);
  if (reason === null) return { kind: "plausible" };
  const details = formatDetails(read);
  const since = pending?.details === details && pending.since < now ? pending.since : now;
  const waitMs = isMany ? manyMs : secondDayMs;
  if (now.getTime() - since.getTime() >= waitMs) return { kind: "plausible" };
  return { kind: "held", details, since, reason };
}

const comparedDetails = ["name", "genre", "version"] as const;

function formatDetails({ name, facts }: ReadDetails): string {
  return JSON.stringify([name, facts?.genre, facts?.version]);
}

/** The details that wait, in words: each value that was read and differs from the stored one. */
export function describeDetails(details: string, { name, facts }: StoredDetails): string {
  const stored = [name, facts?.genre, facts?.version];
  const read = JSON.parse(details) as (string | null)[];
  const others = comparedDetails.flatMap((field, index) => {
    const value = read[index] ?? "";
    return value === "" || value === stored[index]
      ? []
      : `${field} ${value} instead of ${stored[index] ?? "none"}`;
  });
  return others.join(", ");
}

function findReason(
  { read, stored, reviewVersions }: Parameters<typeof judgeDetails>[0],
  isMany: boolean,
): string | null {
  if (stored === null || stored.name === null)
    return isMany ? "names of many apps of the store changed at once" : null;
  if (read.name !== stored.name) {
    const isDeveloper = read.name === read.developer || read.developer === stored.name;
    return `the name is ${read.name}, and was ${stored.name}${isDeveloper ? ": one of them is the developer's" : ""}`;
  }
  const { genre, version } = stored.facts ?? {};
  const other = read.facts;
  if (genre && other?.genre && other.genre !== genre)
    return `the genre is ${other.genre}, and was ${genre}`;
  if (!version || !other?.version || other.version === version) return null;
  return isLikely(other.version, [version, ...reviewVersions])
    ? null
    : `the version is ${other.version}, and was ${version}; no review names it`;
}

/** Named by a review, or at most some major versions after those that are known, and not before all of them. */
function isLikely(version: string, known: readonly string[]): boolean {
  if (known.includes(version)) return true;
  const read = numbersOf(version);
  const numbers = known.map(numbersOf).filter((one) => one.length > 0);
  // An app without numbers may have any version.
  if (numbers.length === 0) return true;
  const [major = 0] = read;
  const majors = numbers.map(([one = 0]) => one);
  const isStep = major - Math.max(...majors) <= majorStepMax || major >= plainMajorMax;
  return read.length > 0 && isStep && numbers.some((one) => compareNumbers(one, read) <= 0);
}

function numbersOf(version: string): number[] {
  return (version.match(/\d{1,9}/g) ?? []).map(Number);
}

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== (other[index] ?? 0));
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? 0);
}

// Which of the versions that reviews name are releases, and where each ends.
import type { AppVersion, VersionWeek } from "../../database/reviews/rollups.ts";
import { beforeDays, releaseDays } from "../../domain/changes/release-periods.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";

/** How far back it is known how often a version is named. */
export const namedDays = 730;
export const versionsMax = 2_000;

type KnownVersion = AppVersion & {
  /** false: a late review of an old version, or a text that is not one. */
  isRelease: boolean;
  /** The first day of the release after it; null for the newest. */
  nextDay: Day | null;
  /** The releases after it, oldest first. */
  laterVersions: readonly string[];
};

/** Before the first day of a version: how long a higher one counts against it while few reviews name it. */
const fewReviews = 3;
/** A release is named by at least this part of the reviews of its weeks. */
const partMin = 1 / 20;
/** More come only after the days in which a release is judged. */
const laterMax = 20;
const order = new Intl.Collator("en", { numeric: true });
/** The numbers of a version that may begin like `v2.0` or `Release 2.0`; null for any other text. */
const numbersOf = (version: string): string | null =>
  /^(?:v|ver|version|r|rel|release)?[\s._-]*(\d.*)$/is.exec(version)?.[1] ?? null;

/**
 * The newest first, lazily: an app can have thousands.
 *
 * @param versions all of one app
 * @param named how often each week's reviews named each version; where nothing is known, every version is a release
 */
export function* walkVersions(
  versions: readonly AppVersion[],
  named: readonly VersionWeek[],
): Generator<KnownVersion> {
  const newestFirst = versions.toSorted(
    (one, other) =>
      Date.parse(other.firstDay) - Date.parse(one.firstDay) ||
      compareVersions(other.version, one.version),
  );
  const firstDays = new Map(versions.map((one) => [one.version, one.firstDay]));
  let firstDay = "";
  // The newest first; `later` has those of later days alone.
  const chosen: AppVersion[] = [];
  let later: readonly AppVersion[] = [];
  for (const one of newestFirst) {
    if (one.firstDay !== firstDay) [firstDay, later] = [one.firstDay, chosen.slice(-laterMax)];
    const isChosen = isRelease(one, { named, firstDays });
    const nextDay = later.at(-1)?.firstDay ?? null;
    const laterVersions = later.map((next) => next.version).reverse();
    yield { ...one, isRelease: isChosen, nextDay, laterVersions };
    if (isChosen) chosen.push(one);
  }
}

function isRelease(
  { version, firstDay }: AppVersion,
  { named, firstDays }: { named: readonly VersionWeek[]; firstDays: ReadonlyMap<string, string> },
): boolean {
  if (numbersOf(version) === null) return false;
  const weekBefore = addDays(firstDay, -7);
  const own = named.filter(
    ({ week }) => week > weekBefore && week < addDays(firstDay, releaseDays),
  );
  const count = countOf(own, version);
  if (count < partMin * own.reduce((sum, { total }) => sum + total, 0)) return false;
  const since = count < fewReviews ? addDays(firstDay, -beforeDays) : weekBefore;
  const rivals = named.filter(
    (one) =>
      one.week > since &&
      one.week < addDays(firstDay, releaseDays) &&
      (firstDays.get(one.version) ?? firstDay) < firstDay &&
      numbersOf(one.version) !== null &&
      compareVersions(one.version, version) > 0,
  );
  return rivals.every((rival) => countOf(rivals, rival.version) < count);
}

function compareVersions(one: string, other: string): number {
  return order.compare(numbersOf(one) ?? one, numbersOf(other) ?? other);
}

function countOf(named: readonly VersionWeek[], version: string): number {
  return named.reduce((sum, one) => (one.version === version ? sum + one.total : sum), 0);
}

// Which of the versions that reviews name are releases. Late reviews of old versions, testers' builds and a single
// review that names something odd are none, and change nothing about the others.
import type { AppVersion, VersionWeek } from "../../database/reviews/rollups.ts";
import { releaseDays } from "../../domain/release-periods.ts";
import { addDays } from "../../lib/timestamp.ts";
import type { Release } from "./release-reviews.ts";

/** Before the first day of a version: how long a higher one counts against it while few reviews name it. */
const pastDays = 84;
const fewReviews = 3;
/** A release is named by at least this part of the reviews of its weeks. */
const partMin = 1 / 20;
/** More come only after the days in which a release is judged. */
const laterMax = 20;
const order = new Intl.Collator("en", { numeric: true });

/**
 * The newest first, lazily: an app can have thousands.
 *
 * @param named how often each week's reviews named each version; where nothing is known, every version is a release
 * @param version taken whatever it is
 */
export function* walkReleases(
  versions: readonly AppVersion[],
  named: readonly VersionWeek[],
  version?: string,
): Generator<Release> {
  const newestFirst = versions.toSorted(
    (one, other) =>
      Date.parse(other.firstDay) - Date.parse(one.firstDay) ||
      order.compare(other.version, one.version),
  );
  const firstDays = new Map(versions.map((one) => [one.version, one.firstDay]));
  let firstDay = "";
  // The newest first; `later` has those of later days alone.
  const chosen: AppVersion[] = [];
  let later: readonly AppVersion[] = [];
  for (const one of newestFirst) {
    if (one.firstDay !== firstDay) [firstDay, later] = [one.firstDay, chosen.slice(-laterMax)];
    const isChosen = isRelease(one, { named, firstDays });
    if (isChosen || one.version === version) {
      const nextDay = later.at(-1)?.firstDay ?? null;
      yield { ...one, nextDay, laterVersions: later.map((next) => next.version).reverse() };
    }
    if (isChosen) chosen.push(one);
  }
}

function isRelease(
  { version, firstDay }: AppVersion,
  { named, firstDays }: { named: readonly VersionWeek[]; firstDays: ReadonlyMap<string, string> },
): boolean {
  if (!/^\d/.test(version)) return false;
  const weekBefore = addDays(firstDay, -7);
  const own = named.filter(
    ({ week }) => week > weekBefore && week < addDays(firstDay, releaseDays),
  );
  const count = countOf(own, version);
  if (count < partMin * own.reduce((sum, { total }) => sum + total, 0)) return false;
  const since = count < fewReviews ? addDays(firstDay, -pastDays) : weekBefore;
  const rivals = named.filter(
    (one) =>
      one.week > since &&
      one.week < addDays(firstDay, releaseDays) &&
      (firstDays.get(one.version) ?? firstDay) < firstDay &&
      order.compare(one.version, version) > 0 &&
      /^\d/.test(one.version),
  );
  return rivals.every((rival) => countOf(rivals, rival.version) < count);
}

function countOf(named: readonly VersionWeek[], version: string): number {
  return named.reduce((sum, one) => (one.version === version ? sum + one.total : sum), 0);
}

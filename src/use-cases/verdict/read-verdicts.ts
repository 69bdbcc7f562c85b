// Verdicts on releases of apps, computed from their reviews whenever they are read. Three statements and the feeds, however
// many releases and apps there are.

import { hasMark } from "../../analysis/verdict/bets.ts";
import {
  complaintTopics,
  verdictQuestions as questions,
} from "../../analysis/verdict/questions.ts";
import { evidenceMin, type ReleaseTest, testRelease } from "../../analysis/verdict/test-release.ts";
import { describeVerdict } from "../../analysis/verdict/verdict-words.ts";
import type { Database } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { AppVersion, VersionWeek } from "../../database/reviews/rollups.ts";
import { everywhere } from "../../domain/credential.ts";
import type { Feed } from "../../domain/feed.ts";
import { releaseDays } from "../../domain/release-periods.ts";
import type { Verdict } from "../../domain/verdict.ts";
import { addDays, type Day, formatTimestamp } from "../../lib/timestamp.ts";
import { createResultCache, runForWorkspace } from "../workspace-work.ts";
import { addAftermaths } from "./aftermaths.ts";
import {
  chooseReviews,
  listRanges,
  listWritings,
  parseRows,
  type Release,
  type ReleaseReviews,
  readMax,
  type Writing,
} from "./release-reviews.ts";

export type VerdictDatabase = Pick<
  Database,
  "listAppVersions" | "listFeedsOfListings" | "listVerdictReviews" | "listVersionWeeks"
>;

export type VerdictQuery = {
  workspaceId: string;
  apps: readonly FollowedApp[];
  worseBy: number;
  /** One version of each app, its newest releases, or the newest of all apps since a day. */
  releases: { version: string } | { newestMax: number } | { since: Day; max: number };
};

type AppRelease = Release & { app: FollowedApp };

const versionsMax = 2_000;
/** How far back it is known how often a version is named. */
const namedDays = 730;
const pastMin = 20;
const sharesMax = 5;
const reviewIdsMax = 20;
const pointsMax = 200;
/** One failed crawl is soon repeated. */
const failuresMin = 3;

/** The newest first; a version that no review names has none. */
export async function readVerdicts(
  database: VerdictDatabase,
  query: VerdictQuery,
): Promise<Verdict[]> {
  const { workspaceId, apps, worseBy } = query;
  const scope = { workspaceId, apps, from: null, to: null, limit: versionsMax };
  const versions = await database.listAppVersions(scope);
  const [newest] = versions;
  if (!newest) return [];
  const from = addDays(newest.firstDay, -namedDays);
  const named = await database.listVersionWeeks({ workspaceId, apps, from });
  const chosen = apps.flatMap((app) => {
    const isOwn = ({ appId }: { appId: string }) => appId === app.id;
    const own = { versions: versions.filter(isOwn), named: named.filter(isOwn) };
    return chooseReleases(own, query.releases).map((release) => ({ ...release, app }));
  });
  const byDay = (one: AppRelease, other: AppRelease) => (one.firstDay < other.firstDay ? 1 : -1);
  const releases =
    "max" in query.releases ? chosen.sort(byDay).slice(0, query.releases.max) : chosen;
  if (releases.length === 0) return [];
  const ranges = releases.flatMap((one) =>
    listRanges(one).map((range) => ({ ...range, app: one.app })),
  );
  const feeds = await database.listFeedsOfListings(apps.map(({ listingId }) => listingId));
  const seen = apps.map(({ id, version }) => [id, version]);
  // A feed that is read or fails changes no version of an app.
  return cached(
    JSON.stringify([workspaceId, seen, worseBy, releases, feeds.map(stateOf)]),
    async () => {
      const rows = await database.listVerdictReviews({ workspaceId, ranges, limit: readMax });
      const work = { module: import.meta.url, run: judgeReleases };
      const input = { apps, releases, feeds, worseBy, rows };
      const verdicts = await runForWorkspace(work, [input], workspaceId);
      return addAftermaths(database, { workspaceId, releases, verdicts });
    },
  );
}

const cached = createResultCache<Verdict[]>();

function stateOf({ listingId, region, kind, outcome, failureCount, baselineAt }: Feed): unknown[] {
  return [listingId, region, kind, outcome, Math.min(failureCount, failuresMin), baselineAt];
}

/** Runs in a thread. `rows` is JSON, as `listVerdictReviews` writes it. */
export async function judgeReleases(input: {
  apps: readonly FollowedApp[];
  releases: readonly AppRelease[];
  feeds: readonly Feed[];
  worseBy: number;
  rows: string;
}): Promise<Verdict[]> {
  const { apps, releases, feeds, worseBy } = input;
  const rows = parseRows(input.rows);
  const known = new Map<FollowedApp, { feeds: Feed[]; writings: Writing[] }>();
  for (const app of apps) {
    const own = feeds.filter((feed) => isReadFor(app, feed));
    const baselineOf = (region: string): Date | null =>
      own.find((feed) => feed.region === region || feed.region === everywhere)?.baselineAt ?? null;
    const ofApp = rows.filter(({ listingId }) => listingId === app.listingId);
    known.set(app, { feeds: own, writings: await listWritings(ofApp, baselineOf) });
  }
  return releases.map((release) => {
    const { feeds: own = [], writings = [] } = known.get(release.app) ?? {};
    return judge(release, { worseBy, feeds: own, chosen: chooseReviews(release, writings) });
  });
}

/** The verdict on one version; null for one that no review names. */
export async function findVerdict(
  database: VerdictDatabase,
  query: Omit<VerdictQuery, "apps" | "releases"> & { app: FollowedApp; version: string },
): Promise<Verdict | null> {
  const { app, version, ...rest } = query;
  const found = await readVerdicts(database, { ...rest, apps: [app], releases: { version } });
  return found[0] ?? null;
}

function isReadFor({ regions }: FollowedApp, { kind, region }: Feed): boolean {
  return (
    kind === "reviews" && (regions === null || region === everywhere || regions.includes(region))
  );
}

function chooseReleases(
  { versions, named }: { versions: readonly AppVersion[]; named: readonly VersionWeek[] },
  choice: VerdictQuery["releases"],
): Release[] {
  const version = "version" in choice ? choice.version : undefined;
  const since = "since" in choice ? choice.since : "";
  const countMax = "newestMax" in choice ? choice.newestMax : "max" in choice ? choice.max : 1;
  const releases: Release[] = [];
  for (const release of walkReleases(versions, named, version)) {
    if (release.firstDay < since) break;
    if (version === undefined || release.version === version) releases.push(release);
    if (releases.length === countMax) break;
  }
  return releases;
}

function judge(
  { app, version, firstDay }: AppRelease,
  input: { worseBy: number; feeds: readonly Feed[]; chosen: ReleaseReviews },
): Verdict {
  const { worseBy, feeds, chosen } = input;
  const { reviews, pasts } = chosen;
  const past = pasts[0] ?? [];
  const test = testRelease({ questions, pasts, reviews, worseBy });
  const obstacle = findObstacle({ feeds, pastCount: past.length, chosen, test });
  const { result, at: decidedAt } = decide(test, obstacle);
  const read = reviews.slice(0, (decidedAt ?? reviews.length) + 1);
  const shares = listShares({ test, read, past });
  const [first, last] = [read[0], read.at(-1)];
  const durationMs = first && last ? +last.arrivedAt - +first.arrivedAt : 0;
  const leading = questions.findIndex(({ name }) => name === shares[0]?.question);
  const known = { result, worseBy, shares };
  const decisive = result === "worse" ? read.filter((one) => hasMark(one, leading)) : [];
  return {
    app: { id: app.id, name: app.name, store: app.store },
    version,
    firstDay,
    ...known,
    words: describeVerdict({ ...known, durationMs, obstacle, reviewCount: read.length }),
    decidedAt: decidedAt !== null && last ? formatTimestamp(last.arrivedAt) : null,
    reviewCount: reviews.length,
    comparedCount: test.comparedCount,
    pastCount: past.length,
    outcome: "too_early",
    aftermath: null,
    reviewIds: decisive.slice(-reviewIdsMax).map(({ id }) => id),
    evidence: listPoints(test, { reviews, decidedAt }),
  };
}

function decide(
  { worseAt, fineAt }: ReleaseTest,
  obstacle: string | null,
): { result: Verdict["result"]; at: number | null } {
  if (obstacle !== null) return { result: "undecided", at: null };
  if (worseAt !== null) return { result: "worse", at: worseAt };
  return { result: fineAt === null ? "undecided" : "fine", at: fineAt };
}

/** Why the evidence does not suffice for a verdict, in words. */
function findObstacle(input: {
  feeds: readonly Feed[];
  pastCount: number;
  chosen: ReleaseReviews;
  test: ReleaseTest;
}): string | null {
  const { feeds, pastCount, chosen, test } = input;
  const list = (of: readonly Feed[]): string =>
    new Intl.ListFormat("en").format(of.map(({ region }) => region));
  const unread = feeds.filter(({ baselineAt }) => baselineAt === null);
  if (unread.length > 0)
    return `No verdict: the reviews of ${list(unread)} were not read to their end yet.`;
  const failing = feeds.filter(
    ({ outcome, failureCount }) => outcome === "unknown" && failureCount >= failuresMin,
  );
  if (failing.length > 0) return `No verdict: the reviews of ${list(failing)} can't be read.`;
  if (pastCount < pastMin)
    return `No verdict: ${pastCount} earlier reviews are too few to compare with.`;
  const isFine = test.worseAt === null && test.fineAt !== null;
  if (isFine && chosen.hasCampaign)
    return "No verdict: on some days so many more reviews than usual arrived that they were probably invited.";
  return null;
}

function listShares(input: {
  test: ReleaseTest;
  read: readonly Writing[];
  past: readonly Writing[];
}): Verdict["shares"] {
  const { test, read, past } = input;
  const shareOf = (reviews: readonly Writing[], question: number): number => {
    const count = reviews.filter((one) => hasMark(one, question)).length;
    return Math.round((count / Math.max(1, reviews.length)) * 10_000) / 10_000;
  };
  const weighted = questions.map(({ name, weight }, question) => {
    const evidence = test.evidence[question] ?? 1;
    // The topics of complaints say more than their number, and any other topic more than that of the update itself.
    const isCause = complaintTopics.has(name) && evidence >= evidenceMin;
    const rank = isCause ? (name === "update" ? 1 : 2) : 0;
    return { name, question, evidence, rank, part: weight * evidence };
  });
  return weighted
    .sort((one, other) => other.rank - one.rank || other.part - one.part)
    .filter(({ name }, at) => at < sharesMax || name === "negative")
    .map(({ name, question, evidence }) => ({
      question: name,
      share: shareOf(read, question),
      pastShare: shareOf(past, question),
      evidence: round(evidence),
    }));
}

/** Evenly spread, with the last one and the one that decided. */
function listPoints(
  test: ReleaseTest,
  { reviews, decidedAt }: { reviews: readonly Writing[]; decidedAt: number | null },
): Verdict["evidence"] {
  const step = Math.ceil(reviews.length / (pointsMax - 2));
  return reviews.flatMap(({ arrivedAt }, index) => {
    const point = test.curve[index];
    const isShown =
      index % step === step - 1 || index === decidedAt || index === reviews.length - 1;
    if (!point || !isShown) return [];
    const { worse, fine } = point;
    const at = formatTimestamp(arrivedAt);
    return [{ reviewCount: index + 1, at, worse: round(worse), fine: round(fine) }];
  });
}

/** Four digits: evidence grows and shrinks by powers. */
function round(evidence: number): number {
  return Number(evidence.toPrecision(4));
}

/** Before the first day of a version: how long a higher one counts against it while few reviews name it. */
const pastDays = 84;
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
 * @param named how often each week's reviews named each version; where nothing is known, every version is a release
 * @param version taken whatever it is
 */
function* walkReleases(
  versions: readonly AppVersion[],
  named: readonly VersionWeek[],
  version?: string,
): Generator<Release> {
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
  if (numbersOf(version) === null) return false;
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

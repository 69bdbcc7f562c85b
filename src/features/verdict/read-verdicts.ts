// Verdicts on releases of apps, computed from their reviews whenever they are read. Three statements and the feeds, however
// many releases and apps there are.

import type { DatabaseTransaction } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { AppVersion, VersionWeek } from "../../database/reviews/rollups.ts";
import { releasePeriods } from "../../domain/changes/release-periods.ts";
import { evidenceMin, type Verdict } from "../../domain/changes/verdict.ts";
import type { Feed } from "../../domain/feed/feed.ts";
import { everywhere } from "../../domain/store/credential.ts";
import { reviewRegionInText } from "../../domain/store/region-name.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { hasReviewsByLanguage } from "../../domain/store/store-traits.ts";
import { addDays, type Day, formatTimestamp } from "../../lib/timestamp.ts";
import { readCoveredDays } from "../../use-cases/apps/covered-days.ts";
import type { ReadVerdicts, VerdictQuery } from "../../use-cases/apps/feature-readers.ts";
import { type BaselineCounts, countBaselines } from "../../use-cases/apps/releases.ts";
import { namedDays, versionsMax, walkVersions } from "../../use-cases/apps/walk-versions.ts";
import { createResultCache, runForWorkspace } from "../../use-cases/workspace-work.ts";
import { addAftermaths } from "./aftermaths.ts";
import { countBaseline, toBefore } from "./baselines.ts";
import { hasMark } from "./judge/bets.ts";
import { complaintTopics, markOf, verdictQuestions as questions } from "./judge/questions.ts";
import { type ReleaseTest, testRelease } from "./judge/test-release.ts";
import { describeCoverage, describeVerdict } from "./judge/verdict-words.ts";
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
import * as statements from "./sql.ts";
import { findWorstRegion } from "./worst-region.ts";

type ChosenRelease = Release & {
  /** false: it only ends the aftermath of an earlier one. */
  isWanted: boolean;
};
type AppRelease = ChosenRelease & { app: FollowedApp };

const pastMin = 20;
const sharesMax = 5;
const reviewIdsMax = 20;
const pointsMax = 200;
/** One failed crawl is soon repeated. */
const failuresMin = 3;
/** The releases after one, whose verdicts say how far its aftermath goes. */
const followersMax = 8;

/** The newest first; a version that no review names has none. */
export const readVerdicts: ReadVerdicts = async (database, query) => {
  const { workspaceId, apps, worseBy } = query;
  const scope = { workspaceId, apps, from: null, to: null, limit: versionsMax };
  const versions = await database.listAppVersions(scope);
  const [newest] = versions;
  if (!newest) return [];
  const from = addDays(newest.firstDay, -namedDays);
  const named = await database.listVersionWeeks({ workspaceId, apps, from });
  const all = apps.flatMap((app) => {
    const isOwn = ({ appId }: { appId: string }) => appId === app.id;
    const own = { versions: versions.filter(isOwn), named: named.filter(isOwn) };
    return chooseReleases(own, query.releases).map((one) => ({ ...one, app }));
  });
  const byDay = (one: AppRelease, other: AppRelease) => (one.firstDay < other.firstDay ? 1 : -1);
  const chosenOfAll = all.filter(({ isWanted }) => isWanted);
  const chosen =
    "max" in query.releases ? chosenOfAll.sort(byDay).slice(0, query.releases.max) : chosenOfAll;
  if (chosen.length === 0) return [];
  const followers = all.filter((one) => chosen.every((release) => release !== one));
  const releases = [...chosen, ...followers];
  const [feeds, covered] = await Promise.all([
    database.listFeedsOfListings(apps.map(({ listingId }) => listingId)),
    readCoveredDays(database, { workspaceId, apps }),
  ]);
  const seen = apps.map(({ id, version }) => [id, version]);
  const since = apps.map(({ id }) => covered.get(id)?.since ?? null);
  // A feed that is read or fails changes no version of an app.
  return cached(
    JSON.stringify([workspaceId, seen, worseBy, releases, feeds.map(stateOf), since]),
    async () => {
      const ranges = releases.flatMap((one) =>
        listRanges(one).map((range) => ({ ...range, app: one.app })),
      );
      const rows = await database
        .with(statements)
        .listVerdictReviews({ workspaceId, ranges, limit: readMax });
      const days = releases.map(({ app, firstDay: day, nextDay }) => {
        const coveredSince = covered.get(app.id)?.since ?? null;
        const { before } = releasePeriods({ day, nextDay, coveredSince });
        return before && { app, ...before };
      });
      const befores = await countBaselines(database, { workspaceId, ranges: days });
      const work = { module: import.meta.url, run: judgeReleases };
      const input = { apps, releases, befores, since, feeds, worseBy, rows };
      const verdicts = await runForWorkspace(work, [input], workspaceId);
      const judged = releases.flatMap((release, at) => {
        const verdict = verdicts[at];
        return verdict ? [{ release, verdict, before: befores[at] ?? null }] : [];
      });
      const verdictsSince = await addAftermaths(database, { workspaceId, judged });
      return verdictsSince.slice(0, chosen.length);
    },
  );
};

const cached = createResultCache<Verdict[]>();

function stateOf({ listingId, region, kind, outcome, failureCount, baselineAt }: Feed): unknown[] {
  return [listingId, region, kind, outcome, Math.min(failureCount, failuresMin), baselineAt];
}

/** Runs in a thread. `rows` is JSON, as `listVerdictReviews` writes it. */
export async function judgeReleases(input: {
  apps: readonly FollowedApp[];
  releases: readonly AppRelease[];
  /** In the order of the releases. */
  befores: readonly (BaselineCounts | null)[];
  /** In the order of the apps: the day from which their reviews are whole. */
  since: readonly (Day | null)[];
  feeds: readonly Feed[];
  worseBy: number;
  rows: string;
}): Promise<Verdict[]> {
  const { apps, releases, befores, feeds, worseBy } = input;
  const rows = parseRows(input.rows);
  const known = new Map<FollowedApp, { feeds: Feed[]; writings: Writing[] }>();
  for (const app of apps) {
    const own = feeds.filter((feed) => isReadFor(app, feed));
    const baselineOf = (region: string): Date | null =>
      own.find((feed) => feed.region === region || feed.region === everywhere)?.baselineAt ?? null;
    const ofApp = rows.filter(({ listingId }) => listingId === app.listingId);
    known.set(app, { feeds: own, writings: await listWritings(ofApp, baselineOf) });
  }
  return releases.map((release, at) => {
    const { feeds: own = [], writings = [] } = known.get(release.app) ?? {};
    const chosen = chooseReviews(release, writings);
    const since = input.since[apps.indexOf(release.app)] ?? null;
    return judge(release, { worseBy, feeds: own, chosen, before: befores[at] ?? null, since });
  });
}

/** The verdict on one version; null for one that no review names. */
export async function findVerdict(
  database: DatabaseTransaction,
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

/** Those that are requested for, and those after them on which their aftermath depends. */
function chooseReleases(
  { versions, named }: { versions: readonly AppVersion[]; named: readonly VersionWeek[] },
  choice: VerdictQuery["releases"],
): ChosenRelease[] {
  const version = "version" in choice ? choice.version : undefined;
  const since = "since" in choice ? choice.since : "";
  const countMax = "newestMax" in choice ? choice.newestMax : "max" in choice ? choice.max : 1;
  const releases: ChosenRelease[] = [];
  let count = 0;
  for (const { isRelease, ...release } of walkVersions(versions, named)) {
    const isWanted = version === undefined ? isRelease : release.version === version;
    if (release.firstDay < since) break;
    if (isWanted) count += 1;
    if (isWanted || isRelease) releases.push({ ...release, isWanted });
    if (count === countMax) break;
  }
  const requested = releases.filter((one) => one.isWanted);
  const followers = new Set(
    requested.flatMap(({ laterVersions }) => laterVersions.slice(0, followersMax)),
  );
  return releases.filter((one) => one.isWanted || followers.has(one.version));
}

function judge(
  { app, version, firstDay }: AppRelease,
  input: {
    worseBy: number;
    feeds: readonly Feed[];
    chosen: ReleaseReviews;
    before: BaselineCounts | null;
    since: Day | null;
  },
): Verdict {
  const { worseBy, feeds, chosen, since } = input;
  const { reviews, pasts } = chosen;
  const past = pasts[0] ?? [];
  const test = testRelease({ questions, pasts, reviews, worseBy });
  const obstacle = findObstacle({ store: app.store, feeds, pastCount: past.length, chosen, test });
  const { result, at: decidedAt } = decide(test, obstacle);
  const read = reviews.slice(0, (decidedAt ?? reviews.length) + 1);
  const shares = listShares({ test, read, before: input.before });
  const [first, last] = [read[0], read.at(-1)];
  const durationMs = first && last ? +last.arrivedAt - +first.arrivedAt : 0;
  const leading = questions.findIndex(({ name }) => name === shares[0]?.question);
  const before = toBefore(input.before);
  const known = { result, worseBy, before, shares };
  const question = result === "worse" ? (shares[0]?.question ?? "negative") : "negative";
  const worstRegion = findWorstRegion({ store: app.store, question, read, past, worseBy });
  const regions = {
    count: new Set(read.map(({ region }) => region)).size,
    noun: hasReviewsByLanguage(app.store) ? "languages" : "storefronts",
  };
  const decisive = result === "worse" ? read.filter((one) => hasMark(one, leading)) : [];
  return {
    app: { id: app.id, name: app.name, store: app.store },
    version,
    firstDay,
    ...known,
    words: [
      describeVerdict({
        ...{ ...known, durationMs, obstacle, reviewCount: read.length },
        ...{ regions, worstRegion },
      }),
      ...(before === null && obstacle === null ? [describeCoverage(since)] : []),
    ].join(" "),
    isWithheld: obstacle !== null,
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
  store: StoreId;
  feeds: readonly Feed[];
  pastCount: number;
  chosen: ReleaseReviews;
  test: ReleaseTest;
}): string | null {
  const { store, feeds, pastCount, chosen, test } = input;
  const list = (of: readonly Feed[]): string => {
    const names = of.map(({ region }) => reviewRegionInText(region, store));
    return `${hasReviewsByLanguage(store) ? "in" : "of"} ${new Intl.ListFormat("en").format(names)}`;
  };
  const unread = feeds.filter(({ baselineAt }) => baselineAt === null);
  if (unread.length > 0)
    return `No verdict: the reviews ${list(unread)} were not read to their end yet.`;
  const failing = feeds.filter(
    ({ outcome, failureCount }) => outcome === "unknown" && failureCount >= failuresMin,
  );
  if (failing.length > 0) return `No verdict: the reviews ${list(failing)} can't be read.`;
  if (pastCount < pastMin) return `No verdict: ${describePast(pastCount)} to compare with.`;
  const isFine = test.worseAt === null && test.fineAt !== null;
  if (isFine && chosen.hasCampaign)
    return "No verdict: on some days so many more reviews than usual arrived that they were probably invited.";
  return null;
}

function describePast(count: number): string {
  if (count === 0) return "there are no earlier reviews";
  return count === 1 ? "1 earlier review is too few" : `${count} earlier reviews are too few`;
}

function listShares(input: {
  test: ReleaseTest;
  read: readonly Writing[];
  before: BaselineCounts | null;
}): Verdict["shares"] {
  const { test, read, before } = input;
  const total = read.length;
  const shareOf = (count: number, of: number): number =>
    Math.round((count / Math.max(1, of)) * 10_000) / 10_000;
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
    .map(({ name, evidence }) => {
      const count = read.filter(({ listed }) => (listed & markOf(name)) !== 0).length;
      const countBefore = before === null ? 0 : countBaseline(before, name);
      const share = shareOf(count, total);
      const pastShare = shareOf(countBefore, before?.total ?? 0);
      const counts = { count, total, countBefore, share, pastShare };
      return { question: name, ...counts, evidence: round(evidence) };
    });
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

// The digest of one app of a workspace: the week up to a day, or the time since a version came out, compared with
// the 28 days before.

import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { DailyCount, Digest } from "../../domain/changes/digest.ts";
import { releaseDays, releasePeriods } from "../../domain/changes/release-periods.ts";
import { type Verdict, worseByDefault } from "../../domain/changes/verdict.ts";
import type { ReviewFilters } from "../../domain/review/review-filter.ts";
import { failField } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { addDays, type Day, dayMs, dayOf } from "../../lib/timestamp.ts";
import { requireApp, requireSeen } from "../../use-cases/apps/apps.ts";
import { readCoveredDays } from "../../use-cases/apps/covered-days.ts";
import { readVerdicts } from "../../use-cases/apps/feature-readers.ts";
import { scannedMax } from "../../use-cases/reviews/search-reviews.ts";
import { createResultCache, runForWorkspace } from "../../use-cases/workspace-work.ts";
import { composeDigestOf, digestWork } from "./compose/digest-work.ts";
import * as statements from "./sql.ts";

type DigestQuery = {
  appId: string;
  /** null: of any workspace, for the operator alone. */
  workspaceId: string | null;
  /** A version: what changed since it came out. Without one, the week up to `to`. */
  since?: string | undefined;
  /** The last day; yesterday without one, because today is not over. */
  to?: Day | undefined;
  /** Without a version: how many days up to `to`, a week by default. */
  dayCount?: number;
};

const weekDays = 7;
export const baselineDays = 28;
/** With fewer days or reviews there is nothing to compare with. */
const baselineDaysMin = 7;
const baselineReviewsMin = 20;
const countsMax = 40_000;
/** Newest first; enough to find what dozens of people write. */
const textsMax = 2_000;
const textsBeforeMax = 4_000;
const verdictsMax = 2;

/** @throws AppError `invalid_input` or `not_found` */
export async function readDigest(
  deps: { clock: Clock; database: DatabaseTransaction },
  query: DigestQuery,
): Promise<Digest> {
  const { database } = deps;
  const app = await requireApp(database, { id: query.appId, workspaceId: query.workspaceId });
  const { workspaceId } = app;
  const scope = { workspaceId, app: await requireSeen(database, app) };
  const version = query.since ?? null;
  const { to, dayCount = weekDays } = query;
  const range = await findRange(deps, { ...scope, version, to, dayCount });
  const before = await findBaseline(database, { ...scope, version, rangeFrom: range.from });
  const days = { from: before.from, to: range.to };
  const counts = await database
    .with(statements)
    .listDailyCounts({ ...scope, ...days, limit: countsMax });
  const own = await database.countOwnTopicDays({ workspaceId, apps: [scope.app], ...days });
  for (const { topic: value, day, total, negative } of own)
    counts.push({ subject: "topic", value, day, total, negative });
  const ranges = [range, before].map((one) => ({ app: scope.app, ...one }));
  const [now, then] = await database.countDateRanges({ workspaceId, ranges });
  // An alert of two days is of the rise alone.
  const verdicts =
    dayCount === 2 ? [] : await listVerdicts(database, { ...scope, version, to: range.to });
  const input = {
    verdicts: verdicts.map(({ version: judged, outcome, words }) => ({
      version: judged,
      outcome,
      words,
    })),
    app: { id: app.id, name: app.name, store: app.store },
    kind: version !== null ? "release" : dayCount === 1 ? "day" : "week",
    version,
    range,
    baseline: hasEnough(counts, before) ? before : null,
    counts,
    stars: now?.stars ?? [],
    starsBefore: then?.stars ?? [],
  } as const;
  const { id, version: appVersion } = scope.app;
  return cached(JSON.stringify([workspaceId, id, appVersion, before, input]), async () => {
    const reviews = await listTexts(database, { ...scope, ...range });
    const limits = { scanMax: textsBeforeMax, limit: textsBeforeMax };
    const reviewsBefore = await database
      .with(statements)
      .listDigestReviews({ ...scope, ...before, ...limits });
    const work = { module: digestWork, run: composeDigestOf };
    return runForWorkspace(work, [{ ...input, reviews, reviewsBefore }], workspaceId);
  });
}

/** The app's version changes with its reviews, and so with the texts. */
const cached = createResultCache<Digest>();
/** On the version, or on the newest releases that are still judged. */
function listVerdicts(
  database: DatabaseTransaction,
  { workspaceId, app, version, to }: Scope & { version: string | null; to: Day },
): Promise<Verdict[]> {
  const recent = { since: addDays(to, 1 - releaseDays), max: verdictsMax };
  const releases = version === null ? recent : { version };
  return readVerdicts(database, { workspaceId, apps: [app], worseBy: worseByDefault, releases });
}

/** The newest texts of those days as JSON, as many as a digest reads; of those that match, where there are filters. */
export function listTexts(
  database: Pick<Database, "with">,
  query: Scope & Range & { filters?: ReviewFilters },
): Promise<string> {
  const scanMax = query.filters ? scannedMax : textsMax;
  return database.with(statements).listDigestReviews({ ...query, scanMax, limit: textsMax });
}

const versionsNamedMax = 5;

type Range = { from: Day; to: Day };
type Scope = { workspaceId: string; app: FollowedApp };

async function findRange(
  { clock, database }: { clock: Clock; database: DatabaseTransaction },
  query: Scope & { version: string | null; to: Day | undefined; dayCount: number },
): Promise<Range> {
  const { version, to: last, dayCount, ...scope } = query;
  const today = dayOf(clock.now());
  if (version === null) {
    const to = last ?? addDays(today, -1);
    return { from: addDays(to, 1 - dayCount), to };
  }
  const from = await database.with(statements).findVersionDay({ ...scope, version });
  if (from === null) {
    const { workspaceId, app } = scope;
    const known = { workspaceId, apps: [app], from: null, to: null, limit: versionsNamedMax };
    const newest = (await database.listAppVersions(known)).map((one) => one.version).join(", ");
    const hint = newest && `; the newest are ${newest}`;
    return failField("since", `no review of the app names version ${version}${hint}`);
  }
  const to = last ?? today;
  if (to < from) return failField("to", `must not be before ${from}, when version ${version} came`);
  const end = addDays(from, releaseDays - 1);
  return { from, to: to < end ? to : end };
}

/** The days before a release, or the 28 days before: as many as are covered. */
async function findBaseline(
  database: DatabaseTransaction,
  query: Scope & { version: string | null; rangeFrom: Day },
): Promise<Range> {
  const { workspaceId, app, version, rangeFrom } = query;
  const covered = await readCoveredDays(database, { workspaceId, apps: [app] });
  const coveredSince = covered.get(app.id)?.since ?? null;
  const to = addDays(rangeFrom, -1);
  if (version !== null) {
    const { before } = releasePeriods({ day: rangeFrom, nextDay: null, coveredSince });
    return before ?? { from: to, to };
  }
  const from = addDays(rangeFrom, -baselineDays);
  if (coveredSince === null || coveredSince <= from) return { from, to };
  return { from: coveredSince < to ? coveredSince : to, to };
}

function hasEnough(counts: readonly DailyCount[], { from, to }: Range): boolean {
  const dayCount = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  const reviewCount = counts
    .filter(({ subject, day }) => subject === "reviews" && day >= from && day <= to)
    .reduce((sum, { total }) => sum + total, 0);
  return dayCount >= baselineDaysMin && reviewCount >= baselineReviewsMin;
}

// Reads what a report shows: the answers that the dashboard's API would give on the same data.
import { listTopicEvidence } from "../analysis/analyze.ts";
import type { Container } from "../app/container.ts";
import type { Report, ReportAnswer, ReportFeed } from "../dashboard-api/contract/report.ts";
import type { RouteName } from "../dashboard-api/contract/routes.ts";
import type { SharedContent } from "../dashboard-api/contract/sharing.ts";
import { readOverview } from "../dashboard-api/overview/read-overview.ts";
import { summarizeFeed } from "../dashboard-api/reviews/feed-summary.ts";
import { readFeedPage } from "../dashboard-api/reviews/review-feed.ts";
import { readSharedContent } from "../dashboard-api/sharing/shared-pages.ts";
import { releasePeriods } from "../domain/release-periods.ts";
import { worseByDefault } from "../domain/verdict.ts";
import { addDays, dayOf, formatTimestamp } from "../lib/timestamp.ts";
import { version } from "../lib/version.ts";
import { type AppWithCoverage, listAppsWithCoverage } from "../use-cases/apps/apps.ts";
import { readVerdicts } from "../use-cases/verdict/read-verdicts.ts";

const verdictsMax = 8;
const releasesMax = 2_000;
const releasePagesMax = 4;
const quotedTopicsMax = 6;
const quotesMax = 2;

type ReadOptions = {
  workspaceId: string;
  /** The newest days of the report. */
  days: number;
  comparison: boolean;
  notes: string[];
  commands: string[];
};

/** @throws AppError `invalid_input` for days that make an empty range */
export async function readReport(container: Container, options: ReadOptions): Promise<Report> {
  const { clock, database } = container;
  const { workspaceId, days, comparison, notes, commands } = options;
  const findEvidence: Reader["findEvidence"] = async (inputs) => listTopicEvidence(inputs);
  const reader: Reader = { clock, database, findEvidence, workspaceId, answers: [] };
  const now = clock.now();
  const range = { from: addDays(dayOf(now), 1 - days), to: dayOf(now) };
  const apps = await listAppsWithCoverage(container, { workspaceId });
  const [only] = apps.length === 1 ? apps : [];
  const query = new URLSearchParams({ ...(only && { app: only.id }), ...range }).toString();
  const page = { workspaceId, kind: "overview" as const, query };
  const overview = (await readSharedContent(reader, page)) as Report["overview"];
  const topics = overview.overview.topics.slice(0, quotedTopicsMax).map(({ topic }) => topic);
  for (const topic of topics) {
    for (const sentiment of ["negative", "positive"] as const)
      await addQuotes(reader, { topic, sentiment, ...range });
  }
  const releases: Report["releases"] = [];
  for (const app of apps.slice(0, releasePagesMax)) {
    const release = await addRelease(reader, app.id);
    if (release) releases.push(release);
  }
  return {
    title: [...new Set(apps.map(({ name }) => name))].join(", "),
    madeAt: formatTimestamp(now),
    version,
    workspaceId,
    apps: apps.map(({ id, name, store }) => ({ id, name, store })),
    notes,
    overview,
    comparison: comparison ? await readComparison(reader, { apps, range, days }) : null,
    verdicts: await listVerdicts(reader, apps),
    releases,
    topics,
    feeds: apps.flatMap(listFeeds),
    commands,
    answers: reader.answers,
  };
}

type Reader = Parameters<typeof readSharedContent>[0] & {
  workspaceId: string;
  answers: ReportAnswer[];
};
type Quoted = { sentiment: "negative" | "positive" } & Record<string, string>;

async function addQuotes(reader: Reader, filters: Quoted): Promise<void> {
  const { workspaceId } = reader;
  const list = { workspaceId, filters, after: null, limit: quotesMax };
  const { reviews } = await readFeedPage(reader, list);
  const answer = { reviews: reviews.map((review) => ({ ...review, work: null })) };
  addAnswer(reader, "GET /workspaces/:workspace/reviews", {
    input: { query: { ...filters, limit: quotesMax } },
    answer,
  });
}

function addAnswer(
  { answers }: Reader,
  route: RouteName,
  { input, answer }: Omit<ReportAnswer, "route">,
): void {
  answers.push({ route, input, answer });
}

/** The newest release with what its page asks for; null where no review names a version. */
async function addRelease(
  reader: Reader,
  appId: string,
): Promise<Report["releases"][number] | null> {
  const { clock, database, workspaceId } = reader;
  const apps = await database.listFollowedApps({ workspaceId, ids: [appId] });
  const all = { workspaceId, apps, from: null, to: null, limit: releasesMax };
  const versions = await database.listAppVersions(all);
  const releases = versions.map(({ version, firstDay: day }) => ({ version, day }));
  const judged = await readVerdicts(database, {
    ...{ workspaceId, apps, worseBy: worseByDefault, releases: { newestMax: 1 } },
  });
  const index = releases.findIndex((one) => one.version === judged[0]?.version);
  const release = releases[index];
  if (!release) return null;
  const next = releases.findLast(({ day }) => day > release.day) ?? null;
  const today = dayOf(clock.now());
  const periods = releasePeriods({ day: release.day, nextDay: next?.day ?? null, today });
  const after = await addOverview(reader, { app: appId, ...periods.after });
  await addOverview(reader, { app: appId, ...after.before });
  await addOverview(reader, { app: appId, ...periods.around });
  const named = { app: appId, version: release.version };
  addAnswer(reader, "GET /workspaces/:workspace/reviews/summary", {
    input: { query: named },
    answer: await summarizeFeed(reader, { workspaceId, filters: named }),
  });
  for (const sentiment of ["negative", "positive"] as const)
    await addQuotes(reader, { ...named, sentiment });
  addAnswer(reader, "GET /workspaces/:workspace/apps/:app/verdicts", {
    input: { path: { app: appId }, query: { version: release.version } },
    answer: { verdicts: judged },
  });
  const previous = releases.slice(index + 1).find(({ day }) => day < release.day) ?? null;
  return { appId, release, next, previous };
}

async function addOverview(
  reader: Reader,
  query: { app: string; from: string; to: string },
): Promise<Awaited<ReturnType<typeof readOverview>>> {
  const answer = await readOverview(reader, { workspaceId: reader.workspaceId, query });
  addAnswer(reader, "GET /workspaces/:workspace/overview", { input: { query }, answer });
  return answer;
}

async function listVerdicts(
  { database, workspaceId }: Reader,
  apps: readonly AppWithCoverage[],
): Promise<Report["verdicts"]> {
  const followed = await database.listFollowedApps({ workspaceId, ids: apps.map(({ id }) => id) });
  const releases = { newestMax: verdictsMax };
  const query = { workspaceId, apps: followed, worseBy: worseByDefault, releases };
  const verdicts = await readVerdicts(database, query);
  return verdicts
    .toSorted((one, other) => Date.parse(other.firstDay) - Date.parse(one.firstDay))
    .slice(0, verdictsMax);
}

/** Two apps side by side; without a second one the days against those before. */
async function readComparison(
  reader: Reader,
  { apps, range, days }: { apps: readonly AppWithCoverage[]; range: Range; days: number },
): Promise<Report["comparison"]> {
  const [one, other] = apps;
  const before = { from: addDays(range.from, -days), to: addDays(range.from, -1) };
  const sides =
    apps.length > 1
      ? [
          { ...range, app: one?.id ?? "" },
          { ...range, app: other?.id ?? "" },
        ]
      : [before, range];
  const [a = "", b = ""] = sides.map((side) => new URLSearchParams(side).toString());
  const query = new URLSearchParams({ a, b }).toString();
  const { workspaceId } = reader;
  const content: SharedContent = await readSharedContent(reader, {
    ...{ workspaceId, kind: "comparison", query },
  });
  return content as Report["comparison"];
}

type Range = { from: string; to: string };

function listFeeds({ id, feeds }: AppWithCoverage): ReportFeed[] {
  return feeds.map(({ kind, region, outcome, reviewCount, lastError, truncated, alarm }) => ({
    ...{ appId: id, kind, region, outcome, reviewCount },
    gap: lastError ?? alarm ?? (truncated ? "the store shows no older ones" : null),
  }));
}

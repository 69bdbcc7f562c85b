// Reads what a report shows: the answers that the dashboard's API would give on the same data.
import { listTopicEvidence } from "../../analysis/analyze.ts";
import type { Container } from "../../app/container.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import { ratingPeriod, releaseNeighbours } from "../../domain/changes/release-periods.ts";
import { type Verdict, worseByDefault } from "../../domain/changes/verdict.ts";
import { addDays, dayOf, formatTimestamp } from "../../lib/timestamp.ts";
import { version } from "../../lib/version.ts";
import { readOverview } from "../../read/overview/read-overview.ts";
import { listReleaseDays } from "../../read/overview/release-days.ts";
import { type PageContent, readPageContent } from "../../read/pages/page-content.ts";
import { summarizeFeed } from "../../read/reviews/feed-summary.ts";
import { readFeedPage } from "../../read/reviews/review-feed.ts";
import { type AppWithCoverage, listAppsWithCoverage } from "../../use-cases/apps/apps.ts";
import { readVerdicts } from "../../use-cases/apps/feature-readers.ts";
import type { Report, ReportAnswer, ReportFeed } from "./contract.ts";

const verdictsMax = 8;
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
  const overview = (await readPageContent(reader, page)) as Report["overview"];
  const topics = overview.overview.topics.slice(0, quotedTopicsMax).map(({ topic }) => topic);
  for (const topic of topics) {
    for (const sentiment of ["negative", "positive"] as const)
      await addQuotes(reader, { topic, sentiment, ...range });
  }
  const followed = await database.listFollowedApps({ workspaceId, ids: null });
  const verdicts = await readVerdicts(database, {
    ...{ workspaceId, apps: followed, worseBy: worseByDefault },
    releases: { newestMax: verdictsMax },
  });
  const releases: Report["releases"] = [];
  for (const app of followed.slice(0, releasePagesMax)) {
    const verdict = verdicts.find((one) => one.app.id === app.id);
    const release = verdict ? await addRelease(reader, { app, verdict }) : null;
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
    verdicts: verdicts
      .toSorted((one, other) => Date.parse(other.firstDay) - Date.parse(one.firstDay))
      .slice(0, verdictsMax),
    releases,
    topics,
    feeds: apps.flatMap(listFeeds),
    commands,
    answers: reader.answers,
  };
}

type Reader = Parameters<typeof readPageContent>[0] & {
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
  route: ReportAnswer["route"],
  { input, answer }: Omit<ReportAnswer, "route">,
): void {
  answers.push({ route, input, answer });
}

/** The release of a verdict with what its page asks for. */
async function addRelease(
  reader: Reader,
  { app, verdict }: { app: FollowedApp; verdict: Verdict },
): Promise<Report["releases"][number] | null> {
  const { clock, database, workspaceId } = reader;
  const { id: appId } = app;
  const releases = await listReleaseDays(database, { workspaceId, app });
  const release = releases.find((one) => one.version === verdict.version);
  if (!release) return null;
  const { next = null, previous = null } = releaseNeighbours(releases, release);
  const today = dayOf(clock.now());
  await addOverview(reader, { app: appId, ...release.after });
  if (release.before) await addOverview(reader, { app: appId, ...release.before });
  await addOverview(reader, { app: appId, ...ratingPeriod(release, today) });
  const named = { app: appId, version: release.version };
  addAnswer(reader, "GET /workspaces/:workspace/reviews/summary", {
    input: { query: named },
    answer: await summarizeFeed(reader, { workspaceId, filters: named }),
  });
  for (const sentiment of ["negative", "positive"] as const)
    await addQuotes(reader, { ...named, sentiment });
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
  const content: PageContent = await readPageContent(reader, {
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

// The reviews before and after a release as each place has them, and as the list of reviews counts them.

import type { Verdict } from "../../src/domain/changes/verdict.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { readDigest } from "../../src/features/digests/read-digest.ts";
import { addDays, dayMs } from "../../src/lib/timestamp.ts";
import { readOverview } from "../../src/read/overview/read-overview.ts";
import { listReleaseDays } from "../../src/read/overview/release-days.ts";
import { summarizeFeed } from "../../src/read/reviews/feed-summary.ts";
import { requireSeen } from "../../src/use-cases/apps/apps.ts";
import type { RangeCounts } from "../../src/use-cases/apps/releases.ts";
import type { ApiTestContext } from "./api-test-context.ts";

type Days = { from: string; to: string };
type Side = Days & { total: number; negative: number; averageRating: number | null };
type Sides = { before: unknown; after?: unknown };

export type ReadRelease = {
  context: ApiTestContext;
  app: App;
  key: string;
  workspaceId: string;
  verdict: Verdict;
  callTool: (call: { name: string; key: string; with: object }) => Promise<unknown>;
};

/** The days by their definition, and their reviews as the list has them. */
export async function countSides(of: ReadRelease): Promise<{ before: Side | null; after: Side }> {
  const { context, app, workspaceId, verdict } = of;
  const { version, firstDay } = verdict;
  const count = async (days: Days): Promise<Side> => {
    const filters = { app: app.id, ...days };
    const { total, averageRating, facets } = await summarizeFeed(context, { workspaceId, filters });
    const negative = facets.sentiment.find(({ value }) => value === "negative")?.count ?? 0;
    const rounded = averageRating === null ? null : Math.round(averageRating * 100) / 100;
    return { ...days, total, negative, averageRating: rounded };
  };
  const scope = { workspaceId, apps: [await requireSeen(context.database, app)] };
  const all = { ...scope, from: null, to: null, limit: 100 };
  const versions = await context.database.listAppVersions(all);
  const later = versions.filter((one) => one.firstDay > firstDay && one.version !== version);
  const next = later.map((one) => one.firstDay).sort()[0];
  const last = addDays(firstDay, 27);
  const firstReviewDay = (await context.database.findFirstReviewDayOfApps(scope)) ?? firstDay;
  const longest = addDays(firstDay, -84);
  const from = firstReviewDay > longest ? firstReviewDay : longest;
  return {
    before: from < firstDay ? await count({ from, to: addDays(firstDay, -1) }) : null,
    after: await count({
      from: firstDay,
      to: next !== undefined && addDays(next, -1) < last ? addDays(next, -1) : last,
    }),
  };
}

/** By place; those without both sides have the first one alone. */
export async function readSides(of: ReadRelease): Promise<Record<string, Sides | null>> {
  const { context, app, workspaceId, verdict } = of;
  const { version } = verdict;
  const overview = await readOverview(context, { workspaceId, query: {} });
  const isIt = (one: { appId: string; version: string | null }) =>
    one.appId === app.id && one.version === version;
  const row = overview.versions.find(isIt);
  return {
    verdict: { before: await sideOfVerdict(of) },
    incident: sidesOfIncident(overview.incidents.find(isIt)),
    "versions table": {
      before: row?.before ? ofCounts(row.before) : null,
      after: row && ofCounts(row.after),
    },
    "release page": await readPage(of),
    ...(await readFromApi(of)),
    digest: await readSideOfDigest(of),
  };
}

/** The average is of the reviews that the verdict counts. */
async function sideOfVerdict(of: ReadRelease): Promise<unknown> {
  const { before, shares } = of.verdict;
  if (before === null) return null;
  const negative = shares.find(({ question }) => question === "negative")?.countBefore;
  const counted = await countSides(of);
  return { ...before, negative, averageRating: counted.before?.averageRating };
}

type Incident = Awaited<ReturnType<typeof readOverview>>["incidents"][number];

/** A release with a topic counts the complaints about it, not all negative reviews. */
function sidesOfIncident(incident: Incident | undefined): Sides | null {
  if (!incident?.before || incident.topic !== null) return null;
  const { before, averageRating, averageRatingBefore, total, negativeCount: negative } = incident;
  return {
    before: {
      ...{ from: before.from, to: before.to, total: before.total },
      ...{ negative: before.negativeCount, averageRating: averageRatingBefore },
    },
    after: { ...incident.range, total, negative, averageRating },
  };
}

async function readPage({ context, app, workspaceId, verdict }: ReadRelease): Promise<Sides> {
  const followed = await requireSeen(context.database, app);
  const releases = await listReleaseDays(context.database, { workspaceId, app: followed });
  const release = releases.find(({ version }) => version === verdict.version);
  if (!release) throw new Error("the release has no page");
  const readDays = async (days: Days) => {
    const query = { app: app.id, ...days };
    const { reviews } = await readOverview(context, { workspaceId, query });
    return ofCounts({ ...reviews, ...days });
  };
  const { before, after } = release;
  return { before: before && (await readDays(before)), after: await readDays(after) };
}

type ApiSide = Omit<Side, "negative"> & { sentiment: { negative: number } };
type ApiReleases = {
  releases: { version: string; before: ApiSide | null; reviews: ApiSide }[];
};

async function readFromApi(of: ReadRelease): Promise<Record<string, Sides>> {
  const { context, app, key, verdict, callTool } = of;
  const find = (answer: unknown): Sides => {
    const { releases } = answer as ApiReleases;
    const one = releases.find(({ version }) => version === verdict.version);
    return { before: one?.before ? ofApi(one.before) : null, after: one && ofApi(one.reviews) };
  };
  const { json } = await context.request(`/api/v1/releases?app=${app.id}`, { key });
  const listed = await callTool({ name: "list_releases", key, with: { app: app.id } });
  return { API: find(json), assistant: find(listed) };
}

/** A digest has the expected number of reviews, in place of their number before. */
async function readSideOfDigest(of: ReadRelease): Promise<Sides | null> {
  const { context, app, workspaceId, verdict } = of;
  const { before } = await countSides(of);
  const query = { appId: app.id, workspaceId, since: verdict.version };
  const { baseline, range, reviews } = await readDigest(context, query);
  if (baseline === null || before === null || reviews.expected === null) return null;
  const dayCount = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  // It has one decimal.
  const expected = (before.total / dayCount(baseline)) * dayCount(range);
  const isSame = Math.abs(expected - reviews.expected) <= 0.051;
  const total = isSame ? before.total : (reviews.expected / dayCount(range)) * dayCount(baseline);
  const { negative } = before;
  return { before: { ...baseline, total, negative, averageRating: reviews.averageRatingBefore } };
}

const ofCounts = (counts: RangeCounts): Side => ({
  ...{ from: counts.from, to: counts.to, total: counts.total },
  ...{ negative: counts.sentiment.negative, averageRating: counts.averageRating },
});
const ofApi = (side: ApiSide): Side => ({
  ...{ from: side.from, to: side.to, total: side.total },
  ...{ negative: side.sentiment.negative, averageRating: side.averageRating },
});

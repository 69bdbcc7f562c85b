// The digest of a channel: for each of its apps what changed in the days that it covers, the rating before and after,
// and the top complaints among the reviews that match the channel's filters.

import type { DatabaseTransaction } from "../../database/database.ts";
import { type Channel, listedFilters, openChannelFilter } from "../../domain/channel/channel.ts";
import type { AppDigest, DigestContent } from "../../domain/channel/channel-event.ts";
import {
  countDays,
  type DigestRange,
  type DigestRhythm,
} from "../../domain/channel/digest-rhythm.ts";
import type { App } from "../../domain/feed/listing.ts";
import { compareSnapshots, type RatingSummary } from "../../domain/review/snapshot.ts";
import type { Clock } from "../../lib/clock.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import { requireSeen } from "../../use-cases/apps/apps.ts";
import { countMatching } from "../../use-cases/reviews/search-reviews.ts";
import { runForWorkspace } from "../../use-cases/workspace-work.ts";
import { digestWork, readComplaints } from "./compose/digest-work.ts";
import { listTexts, readDigest } from "./read-digest.ts";

type ChannelDigestDeps = {
  clock: Clock;
  database: DatabaseTransaction;
};

type Period = { channel: Channel; rhythm: DigestRhythm; range: DigestRange };

/** Each costs a few hundred milliseconds where there are many reviews; and readers stop there. */
const appsMax = 5;
const othersMax = 10;
const sentencesMax = 6;

export async function composeChannelDigest(
  deps: ChannelDigestDeps,
  period: Period,
): Promise<DigestContent> {
  const { rhythm, range } = period;
  const ranked = await rankApps(deps, period);
  const apps: AppDigest[] = [];
  for (const { app } of ranked.slice(0, appsMax)) {
    apps.push(await describeApp(deps, { ...period, app }));
  }
  return {
    rhythm,
    range,
    apps,
    others: ranked
      .slice(appsMax, appsMax + othersMax)
      .map(({ app, reviewCount }) => ({ app: toEventApp(app), reviewCount })),
    unnamedCount: Math.max(0, ranked.length - appsMax - othersMax),
  };
}

/** The apps of the channel, those with the most reviews first. */
async function rankApps(
  { database }: ChannelDigestDeps,
  { channel, range }: Period,
): Promise<{ app: App; reviewCount: number }[]> {
  const { workspaceId } = channel;
  const all = await database.listApps({ workspaceId });
  const apps = all.filter(openChannelFilter(channel).takesApp);
  const ids = apps.map(({ id }) => id);
  const seen = await database.listFollowedApps({ workspaceId, ids });
  const ranges = seen.map((app) => ({ app, ...range }));
  const counts = await database.countDateRanges({ workspaceId, ranges });
  const countOf = new Map(seen.map(({ id }, index) => [id, counts[index]?.total ?? 0]));
  return apps
    .map((app) => ({ app, reviewCount: countOf.get(app.id) ?? 0 }))
    .sort((one, other) => other.reviewCount - one.reviewCount);
}

async function describeApp(
  deps: ChannelDigestDeps,
  { app, channel, range }: Period & { app: App },
): Promise<AppDigest> {
  const { id: appId, workspaceId } = app;
  const dayCount = countDays(range);
  const digest = await readDigest(deps, { workspaceId, appId, to: range.to, dayCount });
  const seen = await requireSeen(deps.database, app);
  const { takesAll } = openChannelFilter(channel);
  const filters = listedFilters(channel);
  const listed = { workspaceId, app: seen, ...range, ...(!takesAll && { filters }) };
  const reviews = await listTexts(deps.database, listed);
  const counted = { workspaceId, apps: [seen], ...filters, ...range };
  const work = { module: digestWork, run: readComplaints };
  const { complaints, moreTopicCount } = await runForWorkspace(work, [reviews], workspaceId);
  return {
    app: toEventApp(app),
    sentences: limitSentences(digest.sentences),
    matchingCount: takesAll ? null : await countMatching(deps.database, counted),
    ...(await readRatings(deps, { app, range })),
    complaints: complaints.map(({ topic, count, review, text }) => {
      const { id: reviewId, rating, version, country } = review;
      return { topic, count, quote: { reviewId, rating, text, version, country } };
    }),
    moreTopicCount,
  };
}

function limitSentences(sentences: readonly string[]): string[] {
  const moreCount = sentences.length - sentencesMax;
  if (moreCount <= 0) return [...sentences];
  const more = `And ${moreCount} more ${moreCount === 1 ? "change" : "changes"}.`;
  return [...sentences.slice(0, sentencesMax), more];
}

async function readRatings(
  { database }: ChannelDigestDeps,
  { app, range }: { app: App; range: DigestRange },
): Promise<Pick<AppDigest, "ratings" | "ratingsBefore">> {
  const { listingId, countries } = app;
  const asOf = (day: Day) => database.listSnapshotsAsOf({ listingId, day, withHistogram: false });
  const newest = await asOf(range.to);
  const earlier = await asOf(addDays(range.from, -1));
  const { current, baseline } = compareSnapshots({ countries, newest, earlier }) ?? {};
  return { ratings: toRatings(current), ratingsBefore: toRatings(baseline) };
}

function toRatings(summary: RatingSummary | null | undefined): AppDigest["ratings"] {
  return summary ? { average: summary.average, total: summary.total } : null;
}

function toEventApp({ id, name, store, externalAppId }: App): AppDigest["app"] {
  return { id, name, store, externalAppId };
}

// One crawl of one feed, of reviews or of ratings, from the claim to its log line, and the crawl of all
// feeds of a listing at once.

import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { scheduleReviews } from "../domain/feed/crawl-schedule.ts";
import type { ClaimedFeed, Feed, FeedKey, FeedKind } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { RatingAverage } from "../domain/review/rating-average.ts";
import { storeTraits } from "../domain/store/store-traits.ts";
import { notifyPolicyOfCrawl } from "../ingest/notify-policy.ts";
import { keepRecent } from "../lib/bounded-map.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs } from "../lib/timestamp.ts";
import type { Store, StoreApp } from "../stores/store.ts";
import { judgeDetails } from "./app-details.ts";
import { crawlRatings, type RatingCrawlDeps } from "./crawl-ratings.ts";
import { type CrawlOptions, crawlReviews, type ReviewCrawlDeps } from "./crawl-reviews.ts";
import { type CrawlSummary, makesWay, serviceStopped } from "./crawl-summary.ts";
import { type FeedRepository, newLease, withLeases } from "./feed-lease.ts";
import type { Healer } from "./healer.ts";
import type { FindIntervalBounds } from "./interval-bounds.ts";
import { readWitnesses, type WitnessDeps } from "./witnesses.ts";

export type CrawlDeps = Omit<ReviewCrawlDeps, "testify" | "noteRight" | "findSoleShape"> &
  WitnessDeps &
  RatingCrawlDeps &
  ListingDetailsDeps &
  Pick<Database, "findListing"> & {
    log: Log;
    feeds: FeedRepository;
    /** Left out: pages are read by the shapes of the release. */
    healer?: Healer;
    findIntervalBounds: FindIntervalBounds;
    /** Between two crawls of a feed, unless it makes room for others. */
    intervalMinutes: number;
    /** The public store, or a workspace's own account there. */
    openStore(listing: Listing, kind: FeedKind): Promise<Store>;
  };

/** The summaries of a listing's crawls, and its feeds that another worker is crawling. */
export type CrawledListing = { summaries: CrawlSummary[]; busyFeeds: Feed[] };

/** Crawls feeds of a listing now, all without `feeds`, except those that another worker is crawling. */
export async function crawlListing(
  deps: CrawlDeps,
  crawl: CrawlOptions & { listing: Listing; feeds?: readonly FeedKey[] },
): Promise<CrawledListing> {
  const listingId = crawl.listing.id;
  const isAmong = (feeds: readonly FeedKey[], feed: Feed): boolean =>
    feeds.some(({ kind, region }) => kind === feed.kind && region === feed.region);
  const { feeds = null } = crawl;
  const claim = { ...newLease(deps.clock), listingId, feeds };
  const claimed = await deps.feeds.claimFeedsOfListing(claim);
  const listed = await deps.feeds.listFeeds(listingId);
  const chosen = listed.filter((feed) => feeds === null || isAmong(feeds, feed));
  const summaries: CrawlSummary[] = [];
  await withLeases(deps, claimed, async () => {
    for (const feed of claimed) {
      const summary = await crawlFeed(deps, { feed, ...crawl });
      if (summary) summaries.push(summary);
    }
  });
  return { summaries, busyFeeds: chosen.filter((feed) => !isAmong(claimed, feed)) };
}

/** null: the app was removed since the claim, and its feeds with it. */
async function crawlFeed(
  deps: CrawlDeps,
  crawl: CrawlOptions & { feed: ClaimedFeed },
): Promise<CrawlSummary | null> {
  const { feed } = crawl;
  const listing = await deps.findListing(feed.listingId);
  if (!listing) return null;
  await deps.healer?.refresh();
  const store = await deps.openStore(listing, feed.kind);
  const summary =
    feed.kind === "reviews"
      ? await crawlReviewFeed(deps, { ...crawl, listing, store })
      : await crawlRatings(deps, { ...crawl, listing, store });
  if (feed.kind === "ratings" && summary.outcome === "ok") {
    await readListingDetails(deps, { listing, store, region: feed.region });
  }
  logCrawl(deps, listing, summary);
  // The page of an app notes what it could not read.
  const isInOrder = feed.kind === "reviews" && summary.outcome === "ok" && !summary.hasLostField;
  const { readBy } = summary;
  await deps.healer?.heal({ ...feed, listing, isInOrder, readBy });
  return summary;
}

async function crawlReviewFeed(
  deps: CrawlDeps,
  crawl: CrawlOptions & { feed: ClaimedFeed; listing: Listing; store: Store },
): Promise<CrawlSummary> {
  const { feed, listing } = crawl;
  const feeds = feed.baselineAt === null ? await deps.feeds.listFeeds(listing.id) : [];
  const notifyPolicy = notifyPolicyOfCrawl({ feed, listing, feeds, now: deps.clock.now() });
  const bounds = await deps.findIntervalBounds(listing);
  const { witnesses, clock } = deps;
  const reviewDeps: ReviewCrawlDeps = {
    ...deps,
    testify: (page) => readWitnesses(deps, page),
    findSoleShape: () => deps.healer?.findSoleShape(listing.store) ?? null,
    noteRight: (page) => witnesses.note({ ...page, testimony: "right", now: clock.now() }),
  };
  return crawlReviews(reviewDeps, { ...crawl, notifyPolicy, bounds });
}

// Less than half a minute at one page a second.
const yieldAfterPages = 20;

/** Crawls a claimed feed. Errors of our own reschedule it with backoff instead of failing the worker. */
export async function crawlClaimedFeed(
  deps: CrawlDeps,
  feed: ClaimedFeed,
  signal: AbortSignal,
): Promise<void> {
  await withLeases(deps, [feed], async () => {
    try {
      await crawlFeed(deps, { feed, signal, yieldAfterPages });
    } catch (error) {
      await reschedule(deps, feed, error);
    }
  });
}

async function reschedule(deps: CrawlDeps, feed: ClaimedFeed, error: unknown): Promise<void> {
  const isAppError = error instanceof AppError;
  // Without the database nothing can be written; the lease expires by itself.
  if (isAppError && error.code === "unavailable") throw error;
  const { kind, region } = feed;
  const now = deps.clock.now();
  const next = scheduleReviews({
    ...{ now, feed, intervalMinutes: deps.intervalMinutes, random: deps.random() },
    ...{ isDone: false, hasProgressed: false, retryAfterMs: null },
  });
  deps.log.error({ err: error, kind, region, nextDueAt: next.nextDueAt }, "a crawl failed");
  const lastError = isAppError ? error.message : "internal error; the log has the details";
  await deps.feeds.rescheduleFeed({ ...feed, ...next, now, lastError });
}

type ListingDetailsDeps = Pick<
  Database,
  | "saveListingDetails"
  | "listRatingAverageMonths"
  | "findListingDetails"
  | "readDetailsOnTrial"
  | "holdListingDetails"
> & {
  clock: Clock;
  log: Log;
  feeds: Pick<FeedRepository, "listFeeds">;
  openStore(listing: Listing, kind: FeedKind): Promise<Store>;
  ingestRatingAverages(save: {
    listingId: string;
    averages: readonly RatingAverage[];
  }): Promise<unknown>;
};

/** After ratings of a region were read, which is once a day; of one region of each listing. */
async function readListingDetails(
  deps: ListingDetailsDeps,
  { listing, store, region }: { listing: Listing; store: Store; region: string },
): Promise<void> {
  // Storefronts know an app by different names: it goes by that of one of them.
  if (region !== findNamingRegion(await deps.feeds.listFeeds(listing.id), region)) return;
  const fetched = await store.fetchApp({ externalAppId: listing.externalAppId, region });
  if (fetched.outcome === "ok") await saveDetails(deps, listing, fetched.value);
  await readRatingAverages(deps, listing);
}

async function saveDetails(
  deps: ListingDetailsDeps,
  { id, store, externalAppId }: Listing,
  read: StoreApp,
): Promise<void> {
  const judgement = judgeDetails({
    read,
    stored: await deps.findListingDetails(id),
    ...(await deps.readDetailsOnTrial({ id, store })),
    now: deps.clock.now(),
  });
  if (judgement.kind === "plausible") return deps.saveListingDetails({ id, ...read });
  const { details, since, reason } = judgement;
  await deps.holdListingDetails({ id, details, since });
  const message = "the details of an app look wrong: they wait for the reading of a second day";
  deps.log.warn({ store, app: externalAppId, since, reason }, message);
}

/** The United States where the app is sold there, else the first storefront that sells it. */
function findNamingRegion(feeds: readonly Feed[], region: string): string | undefined {
  const selling = feeds
    .filter((feed) => feed.kind === "ratings" && (feed.outcome === "ok" || feed.region === region))
    .map((feed) => feed.region)
    .sort();
  return selling.find((one) => one === "us") ?? selling[0];
}

async function readRatingAverages(deps: ListingDetailsDeps, listing: Listing): Promise<void> {
  // Ratings themselves are always public: the exports are in the account that reviews are read through.
  const source = await deps.openStore(listing, "reviews");
  if (!source.readRatingAverages) return;
  const { id: listingId, externalAppId } = listing;
  const read = await source.readRatingAverages({
    externalAppId,
    knownMonths: await deps.listRatingAverageMonths(listingId),
    async save(averages) {
      await deps.ingestRatingAverages({ listingId, averages });
    },
  });
  // The reviews of the same account have this in their coverage; what is missing here is read a day later.
  if (read.outcome === "unknown") {
    deps.log.warn({ externalAppId, reason: read.reason }, "the exports of ratings were not read");
  }
}

export function logCrawl(
  { clock, log }: { clock: Clock; log: Log },
  listing: Listing,
  summary: CrawlSummary,
): void {
  if ([serviceStopped, makesWay].includes(summary.stopReason)) return;
  const { kind, region, outcome, error, stopReason, nextDueAt } = summary;
  const facts = { store: listing.store, app: listing.externalAppId, ...summary };
  const what = `${storeTraits[listing.store].name} ${kind} (${region})`;
  if (outcome !== "unknown") {
    log.info(facts, `read ${what}: ${summary.new} new, ${summary.edited} edited`);
    return;
  }
  const reason = error ?? stopReason;
  const next = nextDueAt ? `; next try ${formatMinute(nextDueAt)}` : "";
  const message = `could not read ${what}: ${reason}${next}`;
  const repeated = countRepeated(log, { cause: `${listing.store} ${reason}`, now: clock.now() });
  if (repeated === "again") log.debug(facts, message);
  else if (repeated === 0) log.warn(facts, message);
  else log.warn({ ...facts, repeatedCount: repeated }, `${message}; ${repeated} more since`);
}

type Cause = { warnedAt: Date; repeatedCount: number };

const repeatMs = 10 * minuteMs;
/** The oldest cause is forgotten; at worst it is warned about again. */
const causeCountMax = 100;
const causesByLog = new WeakMap<Log, Map<string, Cause>>();

/** How often the cause was passed over since its last warning; "again": pass over it. */
function countRepeated(log: Log, { cause, now }: { cause: string; now: Date }): number | "again" {
  const causes = causesByLog.get(log) ?? new Map<string, Cause>();
  causesByLog.set(log, causes);
  const known = causes.get(cause);
  if (known && now.getTime() - known.warnedAt.getTime() < repeatMs) {
    known.repeatedCount += 1;
    return "again";
  }
  const value = { warnedAt: now, repeatedCount: 0 };
  keepRecent(causes, { key: cause, value, countMax: causeCountMax });
  return known?.repeatedCount ?? 0;
}

function formatMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

// A crawl of reviews at work: what it is about, how it begins, and the ways in which it ends.
import { createHash } from "node:crypto";
import {
  type CrawlMoment,
  type CrawlState,
  endUnknown,
  findResumable,
  startCrawl,
} from "../domain/crawl-state.ts";
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd } from "../domain/feed.ts";
import type { IntervalBounds } from "../domain/feed-interval.ts";
import type { Listing } from "../domain/listing.ts";
import type { QuarantinedPage } from "../domain/page-quarantine.ts";
import type { IngestReviews } from "../ingest/ingest-batch.ts";
import type { NotifyPolicy } from "../ingest/notify-policy.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store, UnknownOutcome } from "../stores/store.ts";
import {
  type CrawlReport,
  makesWay,
  newCrawlReport,
  notRequested,
  type OnPage,
  reportCheckpoint,
  reportEnd,
  serviceStopped,
} from "./crawl-report.ts";
import { type CrawlWriter, notSentDueAt } from "./feed-lease.ts";
import type { RetryOptions } from "./retry.ts";

export type ReviewCrawlDeps = RetryOptions & {
  clock: Clock;
  ingestReviews: IngestReviews;
  feeds: CrawlWriter;
};

export type CrawlOptions = {
  /** A user vouches for pages that look wrong. */
  acceptsQuarantined?: boolean;
  /** After so many pages a full crawl makes way for others that are due. */
  yieldAfterPages?: number;
  /** Called after each page. */
  onPage?: OnPage;
  signal?: AbortSignal;
};

export type ReviewCrawl = CrawlOptions & {
  feed: ClaimedFeed;
  listing: Listing;
  store: Store;
  notifyPolicy: NotifyPolicy;
  bounds: IntervalBounds;
};

/** A crawl at work. */
export type Run = ReviewCrawl &
  CrawlState & {
    report: CrawlReport;
    /** Where an earlier crawl was cut off, until this one has come further. */
    resumedFrom: CrawlCheckpoint | null;
    /** Hashes of the cursors that were followed: stores can repeat them. */
    followedCursors: Set<string>;
    isOver: boolean;
  };

export function startRun({ clock }: ReviewCrawlDeps, crawl: ReviewCrawl): Run {
  const resumedFrom = findResumable(crawl.feed, clock.now());
  const run: Run = {
    ...crawl,
    checkpoint: resumedFrom ?? startCrawl(crawl.feed, clock.now()),
    resumedFrom,
    isCapped: false,
    error: null,
    report: newCrawlReport(crawl.feed),
    followedCursors: new Set(),
    isOver: false,
  };
  reportCheckpoint(run.report, run.checkpoint);
  return run;
}

export function countPage(
  deps: ReviewCrawlDeps,
  { checkpoint }: Run,
  next: string | null,
): CrawlCheckpoint {
  const pageCount = checkpoint.pageCount + 1;
  return { ...checkpoint, savedAt: deps.clock.now(), pageCount, cursor: next };
}

/** Returns whether the cursor was followed before. */
export function followCursor({ followedCursors }: Run, cursor: string | null): boolean {
  if (cursor === null) return false;
  const hash = createHash("sha1").update(cursor).digest("base64");
  const isRepeated = followedCursors.has(hash);
  followedCursors.add(hash);
  return isRepeated;
}

export function stateOf(
  { feed, isCapped, error, note }: Run,
  checkpoint: CrawlCheckpoint,
): CrawlState {
  return { feed, checkpoint, isCapped, error, note };
}

export function momentOf({ clock, random }: ReviewCrawlDeps, { bounds }: Run): CrawlMoment {
  return { now: clock.now(), random: random(), ...bounds };
}

/** The end where nothing is known for sure; the next crawl starts at the same page. */
export async function finishUnknown(
  deps: ReviewCrawlDeps,
  run: Run,
  why: {
    checkpoint: CrawlCheckpoint;
    stopReason: string;
    error: string;
    retryAfterMs?: number | null;
    quarantinedPage?: QuarantinedPage;
  },
): Promise<void> {
  const resumeAt = run.resumedFrom ?? run.checkpoint;
  const state = stateOf(run, why.checkpoint);
  await finishRun(deps, run, endUnknown(state, { ...why, resumeAt, moment: momentOf(deps, run) }));
}

export async function finishRun(deps: ReviewCrawlDeps, run: Run, end: CrawlEnd): Promise<void> {
  await deps.feeds.finishFeed({ ...run.feed, ...end });
  closeRun(run, end);
}

export function closeRun(run: Run, end: CrawlEnd): void {
  reportEnd(run.report, end);
  run.isOver = true;
}

/** Lets go of the feed because the service stops: the next worker goes on from its checkpoint. */
export async function releaseRun(deps: ReviewCrawlDeps, run: Run): Promise<void> {
  await deps.feeds.releaseFeed({ ...run.feed, now: deps.clock.now() });
  stopRun(run, serviceStopped);
}

/** Makes way for other feeds: the crawl goes on from its checkpoint when it is its turn again. */
export async function yieldRun(deps: ReviewCrawlDeps, run: Run): Promise<void> {
  await deps.feeds.yieldFeed({ ...run.feed, nextDueAt: deps.clock.now(), reason: null });
  stopRun(run, makesWay);
}

/** Nothing may be requested for a while, which says nothing of the feed: what was saved stays. */
export async function postponeRun(
  deps: ReviewCrawlDeps,
  run: Run,
  { reason, retryAfterMs }: UnknownOutcome,
): Promise<void> {
  const nextDueAt = notSentDueAt(deps, retryAfterMs);
  await deps.feeds.yieldFeed({ ...run.feed, nextDueAt, reason });
  stopRun(run, notRequested);
  run.report.error = reason;
}

export function stopRun(run: Run, stopReason: string): void {
  run.report.stopReason = stopReason;
  run.isOver = true;
}

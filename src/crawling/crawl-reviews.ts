// Crawls the reviews of one feed: newest first, page by page, down to what is known or to the end of the
// list. Each page is saved together with the crawl's checkpoint; the watermark moves only with the page
// that ends a good crawl. See domain/feed/crawl-state.ts for the decision after each page.
import { createHash } from "node:crypto";
import {
  type CrawlMoment,
  type CrawlPage,
  type CrawlState,
  endCrawl,
  endUnknown,
  findResumable,
  startCrawl,
} from "../domain/feed/crawl-state.ts";
import {
  type ClaimedFeed,
  type CrawlCheckpoint,
  type CrawlEnd,
  overBudget,
} from "../domain/feed/feed.ts";
import type { IntervalBounds } from "../domain/feed/feed-interval.ts";
import type { Listing } from "../domain/feed/listing.ts";
import type { QuarantinedPage } from "../domain/feed/page-quarantine.ts";
import { decidePage } from "../domain/feed/source-trust.ts";
import type { SourceReview } from "../domain/review/review.ts";
import type { IngestBatch, IngestReviews } from "../ingest/ingest-batch.ts";
import type { NotifyPolicy } from "../ingest/notify-policy.ts";
import type { Clock } from "../lib/clock.ts";
import type { FetchedPage, Store, UnknownOutcome } from "../stores/store.ts";
import {
  type CrawlSummary,
  makesWay,
  newCrawlSummary,
  notRequested,
  serviceStopped,
  summarizeEnd,
} from "./crawl-summary.ts";
import { type CrawlWriter, leaseEnd, notSentDueAt } from "./feed-lease.ts";
import { fetchWithRetry, type RetryOptions } from "./retry.ts";
import { SeenReviews } from "./seen-reviews.ts";
import { ingestTestified, judgeEmpty, type TestifiedDeps } from "./testified-ingest.ts";

export type ReviewCrawlDeps = RetryOptions &
  TestifiedDeps & {
    /** The one shape that the store's pages have had for a day; null before, or while there are several. */
    findSoleShape(): string | null;
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
  onPage?(summary: Readonly<CrawlSummary>): void;
  signal?: AbortSignal;
};

type CrawlInput = CrawlOptions & {
  feed: ClaimedFeed;
  listing: Listing;
  store: Store;
  notifyPolicy: NotifyPolicy;
  bounds: IntervalBounds;
};

/** A crawl that was slower than its lease, or whose feed was removed. */
const leaseLost = "another worker took over";

export async function crawlReviews(
  deps: ReviewCrawlDeps,
  input: CrawlInput,
): Promise<CrawlSummary> {
  return new ReviewCrawl(deps, input).crawl();
}

class ReviewCrawl {
  readonly #deps: ReviewCrawlDeps;
  readonly #input: CrawlInput;
  readonly #summary: CrawlSummary;
  #checkpoint: CrawlCheckpoint;
  /** Where an earlier crawl was cut off, until this one has come further. */
  #resumedFrom: CrawlCheckpoint | null;
  /** Hashes of the cursors that were followed: stores can repeat them. */
  readonly #followedCursors = new Set<string>();
  /** Reviews of this crawl: a list that begins again brings no others. */
  readonly #seen = new SeenReviews();
  #known: Omit<CrawlState, "feed" | "checkpoint"> = { isCapped: false, error: null };
  #isOver = false;

  constructor(deps: ReviewCrawlDeps, input: CrawlInput) {
    const now = deps.clock.now();
    this.#deps = deps;
    this.#input = input;
    this.#resumedFrom = findResumable(input.feed, now);
    this.#checkpoint = this.#resumedFrom ?? startCrawl(input.feed, now);
    this.#summary = newCrawlSummary(input.feed);
    this.#moveTo(this.#checkpoint);
  }

  async crawl(): Promise<CrawlSummary> {
    const { onPage, yieldAfterPages = Number.POSITIVE_INFINITY } = this.#input;
    for (let pageCount = 1; !this.#isOver; pageCount += 1) {
      await this.crawlPage();
      onPage?.(this.#summary);
      // Only a full crawl goes on at its checkpoint.
      const isLong = pageCount >= yieldAfterPages && this.#checkpoint.isFullCrawl;
      if (isLong && !this.#isOver) await this.#yield(this.#deps.clock.now(), makesWay);
    }
    return this.#summary;
  }

  /** Reads the page at the checkpoint and saves what came. */
  async crawlPage(): Promise<void> {
    const { feed, signal } = this.#input;
    if (signal?.aborted) return this.#release();
    const { cursor } = this.#checkpoint;
    const page = await fetchWithRetry({ ...this.#deps, signal }, () => this.#fetch(cursor));
    // A request that was cut short because the service stops says nothing of the store.
    if (signal?.aborted && page.outcome !== "ok") return this.#release();
    if (page.outcome === "unknown" && page.isAside) return this.#endWithoutPart(page);
    if (page.outcome === "unknown" && page.isNotSent) {
      return this.#yield(notSentDueAt(this.#deps, page.retryAfterMs), notRequested, page.reason);
    }
    const isBlocked = page.outcome === "unknown" && page.blocked;
    if (this.#resumedFrom && cursor !== null && page.outcome !== "ok" && !isBlocked) {
      // The cursor may have expired, or the store is away: the first page shows which.
      this.#checkpoint = startCrawl(feed, this.#deps.clock.now());
      return;
    }
    this.#known.isCapped ||= page.capped;
    this.#known.cutShort = page.cutShort;
    if (page.outcome === "ok") return this.#save(page);
    return page.outcome === "empty" ? this.#endAtEmptyPage(page.doubt) : this.#passGap(page);
  }

  #fetch(cursor: string | null): Promise<FetchedPage> {
    const { listing, feed, store } = this.#input;
    const { externalAppId } = listing;
    return store.fetchReviews({ externalAppId, region: feed.region, cursor });
  }

  /** The list was read, and what is beside it can't be: the coverage says so. */
  #endWithoutPart({ reason }: UnknownOutcome): Promise<void> {
    Object.assign(this.#known, { isCapped: true, missingPart: reason });
    const value = { reviews: [], rejectedCount: 0, copyMadeAt: null };
    return this.#save({ outcome: "ok", value, next: null, capped: true });
  }

  async #save(page: FetchedPage & { outcome: "ok" }): Promise<void> {
    const { listing, feed, notifyPolicy, store, acceptsQuarantined = false } = this.#input;
    const { reviews, rejectedCount, copyMadeAt, isExport, lacksReplies, others, shape } =
      page.value;
    const { cursor } = this.#checkpoint;
    const isFirstPage = cursor === null;
    this.#known.note = page.note ?? this.#known.note;
    const checkpoint = this.#countPage(page.next);
    checkpoint.sawFirstPage ||= isFirstPage;
    if (isFirstPage) checkpoint.headCount = reviews.length;
    const newCount = this.#seen.countNew(reviews);
    checkpoint.reviewCount += newCount;
    checkpoint.rejectedCount += rejectedCount;
    // Nothing, and yet more to come: the reviews of this page were left out.
    if (reviews.length + rejectedCount === 0 && page.next !== null) checkpoint.gapCount += 1;
    const crawlPage: CrawlPage = {
      ...this.#stateAt(checkpoint),
      isRepeated: this.#follow(page.next) || (reviews.length > 0 && newCount === 0),
      isFirstPage,
      isInOrder: isDescending(reviews),
      isAcceptedByUser: acceptsQuarantined,
      rejectedCount,
      testimony: null,
      resumeAt: this.#resumedFrom ?? this.#checkpoint,
      leasedUntil: leaseEnd(this.#deps.clock),
      moment: this.#moment(),
    };
    const batch: IngestBatch = {
      listing,
      notifyPolicy,
      reviews,
      source: isExport ? "export" : "store",
      isFromWholeList: store.listsAllReviews ?? false,
      undatedAt: copyMadeAt,
      lacksReplies,
      others,
      shape,
      soleShape: this.#deps.findSoleShape(),
      crawlPage,
    };
    const readAgain = () => this.#fetch(cursor);
    const saved = await ingestTestified(this.#deps, batch, { ...feed, readAgain });
    const { decision, isLeaseHeld, queuedCount, hasLostField } = saved;
    this.#resumedFrom = null;
    this.#summary.queued += queuedCount;
    if (hasLostField) this.#summary.hasLostField = true;
    this.#summary.readBy = saved.readBy ?? this.#summary.readBy;
    this.#moveTo(decision?.checkpoint ?? checkpoint);
    if (decision?.end) this.#close(decision.end);
    else if (!isLeaseHeld) this.#stop(leaseLost);
  }

  async #endAtEmptyPage(doubt: string | undefined): Promise<void> {
    const { feed, acceptsQuarantined = false } = this.#input;
    const checkpoint = this.#countPage(null);
    const isFirst = this.#checkpoint.cursor === null;
    // A block can look like an empty list: a feed that had reviews does not lose all of them at once.
    const suspicion =
      isFirst && feed.watermark !== null
        ? "the store answered with an empty list, although this feed had reviews before: the app was withdrawn here, or the store hides its reviews"
        : !isFirst && (await this.#fetch(null)).outcome !== "ok"
          ? "the list ended, and its beginning can no longer be read"
          : null;
    if (suspicion !== null) {
      const stopReason = "empty page not accepted";
      return this.#finishUnknown(checkpoint, { stopReason, error: suspicion });
    }
    const readAgain = () => this.#fetch(null);
    const decision =
      (isFirst || checkpoint.reviewCount === 0) && (doubt !== undefined || feed.baselineAt === null)
        ? decidePage({
            ...(await judgeEmpty(this.#deps, { ...this.#input, doubt, readAgain })),
            quarantined: feed.quarantinedPage,
            acceptedKind: null,
            isAcceptedByUser: acceptsQuarantined,
            now: this.#deps.clock.now(),
          })
        : null;
    if (decision?.kind === "held") {
      return this.#finishUnknown(checkpoint, {
        stopReason: "empty list quarantined until it is read again",
        error: decision.error,
        quarantinedPage: decision.page,
      });
    }
    checkpoint.sawFirstPage ||= isFirst;
    const reason = isFirst ? "the store has no reviews here" : "end of the list";
    const stop = { reason, isComplete: true, isCapped: this.#known.isCapped };
    return this.#finish(endCrawl(this.#stateAt(checkpoint), { stop, moment: this.#moment() }));
  }

  /** Goes on behind a page that could not be read where the store shows the way, and else ends there. */
  async #passGap(page: FetchedPage & { outcome: "unknown" }): Promise<void> {
    const checkpoint = this.#countPage(page.next);
    checkpoint.gapCount += 1;
    this.#known.error = page.reason;
    this.#summary.error = page.reason;
    // Whether a review without a date is new can't be decided.
    const dated = page.fallbackReviews?.filter(({ date }) => date !== null) ?? [];
    if (dated.length > 0) await this.#saveFallback(dated, checkpoint);
    if (page.next === null || page.blocked) {
      const { reason: error, retryAfterMs } = page;
      return this.#finishUnknown(checkpoint, {
        stopReason: stopReasonOf(page),
        error,
        retryAfterMs,
      });
    }
    this.#moveTo(checkpoint);
    const saved = { ...this.#input.feed, leasedUntil: leaseEnd(this.#deps.clock), checkpoint };
    if (!(await this.#deps.feeds.saveCheckpoint(saved))) this.#stop(leaseLost);
  }

  /** Good for new reviews; says neither where to stop nor how far the feed was read. */
  async #saveFallback(
    reviews: readonly SourceReview[],
    checkpoint: CrawlCheckpoint,
  ): Promise<void> {
    const { listing, notifyPolicy, feed } = this.#input;
    const source = "fallback" as const;
    const fallbackOf = { feed, testimony: null };
    const batch = { listing, notifyPolicy, reviews, source, undatedAt: null, fallbackOf };
    const saved = await ingestTestified(this.#deps, batch, feed);
    checkpoint.reviewCount += reviews.length;
    checkpoint.newCount += saved.newCount;
    checkpoint.editedCount += saved.editedCount;
    this.#summary.queued += saved.queuedCount;
  }

  #countPage(cursor: string | null): CrawlCheckpoint {
    const pageCount = this.#checkpoint.pageCount + 1;
    return { ...this.#checkpoint, savedAt: this.#deps.clock.now(), pageCount, cursor };
  }

  #moveTo(checkpoint: CrawlCheckpoint): void {
    this.#checkpoint = checkpoint;
    this.#summary.pages = checkpoint.pageCount;
    this.#summary.reviews = checkpoint.reviewCount;
    this.#summary.rejected = checkpoint.rejectedCount;
    this.#summary.new = checkpoint.newCount;
    this.#summary.edited = checkpoint.editedCount;
  }

  /** Returns whether the cursor was followed before. */
  #follow(cursor: string | null): boolean {
    if (cursor === null) return false;
    const hash = createHash("sha1").update(cursor).digest("base64");
    const isRepeated = this.#followedCursors.has(hash);
    this.#followedCursors.add(hash);
    return isRepeated;
  }

  #stateAt(checkpoint: CrawlCheckpoint): CrawlState {
    return { ...this.#known, feed: this.#input.feed, checkpoint };
  }

  #moment(): CrawlMoment {
    return { now: this.#deps.clock.now(), random: this.#deps.random(), ...this.#input.bounds };
  }

  /** The end where nothing is known for sure; the next crawl starts at the same page. */
  #finishUnknown(
    checkpoint: CrawlCheckpoint,
    why: {
      stopReason: string;
      error: string;
      retryAfterMs?: number | null;
      quarantinedPage?: QuarantinedPage;
    },
  ): Promise<void> {
    const resumeAt = this.#resumedFrom ?? this.#checkpoint;
    const ending = { ...why, resumeAt, moment: this.#moment() };
    return this.#finish(endUnknown(this.#stateAt(checkpoint), ending));
  }

  async #finish(end: CrawlEnd): Promise<void> {
    await this.#deps.feeds.finishFeed({ ...this.#input.feed, ...end });
    this.#close(end);
  }

  #close(end: CrawlEnd): void {
    summarizeEnd(this.#summary, end);
    this.#isOver = true;
  }

  /** Lets go of the feed because the service stops: the next worker goes on from its checkpoint. */
  async #release(): Promise<void> {
    await this.#deps.feeds.releaseFeed({ ...this.#input.feed, now: this.#deps.clock.now() });
    this.#stop(serviceStopped);
  }

  /** Lets go of the feed until then, which says nothing of it: the crawl goes on from its checkpoint. */
  async #yield(nextDueAt: Date, stopReason: string, reason: string | null = null): Promise<void> {
    await this.#deps.feeds.yieldFeed({ ...this.#input.feed, nextDueAt, reason });
    this.#summary.error = reason ?? this.#summary.error;
    this.#stop(stopReason);
  }

  #stop(stopReason: string): void {
    this.#summary.stopReason = stopReason;
    this.#isOver = true;
  }
}

function isDescending(reviews: readonly SourceReview[]): boolean {
  const dates = reviews.flatMap(({ date }) => date ?? []);
  return dates.every((date, index) => index === 0 || date <= (dates[index - 1] ?? date));
}

function stopReasonOf({ blocked, isOverBudget }: UnknownOutcome): string {
  if (isOverBudget) return overBudget;
  return blocked ? "the store blocked the request" : "the store gave no usable answer";
}

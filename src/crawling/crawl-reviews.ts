// One pass over the reviews of a feed: newest first, page by page, until it meets what is known, or to
// the end when a sweep is due. Each page is saved as a whole together with the walk's progress; the
// watermark moves only with the page that ends a good pass.
import type { PassEnd, PassProgress } from "../domain/feed.ts";
import type { SourceReview } from "../domain/review.ts";
import type { Change, IngestBatch, Settled } from "../ingest/ingest-batch.ts";
import type { FetchedPage } from "../stores/store.ts";
import { beginWalk, findInterrupted } from "./checkpoint.ts";
import { feedLeaseMs, type PassRoom, type ReviewsPass } from "./crawl-deps.ts";
import { describeWalk, endWell } from "./crawl-end.ts";
import { newReport, type PassReport, stoppedWithService } from "./crawl-report.ts";
import { type Stop, StopRule } from "./crawl-stop.ts";
import { fetchWithTries } from "./retry.ts";

export async function collectReviews(room: PassRoom, pass: ReviewsPass): Promise<PassReport> {
  const walk = new Walk(room, pass);
  while (!walk.isOver) {
    await walk.nextPage();
    pass.onPage?.(walk.report);
  }
  return walk.report;
}

class Walk {
  readonly report: PassReport;
  isOver = false;
  readonly #room: PassRoom;
  readonly #pass: ReviewsPass;
  /** Where an earlier walk was cut off, until this one has come further. */
  #interrupted: PassProgress | null;
  #progress: PassProgress;
  #isTruncated = false;
  readonly #stopRule: StopRule;

  constructor(room: PassRoom, pass: ReviewsPass) {
    const now = room.clock.now();
    this.#room = room;
    this.#pass = pass;
    this.#interrupted = findInterrupted(pass.feed, now);
    this.#progress = this.#interrupted ?? beginWalk(pass.feed, now);
    this.report = newReport(pass.feed);
    this.#stopRule = new StopRule(pass.feed);
    this.#tell();
  }

  async nextPage(): Promise<void> {
    const { feed, listing, store, signal } = this.#pass;
    if (signal?.aborted) return this.#release();
    const { cursor } = this.#progress;
    const page = await fetchWithTries({ ...this.#room, signal }, () =>
      store.fetchReviews({ externalAppId: listing.externalAppId, region: feed.region, cursor }),
    );
    // What was cut short by our own end says nothing of the store.
    if (signal?.aborted && page.outcome !== "ok") return this.#release();
    const isResuming = this.#interrupted !== null && cursor !== null;
    const isBlocked = page.outcome === "unknown" && page.blocked;
    if (isResuming && page.outcome !== "ok" && !isBlocked) return this.#beginAnew();
    this.#isTruncated ||= page.truncated;
    if (page.outcome === "ok") await this.#takePage(page);
    else if (page.outcome === "empty") await this.#takeEmpty();
    else await this.#takeUnknown(page);
  }

  // The cursor may have died meanwhile, or the store is away: the first page tells which.
  #beginAnew(): void {
    this.#progress = beginWalk(this.#pass.feed, this.#room.clock.now());
  }

  async #takePage(page: FetchedPage & { outcome: "ok" }): Promise<void> {
    const { feed } = this.#pass;
    const { reviews, rejectedCount, copyMadeAt } = page.value;
    const counted = this.#countPage(page.next);
    counted.sawFirstPage ||= this.#progress.cursor === null;
    counted.reviewCount += reviews.length;
    counted.rejectedCount += rejectedCount;
    // Nothing, and yet more to come: the reviews of this page were left out.
    if (reviews.length + rejectedCount === 0 && page.next !== null) counted.holeCount += 1;
    const done = await this.#room.ingest({
      ...this.#batchOf(reviews),
      undatedAt: copyMadeAt,
      settle: { feed, decide: (changes) => this.#settle(changes, { counted, next: page.next }) },
    });
    this.#interrupted = null;
    this.#progress = counted;
    this.report.queued += done.queuedCount;
    this.#tell();
    if (done.end) this.#close(done.end);
    else if (!done.holdsFeed) this.#loseFeed();
  }

  #countPage(next: string | null): PassProgress {
    const progress = this.#progress;
    const savedAt = this.#room.clock.now();
    return { ...progress, savedAt, pageCount: progress.pageCount + 1, cursor: next };
  }

  // Runs inside the transaction that saves the page, so progress and watermark move with the reviews.
  #settle(
    changes: readonly Change[],
    page: { counted: PassProgress; next: string | null },
  ): Settled {
    const { counted, next } = page;
    for (const { kind, after } of changes) {
      if (!counted.newest || after.date > counted.newest) counted.newest = after.date;
      if (kind === "new") counted.newCount += 1;
      if (kind === "edited") counted.editedCount += 1;
    }
    const { isSweep, pageCount } = counted;
    const isTruncated = this.#isTruncated;
    const stop = this.#stopRule.whyStop(changes, { isSweep, pageCount, next, isTruncated });
    if (stop === null) return { progress: counted, leasedUntil: this.#leaseEnd() };
    return { end: this.#endWell(counted, stop) };
  }

  async #takeEmpty(): Promise<void> {
    const counted = this.#countPage(null);
    const isFirst = this.#progress.cursor === null;
    // A block can look like an empty list: a feed that had reviews does not lose them all at once.
    if (isFirst && this.#pass.feed.watermark !== null) {
      return this.#endUnknown(counted, {
        stopReason: "not believed",
        error:
          "the store answered with an empty list, although this feed had reviews before: the app was withdrawn here, or the store keeps its reviews to itself",
      });
    }
    if (!isFirst && !(await this.#isStillAnswered())) {
      return this.#endUnknown(counted, {
        stopReason: "not believed",
        error: "the list ended, and its beginning can't be read any more",
      });
    }
    counted.sawFirstPage ||= isFirst;
    const reason = isFirst ? "the store has no reviews here" : "end of the list";
    const isTruncated = this.#isTruncated;
    await this.#finish(this.#endWell(counted, { reason, isComplete: true, isTruncated }));
  }

  // A block in the middle of a walk looks like the end of the list. The first page had reviews.
  async #isStillAnswered(): Promise<boolean> {
    const { feed, listing, store } = this.#pass;
    const { externalAppId } = listing;
    const first = await store.fetchReviews({ externalAppId, region: feed.region, cursor: null });
    return first.outcome === "ok";
  }

  async #takeUnknown(page: FetchedPage & { outcome: "unknown" }): Promise<void> {
    const counted = this.#countPage(page.next);
    counted.holeCount += 1;
    this.report.error = page.reason;
    // Without a date it can't be told whether it is news.
    const salvaged = page.salvaged?.filter(({ date }) => date !== null) ?? [];
    if (salvaged.length > 0) await this.#salvage(counted, salvaged);
    // Past a hole there is more to see; past a block there is not.
    if (page.next === null || page.blocked) {
      return this.#endUnknown(counted, {
        stopReason: page.blocked
          ? "the store blocked the request"
          : "the store gave no usable answer",
        error: page.reason,
        retryAfterMs: page.retryAfterMs,
      });
    }
    this.#progress = counted;
    this.#tell();
    const leasedUntil = this.#leaseEnd();
    const saved = { ...this.#pass.feed, leasedUntil, progress: counted };
    if (!(await this.#room.feeds.saveFeedProgress(saved))) this.#loseFeed();
  }

  /** Good for what is new; nothing to stop or to move a watermark by. */
  async #salvage(counted: PassProgress, reviews: readonly SourceReview[]): Promise<void> {
    const batch = { ...this.#batchOf(reviews), source: "elsewhere" as const };
    const done = await this.#room.ingest({ ...batch, undatedAt: null });
    counted.reviewCount += reviews.length;
    counted.newCount += done.newCount;
    counted.editedCount += done.editedCount;
    this.report.queued += done.queuedCount;
  }

  #batchOf(reviews: readonly SourceReview[]): Omit<IngestBatch, "undatedAt"> {
    const { feed, listing, newsSince: since = null } = this.#pass;
    const first = since === null ? "none" : { since };
    const announce = feed.baselineAt === null ? first : "fresh";
    return { listing, reviews, source: "store", announce };
  }

  #endWell(counted: PassProgress, stop: Stop): PassEnd {
    const { feed } = this.#pass;
    return endWell(this.#room, { feed, counted, stop, error: this.report.error });
  }

  /** What a walk to the end had come to stays: the next pass asks for the same page again. */
  async #endUnknown(
    counted: PassProgress,
    why: { stopReason: string; error: string; retryAfterMs?: number | null },
  ): Promise<void> {
    const { feed } = this.#pass;
    const end = describeWalk(this.#room, {
      feed,
      counted,
      outcome: "unknown",
      isTruncated: this.#isTruncated,
      ...why,
    });
    await this.#finish({ ...end, progress: this.#interrupted ?? this.#progress });
  }

  async #finish(end: PassEnd): Promise<void> {
    await this.#room.feeds.finishFeed({ ...this.#pass.feed, ...end });
    this.#close(end);
  }

  async #release(): Promise<void> {
    await this.#room.feeds.releaseFeed({ ...this.#pass.feed, now: this.#room.clock.now() });
    this.report.stopReason = stoppedWithService;
    this.isOver = true;
  }

  #loseFeed(): void {
    this.report.stopReason = "another worker took over";
    this.isOver = true;
  }

  #close(end: PassEnd): void {
    const { outcome, stopReason, lastError, truncated, pageCount } = end;
    Object.assign(this.report, { stopReason, truncated, error: lastError, pages: pageCount });
    this.report.outcome = outcome ?? "unknown";
    this.isOver = true;
  }

  #tell(): void {
    const { pageCount, reviewCount, rejectedCount, newCount, editedCount } = this.#progress;
    const counts = { pages: pageCount, reviews: reviewCount, rejected: rejectedCount };
    Object.assign(this.report, { ...counts, new: newCount, edited: editedCount });
  }

  #leaseEnd(): Date {
    return new Date(this.#room.clock.now().getTime() + feedLeaseMs);
  }
}

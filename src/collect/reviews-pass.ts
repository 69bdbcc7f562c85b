// One pass over the reviews of a feed: newest first, page by page, until it meets what is known. Each
// page is saved as a whole; the watermark moves only with the page that ends a good pass.
import type { Clock } from "../lib/clock.ts";
import { minuteMs } from "../lib/timestamp.ts";
import type { ClaimedFeed, FeedKey, FeedOutcome, PassEnd } from "../reviews/feed.ts";
import type { Listing } from "../reviews/listing.ts";
import type { FetchedPage, Store } from "../stores/store.ts";
import type { Change, Ingest } from "./ingest.ts";
import { newReport, type OnPage, type PassReport } from "./pass-report.ts";
import { nextReviewsDueAt } from "./schedule.ts";
import { fetchWithTries, type Patience } from "./tries.ts";

export type PassRoom = Patience & {
  clock: Clock;
  ingest: Ingest;
  feeds: {
    finishFeed(end: FeedKey & PassEnd & { leaseToken: string }): Promise<boolean>;
    extendFeedLease(lease: FeedKey & { leaseToken: string; leasedUntil: Date }): Promise<void>;
  };
  intervalMinutes: number;
};

// Apple hands out 10 pages; Google 150 reviews a page. Beyond this a store is going round in circles.
const pageCountMax = 10_000;
/** How long a pass may be silent before another worker takes the feed. */
export const feedLeaseMs = 10 * minuteMs;

export async function collectReviews(
  room: PassRoom,
  pass: {
    feed: ClaimedFeed;
    listing: Listing;
    store: Store;
    onPage?: OnPage;
    signal?: AbortSignal;
  },
): Promise<PassReport> {
  const walk = new Walk(room, pass);
  while (!walk.end) {
    await walk.nextPage();
    pass.onPage?.(walk.report);
  }
  return walk.report;
}

class Walk {
  readonly report: PassReport;
  end: PassEnd | null = null;
  #cursor: string | null = null;
  #newest: Date | null = null;
  #holeCount = 0;
  #sawFirstPage = false;
  readonly #room: PassRoom;
  readonly #pass: Parameters<typeof collectReviews>[1];

  constructor(room: PassRoom, pass: Parameters<typeof collectReviews>[1]) {
    this.#room = room;
    this.#pass = pass;
    this.report = newReport(pass.feed);
  }

  async nextPage(): Promise<void> {
    const { feed, listing, store, signal } = this.#pass;
    if (signal?.aborted) return this.#finish("unknown", { stopReason: "stopped with the service" });
    const page = await fetchWithTries(this.#room, () =>
      store.fetchReviews({
        externalAppId: listing.externalAppId,
        region: feed.region,
        cursor: this.#cursor,
      }),
    );
    this.report.pages += 1;
    this.report.truncated ||= page.truncated;
    if (page.outcome === "ok") await this.#takePage(page);
    else if (page.outcome === "empty") await this.#takeEmpty();
    else await this.#takeUnknown(page);
    this.#cursor = page.next;
  }

  async #takePage(page: FetchedPage & { outcome: "ok" }): Promise<void> {
    const { feed, listing } = this.#pass;
    const isFirst = this.report.pages === 1;
    this.#sawFirstPage ||= isFirst;
    this.report.reviews += page.value.reviews.length;
    const done = await this.#room.ingest({
      listing,
      reviews: page.value.reviews,
      source: "store",
      announce: feed.baselineAt === null ? "none" : "fresh",
      undatedAt: page.value.copyMadeAt,
      settle: { feed, end: (changes) => this.#settle(changes, page.next) },
    });
    this.report.new += done.newCount;
    this.report.edited += done.editedCount;
    this.report.queued += done.queuedCount;
    this.end = done.end;
    if (!this.end) await this.#extendLease();
  }

  // Runs inside the transaction that saves the page, so the watermark moves with the reviews.
  #settle(changes: readonly Change[], next: string | null): PassEnd | null {
    for (const { after } of changes) {
      if (!this.#newest || after.date > this.#newest) this.#newest = after.date;
    }
    const stopReason = this.#whyStop(changes, next);
    return stopReason === null ? null : this.#goodEnd(stopReason);
  }

  #whyStop(changes: readonly Change[], next: string | null): string | null {
    const watermark = this.#pass.feed.watermark;
    // Newest first by last edit: a known, unedited review at or below the watermark means that
    // everything further down was seen before. "Known" alone would miss edits.
    const hasCaughtUp = changes.some(
      ({ kind, after }) =>
        (kind === "unchanged" || kind === "restated") && watermark && after.date <= watermark,
    );
    if (hasCaughtUp) return "caught up with the last pass";
    if (next === null) {
      return this.report.truncated ? "the store shows no further pages" : "end of the list";
    }
    return this.report.pages >= pageCountMax ? `${pageCountMax} pages` : null;
  }

  async #takeEmpty(): Promise<void> {
    const isFirst = this.report.pages === 1;
    // A block can look like an empty list: a feed that had reviews does not lose them all at once.
    if (isFirst && this.#pass.feed.watermark !== null) {
      return this.#finish("unknown", {
        stopReason: "not believed",
        error: "the store answered with an empty list, although this feed had reviews before",
      });
    }
    this.#sawFirstPage ||= isFirst;
    await this.#save(this.#goodEnd(isFirst ? "the store has no reviews here" : "end of the list"));
  }

  async #takeUnknown(page: FetchedPage & { outcome: "unknown" }): Promise<void> {
    this.#holeCount += 1;
    this.report.error = page.reason;
    // Past a hole there is more to see; past a block there is not.
    if (page.next !== null && !page.blocked) return this.#extendLease();
    await this.#finish("unknown", {
      stopReason: page.blocked
        ? "the store blocked the request"
        : "the store gave no usable answer",
      error: page.reason,
      retryAfterMs: page.retryAfterMs,
    });
  }

  /** A pass whose first page was a hole saw reviews, but not the newest: its watermark stays. */
  #goodEnd(stopReason: string): PassEnd {
    const { feed } = this.#pass;
    if (!this.#sawFirstPage) {
      return this.#describe("unknown", {
        stopReason,
        error: this.report.error,
        retryAfterMs: null,
      });
    }
    const holes = this.#holeCount > 0 ? `; ${this.#holeCount} pages stayed empty on the way` : "";
    const outcome = this.report.reviews > 0 ? "ok" : "empty";
    const newest = this.#newest ?? feed.watermark;
    return {
      ...this.#describe(outcome, {
        stopReason: stopReason + holes,
        error: null,
        retryAfterMs: null,
      }),
      watermark: feed.watermark && newest && newest < feed.watermark ? feed.watermark : newest,
      baselineAt: feed.baselineAt ?? this.#room.clock.now(),
    };
  }

  #finish(
    outcome: FeedOutcome,
    why: { stopReason: string; error?: string; retryAfterMs?: number | null },
  ): Promise<void> {
    return this.#save(
      this.#describe(outcome, {
        stopReason: why.stopReason,
        error: why.error ?? null,
        retryAfterMs: why.retryAfterMs ?? null,
      }),
    );
  }

  #describe(
    outcome: FeedOutcome,
    why: { stopReason: string; error: string | null; retryAfterMs: number | null },
  ): PassEnd {
    const { feed } = this.#pass;
    const now = this.#room.clock.now();
    Object.assign(this.report, { outcome, stopReason: why.stopReason, error: why.error });
    return {
      outcome,
      watermark: feed.watermark,
      baselineAt: feed.baselineAt,
      nextDueAt: nextReviewsDueAt({
        now,
        intervalMinutes: this.#room.intervalMinutes,
        failureCount: outcome === "unknown" ? feed.failureCount + 1 : 0,
        retryAfterMs: why.retryAfterMs,
        random: this.#room.random,
      }),
      lastError: why.error,
      pageCount: this.report.pages,
      reviewCount: this.report.reviews,
      truncated: this.report.truncated,
      stopReason: why.stopReason,
      heldReading: null,
      checkedAt: now,
    };
  }

  async #save(end: PassEnd): Promise<void> {
    await this.#room.feeds.finishFeed({ ...this.#pass.feed, ...end });
    this.end = end;
  }

  #extendLease(): Promise<void> {
    const leasedUntil = new Date(this.#room.clock.now().getTime() + feedLeaseMs);
    return this.#room.feeds.extendFeedLease({ ...this.#pass.feed, leasedUntil });
  }
}

import { describe, expect, test } from "vitest";
import { aFeed } from "../../test/support/feeds.ts";
import { MovableClock } from "../../test/support/movable-clock.ts";
import { decideCheckpoint } from "../domain/feed/crawl-state.ts";
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd } from "../domain/feed/feed.ts";
import type { Listing } from "../domain/feed/listing.ts";
import { nothingOdd } from "../domain/feed/source-trust.ts";
import type { Review, SourceReview } from "../domain/review/review.ts";
import { assignIds, diffReviews } from "../ingest/diff-reviews.ts";
import type { IngestBatch, IngestResult } from "../ingest/ingest-batch.ts";
import { type NotifyPolicy, notifyPolicyOfCrawl } from "../ingest/notify-policy.ts";
import { hourMs } from "../lib/timestamp.ts";
import type { FetchedPage, Store } from "../stores/store.ts";
import { type CrawlOptions, crawlReviews } from "./crawl-reviews.ts";
import type { CrawlSummary } from "./crawl-summary.ts";

const listing: Listing = { id: "l", store: "appstore", externalAppId: "1", workspaceId: null };

describe("the backfill", () => {
  test("reads to the end, announces nothing and sets the watermark to the newest review", async () => {
    const fixture = aFixture([page([9, 8, 7]), page([6, 5])]);
    expect(await fixture.crawl()).toMatchObject({
      outcome: "ok",
      pages: 2,
      new: 5,
      stopReason: "end of the list",
    });
    expect(fixture.policies).toEqual(["backfill", "backfill"]);
    expect(fixture.feed).toMatchObject({ watermark: day(9), baselineAt: fixture.clock.now() });
  });

  test("of an app without reviews ends as empty and is done", async () => {
    const fixture = aFixture([empty()]);
    expect(await fixture.crawl()).toMatchObject({ outcome: "empty", new: 0 });
    expect(fixture.feed.baselineAt).not.toBeNull();
  });

  test("that is blocked in the middle is not done, and the next one goes on silently", async () => {
    const fixture = aFixture([page([9, 8]), blocked()]);
    expect(await fixture.crawl()).toMatchObject({ outcome: "unknown", error: "a block" });
    expect(fixture.feed).toMatchObject({ baselineAt: null, watermark: null, failureCount: 0 });
    // Another block at the same page is a failure in a row.
    fixture.pages = [blocked()];
    await fixture.crawl();
    expect(fixture.feed).toMatchObject({ baselineAt: null, failureCount: 1 });
    fixture.pages = [page([7, 6])];
    expect(await fixture.crawl()).toMatchObject({ outcome: "ok", pages: 2, new: 4 });
    expect(fixture.policies.every((kind) => kind === "backfill")).toBe(true);
  });
});

test("a list that begins again under other cursors ends, and each of its reviews counts once", async () => {
  const fixture = aFixture([page([9, 8, 7]), page([7, 6]), page([9, 8]), page([7, 6])]);
  const stopReason = expect.stringMatching(/^the list repeats itself/);
  expect(await fixture.crawl()).toMatchObject({ pages: 3, reviews: 4, new: 4, stopReason });
});

test("a page that takes too much work makes the feed rest for an hour or more", async () => {
  const outcome = { outcome: "unknown", reason: "too much", blocked: false, retryAfterMs: hourMs };
  const costly = { ...outcome, isFinal: true, isOverBudget: true, next: null, capped: false };
  const fixture = aFixture([costly as FetchedPage]);
  expect(await fixture.crawl()).toMatchObject({ outcome: "unknown", error: "too much" });
  expect(fixture.feed.stopReason).toBe("its work exceeded the budget");
  const restMs = fixture.feed.nextDueAt.getTime() - fixture.clock.now().getTime();
  expect(restMs).toBeGreaterThanOrEqual(hourMs);
});

describe("a later crawl", () => {
  test("stops where it meets what is known and unedited", async () => {
    const fixture = await aFixtureAfterBackfill([page([9, 8]), page([7, 6])]);
    fixture.pages = [page([11, 10, 9, 8, 7]), page([6])];
    expect(await fixture.crawl()).toMatchObject({
      pages: 1,
      new: 2,
      stopReason: "caught up with the last crawl",
    });
    expect(fixture.policies.at(-1)).toBe("recent");
    expect(fixture.feed.watermark).toEqual(day(11));
  });

  test("does not stop at a known review that was edited to the top", async () => {
    const fixture = await aFixtureAfterBackfill([page([9, 8, 7])]);
    const edited = { ...aReview(7), text: "other words", date: day(12) };
    fixture.pages = [
      { ...page([]), value: { ...page([]).value, reviews: [edited, aReview(11)] } },
      page([10, 9]),
    ];
    expect(await fixture.crawl()).toMatchObject({ pages: 2, edited: 1, new: 2 });
  });

  test("goes on past a gap and still moves the watermark", async () => {
    const fixture = await aFixtureAfterBackfill([page([5])]);
    fixture.pages = [page([9, 8]), gap(), gap(), gap(), gap(), page([6, 5])];
    expect(await fixture.crawl()).toMatchObject({ outcome: "ok", new: 3 });
    expect(fixture.feed.stopReason).toContain("1 pages stayed empty");
    expect(fixture.feed.watermark).toEqual(day(9));
  });

  test("that breaks off in the middle is not good, so nothing below is given up", async () => {
    const fixture = await aFixtureAfterBackfill([page([5])]);
    fixture.pages = [page([9, 8]), gap(), gap(), gap(), gap()];
    expect(await fixture.crawl()).toMatchObject({ outcome: "unknown", new: 2, error: "a gap" });
    expect(fixture.feed.watermark).toEqual(day(5));
  });

  test("whose first page is a gap saves what it saw but keeps the watermark", async () => {
    const fixture = await aFixtureAfterBackfill([page([5])]);
    fixture.pages = [gap(), gap(), gap(), gap(), page([7, 6, 5])];
    expect(await fixture.crawl()).toMatchObject({ outcome: "unknown", new: 2 });
    expect(fixture.feed.watermark).toEqual(day(5));
  });

  test("with an empty first page is not accepted when there were reviews before", async () => {
    const fixture = await aFixtureAfterBackfill([page([5])]);
    fixture.pages = [empty()];
    expect(await fixture.crawl()).toMatchObject({
      outcome: "unknown",
      stopReason: "empty page not accepted",
    });
    expect(fixture.feed.watermark).toEqual(day(5));
  });

  test("waits at least as long as the store demands", async () => {
    const fixture = aFixture([{ ...blocked(), retryAfterMs: 7_200_000 }]);
    await fixture.crawl();
    expect(fixture.feed.nextDueAt.getTime() - fixture.clock.now().getTime()).toBe(7_200_000);
  });
});

test("a long crawl makes way after some pages and goes on where it was", async () => {
  const fixture = aFixture([page([9]), page([8]), page([7])]);
  expect(await fixture.crawl({ yieldAfterPages: 1 })).toMatchObject({
    pages: 1,
    stopReason: "makes way for feeds that are due",
  });
  expect(fixture.feed).toMatchObject({ baselineAt: null, checkpoint: { pageCount: 1 } });
  fixture.pages = [page([8]), page([7])];
  expect(await fixture.crawl()).toMatchObject({ outcome: "ok", pages: 3, new: 3 });
});

test("a service that stops ends the crawl after its page", async () => {
  const fixture = aFixture([page([9]), page([8])]);
  const stop = new AbortController();
  const summary = await fixture.crawl({ onPage: () => stop.abort(), signal: stop.signal });
  expect(summary).toMatchObject({
    outcome: "unknown",
    pages: 1,
    stopReason: "stopped with the service",
  });
});

type OkPage = FetchedPage & { outcome: "ok" };

/** Days of reviews, newest first; the next page follows unless it is the last of the list. */
function page(days: readonly number[]): OkPage {
  const value = { reviews: days.map(aReview), rejectedCount: 0, copyMadeAt: null };
  return { outcome: "ok", value, next: null, capped: false };
}

function empty(): FetchedPage {
  return { outcome: "empty", next: null, capped: false };
}

type UnknownPage = FetchedPage & { outcome: "unknown" };

function gap(): UnknownPage {
  const unknown = {
    outcome: "unknown" as const,
    reason: "a gap",
    blocked: false,
    retryAfterMs: null,
  };
  return { ...unknown, next: null, capped: false };
}

function blocked(): UnknownPage {
  return { ...gap(), reason: "a block", blocked: true };
}

function day(number: number): Date {
  return new Date(Date.UTC(2026, 0, number));
}

function aReview(number: number): SourceReview {
  return {
    author: "Ada",
    rating: 4,
    title: "t",
    text: `review ${number}`,
    version: "1",
    country: "us",
    storeReviewId: String(number),
    languageHint: null,
    date: day(number),
    votes: 0,
    reply: null,
  };
}

async function aFixtureAfterBackfill(pages: FetchedPage[]): Promise<CrawlFixture> {
  const fixture = aFixture(pages);
  await fixture.crawl();
  return fixture;
}

function aFixture(pages: FetchedPage[]): CrawlFixture {
  return new CrawlFixture(pages);
}

/** A store of scripted pages and a memory in place of the database. */
class CrawlFixture {
  readonly clock = new MovableClock(new Date("2026-02-01T00:00:00Z"));
  /** The policy of each page. */
  readonly policies: NotifyPolicy["kind"][] = [];
  readonly known = new Map<string, Review>();
  pages: FetchedPage[];
  feed: ClaimedFeed = aFeed();

  constructor(pages: FetchedPage[]) {
    this.pages = pages;
  }

  crawl(more: CrawlOptions = {}): Promise<CrawlSummary> {
    const { feed, clock } = this;
    const deps = {
      clock,
      delay: async () => {},
      random: () => 0.5,
      ingestReviews: (batch: IngestBatch) => this.#ingest(batch),
      feeds: {
        finishFeed: async (end: CrawlEnd) => this.#finish(end),
        saveCheckpoint: async (saved: { checkpoint: CrawlCheckpoint }) => this.#save(saved),
        releaseFeed: async () => {},
        yieldFeed: async () => {},
      },
      testify: async () => "none" as const,
      noteRight: () => {},
      findSoleShape: () => null,
      readOddFeeds: async () => nothingOdd,
    };
    const bounds = { intervalMinutes: 60, intervalMinutesMax: 60 };
    const notifyPolicy = notifyPolicyOfCrawl({ feed, listing, feeds: [feed], now: clock.now() });
    return crawlReviews(deps, {
      ...more,
      feed,
      listing,
      notifyPolicy,
      bounds,
      store: this.#store(),
    });
  }

  #store(): Store {
    const pages = [...this.pages];
    const unused = (): never => {
      throw new Error("not called in a crawl of reviews");
    };
    const fetchReviews = async (): Promise<FetchedPage> => {
      const next = pages.shift();
      if (!next) throw new Error("more requests than pages");
      return { ...next, next: pages.length > 0 ? `${pages.length} more` : null };
    };
    return {
      id: "appstore",
      fetchReviews,
      fetchApp: unused,
      fetchRatings: unused,
      validateAppId: unused,
      parseLink: unused,
      findApps: unused,
    };
  }

  async #ingest(batch: IngestBatch): Promise<IngestResult> {
    this.policies.push(batch.notifyPolicy.kind);
    const now = this.clock.now();
    const identified = assignIds({ listing, reviews: batch.reviews }, now);
    const changes = diffReviews(batch, {
      identified,
      known: this.known,
      earlier: new Map(),
      now,
    });
    for (const { after } of changes) this.known.set(after.id, after);
    const decision = batch.crawlPage ? decideCheckpoint(batch.crawlPage, changes) : null;
    if (decision?.end) this.#finish(decision.end);
    else if (decision) this.#save(decision);
    const count = (kind: string): number => changes.filter((change) => change.kind === kind).length;
    return {
      newCount: count("new"),
      editedCount: count("edited"),
      metadataChangedCount: count("metadata_changed"),
      lateCount: 0,
      unchangedCount: count("unchanged"),
      queuedCount: 0,
      decision,
      isLeaseHeld: true,
    };
  }

  #save({ checkpoint }: { checkpoint: CrawlCheckpoint }): boolean {
    this.feed = { ...this.feed, checkpoint };
    return true;
  }

  #finish(end: CrawlEnd): boolean {
    this.feed = { ...this.feed, ...end };
    return true;
  }
}

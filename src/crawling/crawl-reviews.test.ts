import { describe, expect, test } from "vitest";
import type { ClaimedFeed, PassEnd, PassProgress } from "../domain/feed.ts";
import type { Listing } from "../domain/listing.ts";
import type { Review, SourceReview } from "../domain/review.ts";
import { compareReviews, nameReviews } from "../ingest/diff-reviews.ts";
import type { IngestBatch, IngestResult } from "../ingest/ingest-batch.ts";
import { MovableClock } from "../lib/clock.ts";
import type { FetchedPage, Store } from "../stores/store.ts";
import type { PassReport } from "./crawl-report.ts";
import { collectReviews } from "./crawl-reviews.ts";

const listing: Listing = { id: "l", store: "appstore", externalAppId: "1", workspaceId: null };

describe("the first pass", () => {
  test("reads to the end, announces nothing and sets the watermark to the newest review", async () => {
    const world = aWorld([page([9, 8, 7]), page([6, 5])]);
    expect(await world.pass()).toMatchObject({
      outcome: "ok",
      pages: 2,
      new: 5,
      stopReason: "end of the list",
    });
    expect(world.announced).toEqual(["none", "none"]);
    expect(world.feed).toMatchObject({ watermark: day(9), baselineAt: world.clock.now() });
  });

  test("of an app without reviews ends as empty and is the baseline", async () => {
    const world = aWorld([empty()]);
    expect(await world.pass()).toMatchObject({ outcome: "empty", new: 0 });
    expect(world.feed.baselineAt).not.toBeNull();
  });

  test("that is blocked in the middle is no baseline, and the next one goes on silently", async () => {
    const world = aWorld([page([9, 8]), blocked()]);
    expect(await world.pass()).toMatchObject({ outcome: "unknown", error: "a block" });
    expect(world.feed).toMatchObject({ baselineAt: null, watermark: null, failureCount: 1 });
    world.pages = [page([7, 6])];
    expect(await world.pass()).toMatchObject({ outcome: "ok", pages: 2, new: 4 });
    expect(world.announced.every((announce) => announce === "none")).toBe(true);
  });
});

describe("a later pass", () => {
  test("stops where it meets what is known and unedited", async () => {
    const world = await aWorldAfterBaseline([page([9, 8]), page([7, 6])]);
    world.pages = [page([11, 10, 9]), page([8, 7])];
    expect(await world.pass()).toMatchObject({
      pages: 1,
      new: 2,
      stopReason: "caught up with the last pass",
    });
    expect(world.announced.at(-1)).toBe("fresh");
    expect(world.feed.watermark).toEqual(day(11));
  });

  test("does not stop at a known review that was edited to the top", async () => {
    const world = await aWorldAfterBaseline([page([9, 8, 7])]);
    const edited = { ...aReview(7), text: "other words", date: day(12) };
    world.pages = [
      { ...page([]), value: { ...page([]).value, reviews: [edited, aReview(11)] } },
      page([10, 9]),
    ];
    expect(await world.pass()).toMatchObject({ pages: 2, edited: 1, new: 2 });
  });

  test("goes on past a hole and still moves the watermark", async () => {
    const world = await aWorldAfterBaseline([page([5])]);
    world.pages = [page([9, 8]), hole(), hole(), hole(), page([6, 5])];
    expect(await world.pass()).toMatchObject({ outcome: "ok", new: 3 });
    expect(world.feed.stopReason).toContain("1 pages stayed empty");
    expect(world.feed.watermark).toEqual(day(9));
  });

  test("that breaks off in the middle is not good, so nothing below is given up", async () => {
    const world = await aWorldAfterBaseline([page([5])]);
    world.pages = [page([9, 8]), hole(), hole(), hole()];
    expect(await world.pass()).toMatchObject({ outcome: "unknown", new: 2, error: "a hole" });
    expect(world.feed.watermark).toEqual(day(5));
  });

  test("whose first page is a hole saves what it saw but keeps the watermark", async () => {
    const world = await aWorldAfterBaseline([page([5])]);
    world.pages = [hole(), hole(), hole(), page([7, 6, 5])];
    expect(await world.pass()).toMatchObject({ outcome: "unknown", new: 2 });
    expect(world.feed.watermark).toEqual(day(5));
  });

  test("with an empty first page is not believed when there were reviews before", async () => {
    const world = await aWorldAfterBaseline([page([5])]);
    world.pages = [empty()];
    expect(await world.pass()).toMatchObject({ outcome: "unknown", stopReason: "not believed" });
    expect(world.feed.watermark).toEqual(day(5));
  });

  test("waits at least as long as the store asked", async () => {
    const world = aWorld([{ ...blocked(), retryAfterMs: 7_200_000 }]);
    await world.pass();
    expect(world.feed.nextDueAt.getTime() - world.clock.now().getTime()).toBe(7_200_000);
  });
});

test("a service that stops ends the pass after its page", async () => {
  const world = aWorld([page([9]), page([8])]);
  const stop = new AbortController();
  const report = await world.pass({ onPage: () => stop.abort(), signal: stop.signal });
  expect(report).toMatchObject({
    outcome: "unknown",
    pages: 1,
    stopReason: "stopped with the service",
  });
});

type OkPage = FetchedPage & { outcome: "ok" };

/** Days of reviews, newest first; the next page follows unless it is the last of the list. */
function page(days: readonly number[]): OkPage {
  const value = { reviews: days.map(aReview), rejectedCount: 0, copyMadeAt: null };
  return { outcome: "ok", value, next: null, truncated: false };
}

function empty(): FetchedPage {
  return { outcome: "empty", next: null, truncated: false };
}

type UnknownPage = FetchedPage & { outcome: "unknown" };

function hole(): UnknownPage {
  const unknown = {
    outcome: "unknown" as const,
    reason: "a hole",
    blocked: false,
    retryAfterMs: null,
  };
  return { ...unknown, next: null, truncated: false };
}

function blocked(): UnknownPage {
  return { ...hole(), reason: "a block", blocked: true };
}

function day(number: number): Date {
  return new Date(Date.UTC(2026, 0, number));
}

function aReview(number: number): SourceReview {
  const told = {
    author: "Ada",
    rating: 4,
    title: "t",
    text: `review ${number}`,
    version: "1",
    country: "us",
  };
  return {
    ...told,
    storeReviewId: String(number),
    languageHint: null,
    date: day(number),
    votes: 0,
    reply: null,
  };
}

async function aWorldAfterBaseline(pages: FetchedPage[]): Promise<World> {
  const world = aWorld(pages);
  await world.pass();
  return world;
}

function aWorld(pages: FetchedPage[]): World {
  return new World(pages);
}

/** A store of scripted pages and a memory in place of the database. */
class World {
  readonly clock = new MovableClock(new Date("2026-02-01T00:00:00Z"));
  readonly announced: IngestBatch["announce"][] = [];
  readonly known = new Map<string, Review>();
  pages: FetchedPage[];
  feed: ClaimedFeed = {
    listingId: "l",
    kind: "reviews",
    region: "us",
    leaseToken: "t",
    baselineAt: null,
    watermark: null,
    outcome: null,
    nextDueAt: new Date(0),
    checkedAt: null,
    goodAt: null,
    failureCount: 0,
    lastError: null,
    pageCount: 0,
    reviewCount: 0,
    rejectedCount: 0,
    truncated: false,
    stopReason: null,
    heldReading: null,
    sweptAt: null,
    sweepDueAt: null,
    progress: null,
  };

  constructor(pages: FetchedPage[]) {
    this.pages = pages;
  }

  pass(more: { onPage?: () => void; signal?: AbortSignal } = {}): Promise<PassReport> {
    const room = {
      clock: this.clock,
      delay: async () => {},
      random: () => 0.5,
      ingest: (batch: IngestBatch) => this.#ingest(batch),
      feeds: {
        finishFeed: async (end: PassEnd) => this.#finish(end),
        saveFeedProgress: async ({ progress }: { progress: PassProgress }) =>
          this.#saveProgress(progress),
        releaseFeed: async () => {},
      },
      intervalMinutes: 60,
    };
    return collectReviews(room, { ...more, feed: this.feed, listing, store: this.#store() });
  }

  #store(): Store {
    const pages = [...this.pages];
    const unused = (): never => {
      throw new Error("not asked in a pass over reviews");
    };
    const fetchReviews = async (): Promise<FetchedPage> => {
      const next = pages.shift();
      if (!next) throw new Error("asked for more pages than there are");
      return { ...next, next: pages.length > 0 ? "more" : null };
    };
    return {
      id: "appstore",
      fetchReviews,
      fetchApp: unused,
      fetchRatings: unused,
      checkAppId: unused,
      readLink: unused,
      findApps: unused,
    };
  }

  async #ingest(batch: IngestBatch): Promise<IngestResult> {
    this.announced.push(batch.announce);
    const named = nameReviews(listing, batch.reviews);
    const changes = compareReviews(batch, { named, known: this.known, now: this.clock.now() });
    for (const { after } of changes) this.known.set(after.id, after);
    const settled = batch.settle?.decide(changes);
    const end = settled && "end" in settled ? settled.end : null;
    if (end) this.#finish(end);
    if (settled && "progress" in settled) this.#saveProgress(settled.progress);
    const count = (kind: string): number => changes.filter((change) => change.kind === kind).length;
    return {
      newCount: count("new"),
      editedCount: count("edited"),
      restatedCount: count("restated"),
      unchangedCount: count("unchanged"),
      queuedCount: 0,
      end,
      holdsFeed: true,
    };
  }

  #saveProgress(progress: PassProgress): boolean {
    this.feed = { ...this.feed, progress };
    return true;
  }

  #finish(end: PassEnd): boolean {
    const failureCount = end.outcome === "unknown" ? this.feed.failureCount + 1 : 0;
    this.feed = { ...this.feed, ...end, failureCount };
    return true;
  }
}

// Every transition of a feed's crawl: where it starts, when it goes on, how it ends, and what the end
// leaves in the feed.
import { describe, expect, test } from "vitest";
import { aFeed } from "../../../test/support/feeds.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";
import type { Review, ReviewChange } from "../review/review.ts";
import {
  type CrawlPage,
  type CrawlState,
  decideCheckpoint,
  endCrawl,
  endUnknown,
  findResumable,
  startCrawl,
} from "./crawl-state.ts";
import type { ClaimedFeed, CrawlCheckpoint, CrawlEnd } from "./feed.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const later = (ms: number): Date => new Date(now.getTime() + ms);
const moment = { now, random: 0.5, intervalMinutes: 60, intervalMinutesMax: 60 };

const fresh = aFeed();
const known = aFeed({
  baselineAt: ago(9 * dayMs),
  watermark: ago(hourMs),
  fullCrawlAt: ago(hourMs),
  fullCrawlDueAt: later(hourMs),
});

/** After a page at the top with one review. */
function aCheckpoint(feed: ClaimedFeed, overrides: Partial<CrawlCheckpoint> = {}): CrawlCheckpoint {
  const onePage = { pageCount: 1, reviewCount: 1, sawFirstPage: true };
  return { ...startCrawl(feed, now), ...onePage, ...overrides };
}

describe("a crawl starts", () => {
  test.each<[string, Partial<ClaimedFeed>, boolean]>([
    ["as the backfill", { baselineAt: null }, true],
    ["as a full crawl that is due", { fullCrawlDueAt: now }, true],
    ["as a full crawl that never was", { fullCrawlDueAt: null }, true],
    [
      "as a full crawl where a wrong clock made the last one",
      { fullCrawlAt: later(dayMs), fullCrawlDueAt: later(2 * dayMs) },
      true,
    ],
    ["as a crawl down to what is known", {}, false],
  ])("%s", (_what, overrides, isFullCrawl) => {
    expect(startCrawl({ ...known, ...overrides }, now)).toMatchObject({
      isFullCrawl,
      cursor: null,
      pageCount: 0,
    });
  });
});

describe("a crawl that was cut off", () => {
  const cutOff = aCheckpoint(fresh, { cursor: "3", savedAt: ago(hourMs) });
  test.each<[string, CrawlCheckpoint | null, boolean]>([
    ["goes on at its cursor", cutOff, true],
    ["a day ago is too old", { ...cutOff, savedAt: ago(dayMs + 1) }, false],
    ["before its first page starts again", { ...cutOff, cursor: null }, false],
    ["on the way to the watermark starts again", { ...cutOff, isFullCrawl: false }, false],
    ["never was", null, false],
  ])("%s", (_what, checkpoint, isResumed) => {
    expect(findResumable({ ...fresh, checkpoint }, now)).toEqual(isResumed ? checkpoint : null);
  });
});

describe("after a page of reviews", () => {
  const review = (date: Date): Review => ({ date }) as Review;
  const change = (kind: ReviewChange["kind"], date: Date): ReviewChange =>
    ({ kind, before: kind === "new" ? null : review(date), after: review(date) }) as ReviewChange;
  const isNew = change("new", now);
  const isKnown = change("unchanged", ago(hourMs));
  const isKnownAbove = change("unchanged", ago(hourMs - 1));
  const isEditedBelow = change("edited", ago(2 * hourMs));
  const threeKnown = [isKnown, isKnown, isKnown];
  const shuffled = { isInOrder: false };
  const ahead = { ...known, watermark: later(dayMs) };
  const isAhead = change("unchanged", later(hourMs));
  const hasNewVotes = change("metadata_changed", ago(2 * hourMs));

  const aPage = (
    feed: ClaimedFeed,
    checkpoint: Partial<CrawlCheckpoint>,
    overrides: Partial<CrawlPage> = {},
  ): CrawlPage => ({
    feed,
    checkpoint: aCheckpoint(feed, { cursor: "2", ...checkpoint }),
    isCapped: false,
    error: null,
    isRepeated: false,
    isFirstPage: true,
    isInOrder: true,
    isAcceptedByUser: false,
    rejectedCount: 0,
    testimony: null,
    resumeAt: aCheckpoint(feed),
    leasedUntil: later(1),
    moment,
    ...overrides,
  });

  test.each<[string, CrawlPage, ReviewChange[], RegExp | null]>([
    ["the backfill goes on past known reviews", aPage(fresh, {}), [isKnown], null],
    ["a crawl goes on past new reviews", aPage(known, {}), [isNew], null],
    ["a crawl goes on past an edit below the watermark", aPage(known, {}), [isEditedBelow], null],
    ["a crawl goes on past a known review above it", aPage(known, {}), [isKnownAbove], null],
    ["a crawl goes on past a single known review", aPage(known, {}), [isNew, isKnown], null],
    ["a crawl stops at known reviews", aPage(known, {}), [isNew, ...threeKnown], /^caught up/],
    ["a crawl goes on past a page in no order", aPage(known, {}, shuffled), threeKnown, null],
    ["a crawl goes on past dates that lie ahead", aPage(ahead, {}), [isAhead], null],
    ["a crawl stops at new votes of a known one", aPage(known, {}), [hasNewVotes], /^caught up/],
    ["a full crawl goes on past it", aPage(known, { isFullCrawl: true }), [isKnown], null],
    ["the end of the list", aPage(fresh, { cursor: null }), [isNew], /^end of the list$/],
    [
      "the end of what the store shows",
      aPage(fresh, { cursor: null }, { isCapped: true }),
      [isNew],
      /no further pages/,
    ],
    ["a repeated cursor", aPage(fresh, {}, { isRepeated: true }), [isNew], /repeats itself/],
    [
      "a daily full crawl of 200 pages",
      aPage(known, { isFullCrawl: true, pageCount: 200 }),
      [isNew],
      /^200 pages/,
    ],
    ["a backfill of 200 pages", aPage(fresh, { pageCount: 200 }), [isNew], null],
    ["a backfill of 10,000 pages", aPage(fresh, { pageCount: 10_000 }), [isNew], /^10000 pages/],
  ])("%s", (_what, page, changes, stopReason) => {
    const { end } = decideCheckpoint(page, changes);
    if (stopReason === null) expect(end).toBeNull();
    else expect(end?.stopReason).toMatch(stopReason);
  });

  test("the checkpoint counts the changes and keeps the newest date, and the page stays as it was", () => {
    const page = aPage(known, {});
    const { checkpoint, leasedUntil } = decideCheckpoint(page, [isNew, isEditedBelow]);
    expect(checkpoint).toMatchObject({ newCount: 1, editedCount: 1, newest: now, cursor: "2" });
    expect(checkpoint.latest).toEqual([now, ago(2 * hourMs)]);
    expect(leasedUntil).toEqual(later(1));
    expect(page.checkpoint).toMatchObject({ newCount: 0, newest: null });
  });
});

describe("the end of a crawl", () => {
  const complete = { reason: "end of the list", isComplete: true, isCapped: false };
  const caughtUp = { reason: "caught up with the last crawl", isComplete: false, isCapped: false };
  const aState = (
    feed: ClaimedFeed,
    checkpoint: Partial<CrawlCheckpoint> = {},
    error: string | null = null,
  ): CrawlState => ({
    feed,
    checkpoint: aCheckpoint(feed, { newest: now, ...checkpoint }),
    isCapped: false,
    error,
  });
  const full = { isFullCrawl: true };

  test.each<[string, CrawlState, typeof complete, Partial<CrawlEnd>]>([
    [
      "a backfill is done, and the next full crawl is a day later",
      aState(fresh),
      complete,
      { outcome: "ok", baselineAt: now, watermark: now, fullCrawlDueAt: later(dayMs) },
    ],
    [
      "a backfill without reviews is done, too",
      aState(fresh, { reviewCount: 0, newest: null }),
      complete,
      { outcome: "empty", baselineAt: now, watermark: null },
    ],
    [
      "a crawl moves the watermark and leaves the full crawl due as it was",
      aState(known),
      caughtUp,
      { outcome: "ok", watermark: now, fullCrawlAt: ago(hourMs), fullCrawlDueAt: later(hourMs) },
    ],
    [
      "a crawl never moves the watermark back",
      aState(known, { newest: ago(dayMs) }),
      caughtUp,
      { watermark: ago(hourMs) },
    ],
    [
      "a crawl with a gap makes a full crawl due at once",
      aState(known, { gapCount: 2 }),
      caughtUp,
      { fullCrawlDueAt: now, stopReason: `${caughtUp.reason}; 2 pages stayed empty on the way` },
    ],
    [
      "a crawl that met the end instead of a known review makes a full crawl due at once",
      aState(known),
      complete,
      { outcome: "ok", fullCrawlAt: now, fullCrawlDueAt: now },
    ],
    [
      "a full crawl with a gap is repeated after four hours",
      aState(known, { ...full, gapCount: 1 }),
      complete,
      { fullCrawlAt: now, fullCrawlDueAt: later(4 * hourMs) },
    ],
    [
      "after a list that was much longer before: soon again, and in words",
      aState({ ...known, fullPageCount: 40 }, { ...full, pageCount: 3 }),
      complete,
      {
        fullPageCount: 30,
        fullCrawlDueAt: later(4 * hourMs),
        stopReason: "end of the list; the list ended after 3 pages, and after 40 before",
      },
    ],
    [
      "without the first page nothing is sure",
      aState(known, { sawFirstPage: false }, "HTTP 500"),
      complete,
      { outcome: "unknown", watermark: ago(hourMs), lastError: "HTTP 500" },
    ],
    [
      "without anything to parse nothing is sure",
      aState(fresh, { reviewCount: 0, rejectedCount: 3 }),
      complete,
      { outcome: "unknown", baselineAt: null, lastError: expect.stringContaining("(3 items)") },
    ],
  ])("%s", (_what, state, stop, expected) => {
    expect(endCrawl(state, { stop, moment })).toMatchObject(expected);
  });

  test("of a quiet list that makes room says when it is read again; where it fails, that is soon", () => {
    const latest = [1, 2, 3].map((days) => ago(days * dayMs));
    const crowded = { ...moment, intervalMinutesMax: 7 * 1_440 };
    const state = aState(known, { latest, isFullCrawl: true });
    const read = endCrawl(state, { stop: complete, moment: crowded });
    expect(read).toMatchObject({ intervalMinutes: 360, nextDueAt: later(6 * hourMs) });
    expect(read.fullCrawlDueAt).toEqual(later(1.75 * dayMs));
    const alone = endCrawl(state, { stop: complete, moment });
    expect(alone).toMatchObject({ intervalMinutes: 60, fullCrawlDueAt: later(dayMs) });
    const failed = endUnknown(state, { stopReason: "x", error: "HTTP 503", moment: crowded });
    expect(failed).toMatchObject({ intervalMinutes: 60, nextDueAt: later(2 * hourMs) });
  });

  test("that knows nothing for sure moves nothing, waits longer and keeps its checkpoint", () => {
    const resumeAt = aCheckpoint(known, { cursor: "2" });
    const why = {
      stopReason: "the store blocked the request",
      error: "HTTP 403",
      resumeAt,
      moment,
    };
    expect(endUnknown(aState(known), why)).toMatchObject({
      outcome: "unknown",
      watermark: known.watermark,
      baselineAt: known.baselineAt,
      fullCrawlDueAt: known.fullCrawlDueAt,
      lastError: "HTTP 403",
      checkpoint: resumeAt,
      nextDueAt: later(2 * hourMs),
    });
  });
});

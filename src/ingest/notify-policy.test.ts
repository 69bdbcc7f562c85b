// Every case in which a change of a review is announced, and from when on a backfill meets new reviews.
import { describe, expect, test } from "vitest";
import { aFeed } from "../../test/support/feeds.ts";
import type { Feed } from "../domain/feed/feed.ts";
import type { Review, ReviewChange } from "../domain/review/review.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../lib/timestamp.ts";
import {
  findUnseenSince,
  type NotifyPolicy,
  notifyPolicyOfCrawl,
  shouldNotify,
} from "./notify-policy.ts";

const now = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);

/** A language that was read an hour ago, with a review of two hours ago. */
function aKnownFeed(overrides: Partial<Feed> = {}): Feed {
  const crawled = { baselineAt: ago(dayMs), goodAt: ago(hourMs), watermark: ago(2 * hourMs) };
  return aFeed({ region: "en", outcome: "ok", ...crawled, ...overrides });
}

const german = aFeed({ region: "de" });

describe("a change is announced", () => {
  const addedAt = ago(10 * dayMs);
  const never: NotifyPolicy = { kind: "never" };
  const always: NotifyPolicy = { kind: "always" };
  const recent: NotifyPolicy = { kind: "recent" };
  /** The first crawl of German; English has seen everything up to two hours ago. */
  const backfill = notifyPolicyOfCrawl({
    feed: german,
    listing: { store: "googleplay" },
    feeds: [german, aKnownFeed()],
    now,
  });
  const firstFeed = notifyPolicyOfCrawl({
    feed: german,
    listing: { store: "googleplay" },
    feeds: [german],
    now,
  });
  const storefront = notifyPolicyOfCrawl({
    feed: german,
    listing: { store: "appstore" },
    feeds: [german, aKnownFeed()],
    now,
  });
  const lateLimit = new Date(addedAt.getTime() - 48 * hourMs);
  const justBefore = (moment: Date): Date => new Date(moment.getTime() - secondMs);

  type Case = [
    what: string,
    policy: NotifyPolicy,
    kind: ReviewChange["kind"],
    date: Date,
    options: { wasNotified?: boolean; addedAt?: Date },
    isAnnounced: boolean,
  ];
  test.each<Case>([
    ["an import of history, new", never, "new", now, {}, false],
    ["an import that notifies, however old", always, "new", new Date(0), {}, true],
    ["a crawl, written after the app was added", recent, "new", now, {}, true],
    ["a crawl, written 48 h before the app was added", recent, "new", lateLimit, {}, true],
    ["a crawl, written earlier than that", recent, "new", justBefore(lateLimit), {}, false],
    ["a backfill, unseen by any other language", backfill, "new", ago(2 * hourMs), {}, true],
    ["a backfill, seen by another", backfill, "new", justBefore(ago(2 * hourMs)), {}, false],
    ["a backfill, before the app was added", backfill, "new", ago(hourMs), { addedAt: now }, false],
    ["the first backfill of an app", firstFeed, "new", now, {}, false],
    ["the backfill of a storefront", storefront, "new", now, {}, false],
    ["a crawl, announced before", recent, "new", now, { wasNotified: true }, false],
    ["an import, announced before", always, "new", now, { wasNotified: true }, false],
    ["an edit, announced before", recent, "edited", now, { wasNotified: true }, true],
    ["an edit in an import of history", never, "edited", now, { wasNotified: true }, false],
    ["an edit in an import that notifies", always, "edited", now, { wasNotified: true }, true],
    ["an edit in a backfill", firstFeed, "edited", now, { wasNotified: true }, true],
    ["an edit, never announced", always, "edited", now, {}, false],
    ["a change of metadata", always, "metadata_changed", now, { wasNotified: true }, false],
    ["no change", always, "unchanged", now, { wasNotified: true }, false],
  ])("%s", (_what, policy, kind, date, options, isAnnounced) => {
    const review = { date } as Review;
    const change = { kind, before: kind === "new" ? null : review, after: review } as ReviewChange;
    const { wasNotified = false } = options;
    const app = { addedAt: options.addedAt ?? addedAt };
    expect(shouldNotify(policy, { change, app, wasNotified })).toBe(isAnnounced);
  });
});

describe("a backfill meets new reviews since", () => {
  const since = (
    feeds: readonly Feed[],
    store: "appstore" | "googleplay" = "googleplay",
  ): Date | null =>
    findUnseenSince({ region: german.region, store, feeds: [german, ...feeds], startedAt: now });

  test("the newest review that another language has seen", () => {
    expect(since([aKnownFeed()])).toEqual(ago(2 * hourMs));
  });

  test("of several the one that saw least", () => {
    const quick = aKnownFeed({ region: "fr", goodAt: ago(minuteMs), watermark: ago(minuteMs) });
    expect(since([quick, aKnownFeed()])).toEqual(ago(2 * hourMs));
  });

  test("a quiet language has seen all up to its last good crawl", () => {
    expect(since([aKnownFeed({ watermark: ago(90 * dayMs) })])).toEqual(ago(hourMs));
    expect(since([aKnownFeed({ watermark: null, outcome: "empty" })])).toEqual(ago(hourMs));
  });

  test("what is older than a day is history", () => {
    expect(since([aKnownFeed({ goodAt: ago(9 * dayMs) })])).toEqual(ago(dayMs));
  });

  test("what a language that is read less often would have met later is none", () => {
    const slow = aKnownFeed({
      goodAt: ago(3 * dayMs),
      watermark: null,
      intervalMinutes: 5 * 1_440,
    });
    expect(since([slow])).toEqual(ago(3 * dayMs));
    expect(since([{ ...slow, goodAt: ago(9 * dayMs) }])).toEqual(ago(5.5 * dayMs));
  });

  test("null while no other language was crawled, and for storefronts", () => {
    expect(since([])).toBeNull();
    expect(since([aKnownFeed({ baselineAt: null, goodAt: null })])).toBeNull();
    expect(since([aKnownFeed({ kind: "ratings", region: "us" })])).toBeNull();
    expect(since([aKnownFeed()], "appstore")).toBeNull();
  });

  test("a later crawl is not a backfill", () => {
    const feed = aKnownFeed({ region: "de" });
    const crawl = { feed, listing: { store: "googleplay" as const }, feeds: [aKnownFeed()], now };
    expect(notifyPolicyOfCrawl(crawl)).toEqual({ kind: "recent" });
  });
});

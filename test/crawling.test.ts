// Every fault of a store, one scenario each, with both public stores and a real database. In none of them
// is a review lost, doubled or wrongly announced.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { reviewerPage } from "../simulator/apple-feed-json.ts";
import type { FaultRule } from "../simulator/fault-flags.ts";
import type { FaultName } from "../simulator/faults.ts";
import { reviewerPicture, userIdOf } from "../simulator/play-batch.ts";
import type { RequestKind } from "../simulator/store-request.ts";
import { type StoreId, storeIds } from "../src/domain/store/store-id.ts";
import { dayMs, hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { listColumnsWith } from "./support/columns-with.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { testRegions } from "./support/store-harness.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let fixture: CrawlFixture;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => fixture.close());

const feeds: Readonly<Record<StoreId, { kind: RequestKind; pageSize: number }>> = {
  appstore: { kind: "rss", pageSize: 50 },
  googleplay: { kind: "play-reviews", pageSize: 150 },
  firefoxaddons: { kind: "addon-ratings", pageSize: 50 },
};

/** The further facts about a reviewer on the pages of the simulated stores. */
const reviewerFacts: Readonly<Record<StoreId, (author: string) => string[]>> = {
  appstore: () => [reviewerPage],
  googleplay: (author) => [reviewerPicture, userIdOf(author)],
  firefoxaddons: () => ["/firefox/user/", "user-"],
};

describe.each(storeIds)("%s", (store) => {
  const { kind, pageSize } = feeds[store];

  /** Three pages of history unless a test needs only one, all of it known and none of it announced. */
  async function afterBaseline(
    more: { totalTimeoutMs?: number; historyCount?: number } = {},
  ): Promise<string[]> {
    const { historyCount = 2 * pageSize + 20, ...options } = more;
    fixture = await openCrawlFixture(context, { store, ...options });
    const ids = fixture.writeReviews(historyCount, { gapMs: hourMs });
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok" });
    expect(await fixture.queuedEvents()).toEqual([]);
    fixture.harness.clock.advance(hourMs);
    return ids;
  }

  /** Crawls without any fault until a daily full crawl is done: what is to be found has been found. */
  async function recover(): Promise<void> {
    fixture.harness.simulator.faultFlags.disable();
    fixture.harness.clock.advance(dayMs + 4 * hourMs);
    await fixture.crawl();
    // A review that changed without a new date takes a second reading.
    fixture.harness.clock.advance(4 * hourMs);
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", lastError: null });
  }

  const stored = () => fixture.harness.storeState.reviewsNow(fixture.key, testRegions[store]);

  async function expectWhole(created: readonly string[], updated: readonly string[] = []) {
    const saved = await fixture.storedReviews();
    expect(sorted(saved.map(one))).toEqual(sorted(stored().map(one)));
    expect(new Map(saved.map(content))).toEqual(new Map(stored().map(content)));
    const queued = await fixture.queuedEvents();
    const of = (event: string): string[] => queued.filter((each) => each.event === event).map(one);
    expect(sorted(of("review.created"))).toEqual(sorted(created));
    expect(sorted(of("review.updated"))).toEqual(sorted(updated));
    expect(queued).toHaveLength(created.length + updated.length);
  }

  test("only the nickname of a reviewer is stored, not the picture, account or page that the store shows", async () => {
    await afterBaseline({ historyCount: 20 });
    const find = (text: string) => listColumnsWith(context.connectionString, text);
    const [review] = stored();
    expect(await find(String(review?.author))).not.toEqual([]);
    for (const text of reviewerFacts[store](String(review?.author))) {
      expect(await find(text), text).toEqual([]);
    }
  });

  test.each<[name: string, rule: FaultRule, expected: RegExp]>([
    ["a block that looks empty", { fault: "network_block" }, /./],
    ["too many requests", { fault: "too_many" }, /too many/],
    ["too many, with the seconds to wait", { fault: "too_many", retryAfter: "7200" }, /too many/],
    [
      "too many, with the date to wait for",
      { fault: "too_many", retryAfter: "Sat, 21 Nov 2026 23:00:00 GMT" },
      /too many/,
    ],
    ["a refusal", { fault: "forbidden" }, /refuses/],
    ["a captcha", { fault: "captcha" }, /asks for a captcha/],
    ["a page for people instead", { fault: "html_instead" }, /./],
    [
      "a redirect to consent",
      { fault: "redirect", location: "https://consent.google.com/m" },
      /consent\.google\.com/,
    ],
    ["a truncated body", { fault: "cut" }, /broke off/],
    ["a body of 8 MB", { fault: "oversized" }, /more than is read/],
    ["a body that stands still", { fault: "stalled" }, /in time/],
    ["trouble of the store's own", { fault: "server_error" }, /trouble/],
  ])("%s moves nothing, says why, and costs nothing once it is over", async (_, rule, expected) => {
    await afterBaseline({ totalTimeoutMs: 1_500, historyCount: 20 });
    const before = await fixture.findFeed();
    const created = fixture.writeReviews(3);
    fixture.harness.simulator.faultFlags.enable(rule);
    await fixture.crawl();
    const after = await fixture.findFeed();
    expect(after).toMatchObject({ outcome: "unknown", watermark: before.watermark });
    expect(after.lastError).toMatch(expected);
    expect(await fixture.queuedEvents()).toEqual([]);
    await recover();
    await expectWhole(created);
  });

  test.each<FaultName>(["network_block", "captcha", "too_many", "server_error", "cut"])(
    "%s in the middle of the backfill leaves a checkpoint to go on from, and the backfill is not done",
    async (fault) => {
      fixture = await openCrawlFixture(context, { store });
      const old = fixture.writeReviews(2 * pageSize + 20, { gapMs: hourMs });
      const stop = cutAfter(1, () => fixture.harness.simulator.faultFlags.enable({ fault }));
      await fixture.crawl({ onPage: stop });
      expect(await fixture.findFeed()).toMatchObject({ baselineAt: null, outcome: "unknown" });
      expect((await fixture.storedReviews()).length).toBeLessThan(old.length);
      fixture.harness.simulator.faultFlags.disable();
      await fixture.crawl();
      expect(await fixture.findFeed()).toMatchObject({ outcome: "ok" });
      expect(await fixture.storedReviews()).toHaveLength(old.length);
      const created = fixture.writeReviews(2);
      await fixture.crawl();
      await recover();
      await expectWhole(created);
    },
  );

  test("a slow body is waited for", async () => {
    await afterBaseline({ historyCount: 20 });
    const created = fixture.writeReviews(3);
    fixture.harness.simulator.faultFlags.enable({ fault: "slow", pauseMs: 20 });
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok" });
    await expectWhole(created);
  });

  test("what was in a gap is found by the next full crawl", async () => {
    await afterBaseline();
    const created = fixture.writeReviews(2 * pageSize + 5, {
      text: "The ferry came, the app knew",
    });
    fixture.harness.simulator.faultFlags.enable({ fault: "hole", when: { kind, page: 2 } });
    fixture.harness.simulator.faultFlags.enable({ fault: "no_fallbacks" });
    await fixture.crawl();
    await recover();
    await expectWhole(created);
  });

  test("an edit that leaves a review where it was, deep in the list, is found by the daily full crawl", async () => {
    await afterBaseline();
    const [first = ""] = fixture.writeReviews(1);
    await fixture.crawl();
    const at = stored().find((review) => one(review) === first)?.date;
    fixture.harness.clock.advance(hourMs);
    const later = fixture.writeReviews(pageSize + 10);
    await fixture.crawl();
    const edit = { storeReviewId: first, text: "On second thought", rating: 1 };
    fixture.harness.storeState.editReview(fixture.key, { ...edit, ...(at && { at }) });
    fixture.harness.clock.advance(hourMs);
    await fixture.crawl();
    await recover();
    await expectWhole([first, ...later], [first]);
  });

  test("a review that slides to the next page during a crawl is saved and announced once", async () => {
    await afterBaseline();
    const created = fixture.writeReviews(pageSize + 10);
    const slide = cutAfter(
      1,
      () => void created.push(...fixture.writeReviews(3, { text: "Just in" })),
    );
    await fixture.crawl({ onPage: slide });
    fixture.harness.clock.advance(hourMs);
    await fixture.crawl();
    await expectWhole(created);
  });

  test("a review that slides over a page border because another one went is found by the next full crawl", async () => {
    await afterBaseline();
    const created = fixture.writeReviews(pageSize + 10);
    const newest = created.at(-1) ?? "";
    await fixture.crawl({
      onPage: cutAfter(1, () => fixture.harness.storeState.removeReview(fixture.key, newest)),
    });
    await recover();
    const saved = (await fixture.storedReviews()).map(one);
    expect(sorted(saved.filter((id) => created.includes(id)))).toEqual(sorted(created));
    const queued = (await fixture.queuedEvents()).map(one);
    expect(sorted(queued)).toEqual(sorted(created));
  });

  test("an edit is announced once, with what was before, and two edits twice", async () => {
    await afterBaseline({ historyCount: 20 });
    const created = fixture.writeReviews(1);
    const [id = ""] = created;
    await fixture.crawl();
    for (const rating of [1, 5]) {
      fixture.harness.clock.advance(hourMs);
      fixture.harness.storeState.editReview(fixture.key, { storeReviewId: id, rating });
      fixture.harness.clock.advance(minuteMs);
      await fixture.crawl();
      await fixture.crawl();
    }
    await expectWhole(created, [id, id]);
  });

  test("nothing is lost when the clock passes midnight in the middle of a crawl", async () => {
    await afterBaseline();
    fixture.harness.clock.set(new Date("2026-11-22T23:59:58Z"));
    const created = fixture.writeReviews(pageSize + 10);
    await fixture.crawl();
    expect(fixture.harness.clock.now().getUTCDate()).toBe(23);
    await expectWhole(created);
  });

  test("hours that come twice or never, as daylight saving ends and begins, change no order", async () => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "America/Los_Angeles";
    try {
      await afterBaseline({ historyCount: 20 });
      const created: string[] = [];
      // The last hour of summer time, the first of winter time; and the hour that is left out in March.
      for (const start of ["2027-11-07T07:10:00Z", "2028-03-12T09:10:00Z"]) {
        fixture.harness.clock.set(new Date(start));
        for (let step = 0; step < 6; step += 1) {
          fixture.harness.clock.advance(30 * minuteMs);
          created.push(...fixture.writeReviews(1));
          await fixture.crawl();
        }
      }
      await expectWhole(created);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });
});

type Identified = { storeReviewId: string };

function one({ storeReviewId }: Identified): string {
  return storeReviewId;
}

function content(review: Identified & { rating: number; text: string }): [string, string] {
  return [review.storeReviewId, `${review.rating} ${review.text}`];
}

function sorted(ids: readonly string[]): string[] {
  return [...ids].sort();
}

/** Calls once, when so many pages have come. */
function cutAfter(pageCount: number, then: () => void): () => void {
  let seen = 0;
  return () => {
    seen += 1;
    if (seen === pageCount) then();
  };
}

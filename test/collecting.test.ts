// Every fault of a store, one scenario each, with both public stores and a real database. In none of them
// is a review lost, doubled or wrongly announced.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FaultRule } from "../simulator/fault-flags.ts";
import type { FaultName } from "../simulator/faults.ts";
import type { StoreId } from "../src/domain/store-id.ts";
import { dayMs, hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let scene: CrawlFixture;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => scene.close());

const feeds: Readonly<Record<StoreId, { kind: "rss" | "play-reviews"; pageSize: number }>> = {
  appstore: { kind: "rss", pageSize: 50 },
  googleplay: { kind: "play-reviews", pageSize: 150 },
};

describe.each(["appstore", "googleplay"] as const)("%s", (store) => {
  const { kind, pageSize } = feeds[store];

  /** Three pages of history, all of it known and none of it announced. */
  async function afterBaseline(more: { totalTimeoutMs?: number } = {}): Promise<string[]> {
    scene = await openCrawlFixture(context, { store, ...more });
    const ids = scene.writeReviews(2 * pageSize + 20, { gapMs: hourMs });
    await scene.crawl();
    expect(await scene.findFeed()).toMatchObject({ outcome: "ok" });
    expect(await scene.queuedEvents()).toEqual([]);
    scene.harness.clock.advance(hourMs);
    return ids;
  }

  /** Crawls without any fault until a daily full crawl is done: what is to be found has been found. */
  async function recover(): Promise<void> {
    scene.harness.simulator.faultFlags.disable();
    scene.harness.clock.advance(dayMs + 4 * hourMs);
    await scene.crawl();
    scene.harness.clock.advance(hourMs);
    await scene.crawl();
    expect(await scene.findFeed()).toMatchObject({ outcome: "ok", lastError: null });
  }

  const stored = () =>
    scene.harness.storeState.reviewsNow(scene.key, store === "appstore" ? "us" : "en");

  async function expectWhole(created: readonly string[], updated: readonly string[] = []) {
    const saved = await scene.storedReviews();
    expect(sorted(saved.map(one))).toEqual(sorted(stored().map(one)));
    expect(new Map(saved.map(content))).toEqual(new Map(stored().map(content)));
    const queued = await scene.queuedEvents();
    const of = (event: string): string[] => queued.filter((each) => each.event === event).map(one);
    expect(sorted(of("review.created"))).toEqual(sorted(created));
    expect(sorted(of("review.updated"))).toEqual(sorted(updated));
    expect(queued).toHaveLength(created.length + updated.length);
  }

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
    ["a captcha", { fault: "captcha" }, /proof that a person/],
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
  ])(
    "%s moves nothing, says why, and costs nothing once it is over",
    async (_, rule, expected) => {
      await afterBaseline({ totalTimeoutMs: 500 });
      const before = await scene.findFeed();
      const created = scene.writeReviews(3);
      scene.harness.simulator.faultFlags.enable(rule);
      await scene.crawl();
      const after = await scene.findFeed();
      expect(after).toMatchObject({ outcome: "unknown", watermark: before.watermark });
      expect(after.lastError).toMatch(expected);
      expect(await scene.queuedEvents()).toEqual([]);
      await recover();
      await expectWhole(created);
    },
    30_000,
  );

  test.each<FaultName>(["network_block", "captcha", "too_many", "server_error", "cut"])(
    "%s in the middle of the backfill leaves a checkpoint to go on from, and the backfill is not done",
    async (fault) => {
      scene = await openCrawlFixture(context, { store });
      const old = scene.writeReviews(2 * pageSize + 20, { gapMs: hourMs });
      const stop = cutAfter(1, () => scene.harness.simulator.faultFlags.enable({ fault }));
      await scene.crawl({ onPage: stop });
      expect(await scene.findFeed()).toMatchObject({ baselineAt: null, outcome: "unknown" });
      expect((await scene.storedReviews()).length).toBeLessThan(old.length);
      scene.harness.simulator.faultFlags.disable();
      await scene.crawl();
      expect(await scene.findFeed()).toMatchObject({ outcome: "ok" });
      expect(await scene.storedReviews()).toHaveLength(old.length);
      const created = scene.writeReviews(2);
      await scene.crawl();
      await recover();
      await expectWhole(created);
    },
  );

  test("a slow body is waited for", async () => {
    await afterBaseline();
    const created = scene.writeReviews(3);
    scene.harness.simulator.faultFlags.enable({ fault: "slow", pauseMs: 20 });
    await scene.crawl();
    expect(await scene.findFeed()).toMatchObject({ outcome: "ok" });
    await expectWhole(created);
  });

  test("what was in a gap is found by the next full crawl", async () => {
    await afterBaseline();
    const created = scene.writeReviews(2 * pageSize + 5, { text: "The ferry came, the app knew" });
    scene.harness.simulator.faultFlags.enable({ fault: "hole", when: { kind, page: 2 } });
    scene.harness.simulator.faultFlags.enable({ fault: "no_fallbacks" });
    await scene.crawl();
    await recover();
    await expectWhole(created);
  });

  test("an edit that leaves a review where it was, deep in the list, is found by the daily full crawl", async () => {
    await afterBaseline();
    const [first = ""] = scene.writeReviews(1);
    await scene.crawl();
    const at = stored().find((review) => one(review) === first)?.date;
    scene.harness.clock.advance(hourMs);
    const later = scene.writeReviews(pageSize + 10);
    await scene.crawl();
    const edit = { storeReviewId: first, text: "On second thought", rating: 1 };
    scene.harness.storeState.editReview(scene.key, { ...edit, ...(at && { at }) });
    scene.harness.clock.advance(hourMs);
    await scene.crawl();
    await recover();
    await expectWhole([first, ...later], [first]);
  });

  test("a review that slides to the next page during a crawl is saved and announced once", async () => {
    await afterBaseline();
    const created = scene.writeReviews(pageSize + 10);
    const slide = cutAfter(
      1,
      () => void created.push(...scene.writeReviews(3, { text: "Just in" })),
    );
    await scene.crawl({ onPage: slide });
    scene.harness.clock.advance(hourMs);
    await scene.crawl();
    await expectWhole(created);
  });

  test("a review that slides over a page border because another one went is found by the next full crawl", async () => {
    await afterBaseline();
    const created = scene.writeReviews(pageSize + 10);
    const newest = created.at(-1) ?? "";
    await scene.crawl({
      onPage: cutAfter(1, () => scene.harness.storeState.removeReview(scene.key, newest)),
    });
    await recover();
    const saved = (await scene.storedReviews()).map(one);
    expect(sorted(saved.filter((id) => created.includes(id)))).toEqual(sorted(created));
    const queued = (await scene.queuedEvents()).map(one);
    expect(sorted(queued)).toEqual(sorted(created));
  });

  test("an edit is announced once, with what was before, and two edits twice", async () => {
    await afterBaseline();
    const created = scene.writeReviews(1);
    const [id = ""] = created;
    await scene.crawl();
    for (const rating of [1, 5]) {
      scene.harness.clock.advance(hourMs);
      scene.harness.storeState.editReview(scene.key, { storeReviewId: id, rating });
      scene.harness.clock.advance(minuteMs);
      await scene.crawl();
      await scene.crawl();
    }
    await expectWhole(created, [id, id]);
  });

  test("nothing is lost when the clock passes midnight in the middle of a crawl", async () => {
    await afterBaseline();
    scene.harness.clock.set(new Date("2026-11-22T23:59:58Z"));
    const created = scene.writeReviews(pageSize + 10);
    await scene.crawl();
    expect(scene.harness.clock.now().getUTCDate()).toBe(23);
    await expectWhole(created);
  });

  test("hours that come twice or never, as daylight saving ends and begins, change no order", async () => {
    const zone = process.env["TZ"];
    process.env["TZ"] = "America/Los_Angeles";
    try {
      await afterBaseline();
      const created: string[] = [];
      // The last hour of summer time, the first of winter time; and the hour that is left out in March.
      for (const start of ["2027-11-07T07:10:00Z", "2028-03-12T09:10:00Z"]) {
        scene.harness.clock.set(new Date(start));
        for (let step = 0; step < 6; step += 1) {
          scene.harness.clock.advance(30 * minuteMs);
          created.push(...scene.writeReviews(1));
          await scene.crawl();
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

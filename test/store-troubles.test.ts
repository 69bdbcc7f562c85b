// Trouble that stores send now and then in place of a page: an error instead of a frame, a list that breaks off, a format without
// a field. A crawl passes it, or says what is missing, and comes back soon.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FaultRule } from "../simulator/fault-flags.ts";
import type { FaultName } from "../simulator/faults.ts";
import type { Review } from "../src/domain/review/review.ts";
import { hourMs, minuteMs } from "../src/lib/timestamp.ts";
import { type CrawlFixture, openCrawlFixture } from "./support/crawl-fixture.ts";
import { openTestContext, type TestContext } from "./support/test-context.ts";

let context: TestContext;
let fixture: CrawlFixture;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
afterEach(() => fixture.close());

const enable = (rule: FaultRule): void => fixture.harness.simulator.faultFlags.enable(rule);

describe("a hiccup", () => {
  test.each([
    [
      "an error frame at the first page",
      "googleplay",
      { fault: "gateway_error", when: { page: 1 } },
    ],
    [
      "error frames at a page in the middle",
      "googleplay",
      { fault: "gateway_error", when: { page: 2 } },
    ],
    [
      "a bad gateway at a page in the middle",
      "googleplay",
      { fault: "server_error", when: { page: 2 } },
    ],
    ["a bad gateway at the last page", "appstore", { fault: "server_error", when: { page: 4 } }],
    ["a page in place of the feed", "appstore", { fault: "html_instead", when: { page: 2 } }],
  ] as const)("%s of %s is passed by the same crawl", async (_, store, rule) => {
    fixture = await openCrawlFixture(context, { store });
    fixture.writeReviews(store === "appstore" ? 170 : 320);
    // Two requests for each try: one in each format.
    enable({ ...rule, times: 6 });
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", failureCount: 0 });
    expect(await fixture.storedReviews()).toHaveLength(store === "appstore" ? 170 : 320);
  });
});

describe.each([
  ["googleplay", 150],
  ["appstore", 50],
] as const)("a backfill of %s that is blocked further down each time", (store, pageSize) => {
  test("does not fail in a row, and waits no longer", async () => {
    fixture = await openCrawlFixture(context, { store });
    fixture.writeReviews(4 * pageSize);
    const { clock, simulator } = fixture.harness;
    for (const [page, failureCount] of [
      [2, 0],
      [3, 0],
      [3, 1],
      [4, 0],
    ] as const) {
      enable({ fault: "forbidden", when: { page } });
      await fixture.crawl();
      const feed = await fixture.findFeed();
      expect(feed).toMatchObject({ outcome: "unknown", baselineAt: null, failureCount });
      const waitMs = feed.nextDueAt.getTime() - clock.now().getTime();
      expect(Math.abs(waitMs - hourMs * 2 ** failureCount)).toBeLessThan(minuteMs);
      simulator.faultFlags.disable();
      clock.set(feed.nextDueAt);
    }
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", failureCount: 0 });
    expect(await fixture.storedReviews()).toHaveLength(4 * pageSize);
  });
});

/** The app's page counts reviews beside its ratings. */
function countOnPage(): void {
  const { harness, key } = fixture;
  harness.storeState.setRatings(key, { region: "us", histogram: [900, 300, 400, 800, 2_600] });
}

describe("a list that breaks off", () => {
  test.each([
    ["a full page without a token", { fault: "no_token", when: { page: 1 } }],
    [
      "an empty page where the one before promised more",
      { fault: "null_payload", when: { page: 2 } },
    ],
  ] as const)("%s is truncated with both numbers, and is read again soon", async (_, rule) => {
    fixture = await openCrawlFixture(context, { store: "googleplay" });
    fixture.writeReviews(3_100);
    countOnPage();
    enable(rule);
    await fixture.crawl();
    const { clock } = fixture.harness;
    const feed = await fixture.findFeed();
    expect(feed).toMatchObject({
      outcome: "ok",
      truncated: true,
      stopReason: expect.stringContaining(
        "the list ended after 150 of the 3100 reviews that the app's page counts",
      ),
    });
    const waitMs = (feed.fullCrawlDueAt?.getTime() ?? 0) - clock.now().getTime();
    expect(waitMs).toBeLessThanOrEqual(4 * hourMs);
  });

  test("a list with a quarter of what is counted is whole", async () => {
    fixture = await openCrawlFixture(context, { store: "googleplay" });
    fixture.writeReviews(1_100);
    countOnPage();
    enable({ fault: "no_token", when: { page: 2 } });
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ truncated: false });
  });
});

describe("App Store, the JSON feed with trouble that the XML feed has not", () => {
  const faults: FaultName[] = [
    ...["undated" as const, "moved_field" as const, "wrong_type" as const, "foreign_feed" as const],
    ...["html_instead" as const, "server_error" as const, "empty_body" as const, "cut" as const],
  ];
  test.each(faults)("%s: the reviews are those of the XML", async (fault) => {
    fixture = await openCrawlFixture(context, { store: "appstore" });
    fixture.writeReviews(40);
    enable({ fault, when: { format: "json" } });
    await fixture.crawl();
    expect(await fixture.findFeed()).toMatchObject({ outcome: "ok", quarantinedPage: null });
    const stored = await fixture.storedReviews();
    expect(stored.filter(({ isDateAssumed }) => isDateAssumed)).toEqual([]);
    const written = fixture.harness.storeState.reviewsNow(fixture.key, "all");
    expect(stored.map(contentOf).sort()).toEqual(written.map(contentOf).sort());
  });
});

type Content = Pick<Review, "storeReviewId" | "date" | "text" | "rating">;

function contentOf({ storeReviewId, date, text, rating }: Content): string {
  return [storeReviewId, date.toISOString(), text, rating].join(" ");
}

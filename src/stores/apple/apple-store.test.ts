// The App Store's client against the simulated store over real HTTP, in good days and bad.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../../../test/support/store-harness.ts";
import { minuteMs } from "../../lib/timestamp.ts";

const app = { store: "appstore", externalAppId: "1987000001" } as const;
const inUs = { externalAppId: app.externalAppId, region: "us" };

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000 });
  harness.storeState.addApp({ ...app, name: "Lanternfish" });
});
afterEach(() => harness.close());

describe("reviews", () => {
  test("all pages come newest first, and the tenth is the last there is", async () => {
    addReviews(520);
    const pages = await crawlReviews(harness.apple, inUs);
    expect(pages.length).toBe(10);
    expect(idsOf(pages)).toEqual(idsNow().slice(0, 500));
    expect(pages.map((page) => page.capped)).toEqual([...Array(9).fill(false), true]);
  });

  test("a short feed ends with its last page and is not truncated", async () => {
    addReviews(51);
    const pages = await crawlReviews(harness.apple, inUs);
    expect(pages.map((page) => page.next)).toEqual(["2", null]);
    expect(idsOf(pages).length).toBe(51);
    expect(pages.some((page) => page.capped)).toBe(false);
  });

  test("a review has its words, its storefront and its date of last edit", async () => {
    addReviews(3);
    const [, second = ""] = idsNow();
    harness.clock.advance(60 * minuteMs);
    harness.storeState.editReview(app, { storeReviewId: second, rating: 1, text: "It broke." });
    const page = await harness.apple.fetchReviews({ ...inUs, region: "US", cursor: null });
    expect(page).toMatchObject({
      outcome: "ok",
      value: { rejectedCount: 0, copyMadeAt: harness.clock.now() },
    });
    expect(page.outcome === "ok" && page.value.reviews[0]).toEqual({
      storeReviewId: second,
      author: expect.stringMatching(/^reader /),
      rating: 1,
      title: "Title",
      text: "It broke.",
      version: "1.0.0",
      country: "us",
      languageHint: null,
      date: harness.clock.now(),
      votes: 0,
      reply: null,
    });
  });

  test("uk is requested as gb", async () => {
    addReviews(1, "gb");
    const page = await harness.apple.fetchReviews({ ...inUs, region: "uk", cursor: null });
    expect(page).toMatchObject({ outcome: "ok", value: { reviews: [{ country: "gb" }] } });
  });

  test("a gap is unknown once every variant was tried, and the crawl goes on past it", async () => {
    addReviews(150);
    harness.simulator.faultFlags.enable({
      fault: "hole",
      when: { kind: "rss", region: "us", page: 2 },
    });
    harness.simulator.faultFlags.enable({ fault: "no_fallbacks" });
    const pages = await crawlReviews(harness.apple, inUs);
    expect(pages.map((page) => page.outcome)).toEqual(["ok", "unknown", "ok"]);
    expect(pages[1]).toMatchObject({ blocked: false, isFinal: true });
    expect(pagesRequested()).toEqual([1, 2, 2, 2, 2, 3]);
  });

  test("each try at a gap changes one thing: the spelling, the format, the client", async () => {
    addReviews(60);
    harness.simulator.faultFlags.enable({ fault: "hole", when: { kind: "rss", page: 2 } });
    await harness.apple.fetchReviews({ ...inUs, cursor: "2" });
    const requests = harness.simulator.requests.filter(({ kind }) => kind === "rss");
    expect(
      requests.map(({ format, agent, url }) => [format, agent, url.pathname.split("/")[4]]),
    ).toEqual([
      ["json", "Starpost/test", "page=2"],
      ["json", "Starpost/test", `id=${app.externalAppId}`],
      ["xml", "Starpost/test", "page=2"],
      ["json", "Starpost feed reader", "page=2"],
    ]);
  });

  test.each([
    { where: "one spelling", rule: { fault: "hole", when: { page: 2 }, times: 1 } },
    { where: "JSON", rule: { fault: "hole", when: { page: 2, format: "json" } } },
    { where: "one client", rule: { fault: "hole", when: { page: 2, agent: "Starpost/test" } } },
  ] as const)("a hole in $where only is filled by another form", async ({ rule }) => {
    addReviews(60);
    harness.simulator.faultFlags.enable(rule);
    expect(idsOf(await crawlReviews(harness.apple, inUs))).toEqual(idsNow());
  });

  test("the variant that filled a gap is asked for first for an hour, whatever the app", async () => {
    addReviews(150);
    harness.simulator.faultFlags.enable({ fault: "hole", when: { kind: "rss", format: "json" } });
    expect(idsOf(await crawlReviews(harness.apple, inUs))).toEqual(idsNow());
    const formats = () => harness.simulator.requests.map(({ format }) => format);
    expect(formats()).toEqual(["json", "json", "xml", "xml", "xml"]);
    harness.clock.advance(61 * minuteMs);
    await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(formats().slice(5)).toEqual(["json", "json", "xml"]);
  });

  test("a feed of gaps costs a bounded number of tries, and every page is still requested", async () => {
    addReviews(520);
    harness.simulator.faultFlags.enable({ fault: "hole", when: { kind: "rss" } });
    const pages = await crawlReviews(harness.apple, inUs);
    expect(pages.map((page) => page.outcome)).toEqual(Array(10).fill("unknown"));
    // Four pages use the tries up; the other order of page 1 does not count as an attempt at a hole.
    expect(pagesRequested().length).toBe(10 + 12);
  });

  test("the reviews of a gap are read from the list of the old desktop program", async () => {
    addReviews(150);
    harness.simulator.faultFlags.enable({ fault: "hole", when: { kind: "rss", page: 2 } });
    const [, hole] = await crawlReviews(harness.apple, inUs);
    expect(hole?.outcome).toBe("unknown");
    expect(hole?.fallbackReviews?.map(({ storeReviewId }) => storeReviewId)).toEqual(
      idsNow().slice(50, 100),
    );
    // Twenty rows at a time: three questions for a page.
    expect(harness.simulator.requests.filter(({ kind }) => kind === "review-rows").length).toBe(3);
  });

  test("without those rows, the other order and then the product page show life", async () => {
    addReviews(30);
    harness.simulator.faultFlags.enable({ fault: "hole", when: { sort: "mostrecent" } });
    harness.simulator.faultFlags.enable({ fault: "server_error", when: { kind: "review-rows" } });
    const other = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(other.fallbackReviews?.length).toBe(30);
    harness.simulator.faultFlags.enable({ fault: "hole", when: { sort: "mosthelpful" } });
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", isFinal: true });
    expect(page.fallbackReviews?.map(({ storeReviewId }) => storeReviewId)).toEqual(
      idsNow().slice(0, 8),
    );
  });

  test("an edge that kept an old copy says so by its date", async () => {
    addReviews(3);
    harness.simulator.faultFlags.enable({
      fault: "stale_copy",
      madeAt: "2026-11-20T05:00:00-07:00",
    });
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(idsOf([page])).toEqual(idsNow().slice(1));
    expect(page).toMatchObject({ value: { copyMadeAt: new Date("2026-11-20T12:00:00Z") } });
  });

  test("a page past the end is the end; beyond the tenth page the feed is capped", async () => {
    addReviews(10);
    const past = await harness.apple.fetchReviews({ ...inUs, cursor: "2" });
    expect(past).toEqual({ outcome: "empty", next: null, capped: false });
    const deep = await harness.apple.fetchReviews({ ...inUs, cursor: "11" });
    expect(deep).toEqual({ outcome: "empty", next: null, capped: true });
  });

  test("an unknown app is empty, and so is an app without ratings", async () => {
    const gone = await harness.apple.fetchReviews({
      externalAppId: "5",
      region: "us",
      cursor: null,
    });
    expect(gone).toEqual({ outcome: "empty", next: null, capped: false });
    const bare = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(bare.outcome).toBe("empty");
  });

  test("no reviews beside ratings is accepted while a feed that must have reviews has them", async () => {
    harness.storeState.setRatings(app, { region: "us", histogram: [1, 0, 0, 2, 9] });
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(page.outcome).toBe("empty");
  });

  test("an app with many ratings is requested in other variants before none is accepted", async () => {
    addReviews(3);
    harness.storeState.setRatings(app, { region: "us", histogram: [1, 0, 0, 2, 90] });
    harness.simulator.faultFlags.enable({
      fault: "network_block",
      when: { kind: "rss" },
      times: 2,
    });
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(idsOf([page])).toEqual(idsNow());
  });

  test("a thousand ratings without one review are a gap, not an app without reviews", async () => {
    harness.storeState.setRatings(app, { region: "us", histogram: [100, 0, 0, 0, 900] });
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: false, isFinal: true });
  });

  test("a page that is as empty as an app without reviews, behind one with many, is unknown", async () => {
    addReviews(150);
    const when = { kind: "rss", externalAppId: app.externalAppId, page: 2 } as const;
    harness.simulator.faultFlags.enable({ fault: "network_block", when });
    const pages = await crawlReviews(harness.apple, inUs);
    expect(pages.map(({ outcome }) => outcome)).toEqual(["ok", "unknown", "ok"]);
    expect(pages[1]?.fallbackReviews?.length).toBe(50);
  });

  test("a network that is blocked is unknown, and blocked once a full feed has turned empty", async () => {
    addReviews(3);
    harness.storeState.setRatings(app, { region: "de", histogram: [1, 0, 0, 2, 9] });
    harness.storeState.setRatings(app, { region: "us", histogram: [1, 0, 0, 2, 9] });
    harness.simulator.faultFlags.enable({ fault: "network_block" });
    const cold = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(cold).toMatchObject({ outcome: "unknown", blocked: false });
    harness.simulator.faultFlags.disable();
    await harness.apple.fetchReviews({ ...inUs, cursor: null });
    harness.simulator.faultFlags.enable({ fault: "network_block" });
    const warm = await harness.apple.fetchReviews({ ...inUs, region: "de", cursor: null });
    expect(warm).toMatchObject({ outcome: "unknown", blocked: true });
  });

  test.each([
    ["app_entry_first", "json"],
    ["app_entry_first", "xml"],
    ["undated", "json"],
    ["undated", "xml"],
  ] as const)("an old copy (%s, %s) is read", async (fault, format) => {
    addReviews(4);
    harness.simulator.faultFlags.enable({ fault });
    if (format === "xml")
      harness.simulator.faultFlags.enable({ fault: "hole", when: { format: "json" } });
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(idsOf([page])).toEqual(idsNow());
    expect(page).toMatchObject({ value: { rejectedCount: 0 } });
  });

  test("a cursor of another store is refused without asking", async () => {
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: "b64token" });
    expect(page.outcome).toBe("unknown");
    expect(harness.simulator.requests.length).toBe(0);
  });
});

describe("failures", () => {
  test.each([
    { fault: "forbidden", blocked: true, retryAfterMs: null },
    { fault: "too_many", blocked: true, retryAfterMs: null },
    { fault: "too_many", retryAfter: "120", blocked: true, retryAfterMs: 120_000 },
    {
      fault: "too_many",
      retryAfter: "Sat, 21 Nov 2026 12:05:00 GMT",
      blocked: true,
      retryAfterMs: 300_000,
    },
    { fault: "captcha", blocked: true, retryAfterMs: null },
    { fault: "redirect", location: "https://blocked.invalid/", blocked: true, retryAfterMs: null },
    { fault: "server_error", blocked: false, retryAfterMs: null },
    { fault: "html_instead", blocked: false, retryAfterMs: null },
    { fault: "cut", blocked: false, retryAfterMs: null },
    { fault: "stalled", blocked: false, retryAfterMs: null },
  ] as const)("$fault is unknown for reviews, ratings and facts", async (row) => {
    const { blocked, retryAfterMs, ...rule } = row;
    addReviews(2);
    harness.storeState.setRatings(app, { region: "us", histogram: [1, 0, 0, 2, 9] });
    harness.simulator.faultFlags.enable(rule);
    const expected = { outcome: "unknown", blocked, retryAfterMs, reason: expect.any(String) };
    expect(await harness.apple.fetchReviews({ ...inUs, cursor: null })).toMatchObject(expected);
    expect(await harness.apple.fetchRatings(inUs)).toMatchObject(expected);
    expect(await harness.apple.fetchApp(inUs)).toMatchObject(expected);
  });

  test("a store that can't be reached is unknown", async () => {
    await harness.simulator.close();
    const page = await harness.apple.fetchReviews({ ...inUs, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: false, next: null });
  });
});

function addReviews(count: number, region = "us"): void {
  const now = harness.clock.now().getTime();
  for (let index = 0; index < count; index += 1) {
    const at = new Date(now - (count - index) * minuteMs);
    const content = { rating: 1 + (index % 5), title: "Title", text: "Words." };
    harness.storeState.addReview(app, { region, at, ...content });
  }
}

function idsNow(): string[] {
  return harness.storeState.reviewsNow(app, "us").map((review) => review.storeReviewId);
}

function pagesRequested(): number[] {
  return harness.simulator.requests.filter(({ kind }) => kind === "rss").map(({ page }) => page);
}

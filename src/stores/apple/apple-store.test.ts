// The App Store's client against the simulated store over real HTTP, in good days and bad.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { idsOf, openStoreRig, type StoreRig, walkReviews } from "../../../simulator/store-rig.ts";
import { minuteMs } from "../../lib/timestamp.ts";

const app = { store: "appstore", externalAppId: "1987000001" } as const;
const inUs = { externalAppId: app.externalAppId, region: "us" };

let rig: StoreRig;
beforeEach(async () => {
  rig = await openStoreRig({ totalTimeoutMs: 1_000 });
  rig.world.addApp({ ...app, name: "Lanternfish" });
});
afterEach(() => rig.close());

describe("reviews", () => {
  test("all pages come newest first, and the tenth is the last there is", async () => {
    addReviews(520);
    const pages = await walkReviews(rig.apple, inUs);
    expect(pages.length).toBe(10);
    expect(idsOf(pages)).toEqual(idsNow().slice(0, 500));
    expect(pages.map((page) => page.truncated)).toEqual([...Array(9).fill(false), true]);
  });

  test("a short feed ends with its last page and is not truncated", async () => {
    addReviews(51);
    const pages = await walkReviews(rig.apple, inUs);
    expect(pages.map((page) => page.next)).toEqual(["2", null]);
    expect(idsOf(pages).length).toBe(51);
    expect(pages.some((page) => page.truncated)).toBe(false);
  });

  test("a review has its words, its storefront and its date of last edit", async () => {
    addReviews(3);
    const [, second = ""] = idsNow();
    rig.clock.advance(60 * minuteMs);
    rig.world.editReview(app, { storeReviewId: second, rating: 1, text: "It broke." });
    const page = await rig.apple.fetchReviews({ ...inUs, region: "US", cursor: null });
    expect(page).toMatchObject({
      outcome: "ok",
      value: { rejectedCount: 0, copyMadeAt: rig.clock.now() },
    });
    expect(page.outcome === "ok" && page.value.reviews[0]).toEqual({
      storeReviewId: second,
      author: "reader",
      rating: 1,
      title: "Title",
      text: "It broke.",
      version: "1.0.0",
      country: "us",
      languageHint: null,
      date: rig.clock.now(),
      votes: 0,
      reply: null,
    });
  });

  test("uk is asked for as gb", async () => {
    addReviews(1, "gb");
    const page = await rig.apple.fetchReviews({ ...inUs, region: "uk", cursor: null });
    expect(page).toMatchObject({ outcome: "ok", value: { reviews: [{ country: "gb" }] } });
  });

  test("a hole is unknown, is tried in the other spelling, and the walk goes on past it", async () => {
    addReviews(150);
    rig.simulator.switches.on({ fault: "hole", when: { kind: "rss", region: "us", page: 2 } });
    const pages = await walkReviews(rig.apple, inUs);
    expect(pages.map((page) => page.outcome)).toEqual(["ok", "unknown", "ok"]);
    expect(pages[1]).toMatchObject({ blocked: false, next: "3" });
    expect(pagesAsked()).toEqual([1, 2, 2, 3]);
  });

  test("a hole in one spelling only is filled by the other", async () => {
    addReviews(60);
    rig.simulator.switches.on({ fault: "hole", when: { page: 2 }, times: 1 });
    expect(idsOf(await walkReviews(rig.apple, inUs))).toEqual(idsNow());
  });

  test("a page past the end is the end; beyond the tenth page the feed is truncated", async () => {
    addReviews(10);
    const past = await rig.apple.fetchReviews({ ...inUs, cursor: "2" });
    expect(past).toEqual({ outcome: "empty", next: null, truncated: false });
    const deep = await rig.apple.fetchReviews({ ...inUs, cursor: "11" });
    expect(deep).toEqual({ outcome: "empty", next: null, truncated: true });
  });

  test("an unknown app is empty, and so is an app without ratings", async () => {
    const gone = await rig.apple.fetchReviews({ externalAppId: "5", region: "us", cursor: null });
    expect(gone).toEqual({ outcome: "empty", next: null, truncated: false });
    const bare = await rig.apple.fetchReviews({ ...inUs, cursor: null });
    expect(bare.outcome).toBe("empty");
  });

  test("no reviews beside ratings is believed while a feed that must have reviews has them", async () => {
    rig.world.setRatings(app, { region: "us", histogram: [1, 0, 0, 2, 9] });
    const page = await rig.apple.fetchReviews({ ...inUs, cursor: null });
    expect(page.outcome).toBe("empty");
  });

  test("a network that is shut out is unknown, and blocked once a full feed has fallen silent", async () => {
    addReviews(3);
    rig.world.setRatings(app, { region: "de", histogram: [1, 0, 0, 2, 9] });
    rig.world.setRatings(app, { region: "us", histogram: [1, 0, 0, 2, 9] });
    rig.simulator.switches.on({ fault: "network_block" });
    const cold = await rig.apple.fetchReviews({ ...inUs, cursor: null });
    expect(cold).toMatchObject({ outcome: "unknown", blocked: false });
    rig.simulator.switches.off();
    await rig.apple.fetchReviews({ ...inUs, cursor: null });
    rig.simulator.switches.on({ fault: "network_block" });
    const warm = await rig.apple.fetchReviews({ ...inUs, region: "de", cursor: null });
    expect(warm).toMatchObject({ outcome: "unknown", blocked: true });
  });

  test.each(["app_entry_first", "undated"] as const)("an old copy (%s) is read", async (fault) => {
    addReviews(4);
    rig.simulator.switches.on({ fault });
    const page = await rig.apple.fetchReviews({ ...inUs, cursor: null });
    expect(idsOf([page])).toEqual(idsNow());
    expect(page).toMatchObject({ value: { rejectedCount: 0 } });
  });

  test("a cursor of another store is refused without asking", async () => {
    const page = await rig.apple.fetchReviews({ ...inUs, cursor: "b64token" });
    expect(page.outcome).toBe("unknown");
    expect(rig.simulator.requests.length).toBe(0);
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
    rig.world.setRatings(app, { region: "us", histogram: [1, 0, 0, 2, 9] });
    rig.simulator.switches.on(rule);
    const wanted = { outcome: "unknown", blocked, retryAfterMs, reason: expect.any(String) };
    expect(await rig.apple.fetchReviews({ ...inUs, cursor: null })).toMatchObject(wanted);
    expect(await rig.apple.fetchRatings(inUs)).toEqual(wanted);
    expect(await rig.apple.fetchApp(inUs)).toEqual(wanted);
  });

  test("a store that can't be reached is unknown", async () => {
    await rig.simulator.close();
    const page = await rig.apple.fetchReviews({ ...inUs, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: false, next: null });
  });
});

describe("ratings and facts", () => {
  beforeEach(() => rig.world.setRatings(app, { region: "us", histogram: [4, 1, 2, 3, 10] }));

  test("the product page gives the histogram, and the average that it means", async () => {
    expect(await rig.apple.fetchRatings(inUs)).toEqual({
      outcome: "ok",
      value: { average: 3.7, total: 20, histogram: [4, 1, 2, 3, 10] },
    });
  });

  test("a histogram in the wrong order is not taken over", async () => {
    rig.simulator.switches.on({ fault: "reversed_histogram" });
    const ratings = await rig.apple.fetchRatings(inUs);
    expect(ratings).toMatchObject({ value: { average: 3.7, total: 20, histogram: null } });
  });

  test("without the product page the lookup gives average and count", async () => {
    rig.simulator.switches.on({ fault: "too_many", when: { kind: "product-page" } });
    const ratings = await rig.apple.fetchRatings(inUs);
    expect(ratings).toMatchObject({ outcome: "ok", value: { total: 20, histogram: null } });
    expect(ratings.outcome === "ok" && ratings.value.average).toBeCloseTo(3.7, 10);
  });

  test("an app without ratings has none, and an app that is not sold is empty", async () => {
    expect(await rig.apple.fetchRatings({ ...inUs, region: "fr" })).toEqual({
      outcome: "ok",
      value: { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] },
    });
    rig.world.removeApp(app);
    expect(await rig.apple.fetchRatings(inUs)).toEqual({ outcome: "empty" });
    expect(await rig.apple.fetchApp(inUs)).toEqual({ outcome: "empty" });
  });

  test("an app's facts are its name and its icon", async () => {
    expect(await rig.apple.fetchApp(inUs)).toEqual({
      outcome: "ok",
      value: {
        externalAppId: app.externalAppId,
        name: "Lanternfish",
        iconUrl: "https://images.sample.invalid/icon/512x512bb.png",
      },
    });
  });

  test("ids are decimal numbers", () => {
    expect(rig.apple.checkAppId("389801252")).toEqual({ ok: true });
    for (const text of ["", "id389801252", "12a", "0123", " 1", "1".repeat(21)]) {
      expect(rig.apple.checkAppId(text).ok).toBe(false);
    }
  });
});

function addReviews(count: number, region = "us"): void {
  const now = rig.clock.now().getTime();
  for (let index = 0; index < count; index += 1) {
    const at = new Date(now - (count - index) * minuteMs);
    rig.world.addReview(app, {
      region,
      rating: 1 + (index % 5),
      title: "Title",
      text: "Words.",
      at,
    });
  }
}

function idsNow(): string[] {
  return rig.world.reviewsNow(app, "us").map((review) => review.storeReviewId);
}

function pagesAsked(): number[] {
  return rig.simulator.requests.filter(({ kind }) => kind === "rss").map(({ page }) => page);
}

// The client of Firefox Add-ons against the simulated store over real HTTP, in good days and bad.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FaultName } from "../../../simulator/faults.ts";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../../../test/support/store-harness.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";
import type { Store } from "../store.ts";

const app = { store: "firefoxaddons", externalAppId: "2764310" } as const;
const region = "001";
const listed = { externalAppId: app.externalAppId, region };
const histogram = [4, 1, 2, 3, 10] as const;

let harness: StoreHarness;
let store: Store;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000 });
  store = harness.stores.firefoxaddons;
  harness.storeState.addApp({ ...app, name: "Lanternfish Tides", bundleId: "tides@x.example" });
  harness.storeState.setRatings(app, { region, histogram });
});
afterEach(() => harness.close());

/** Returns their ids, the newest first. */
function addRatings(count: number): string[] {
  const now = harness.clock.now().getTime();
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(now - (count - index) * minuteMs);
    const text = index % 2 ? `The tide table of port ${index} is right` : "";
    return harness.storeState.addReview(app, { region, rating: 4, text, at });
  }).reverse();
}

const enable = (fault: FaultName, times?: number) =>
  harness.simulator.faultFlags.enable({ fault, ...(times && { times }) });
const firstPage = () => store.fetchReviews({ ...listed, cursor: null });

describe("reviews", () => {
  test("all pages come newest first, 50 on each, by page numbers of our own", async () => {
    const ids = addRatings(120);
    const pages = await crawlReviews(store, listed);
    expect(pages.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"]);
    expect(idsOf(pages)).toEqual(ids);
    expect(pages.some(({ capped }) => capped)).toBe(false);
    expect(harness.simulator.requests.map(({ page }) => page)).toEqual([1, 2, 3]);
  });

  test("an edited rating keeps its place and its date", async () => {
    const ids = addRatings(3);
    const [storeReviewId = ""] = ids.slice(-1);
    harness.clock.advance(hourMs);
    harness.storeState.editReview(app, { storeReviewId, rating: 1, text: "No longer." });
    const page = await firstPage();
    expect(idsOf([page])).toEqual(ids);
    const reviews = page.outcome === "ok" ? page.value.reviews : [];
    expect(reviews.at(-1)).toMatchObject({ rating: 1, text: "No longer." });
    expect(reviews.at(-1)?.date?.getTime()).toBeLessThan(harness.clock.now().getTime() - hourMs);
  });

  test("where ratings were deleted between two pages, none is skipped", async () => {
    const ids = addRatings(110);
    const first = await firstPage();
    for (const id of ids.slice(0, 3)) harness.storeState.removeReview(app, id);
    const second = await store.fetchReviews({ ...listed, cursor: first.next });
    const third = await store.fetchReviews({ ...listed, cursor: second.next });
    expect(new Set(idsOf([first, second, third]))).toEqual(new Set(ids));
  });

  test("nothing is empty for an unknown add-on, and for one that has no rating", async () => {
    const nothing = { outcome: "empty", next: null, capped: false };
    harness.storeState.setRatings(app, { region, histogram: [0, 0, 0, 0, 0] });
    expect(await firstPage()).toEqual(nothing);
    const unheard = { ...listed, externalAppId: "999999", cursor: null };
    expect(await store.fetchReviews(unheard)).toEqual(nothing);
  });

  test("an empty list beside counts of stars is not believed", async () => {
    expect(await firstPage()).toMatchObject({ outcome: "unknown", blocked: false });
    enable("no_counts");
    expect(await firstPage()).toMatchObject({ outcome: "unknown", blocked: false });
  });

  test("a page behind the end is the end", async () => {
    addRatings(60);
    expect(await store.fetchReviews({ ...listed, cursor: "9/60" })).toEqual({
      ...{ outcome: "empty", next: null, capped: false },
    });
  });

  test.each(["", "x", "0/5", "1/5", "2", "2/-1", "https://addons.mozilla.org/?page=2"])(
    "the cursor %j is not one of this store's",
    async (cursor) => {
      expect(await store.fetchReviews({ ...listed, cursor })).toMatchObject({
        ...{ outcome: "unknown", reason: "the cursor is not one of this store's" },
      });
      expect(harness.simulator.requests).toEqual([]);
    },
  );

  test.each(["wrapped_page", "pageless_link"] as const)(
    "a next page that leads back or nowhere (%s) ends the crawl as cut off",
    async (fault) => {
      addRatings(120);
      enable(fault);
      const pages = await crawlReviews(store, listed);
      expect(pages).toMatchObject([{ outcome: "ok", next: null, capped: true }]);
    },
  );

  test.each(["hole", "network_block", "foreign_feed"] as const)(
    "a page with %s is unknown",
    async (fault) => {
      addRatings(120);
      enable(fault);
      expect(await firstPage()).toMatchObject({ outcome: "unknown", next: null });
    },
  );
});

describe("ratings", () => {
  test("are average and total of the add-on, with the counts beside its list", async () => {
    addRatings(1);
    expect(await store.fetchRatings(listed)).toEqual({
      outcome: "ok",
      value: { average: 3.7, total: 20, histogram },
    });
  });

  test.each(["no_counts", "other_counts"] as const)(
    "counts that are missing or wrong (%s) are left out",
    async (fault) => {
      addRatings(1);
      enable(fault);
      expect(await store.fetchRatings(listed)).toMatchObject({
        ...{ outcome: "ok", value: { total: 20, histogram: null } },
      });
    },
  );
});

describe("add-ons", () => {
  test.each([
    ["id", "2764310"],
    ["slug", "lanternfish-tides"],
    ["guid", "tides@x.example"],
  ])("are found by %s, under their number", async (_, name) => {
    const found = { externalAppId: app.externalAppId, name: "Lanternfish Tides" };
    expect(await store.fetchApp({ externalAppId: name, region })).toMatchObject({ value: found });
    expect(await store.findApps({ bundleId: name, region })).toMatchObject({ value: [found] });
  });

  test("are found by a guid among the words of a search", async () => {
    expect(await store.findApps({ term: "tides@x.example", region })).toMatchObject({
      value: [{ externalAppId: app.externalAppId }],
    });
  });

  test("are found by words", async () => {
    expect(await store.findApps({ term: "tides", region })).toMatchObject({
      value: [{ externalAppId: app.externalAppId, developer: "Sample Makers", rating: 3.7 }],
    });
    expect(await store.findApps({ term: "nothing", region })).toEqual({ outcome: "empty" });
  });

  test("that are not public are absent, with the reason", async () => {
    enable("not_public");
    expect(await store.fetchApp(listed)).toEqual({
      ...{ outcome: "empty", note: "its developer disabled it" },
    });
  });

  test("only numbers are ids here", () => {
    expect(store.validateAppId("607454")).toEqual({ ok: true });
    for (const text of ["", "0", "ublock-origin", "tides@x.example", "60745400000"])
      expect(store.validateAppId(text).ok).toBe(false);
  });
});

describe("the wire", () => {
  test.each<[FaultName, object]>([
    ["too_many", { blocked: true }],
    ["forbidden", { blocked: true }],
    ["captcha", { blocked: true }],
    ["redirect", { blocked: true }],
    ["server_error", { blocked: false }],
    ["html_instead", { blocked: false }],
    ["empty_body", { blocked: false }],
    ["cut", { blocked: false }],
    ["stalled", { blocked: false }],
    ["oversized", { blocked: false }],
    ["refused", { blocked: false }],
  ])("%s is unknown everywhere", async (fault, expected) => {
    addRatings(3);
    enable(fault);
    for (const fetched of [
      await firstPage(),
      await store.fetchRatings(listed),
      await store.fetchApp(listed),
      await store.findApps({ term: "tides", region }),
    ])
      expect(fetched).toMatchObject({ outcome: "unknown", ...expected });
  });

  test("the wait that the store demands is kept", async () => {
    harness.simulator.faultFlags.enable({ fault: "too_many", retryAfter: "90" });
    expect(await firstPage()).toMatchObject({ retryAfterMs: 90_000 });
  });
});

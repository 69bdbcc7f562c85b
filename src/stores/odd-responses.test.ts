// Both stores' clients over odd spellings of good answers, and over answers that are too long or too
// slow: what was there is read, and everything else is unknown.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FaultName } from "../../simulator/faults.ts";
import { patience } from "../../test/support/patience.ts";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../../test/support/store-harness.ts";
import { hourMs, minuteMs } from "../lib/timestamp.ts";

const apple = { store: "appstore", externalAppId: "1987000001" } as const;
const google = { store: "googleplay", externalAppId: "app.lanternfish" } as const;
const onApple = { externalAppId: apple.externalAppId, region: "us" };
const onGoogle = { externalAppId: google.externalAppId, region: "us" };
const histogram = [4, 1, 2, 3, 10] as const;

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000 });
  for (const app of [apple, google]) {
    harness.storeState.addApp({ ...app, name: "Lanternfish" });
    harness.storeState.setRatings(app, { region: "us", histogram });
    const region = app.store === "appstore" ? "us" : "en";
    for (let index = 0; index < 60; index += 1) {
      const at = new Date(harness.clock.now().getTime() - index * minuteMs);
      harness.storeState.addReview(app, {
        region,
        rating: 5,
        title: "T",
        text: `unusual traffic ${index}`,
        at,
      });
    }
  }
});
afterEach(() => harness.close());

describe("Apple's feed", () => {
  test.each(["json", "xml"] as const)(
    "entries without version and votes, as %s",
    async (format) => {
      harness.simulator.faultFlags.enable({ fault: "bare_entries" });
      if (format === "xml")
        harness.simulator.faultFlags.enable({ fault: "hole", when: { format: "json" } });
      const pages = await crawlReviews(harness.apple, onApple);
      expect(idsOf(pages).length).toBe(60);
      expect(pages[0]).toMatchObject({
        value: {
          reviews: expect.arrayContaining([expect.objectContaining({ version: "", votes: null })]),
        },
      });
    },
  );

  test("null in place of the entries is a gap while the links promise more", async () => {
    harness.simulator.faultFlags.enable({ fault: "null_entry" });
    harness.simulator.faultFlags.enable({ fault: "no_fallbacks" });
    const pages = await crawlReviews(harness.apple, onApple);
    expect(pages.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
  });

  test("one entry comes without its array", async () => {
    harness.storeState.addReview(apple, { region: "de", rating: 1, text: "Alone." });
    const page = await harness.apple.fetchReviews({ ...onApple, region: "de", cursor: null });
    expect(page).toMatchObject({ outcome: "ok", value: { reviews: [{ text: "Alone." }] } });
  });
});

describe("Google Play", () => {
  test("old reviews have a title, and their text is their text", async () => {
    const page = await harness.google.fetchReviews({ ...onGoogle, region: "en", cursor: null });
    expect(page).toMatchObject({ value: { reviews: expect.any(Array) } });
    const reviews = page.outcome === "ok" ? page.value.reviews : [];
    expect(reviews[0]).toMatchObject({ title: null, text: "unusual traffic 0" });
  });

  test("blocks under other numbers are found", async () => {
    harness.simulator.faultFlags.enable({ fault: "moved_blocks" });
    const reading = await harness.google.fetchRatings(onGoogle);
    expect(reading).toMatchObject({ outcome: "ok", value: { total: 20, histogram } });
  });

  test.each(["unrated", "pre_registration"] as const)(
    "an app that is %s has no ratings",
    async (fault) => {
      harness.simulator.faultFlags.enable({ fault });
      const reading = await harness.google.fetchRatings(onGoogle);
      expect(reading).toMatchObject({ outcome: "ok", value: { total: 0 } });
      expect(await harness.google.fetchApp(onGoogle)).toMatchObject({
        value: { name: "Lanternfish" },
      });
    },
  );

  test("an app that is not offered in a country is known all the same", async () => {
    harness.simulator.faultFlags.enable({ fault: "not_in_region" });
    expect(await harness.google.fetchApp(onGoogle)).toMatchObject({
      value: { name: "Lanternfish" },
    });
    expect(await harness.google.fetchRatings(onGoogle)).toMatchObject({ value: { total: 20 } });
  });

  test("null in place of the reviews is accepted of an app with few, and not of one with many", async () => {
    const { externalAppId } = google;
    harness.simulator.faultFlags.enable({ fault: "null_payload", when: { externalAppId } });
    const read = () => harness.google.fetchReviews({ ...onGoogle, region: "en", cursor: null });
    expect(await read()).toMatchObject({ outcome: "empty", next: null });
    for (let index = 0; index < 1_000; index += 1) {
      harness.storeState.addReview(google, { region: "en", rating: 4, text: "Fine." });
    }
    harness.clock.advance(2 * hourMs);
    expect(await read()).toMatchObject({ outcome: "unknown", blocked: false, next: null });
  });
});

describe("the wire", () => {
  test.each(["oversized", "slow"] satisfies FaultName[])(
    "%s is unknown everywhere",
    async (fault) => {
      harness.simulator.faultFlags.enable({ fault, pauseMs: patience(400) });
      const expected = { outcome: "unknown", blocked: false };
      for (const store of [harness.apple, harness.google]) {
        const app = store.id === "appstore" ? onApple : onGoogle;
        const page = await store.fetchReviews({ ...app, cursor: null });
        expect(page).toMatchObject({ ...expected, next: null });
        expect(await store.fetchRatings(app)).toMatchObject(expected);
      }
    },
  );

  test("a body that comes slowly but in time is read", async () => {
    harness.simulator.faultFlags.enable({ fault: "slow", pauseMs: 10 });
    const page = await harness.apple.fetchReviews({ ...onApple, cursor: null });
    expect(idsOf([page]).length).toBe(50);
  });

  test("reviews that mention unusual traffic don't count as a captcha", async () => {
    harness.simulator.faultFlags.enable({ fault: "hole", when: { format: "json" } });
    const page = await harness.apple.fetchReviews({ ...onApple, cursor: null });
    expect(idsOf([page]).length).toBe(50);
  });
});

// Both stores' clients over odd spellings of good answers, and over answers that are too long or too
// slow: what was there is read, and everything else is unknown.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { FaultName } from "../../simulator/faults.ts";
import { idsOf, openStoreRig, type StoreRig, walkReviews } from "../../simulator/store-rig.ts";
import { minuteMs } from "../lib/timestamp.ts";

const apple = { store: "appstore", externalAppId: "1987000001" } as const;
const google = { store: "googleplay", externalAppId: "app.lanternfish" } as const;
const onApple = { externalAppId: apple.externalAppId, region: "us" };
const onGoogle = { externalAppId: google.externalAppId, region: "us" };
const histogram = [4, 1, 2, 3, 10] as const;

let rig: StoreRig;
beforeEach(async () => {
  rig = await openStoreRig({ totalTimeoutMs: 1_000 });
  for (const app of [apple, google]) {
    rig.world.addApp({ ...app, name: "Lanternfish" });
    rig.world.setRatings(app, { region: "us", histogram });
    const region = app.store === "appstore" ? "us" : "en";
    for (let index = 0; index < 60; index += 1) {
      const at = new Date(rig.clock.now().getTime() - index * minuteMs);
      rig.world.addReview(app, {
        region,
        rating: 5,
        title: "T",
        text: `unusual traffic ${index}`,
        at,
      });
    }
  }
});
afterEach(() => rig.close());

describe("Apple's feed", () => {
  test.each(["json", "xml"] as const)(
    "entries without version and votes, as %s",
    async (format) => {
      rig.simulator.switches.on({ fault: "bare_entries" });
      if (format === "xml") rig.simulator.switches.on({ fault: "hole", when: { format: "json" } });
      const pages = await walkReviews(rig.apple, onApple);
      expect(idsOf(pages).length).toBe(60);
      expect(pages[0]).toMatchObject({
        value: {
          reviews: expect.arrayContaining([expect.objectContaining({ version: "", votes: null })]),
        },
      });
    },
  );

  test("null where the entries were is a hole while the links promise more", async () => {
    rig.simulator.switches.on({ fault: "null_entry" });
    rig.simulator.switches.on({ fault: "no_fallbacks" });
    const pages = await walkReviews(rig.apple, onApple);
    expect(pages.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
  });

  test("one entry comes without its array", async () => {
    rig.world.addReview(apple, { region: "de", rating: 1, text: "Alone." });
    const page = await rig.apple.fetchReviews({ ...onApple, region: "de", cursor: null });
    expect(page).toMatchObject({ outcome: "ok", value: { reviews: [{ text: "Alone." }] } });
  });
});

describe("Google Play", () => {
  test("old reviews have a title, and their text is their text", async () => {
    const page = await rig.google.fetchReviews({ ...onGoogle, region: "en", cursor: null });
    expect(page).toMatchObject({ value: { reviews: expect.any(Array) } });
    const reviews = page.outcome === "ok" ? page.value.reviews : [];
    expect(reviews[0]).toMatchObject({ title: null, text: "unusual traffic 0" });
  });

  test("blocks under other numbers are found", async () => {
    rig.simulator.switches.on({ fault: "moved_blocks" });
    const reading = await rig.google.fetchRatings(onGoogle);
    expect(reading).toMatchObject({ outcome: "ok", value: { total: 20, histogram } });
  });

  test.each(["unrated", "pre_registration"] as const)(
    "an app that is %s has no ratings",
    async (fault) => {
      rig.simulator.switches.on({ fault });
      const reading = await rig.google.fetchRatings(onGoogle);
      expect(reading).toMatchObject({ outcome: "ok", value: { total: 0 } });
      expect(await rig.google.fetchApp(onGoogle)).toMatchObject({ value: { name: "Lanternfish" } });
    },
  );

  test("an app that is not offered in a country is known all the same", async () => {
    rig.simulator.switches.on({ fault: "not_in_region" });
    expect(await rig.google.fetchApp(onGoogle)).toMatchObject({ value: { name: "Lanternfish" } });
    expect(await rig.google.fetchRatings(onGoogle)).toMatchObject({ value: { total: 20 } });
  });

  test("null where the reviews were is believed of an app with few, and not of one with many", async () => {
    const { externalAppId } = google;
    rig.simulator.switches.on({ fault: "null_payload", when: { externalAppId } });
    const read = () => rig.google.fetchReviews({ ...onGoogle, region: "en", cursor: null });
    expect(await read()).toMatchObject({ outcome: "empty", next: null });
    for (let index = 0; index < 1_000; index += 1) {
      rig.world.addReview(google, { region: "en", rating: 4, text: "Fine." });
    }
    expect(await read()).toMatchObject({ outcome: "unknown", blocked: false, next: null });
  });
});

describe("the wire", () => {
  test.each(["oversized", "slow"] satisfies FaultName[])(
    "%s is unknown everywhere",
    async (fault) => {
      rig.simulator.switches.on({ fault, pauseMs: 200 });
      const wanted = { outcome: "unknown", blocked: false };
      for (const store of [rig.apple, rig.google]) {
        const app = store.id === "appstore" ? onApple : onGoogle;
        const page = await store.fetchReviews({ ...app, cursor: null });
        expect(page).toMatchObject({ ...wanted, next: null });
        expect(await store.fetchRatings(app)).toMatchObject(wanted);
      }
    },
  );

  test("a body that comes slowly but in time is read", async () => {
    rig.simulator.switches.on({ fault: "slow", pauseMs: 10 });
    const page = await rig.apple.fetchReviews({ ...onApple, cursor: null });
    expect(idsOf([page]).length).toBe(50);
  });

  test("reviewers who write of unusual traffic are no captcha", async () => {
    rig.simulator.switches.on({ fault: "hole", when: { format: "json" } });
    const page = await rig.apple.fetchReviews({ ...onApple, cursor: null });
    expect(idsOf([page]).length).toBe(50);
  });
});

// Google Play's client against the simulated store over real HTTP, in good days and bad.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  crawlReviews,
  idsOf,
  openStoreHarness,
  type StoreHarness,
} from "../../../test/support/store-harness.ts";
import { hourMs, minuteMs } from "../../lib/timestamp.ts";

const app = { store: "googleplay", externalAppId: "app.lanternfish" } as const;
const inEnglish = { externalAppId: app.externalAppId, region: "en" };
const inUs = { externalAppId: app.externalAppId, region: "us" };

let harness: StoreHarness;
beforeEach(async () => {
  harness = await openStoreHarness({ totalTimeoutMs: 1_000 });
  harness.storeState.addApp({ ...app, name: "Lanternfish" });
});
afterEach(() => harness.close());

describe("reviews", () => {
  test("all pages come newest first, 150 reviews a page", async () => {
    addReviews(340);
    const pages = await crawlReviews(harness.google, inEnglish);
    expect(pages.length).toBe(3);
    expect(idsOf(pages)).toEqual(idsNow());
    expect(pages.some((page) => page.capped)).toBe(false);
  });

  test("a review has its words, a date to the millisecond, a reply, and no country", async () => {
    const at = new Date("2026-11-20T10:00:00.077Z");
    const storeReviewId = harness.storeState.addReview(app, {
      region: "pt",
      rating: 2,
      text: "Quase bom.",
      version: "",
      votes: 4,
      at,
    });
    const reply = { text: "Obrigado.", at: new Date("2026-11-20T11:00:00Z") };
    harness.storeState.addReply(app, { storeReviewId, reply });
    const page = await harness.google.fetchReviews({ ...inEnglish, region: "pt-BR", cursor: null });
    expect(page).toEqual({
      outcome: "ok",
      value: {
        reviews: [
          {
            storeReviewId,
            author: expect.stringMatching(/^reader /),
            rating: 2,
            title: null,
            text: "Quase bom.",
            version: "",
            country: null,
            languageHint: "pt",
            date: at,
            votes: 4,
            reply,
          },
        ],
        rejectedCount: 0,
        copyMadeAt: null,
      },
      next: null,
      capped: false,
    });
    expect(harness.simulator.requests[0]?.url.search).toBe("?hl=pt-BR&gl=br");
  });

  test("an edited review comes back at the top under its id", async () => {
    addReviews(5);
    const id = idsNow().at(-1) ?? "";
    harness.clock.advance(minuteMs);
    harness.storeState.editReview(app, { storeReviewId: id, rating: 5 });
    const page = await harness.google.fetchReviews({ ...inEnglish, cursor: null });
    expect(idsOf([page])[0]).toBe(id);
  });

  test.each(["chunked_framing", "frame_missing", "short_arrays"] as const)(
    "another generation of the answer (%s) is read",
    async (fault) => {
      addReviews(200);
      harness.simulator.faultFlags.enable({ fault });
      expect(idsOf(await crawlReviews(harness.google, inEnglish))).toEqual(idsNow());
    },
  );

  test("after a missing frame the crawl stays with the call that worked", async () => {
    addReviews(200);
    harness.simulator.faultFlags.enable({ fault: "frame_missing" });
    await crawlReviews(harness.google, inEnglish);
    const pages = harness.simulator.requests.filter(({ batch }) => batch);
    const calls = pages.map((request) => request.batch?.rpcId);
    expect(calls).toEqual(["oCPfdb", "UsvDTd", "UsvDTd"]);
  });

  test("tokens that repeat end the crawl", async () => {
    addReviews(200);
    harness.simulator.faultFlags.enable({ fault: "token_cycle" });
    const pages = await crawlReviews(harness.google, inEnglish);
    expect(pages.length).toBe(2);
    expect(pages.at(-1)).toMatchObject({ outcome: "ok", next: null, capped: true });
  });

  test("empty pages with a token are walked past", async () => {
    addReviews(400);
    harness.simulator.faultFlags.enable({ fault: "hole", when: { page: 2 }, times: 1 });
    const pages = await crawlReviews(harness.google, inEnglish);
    expect(idsOf(pages).length).toBe(250);
    harness.simulator.faultFlags.enable({ fault: "hole" });
    const silent = await crawlReviews(harness.google, inEnglish);
    expect(silent.map((page) => page.outcome)).toEqual(["ok", "ok", "empty"]);
  });

  test("nothing is empty for an unknown app and for one without reviews", async () => {
    const nothing = { outcome: "empty", next: null, capped: false };
    const unheard = { externalAppId: "app.unheard.of", region: "en", cursor: null };
    expect(await harness.google.fetchReviews(unheard)).toEqual(nothing);
    expect(await harness.google.fetchReviews({ ...inEnglish, cursor: null })).toEqual(nothing);
  });

  test("no reviews of a rated app is accepted where other apps have reviews, and only there", async () => {
    harness.storeState.setRatings(app, { region: "us", histogram: [1, 0, 0, 0, 4] });
    const first = { ...inEnglish, cursor: null };
    expect(await harness.google.fetchReviews(first)).toMatchObject({ outcome: "empty" });
    harness.simulator.faultFlags.enable({ fault: "null_payload", when: { kind: "play-reviews" } });
    harness.clock.advance(2 * hourMs);
    expect(await harness.google.fetchReviews(first)).toMatchObject({
      outcome: "unknown",
      blocked: false,
      reason: expect.stringContaining("not even of an app that has many"),
    });
  });

  test("an app's page and a feed that must be full are read once an hour", async () => {
    harness.storeState.setRatings(app, { region: "us", histogram: [1, 0, 0, 0, 4] });
    const kindsOf = async (region: string): Promise<string[]> => {
      const count = harness.simulator.requests.length;
      const page = await harness.google.fetchReviews({ ...inEnglish, region, cursor: null });
      expect(page).toMatchObject({ outcome: "empty" });
      return harness.simulator.requests.slice(count).map(({ kind }) => kind);
    };
    expect(await kindsOf("en")).toEqual(["play-reviews", "play-details", "play-reviews"]);
    expect(await kindsOf("en")).toEqual(["play-reviews"]);
    // Another language has a page of its own, and the same network.
    expect(await kindsOf("de")).toEqual(["play-reviews", "play-details"]);
    harness.clock.advance(2 * hourMs);
    expect(await kindsOf("en")).toEqual(["play-reviews", "play-details", "play-reviews"]);
  });

  test("where a feed that was full falls silent too, all of the store is shut", async () => {
    const other = { ...app, externalAppId: "app.anglerfish" };
    harness.storeState.addApp({ ...other, name: "Anglerfish" });
    harness.storeState.setRatings(other, { region: "us", histogram: [1, 0, 0, 0, 4] });
    addReviews(3);
    await harness.google.fetchReviews({ ...inEnglish, cursor: null });
    harness.simulator.faultFlags.enable({ fault: "null_payload", when: { kind: "play-reviews" } });
    const request = { externalAppId: other.externalAppId, region: "en", cursor: null };
    expect(await harness.google.fetchReviews(request)).toMatchObject({
      outcome: "unknown",
      blocked: true,
    });
  });

  test("nothing is unknown while the app's page can't be fetched", async () => {
    harness.simulator.faultFlags.enable({ fault: "too_many", when: { kind: "play-details" } });
    const page = await harness.google.fetchReviews({ ...inEnglish, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: true });
  });

  test("a cursor of another store is refused without asking", async () => {
    const page = await harness.google.fetchReviews({ ...inEnglish, cursor: "2" });
    expect(page.outcome).toBe("unknown");
    expect(harness.simulator.requests.length).toBe(0);
  });
});

describe("failures", () => {
  test.each([
    { fault: "forbidden", blocked: true, retryAfterMs: null },
    { fault: "too_many", retryAfter: "60", blocked: true, retryAfterMs: 60_000 },
    { fault: "captcha", blocked: true, retryAfterMs: null },
    { fault: "redirect", location: "/sorry/index", blocked: true, retryAfterMs: null },
    { fault: "redirect", location: "https://consent.invalid/", blocked: true, retryAfterMs: null },
    { fault: "server_error", blocked: false, retryAfterMs: null },
    { fault: "html_instead", blocked: false, retryAfterMs: null },
    { fault: "cut", blocked: false, retryAfterMs: null },
    { fault: "stalled", blocked: false, retryAfterMs: null },
  ] as const)("$fault is unknown for reviews, ratings and facts", async (row) => {
    const { blocked, retryAfterMs, ...rule } = row;
    addReviews(2);
    harness.simulator.faultFlags.enable(rule);
    const expected = { outcome: "unknown", blocked, retryAfterMs, reason: expect.any(String) };
    expect(await harness.google.fetchReviews({ ...inEnglish, cursor: null })).toMatchObject(
      expected,
    );
    expect(await harness.google.fetchRatings(inUs)).toMatchObject(expected);
    expect(await harness.google.fetchApp(inUs)).toMatchObject(expected);
  });

  test("a gateway error inside a 200 is unknown, and a block where the next language gets it too", async () => {
    addReviews(2);
    harness.simulator.faultFlags.enable({ fault: "gateway_error" });
    const page = await harness.google.fetchReviews({ ...inEnglish, cursor: null });
    expect(page).toMatchObject({ outcome: "unknown", blocked: false, next: null });
    const inGerman = { ...inEnglish, region: "de" };
    const other = await harness.google.fetchReviews({ ...inGerman, cursor: null });
    expect(other).toMatchObject({ outcome: "unknown", blocked: true, next: null });
  });
});

describe("ratings and facts", () => {
  const ratings = { average: 3.7, total: 20, histogram: [4, 1, 2, 3, 10] };
  beforeEach(() =>
    harness.storeState.setRatings(app, { region: "us", histogram: [4, 1, 2, 3, 10] }),
  );

  test("the headline is read, not the ratings of phones", async () => {
    expect(await harness.google.fetchRatings(inUs)).toEqual({ outcome: "ok", value: ratings });
  });

  test("fields in the object at the end are found", async () => {
    harness.simulator.faultFlags.enable({ fault: "trailing_object" });
    expect(await harness.google.fetchRatings(inUs)).toEqual({ outcome: "ok", value: ratings });
  });

  test("without blocks the summary gives average and count, and the app's facts", async () => {
    harness.simulator.faultFlags.enable({ fault: "no_blocks" });
    expect(await harness.google.fetchRatings(inUs)).toMatchObject({
      outcome: "ok",
      value: { total: 20, histogram: null },
    });
    expect(await harness.google.fetchApp(inUs)).toMatchObject({ value: { name: "Lanternfish" } });
  });

  test("an app without ratings has none, and an unknown app is empty", async () => {
    expect(await harness.google.fetchRatings({ ...inUs, region: "fr" })).toEqual({
      outcome: "ok",
      value: { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] },
    });
    harness.storeState.removeApp(app);
    expect(await harness.google.fetchRatings(inUs)).toEqual({ outcome: "empty" });
    expect(await harness.google.fetchApp(inUs)).toEqual({ outcome: "empty" });
  });

  test("ids are package names", () => {
    expect(harness.google.validateAppId("com.example.App_2")).toEqual({ ok: true });
    for (const text of ["", "example", "com..example", "com.2nd.app", "com.example app", "a.b/"]) {
      expect(harness.google.validateAppId(text).ok).toBe(false);
    }
  });
});

function addReviews(count: number): void {
  const now = harness.clock.now().getTime();
  for (let index = 0; index < count; index += 1) {
    const at = new Date(now - (count - index) * minuteMs);
    harness.storeState.addReview(app, {
      region: "en",
      rating: 1 + (index % 5),
      text: "Words.",
      at,
    });
  }
}

function idsNow(): string[] {
  return harness.storeState.reviewsNow(app, "en").map((review) => review.storeReviewId);
}

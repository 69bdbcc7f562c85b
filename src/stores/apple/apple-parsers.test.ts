// Apple's parsers over every recording, and over pages that are damaged in every way.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutOff, injured } from "../../../test/support/mutated-json.ts";
import { hasRecordings, recordedNames, recordedText } from "../../../test/support/recorded.ts";
import { reviewLimits } from "../../reviews/review.ts";
import { parseLookup } from "./lookup.ts";
import { parseProductPage, readRatingsNode } from "./product-page.ts";
import { parseReviewFeed } from "./review-feed.ts";

describe.skipIf(!hasRecordings())("recordings", () => {
  test.each(recordedNames("apple-rss-json", ".json"))("%s: every entry is read", (name) => {
    const text = recordedText("apple-rss-json", name);
    const page = parseReviewFeed(text, "us");
    const entries = JSON.parse(text).feed.entry ?? [];
    expect(page?.rejectedCount).toBe(0);
    expect(page?.reviews.map(rawOf)).toEqual(entries.map(factsOf));
    expect(page?.copyMadeAt?.getTime()).toBe(Date.parse(JSON.parse(text).feed.updated.label));
  });

  test.each([
    ["rss_1510826067_gb_p1.json", 4, 1],
    ["rss_1510826067_gb_p2.json", 0, 1],
    ["rss_497799835_fr_p1.json", 50, 6],
    ["rss_497799835_cn_p5.json", 50, 10],
    ["rss_empty_page.json", 0, 0],
    ["rss_100000000_gb_p1_no-such-app.json", 0, 0],
    ["rss_tr_p3_transient-hole_2026-09.json", 0, 10],
  ])("%s has %i reviews and %i pages", (name, count, lastPage) => {
    const page = parseReviewFeed(recordedText("apple-rss-json", name), "gb");
    expect(page?.reviews.length).toBe(count);
    expect(page?.lastPage).toBe(lastPage);
  });

  test.each(recordedNames("apple-rss-json", ".txt"))("%s is no page", (name) => {
    expect(parseReviewFeed(recordedText("apple-rss-json", name), "us")).toBeNull();
  });

  test("lookup: found, not found and refused are told apart", () => {
    const of = (name: string) => parseLookup(recordedText("apple-lookup", name), "6448311069");
    const found = of("lookup_6448311069_us_abridged_2026-09.json");
    expect(found).toMatchObject({ kind: "found", ratings: { total: 10_148_787, histogram: null } });
    expect(found.kind === "found" && found.ratings?.average).toBeCloseTo(4.82937, 5);
    expect(of("lookup_not_found.json")).toEqual({ kind: "not_found" });
    expect(of("lookup_bad-storefront_400.json")).toEqual({ kind: "malformed" });
  });

  test("product page: counts are rounded and turned to one star first", () => {
    const [name = ""] = recordedNames("apple-web-page", ".json");
    const nodes = JSON.parse(recordedText("apple-web-page", name));
    const us = readRatingsNode(nodes.us);
    expect(us).toMatchObject({
      total: 29_481_802,
      histogram: [1_226_159, 274_710, 696_048, 2_000_235, 25_284_650],
    });
    expect(us?.average).toBeCloseTo(4.6906, 3);
    expect(parseProductPage(pageWith(nodes.us), "389801252")).toEqual(us);
    expect(readRatingsNode(nodes.gb)?.total).toBe(4_207_978);
  });
});

describe("ratings of a product page", () => {
  const node = {
    $kind: "Ratings",
    productId: "42",
    ratingAverage: 4.3,
    totalNumberOfRatings: 100,
    ratingCounts: [60, 20, 10, 5, 5],
  };

  test("a histogram that is turned round is dropped, average and count stay", () => {
    const turned = { ...node, ratingCounts: [5, 5, 10, 20, 60] };
    expect(readRatingsNode(turned)).toEqual({ average: 4.3, total: 100, histogram: null });
  });

  test("the ratings of another app on the page are not taken", () => {
    expect(parseProductPage(pageWith({ ...node, productId: "43" }), "42")).toBeNull();
  });

  test("damaged nodes never give a reading that can't be right", () => {
    fc.assert(
      fc.property(injured(node), (hurt) => {
        const reading = readRatingsNode(hurt);
        if (reading === null) return;
        expect(reading.total).toBeGreaterThanOrEqual(0);
        expect(reading.average).toBeGreaterThanOrEqual(reading.total === 0 ? 0 : 1);
        expect(reading.average).toBeLessThanOrEqual(5);
        expect(reading.histogram?.every((count) => count >= 0) ?? true).toBe(true);
      }),
    );
  });
});

describe("damaged feeds", () => {
  const feed = feedOf([1, 2, 3].map((index) => entryOf(index)));

  test("only whole reviews come out, and every other entry is counted", () => {
    const entries = [entryOf(1), { ...entryOf(2), "im:rating": { label: "6" } }, { id: null }];
    const page = parseReviewFeed(JSON.stringify(feedOf(entries)), "de");
    expect(page?.reviews.map((review) => review.storeReviewId)).toEqual(["101"]);
    expect(page?.rejectedCount).toBe(2);
  });

  test("one entry without an array, none, and null are all understood", () => {
    const countOf = (entry: unknown) =>
      parseReviewFeed(JSON.stringify(feedOf(entry)), "de")?.reviews.length;
    expect([entryOf(1), undefined, null, []].map(countOf)).toEqual([1, 0, 0, 0]);
  });

  test("an entry with id and rating alone is a review without date, title and words", () => {
    const bare = { id: { label: "7" }, "im:rating": { label: "2" } };
    expect(parseReviewFeed(JSON.stringify(feedOf([bare])), "de")?.reviews).toEqual([
      expect.objectContaining({ storeReviewId: "7", rating: 2, text: "", date: null, version: "" }),
    ]);
  });

  test("text over the limit is cut between characters", () => {
    const long = { ...entryOf(1), title: { label: `x${"😀".repeat(reviewLimits.titleMax)}` } };
    const title = parseReviewFeed(JSON.stringify(feedOf([long])), "de")?.reviews[0]?.title ?? "";
    expect(title.length).toBe(reviewLimits.titleMax - 1);
    expect(title.isWellFormed()).toBe(true);
  });

  test("any injury gives reviews that were there, or nothing", () => {
    fc.assert(
      fc.property(injured(feed), (hurt) => {
        const page = parseReviewFeed(JSON.stringify(hurt), "de");
        for (const review of page?.reviews ?? []) {
          expect(review.storeReviewId).toMatch(/^\d+$/);
          expect([1, 2, 3, 4, 5]).toContain(review.rating);
          expect(review.date === null || !Number.isNaN(review.date.getTime())).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a text that is cut off is no page", () => {
    const text = JSON.stringify(feed);
    fc.assert(fc.property(cutOff(text), (cut) => parseReviewFeed(cut, "de") === null));
  });

  test("damaged lookups never throw and never confirm that an app is gone", () => {
    const lookup = { resultCount: 1, results: [{ trackId: 42, trackName: "Sample" }] };
    const whole = JSON.stringify(lookup);
    fc.assert(
      fc.property(
        fc.oneof(
          injured(lookup).map((json) => JSON.stringify(json)),
          cutOff(whole),
        ),
        (text) => {
          const isGone = /"resultCount":0,"results":\[\]/.test(text);
          const kinds = isGone ? ["not_found"] : ["found", "malformed"];
          expect(kinds).toContain(parseLookup(text, "42").kind);
        },
      ),
    );
  });
});

// Ids, ratings, versions and dates: what can be compared without anyone's words.
function rawOf(review: NonNullable<ReturnType<typeof parseReviewFeed>>["reviews"][number]) {
  const { storeReviewId, rating, version, date, votes } = review;
  return { storeReviewId, rating, version, dateMs: date?.getTime() ?? null, votes };
}

type Label = { label: string };
type RawEntry = {
  id: Label;
  updated?: Label;
  "im:rating": Label;
  "im:version": Label;
  "im:voteSum": Label;
};

function factsOf(entry: RawEntry) {
  return {
    storeReviewId: entry.id.label,
    rating: Number(entry["im:rating"].label),
    version: entry["im:version"].label,
    dateMs: entry.updated ? Date.parse(entry.updated.label) : null,
    votes: Number(entry["im:voteSum"].label),
  };
}

function entryOf(index: number): Record<string, unknown> {
  return {
    id: { label: String(100 + index) },
    "im:rating": { label: "4" },
    "im:version": { label: "1.2" },
    "im:voteSum": { label: "0" },
    updated: { label: "2026-01-02T03:04:05-07:00" },
    author: { name: { label: "reader" } },
    title: { label: "Fine" },
    content: { label: "Works well." },
  };
}

function feedOf(entry: unknown): unknown {
  const href = "https://itunes.apple.com/de/rss/customerreviews/page=1/id=1/sortby=mostrecent/xml";
  return {
    feed: {
      entry,
      updated: { label: "2026-01-03T00:00:00-07:00" },
      link: [{ attributes: { rel: "last", href } }],
    },
  };
}

function pageWith(node: unknown): string {
  const json = JSON.stringify([{ data: { shelves: [{ items: [node] }] } }]);
  return `<script type="application/json" id="serialized-server-data">${json}</script>`;
}

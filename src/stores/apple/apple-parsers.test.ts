// Apple's parsers over odd and damaged pages.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { corruptJson, truncateText } from "../../../test/support/corrupt-json.ts";
import { reviewLimits } from "../../domain/review/review.ts";
import { parseLookup } from "./lookup-parser.ts";
import { parseProductPageRatings, parseRatingsNode } from "./product-page-ratings.ts";
import { parseRatingsPage } from "./ratings.ts";
import { parseRssJson } from "./rss-request.ts";

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
    expect(parseRatingsNode(turned)).toMatchObject({ average: 4.3, total: 100, histogram: null });
  });

  test("the ratings of another app on the page are not taken", () => {
    expect(parseProductPageRatings(pageWith({ ...node, productId: "43" }), "42")).toBeNull();
  });

  test("damaged nodes never give a reading that can't be right", () => {
    fc.assert(
      fc.property(corruptJson(node), (hurt) => {
        const reading = parseRatingsNode(hurt);
        if (reading === null) return;
        expect(reading.total).toBeGreaterThanOrEqual(0);
        expect(reading.average).toBeGreaterThanOrEqual(reading.total === 0 ? 0 : 1);
        expect(reading.average).toBeLessThanOrEqual(5);
        expect(reading.histogram?.every((count) => count >= 0) ?? true).toBe(true);
      }),
    );
  });
});

describe("the page of customer reviews", () => {
  const page = (count: string, totals: readonly string[]): string =>
    `<div class='rating-count big'><b>${count}</b></div><p class="total-votes">7</p>` +
    totals.map((text) => `<div class="vote"><span class="total">${text}</span></div>`).join("");
  const totals = ["1,000", "20", "3", "0", "1"];

  test.each(["1,024 Ratings", "1.024 Bewertungen", "1 024 notes", "1’024", "avis : 1&nbsp;024"])(
    "%s is a count",
    (count) => {
      expect(parseRatingsPage(page(count, totals))).toMatchObject({
        total: 1_024,
        histogram: [1, 0, 3, 20, 1_000],
      });
    },
  );

  test("Indian digits go in twos", () => {
    const many = ["12,34,000", "0", "0", "0", "567"];
    expect(parseRatingsPage(page("12,34,567 Ratings", many))).toMatchObject({ total: 1_234_567 });
  });

  test.each([
    ["a sum that is another", "1,025 Ratings", totals],
    ["four numbers", "1,024 Ratings", totals.slice(1)],
    ["a rounded count", "1.0K Ratings", totals],
    ["no count", "No ratings", totals],
  ])("%s is no reading", (_, count, counts) => {
    expect(parseRatingsPage(page(count, counts))).toBeNull();
  });
});

describe("links of a feed", () => {
  test.each([
    ["https://x/de/rss/customerreviews/page=7/id=1/sortby=mostrecent/xml?urlDesc=/page=2/", 7],
    ["https://x/de/rss/customerreviews/id=1/sortBy=mostRecent/page=3/xml", 3],
    ["https://x/de/rss/customerreviews/id=1/xml?urlDesc=/customerreviews/page=4/id=1", 1],
    ["https://x/elsewhere", null],
    ["", 0],
  ])("%s marks the last page", (href, lastPage) => {
    const feed = { link: [{ attributes: { rel: "last", href } }] };
    expect(parseRssJson(JSON.stringify({ feed }), { region: "de" })?.lastPage).toBe(lastPage);
  });
});

describe("lookups", () => {
  const of = (...results: unknown[]) =>
    parseLookup(JSON.stringify({ resultCount: results.length, results }), "42").kind;

  test("other products are not found, and an unknown format proves nothing", () => {
    expect(of({ trackId: 42, kind: "mac-software", trackName: "Sample" })).toBe("found");
    expect(of({ trackId: 42, kind: "song", wrapperType: "track" })).toBe("not_found");
    expect(of({ wrapperType: "artist", artistId: 42 })).toBe("not_found");
    const bundle = { trackId: 42, kind: "software-bundle", wrapperType: "software" };
    expect(parseLookup(JSON.stringify({ resultCount: 1, results: [bundle] }), "42")).toEqual({
      kind: "not_found",
      note: "the number is of another kind (software-bundle): follow the apps of the bundle",
    });
    expect(of({ trackId: "42" })).toBe("malformed");
    expect(of({ trackId: 43, kind: "software" })).toBe("malformed");
  });
});

describe("damaged feeds", () => {
  const feed = feedOf([1, 2, 3].map((index) => entryOf(index)));

  test("only whole reviews come out, and every other entry is counted", () => {
    const entries = [entryOf(1), { ...entryOf(2), "im:rating": { label: "6" } }, { id: null }];
    const page = parseRssJson(JSON.stringify(feedOf(entries)), { region: "de" });
    expect(page?.reviews.map((review) => review.storeReviewId)).toEqual(["101"]);
    expect(page?.rejectedCount).toBe(2);
  });

  test("one entry without an array, none, and null are all understood", () => {
    const countOf = (entry: unknown) =>
      parseRssJson(JSON.stringify(feedOf(entry)), { region: "de" })?.reviews.length;
    expect([entryOf(1), undefined, null, []].map(countOf)).toEqual([1, 0, 0, 0]);
  });

  test("an entry with id and rating alone is a review without date, title and words", () => {
    const bare = { id: { label: "7" }, "im:rating": { label: "2" } };
    expect(parseRssJson(JSON.stringify(feedOf([bare])), { region: "de" })?.reviews).toEqual([
      expect.objectContaining({
        storeReviewId: "7",
        rating: 2,
        title: null,
        text: null,
        date: null,
        version: "",
      }),
    ]);
  });

  test("text over the limit is cut between characters", () => {
    const long = { ...entryOf(1), title: { label: `x${"😀".repeat(reviewLimits.titleMax)}` } };
    const title =
      parseRssJson(JSON.stringify(feedOf([long])), { region: "de" })?.reviews[0]?.title ?? "";
    expect(title.length).toBe(reviewLimits.titleMax - 1);
    expect(title.isWellFormed()).toBe(true);
  });

  test("any injury gives reviews that were there, or nothing", () => {
    fc.assert(
      fc.property(corruptJson(feed), (hurt) => {
        const page = parseRssJson(JSON.stringify(hurt), { region: "de" });
        for (const review of page?.reviews ?? []) {
          expect(review.storeReviewId).toMatch(/^\d+$/);
          expect([1, 2, 3, 4, 5]).toContain(review.rating);
          expect(review.date === null || !Number.isNaN(review.date.getTime())).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a truncated text is not a page", () => {
    const text = JSON.stringify(feed);
    fc.assert(
      fc.property(truncateText(text), (cut) => parseRssJson(cut, { region: "de" }) === null),
    );
  });

  test("damaged lookups never throw and never confirm that an app is gone", () => {
    const lookup = { resultCount: 1, results: [{ trackId: 42, trackName: "Sample" }] };
    const whole = JSON.stringify(lookup);
    fc.assert(
      fc.property(
        fc.oneof(
          corruptJson(lookup).map((json) => JSON.stringify(json)),
          truncateText(whole),
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

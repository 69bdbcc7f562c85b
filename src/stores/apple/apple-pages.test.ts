// Apple's parsers over a synthetic page of every wire format: what they find, field by field.
import { describe, expect, test } from "vitest";
import { listStorePages, readStorePage, syntheticText } from "../../../test/support/store-pages.ts";
import type { SourceReview } from "../../domain/review/review.ts";
import { cursorOf, parseConnectPage } from "../../features/store-accounts/apple/connect-reviews.ts";
import { parseDesktopReviews, parseProductReviews } from "./fallback-reviews.ts";
import { parseSearch } from "./find-apps.ts";
import { parseLookup } from "./lookup-parser.ts";
import { parseProductPageRatings } from "./product-page-ratings.ts";
import { parseRatingsPage } from "./ratings.ts";
import { parseRssJson } from "./rss-request.ts";
import { parseRssXml } from "./rss-xml.ts";

const externalAppId = "1987000001";
const histogram = [80, 40, 80, 200, 800];

const aReview = (overrides: Partial<SourceReview>): SourceReview => ({
  storeReviewId: "90000000102",
  author: "quay & co",
  rating: 5,
  title: "My harbour friend",
  text: "I check it before each trip.",
  version: "",
  country: "us",
  languageHint: null,
  date: new Date("2026-09-30T15:00:00Z"),
  votes: null,
  reply: null,
  ...overrides,
});

describe("the RSS feed as JSON", () => {
  const read = (name: string) =>
    parseRssJson(syntheticText("apple-rss-json", name), { region: "us" });

  test("a page of reviews", () => {
    const page = read(`rss_${externalAppId}_us_p1.json`);
    expect(page).toMatchObject({
      rejectedCount: 0,
      lastPage: 3,
      copyMadeAt: new Date("2026-10-04T12:00:00Z"),
    });
    expect(page?.reviews).toEqual([
      aReview({
        storeReviewId: "90000000103",
        author: "Sandbar Nine",
        rating: 2,
        title: "Clock is off",
        text: "Since the last update every tide comes an hour late 🌊",
        version: "4.2.0",
        date: new Date("2026-10-04T04:14:05Z"),
        votes: -1,
      }),
      aReview({
        text: 'I check it before each trip, & it was "right" all summer.\nThe widget is great.',
        version: "4.1.3",
        votes: 12,
      }),
      aReview({
        storeReviewId: "90000000101",
        author: "Möwe",
        rating: 4,
        title: "Gut",
        text: "Zuverlässig, nur die Schrift ist klein.",
        version: "4.1.3",
        date: new Date("2026-09-30T06:59:59Z"),
        votes: 0,
      }),
    ]);
  });

  test.each([
    ["a single entry comes without a list", "us_p1_one-review", 1, 1],
    ["a gap: the links promise this page", "us_p2_gap", 0, 3],
    ["past the end: the links end before this page", "us_p4_past-the-end", 0, 3],
  ])("%s", (_what, name, count, lastPage) => {
    const page = read(`rss_${externalAppId}_${name}.json`);
    expect(page?.reviews).toHaveLength(count);
    expect(page).toMatchObject({ lastPage, rejectedCount: 0 });
  });

  test("an app without reviews has empty links", () => {
    expect(read("rss_1987000009_us_p1_no-reviews.json")).toMatchObject({
      reviews: [],
      lastPage: 0,
    });
  });

  test.each(listStorePages("apple-rss-json", ".txt"))("$source $name is no page", (page) => {
    expect(parseRssJson(readStorePage(page), { region: "us" })).toBeNull();
    expect(parseRssXml(readStorePage(page), { region: "us" })).toBeNull();
  });
});

describe("the RSS feed as XML", () => {
  test("a page with the app itself before its reviews, entities and a CDATA section", () => {
    const text = syntheticText("apple-rss-xml", `rss_${externalAppId}_de_p1.xml`);
    const page = parseRssXml(text, { region: "de" });
    expect(page).toMatchObject({ rejectedCount: 0, lastPage: 2 });
    expect(page?.reviews).toEqual([
      aReview({
        storeReviewId: "90000000203",
        author: "Kai & Uwe",
        rating: 1,
        title: "Stürzt ab",
        text: "Nach dem Start <weg> & aus 👀",
        version: "4.2.0",
        country: "de",
        date: new Date("2026-10-02T08:02:03Z"),
        votes: 3,
      }),
      aReview({
        storeReviewId: "90000000202",
        author: "Deichgraf",
        title: "Prima",
        text: "Läuft & läuft <3",
        version: "4.1.3",
        country: "de",
        date: new Date("2026-10-01T08:02:03Z"),
        votes: 0,
      }),
    ]);
  });

  test("an app without reviews", () => {
    const text = syntheticText("apple-rss-xml", "rss_1987000009_de_p1_no-reviews.xml");
    expect(parseRssXml(text, { region: "de" })).toMatchObject({ reviews: [], lastPage: 0 });
  });
});

test("the list of the old desktop program", () => {
  const text = syntheticText("apple-mzstore", `userReviewsRow_${externalAppId}_us.json`);
  const list = parseDesktopReviews(text, "us");
  expect(list).toHaveLength(2);
  expect(list?.[0]).toEqual(aReview({ votes: 12 }));
  expect(list?.[1]).toMatchObject({ storeReviewId: "90000000101", rating: 4, votes: 0 });
});

describe("the product page", () => {
  const html = syntheticText("apple-web-page", `product-page_${externalAppId}_us.html`);

  test("has the ratings of the app itself, counted from one star", () => {
    const reading = parseProductPageRatings(html, externalAppId);
    expect(reading).toMatchObject({ total: 1_200, histogram });
    expect(reading?.average).toBeCloseTo((80 + 40 * 2 + 80 * 3 + 200 * 4 + 800 * 5) / 1_200, 10);
  });

  test("has a few reviews, with replies", () => {
    const [first, second] = parseProductReviews(html, { externalAppId, region: "us" });
    const reply = {
      text: "Thank you, see you at sea.",
      at: new Date("2026-10-01T10:00:00Z"),
    };
    expect(first).toEqual(aReview({ reply }));
    expect(second).toMatchObject({ storeReviewId: "90000000103", rating: 2, reply: null });
  });
});

test("the page of customer reviews has a histogram that adds up", () => {
  const text = syntheticText("apple-ratings-html", `customer-reviews_${externalAppId}_us.html`);
  expect(parseRatingsPage(text)).toMatchObject({ total: 1_200, histogram });
});

describe("lookup and search", () => {
  const lookup = (name: string) => parseLookup(syntheticText("apple-lookup", name), externalAppId);

  test("found, not found and refused are distinguished", () => {
    expect(lookup(`lookup_${externalAppId}_us.json`)).toEqual({
      kind: "found",
      app: {
        ...{
          externalAppId,
          developer: "Harbour Apps",
          name: "Tidepool Journal",
          iconUrl: "https://cdn.example/512.jpg",
        },
        facts: {
          ...{ version: "4.2.0", genre: "Weather", releasedAt: null },
          ...{ releaseNotes: null, price: null, installs: null },
        },
      },
      ratings: { average: 4.32741, total: 1_200, histogram: null, source: "lookup" },
    });
    expect(lookup("lookup_not_found.json")).toEqual({ kind: "not_found" });
    expect(lookup("lookup_bad-storefront_400.json")).toEqual({ kind: "malformed" });
  });

  test("a search lists the apps with most words of the term, and none without any", () => {
    const text = syntheticText("apple-lookup", "search_tide_us.json");
    const ids = (term: string) => parseSearch(text, term)?.map((app) => app.externalAppId);
    expect(ids("tide clock")).toEqual(["1987000005", "1987000001"]);
    expect(ids("harbour journal")).toEqual(["1987000001", "1987000005"]);
  });
});

describe("App Store Connect", () => {
  test("a page of reviews of all territories, with published replies", () => {
    const text = syntheticText("app-store-connect", `customerReviews_${externalAppId}.json`);
    const page = parseConnectPage(text);
    expect(page).toMatchObject({ rejectedCount: 0, cursor: "BQ.x-2", total: 412 });
    const reply = { text: "Thank you, see you at sea.", at: new Date("2026-10-01T10:00:00Z") };
    const storeReviewId = "00000101-aaaa-4bbb-8ccc-00000000000a";
    expect(page?.reviews[0]).toEqual(aReview({ storeReviewId, reply }));
    expect(page?.reviews[1]).toMatchObject({ country: "xk", text: "Punon mirë.", reply: null });
  });

  test("an error is not a page of reviews", () => {
    expect(parseConnectPage(syntheticText("app-store-connect", "error_401.json"))).toBeNull();
    expect(cursorOf(null)).toBeNull();
  });
});

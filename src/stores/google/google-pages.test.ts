// Google Play's parsers over a synthetic page of every wire format: what they find, field by field.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { syntheticBytes, syntheticText } from "../../../test/support/store-pages.ts";
import type { SourceReview } from "../../domain/review/review.ts";
import { parseApiPage, parseApiReview } from "../../features/store-accounts/google/api-reviews.ts";
import { parseConsoleCsv } from "../../features/store-accounts/google/console-csv.ts";
import { parseBatch } from "./batch.ts";
import { parseDetailsPage } from "./details-page.ts";
import { parseSearchPage } from "./google-store.ts";
import { blocksOf } from "./page-blocks.ts";
import { parseReviewsPayload, type ReviewsPayload } from "./reviews-payload.ts";

const packageName = "app.lanternfish";
const ids = [
  "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4b01",
  "2b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4b02",
  "gp:AOqpTOEsynthetic0000000000000000000000000000000000003",
] as const;
const thanks = { text: "Thank you, see you at sea.", at: new Date(1_791_110_000_000) };

const aReview = (overrides: Partial<SourceReview>): SourceReview => ({
  storeReviewId: ids[0],
  author: "Sandbar Nine",
  rating: 2,
  title: null,
  text: "Since the last update every tide comes an hour late 🌊",
  version: "4.2.0",
  country: null,
  languageHint: "en",
  date: new Date(1_791_234_567_077),
  votes: 3,
  reply: null,
  ...overrides,
});

const reviews = [
  aReview({}),
  aReview({
    storeReviewId: ids[1],
    author: "quay & co",
    rating: 5,
    text: 'I check it before each trip, "right" all summer.',
    version: "4.1.3",
    date: new Date(1_791_100_000_500),
    votes: 0,
    reply: thanks,
  }),
  // Thirteen items as in 2021, and a title where others have a text.
  aReview({
    storeReviewId: ids[2],
    author: "Möwe",
    rating: 4,
    text: "Zuverlässig",
    version: "",
    date: new Date(1_611_000_000_000),
    votes: 1,
  }),
];

describe("the calls for reviews", () => {
  const read = (name: string, rpcId: string): ReviewsPayload | null => {
    const batch = parseBatch(syntheticText("play-batchexecute", name), rpcId);
    return batch.kind === "payload" ? parseReviewsPayload(batch.payload, "en-US") : null;
  };

  test.each([
    ["the call of the site", "reviews_oCPfdb_app.lanternfish_en.txt", "oCPfdb", reviews, ""],
    ["in chunks", "reviews_oCPfdb_app.lanternfish_en_chunked.txt", "oCPfdb", reviews, ""],
    [
      "the call of older clients",
      "reviews_UsvDTd_app.lanternfish_en.txt",
      "UsvDTd",
      reviews.slice(1),
      "-2",
    ],
  ])("%s", (_what, name, rpcId, expected, suffix) => {
    const page = read(name, rpcId);
    expect(page).toEqual({
      reviews: expected,
      rejectedCount: 0,
      token: `CsEBsynthetic-token${suffix}`,
    });
    const other = rpcId === "UsvDTd" ? "oCPfdb" : "UsvDTd";
    expect(parseBatch(syntheticText("play-batchexecute", name), other).kind).toBe("missing");
  });

  test("no reviews, and a store that is overloaded", () => {
    expect(read("no-reviews_oCPfdb.txt", "oCPfdb")).toEqual({
      reviews: [],
      rejectedCount: 0,
      token: null,
    });
    const throttled = syntheticText("play-batchexecute", "throttled_oCPfdb.txt");
    expect(parseBatch(throttled, "oCPfdb").kind).toBe("throttled");
  });
});

describe("the page of an app", () => {
  const html = syntheticText("play-details-html", "app.lanternfish_en_us.html");
  const facts = {
    ...{ name: "Lanternfish", developer: "", iconUrl: "https://cdn.example/lanternfish.png" },
    facts: {
      ...{ version: null, releasedAt: null, releaseNotes: null },
      ...{ price: null, genre: null, installs: null },
    },
  };

  test("name, icon and ratings of the app, not of one kind of device", () => {
    expect(parseDetailsPage(html, packageName)).toEqual({
      ...facts,
      ratings: { average: 4.13333, total: 600, histogram: [50, 30, 70, 190, 260] },
      reviewCount: 41,
    });
  });

  test("without its blocks, the summary for search engines", () => {
    const bare = html.replaceAll("AF_initDataCallback", "AF_elsewhere");
    expect(parseDetailsPage(bare, packageName)).toEqual({
      ...facts,
      ratings: { average: 4.133, total: 600, histogram: null },
      reviewCount: null,
    });
  });

  test("the summary's name, where the page has another in its place", () => {
    const moved = html.replace('[["Lanternfish"]', '[["Lanternfish Makers"]');
    expect(moved).not.toBe(html);
    expect(parseDetailsPage(moved, packageName)).toMatchObject({ name: "Lanternfish" });
  });

  test("brings a few reviews along", () => {
    const [payload] = blocksOf(html, "oCPfdb");
    expect(parseReviewsPayload(payload, "en")?.reviews).toEqual(reviews.slice(0, 2));
  });
});

test("a search lists the exact match first, and then the others; it is not a page of an app", () => {
  const html = syntheticText("play-search-html", "search_lantern_en_us.html");
  const found = parseSearchPage(html)?.map(({ externalAppId, name }) => [externalAppId, name]);
  expect(found).toEqual([
    ["app.lanternfish", "Lanternfish"],
    ["app.lantern.torch", "Lantern & Torch"],
    ["app.deepsea.light", "Deep Sea Light"],
  ]);
  expect(parseDetailsPage(html, packageName)).toBeNull();
});

describe("the Google Play Developer API", () => {
  const text = syntheticText("play-developer-api", "reviews_list.json");
  const fix = { text: "A fix is on its way.", at: new Date(1_791_240_000_000) };
  const expected = [
    aReview({
      ...{ text: "Every tide comes an hour late", reply: fix },
      ...{ device: "trout", osVersion: "34" },
    }),
    // The original text, not its translation, and without the title before the tab.
    aReview({
      storeReviewId: ids[2],
      author: "",
      rating: 4,
      text: "Zuverlässig, nur klein",
      version: "400",
      languageHint: "de",
      date: new Date(1_611_000_000_000),
      votes: 0,
    }),
  ];

  test("a page of reviews", () => {
    expect(parseApiPage(text)).toEqual({
      reviews: expected,
      rejectedCount: 0,
      token: "synthetic-next",
    });
  });

  test("one review alone, and a week without any", () => {
    expect(parseApiReview(JSON.parse(text).reviews[0])).toEqual(expected[0]);
    const empty = syntheticText("play-developer-api", "reviews_list_empty-window.json");
    expect(parseApiPage(empty)).toEqual({ reviews: [], rejectedCount: 0, token: null });
  });
});

describe("exports of the Play Console", () => {
  test("reviews, in UTF-16 and saved again in UTF-8, the latest edit first", async () => {
    const bytes = syntheticBytes("play-console-csv", "reviews_app.lanternfish_202610.csv");
    const utf8 = Buffer.from(bytes.toString("utf16le"));
    for (const copy of [bytes, utf8, utf8.subarray(3)]) {
      const read = await parseConsoleCsv(Readable.from([copy]), packageName);
      expect(read?.rejectedCount).toBe(0);
      expect(read?.reviews).toEqual([
        aReview({
          author: "",
          text: "Every tide comes late",
          device: "trout",
          submittedAt: new Date("2026-10-03T08:00:00Z"),
          date: new Date(1_791_187_200_456),
          votes: null,
          reply: { text: "A fix is on its way.", at: new Date(1_791_273_600_000) },
        }),
        aReview({
          storeReviewId: "3b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4b03",
          author: "",
          rating: 4,
          text: 'Zuverlässig, "sehr" gut.\nNur klein.',
          version: "4.1.3",
          device: "trout",
          submittedAt: new Date("2026-10-02T08:00:00Z"),
          languageHint: "de",
          date: new Date(1_790_928_000_123),
          votes: null,
        }),
      ]);
    }
  });

  test("an export of ratings is not an export of reviews", async () => {
    const name = "ratings_app.lanternfish_202610_overview.csv";
    expect(
      await parseConsoleCsv(Readable.from([syntheticBytes("play-console-csv", name)]), packageName),
    ).toBeNull();
  });
});

test("an export with more than 200 columns is refused at its header", async () => {
  const needed = ["Package Name", "Star Rating", "Review Link"];
  const parse = (columnCount: number) => {
    const more = Array.from({ length: columnCount - needed.length }, (_, index) => `c${index}`);
    const rows = "x\n".repeat(5);
    const text = `${[...needed, ...more].join(",")}\n${rows}`;
    return parseConsoleCsv(Readable.from([Buffer.from(text)]), "app.sample");
  };
  expect(await parse(200)).toEqual({ reviews: [], rejectedCount: 5 });
  expect(await parse(201)).toBeNull();
});

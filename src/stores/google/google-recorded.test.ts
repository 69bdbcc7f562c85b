// Google Play's parsers over every recorded page, against what was read from the pages by hand.
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { parseGoldenReview, toGoldenReview } from "../../../test/support/golden-review.ts";
import {
  hasRecordings,
  recordedBytes,
  recordedNames,
  recordedText,
} from "../../../test/support/recorded.ts";
import { parseApiPage, parseApiReview } from "../../features/store-accounts/google/api-reviews.ts";
import { parseConsoleCsv } from "../../features/store-accounts/google/console-csv.ts";
import { parseBatch } from "./batch.ts";
import { parseDetailsPage } from "./details-page.ts";
import { parseSearchPage } from "./google-store.ts";
import { parseReviewsPayload, type ReviewsPayload } from "./reviews-payload.ts";

type Lines = readonly string[];

describe.skipIf(!hasRecordings())("reviews", () => {
  test.each([
    {
      name: "review_history_com.twitter.android_2021.txt",
      rpcId: "UsvDTd",
      // Two versions of one review: the newer stands first.
      count: 1,
      hasToken: false,
      lines: [
        "0 gp:AOqpTOFeIsixb5qcUUUvJLSz_JudDjdKvngeHbfbUNGh7ch4H3KYh6NFVObMQkdes5HXbLkp3x5iyEiyRsTpuw 3 2021-05-17T01:48:40.784Z 8.93.1-release.00 0 0957afb77c02",
      ],
    },
    {
      name: "reviews_UsvDTd_com.google.android.apps.translate_en_us_newest_p1.txt",
      rpcId: "UsvDTd",
      count: 150,
      hasToken: true,
      lines: translateReviews(),
    },
    {
      name: "reviews_oCPfdb_com.google.android.apps.maps_trimmed_2026.txt",
      rpcId: "oCPfdb",
      count: 3,
      hasToken: true,
      lines: mapsReviews(),
    },
  ])("$name", ({ name, rpcId, count, hasToken, lines }) => {
    const batch = parseBatch(recordedText("play-batchexecute", name), rpcId);
    const page = batch.kind === "payload" ? parseReviewsPayload(batch.payload, "en-US") : null;
    expectReviews(page, { count, lines });
    expect(page?.token !== null).toBe(hasToken);
    const other = rpcId === "UsvDTd" ? "oCPfdb" : "UsvDTd";
    expect(parseBatch(recordedText("play-batchexecute", name), other).kind).toBe("missing");
  });

  test("the title of an old review does not take the place of its text", () => {
    const name = "reviews_UsvDTd_com.google.android.apps.translate_en_us_newest_p1.txt";
    const batch = parseBatch(recordedText("play-batchexecute", name), "UsvDTd");
    const page = batch.kind === "payload" ? parseReviewsPayload(batch.payload, "en") : null;
    const line =
      "72 42205e59-bf88-40c5-9348-4171620ec28c 2 2026-07-03T17:42:18.562Z 10.24.48.939568180.6-release 37 d4768b99ef45";
    expect(toGoldenReview(page?.reviews[72])).toEqual(parseGoldenReview(line).expected);
  });

  test("a chunked answer is read, and an answer to another call is refused", () => {
    const text = recordedText("play-batchexecute", "synthetic_batch_chunked.txt");
    expect(parseBatch(text, "rpcChunk")).toEqual({
      kind: "payload",
      payload: [["suggestion-one"], ["suggestion-two"]],
    });
    expect(parseBatch(text, "oCPfdb").kind).toBe("missing");
  });

  test.each([
    ["com.adex77.WhereAmI", sampleReviewsOfWhereAmI()],
    ["com.google.android.apps.translate", sampleReviewsOfTranslate()],
  ])("%s: the reviews that its page brings along", (id, lines) => {
    const blocks = JSON.parse(recordedText("play-details-ds", `${id}_ds5_ds9_ds10.json`));
    expectReviews(parseReviewsPayload(blocks["ds:10"], "en"), { count: 20, lines });
  });
});

describe.skipIf(!hasRecordings())("official", () => {
  test.each([
    [
      "reviews_list_docs-example.json",
      [
        "0 12345678 5 2015-10-01T05:20:26.713Z - 0 7d975808b777",
        // A date in 1974, which is impossible for a review.
        "1 11223344 5 - 1.2.3 10 42c0d6827e8b 2015-02-05T01:57:47.813Z",
      ],
      "12334566",
    ],
    ["reviews_list_empty-window.json", [], null],
    [
      "reviews_list_tab-title.json",
      [
        "0 d2b07a18-68e9-4b8f-8042-4102a5082454 4 2025-11-14T06:00:00Z 1.3.2 0 439ebdfb62ea 2025-11-15T09:46:40Z",
      ],
      null,
    ],
    [
      "reviews_list_translated_docs-example.json",
      ["0 12345678 5 2015-10-01T05:20:26.713Z - 0 045b6b2e6fa6"],
      null,
    ],
  ])("%s", (name, lines, token) => {
    const page = parseApiPage(recordedText("play-developer-api", name));
    expect(page).toMatchObject({ rejectedCount: 0, token });
    expect(page?.reviews.map(toGoldenReview)).toEqual(
      lines.map((line) => parseGoldenReview(line).expected),
    );
  });

  test("one review alone", () => {
    const text = recordedText("play-developer-api", "reviews_get_docs-example.json");
    const line = "0 87654321 5 2016-01-06T21:12:03.913Z - 0 025fbb3122ee";
    expect(toGoldenReview(parseApiReview(JSON.parse(text)) ?? undefined)).toEqual(
      parseGoldenReview(line).expected,
    );
  });

  test("an export of the Play Console, in UTF-16 and saved again in UTF-8", async () => {
    const name = "reviews_com.biblegamesproject.didacticjesusgame_202511.csv";
    const bytes = recordedBytes("play-console-csv", name);
    const utf8 = Buffer.from(bytes.toString("utf16le"));
    const lines = [
      "0 7109f10c-d863-4a41-9a0e-e65dfc325ac5 3 2025-11-13T14:53:59.590Z 1.3.1 - ef09f4492b71",
      "1 d2b07a18-68e9-4b8f-8042-4102a5082454 5 2025-11-05T14:40:32.542Z - - 439ebdfb62ea 2025-11-13T13:02:47.867Z",
    ];
    for (const copy of [bytes, utf8, utf8.subarray(3)]) {
      const read = await parseConsoleCsv(
        Readable.from([copy]),
        "com.biblegamesproject.didacticjesusgame",
      );
      expect(read?.rejectedCount).toBe(0);
      expect(read?.reviews.map(toGoldenReview)).toEqual(
        lines.map((line) => parseGoldenReview(line).expected),
      );
      expect(read?.reviews.map(({ languageHint }) => languageHint)).toEqual(["ja", "pt"]);
    }
  });

  test("an export of ratings, which has no counts, is not an export of reviews", async () => {
    const name = "ratings_com.paulchwu.instantexplore_202607_overview.csv";
    const bytes = recordedBytes("play-console-csv", name);
    expect(await parseConsoleCsv(Readable.from([bytes]), "com.paulchwu.instantexplore")).toBeNull();
  });
});

describe.skipIf(!hasRecordings())("pages", () => {
  test.each([
    {
      id: "com.google.android.apps.translate",
      total: 9_039_805,
      average: 4.26508,
      histogram: [971_173, 306_894, 479_693, 878_696, 6_403_317],
      name: "Google Translate",
      reviewCount: 187_840,
    },
    {
      id: "com.adex77.WhereAmI",
      total: 336,
      average: 4.16,
      histogram: [40, 13, 26, 26, 228],
      name: expect.stringMatching(/\w/),
      reviewCount: 14,
    },
  ])("$id: name, icon and the headline ratings", ({ id, name, reviewCount, ...ratings }) => {
    const html = recordedText("play-details-html", `${id}_en_us.html`);
    const page = parseDetailsPage(html, id);
    expect(page).toEqual({
      name,
      developer: expect.stringMatching(/\w/),
      iconUrl: expect.stringMatching(/^https:/),
      ratings,
      reviewCount,
      facts: {
        version: id.includes("translate") ? null : expect.stringMatching(/^\d+\.\d/),
        releasedAt: expect.stringMatching(/^2026-/),
        releaseNotes: expect.stringMatching(/\w/),
        price: "Free",
        genre: expect.stringMatching(/\w/),
        installs: expect.any(Number),
      },
    });
    const withoutBlocks = parseDetailsPage(html.replaceAll("AF_initData", "AF_elsewhere"), id);
    expect(withoutBlocks?.ratings).toMatchObject({ total: ratings.total, histogram: null });
    expect(withoutBlocks?.ratings?.average).toBeCloseTo(ratings.average, 2);
  });

  test("a search lists the exact match first, and then the others", () => {
    const apps = parseSearchPage(recordedText("play-search-html", "search_panda_en_us.html"));
    expect(apps?.length).toBe(20);
    expect(apps?.slice(0, 3).map(({ externalAppId }) => externalAppId)).toEqual([
      "com.pandaexpress.app",
      "com.sinyee.babybus.restaurant",
      "com.yq.xmmg.gp",
    ]);
    for (const { name, iconUrl } of apps ?? []) {
      expect(name).not.toBe("");
      expect(iconUrl).toMatch(/^https:/);
    }
  });

  test.each(recordedNames("play-search-html"))("%s is no page of an app", (name) => {
    expect(parseDetailsPage(recordedText("play-search-html", name), "app.sample")).toBeNull();
  });
});

function expectReviews(page: ReviewsPayload | null, read: { count: number; lines: Lines }): void {
  expect(page?.reviews.length).toBe(read.count);
  expect(page?.rejectedCount).toBe(0);
  for (const { index, expected: facts } of read.lines.map(parseGoldenReview)) {
    expect(toGoldenReview(page?.reviews[index])).toEqual(facts);
  }
  for (const review of page?.reviews ?? []) {
    expect(review).toMatchObject({ title: null, country: null, languageHint: "en" });
    expect(review.author).not.toBe("");
  }
}

function translateReviews(): Lines {
  return [
    "0 017452fc-0d4b-471d-b406-bcf0f52387a7 5 2026-07-06T13:55:24.077Z - 0 3ae2e033ff93",
    "1 0ba2f9d7-69f1-4f39-83eb-d9fa3658aeb1 5 2026-07-06T13:31:19.472Z 10.24.48.939568180.6-release 0 c1e59b126741",
    "50 b3490a91-ef37-4064-845a-88f6ce5a0231 1 2026-07-04T17:00:35.149Z 10.20.41.923213375.5-release 0 98b2dcda4b17 2026-07-04T17:42:35.372Z",
    "75 57f1e8d1-b90e-4dc6-9837-9501cb3fda7c 5 2026-07-03T15:16:25.721Z - 0 a59ef099d9bd",
    "100 87021811-00cd-4c7c-9a27-eaf48c51352d 1 2026-07-02T15:32:25.294Z 10.24.48.939568180.6-release 1 c77cd112300e 2026-07-02T22:23:04.483Z",
    "149 9e7ea7be-3399-43ab-90d7-5287790cee7d 5 2026-06-30T14:16:17.371Z 10.23.29.934758792.2-release 1 ed3bf746d0b2",
  ];
}

function mapsReviews(): Lines {
  return [
    "0 21360732-d8b6-40bf-bb27-06be083512e5 1 2026-04-21T21:00:45.167Z 26.15.01.894202351 50 7d5643dba6e3",
    "1 ad5acb1c-3e40-47cb-b84c-f1ed25dcfd58 2 2026-04-28T02:42:54.137Z 26.17.05.901412876 39 2d0bd367ea7d 2023-02-26T19:49:29.827Z",
    "2 eb84e0fe-3520-4344-9329-38672ee40854 2 2025-11-03T21:05:43.100Z 25.43.04.821534312 2018 c704d3615ef8 2025-11-04T00:29:40.726Z",
  ];
}

function sampleReviewsOfWhereAmI(): Lines {
  return [
    "0 2574f9ac-034f-49bd-a5ea-22fa6d74f938 5 2021-05-05T15:17:10.318Z 1.1.2 16 825ab8cc979a 2021-05-07T14:41:00.225Z",
    "1 74816f17-1ffd-4eda-8aaf-b55f75812558 3 2025-06-09T14:57:39.037Z 3.0.12 1 6b2377413f83 2025-07-11T17:44:56.583Z",
    "6 a7325db1-ebe7-481d-bc0d-cac249098d57 5 2022-03-20T10:22:36.919Z 1.1.7 2 c129761c6f20",
    "10 16f638c4-801f-4c3f-ad9b-4e6f36d01cf5 3 2025-02-13T09:20:18.321Z 3.0.7 0 796fe2649f24 2025-03-11T22:18:31.863Z",
    "13 af98a626-a6bd-4899-9bf0-2757213e37c4 5 2021-07-13T07:29:07.025Z - 0 453801c6ed86 2021-07-27T15:30:39.395Z",
    "19 cea7c582-dd52-4103-b269-adc67aa279b2 5 2021-07-16T00:25:58.054Z 1.1.3 20 f17123c51b70 2021-07-27T15:30:42.487Z",
  ];
}

function sampleReviewsOfTranslate(): Lines {
  return [
    "0 bab28c55-8798-4abf-aff8-3fb36e93701c 4 2026-05-23T00:27:49.565Z 10.15.69.904408896.1-release 13 4a562299c4f0",
    "1 f99962dd-9aa0-4af8-a2ee-80f7c1bf1c10 2 2026-06-28T23:44:52.335Z 10.23.29.934758792.2-release 0 7e0881593d17 2026-06-28T21:04:27.803Z",
    "6 0eb07c13-4548-4434-9390-68e90cdd5fcf 1 2026-03-29T14:52:16.686Z 10.10.37.885563132.3-release 29 7086ad8b3005 2026-03-30T08:41:50.869Z",
    "10 72bbcd18-3dd3-4fda-819c-01ea7388d6d4 3 2023-12-02T04:22:58.273Z 7.8.0.543596146.1-release 63 197f024ff538 2023-12-02T09:17:19.317Z",
    "13 9563ac47-5a7c-46f1-ba58-a55c39d62441 3 2018-12-12T22:04:03.969Z 5.25.1.RC06.220517201 34 68b00a3f149d 2018-12-13T08:13:10.606Z",
    "19 fb00766d-9684-45c8-9e3c-20307e292242 1 2024-03-31T17:33:00.211Z 8.5.65.619412581.3-release 2299 23714f1d87bb 2024-04-01T07:32:43.294Z",
  ];
}

// Apple's parsers over every recorded page, against what was read from the pages by hand.
import { describe, expect, test } from "vitest";
import { parseGoldenReview, toGoldenReview } from "../../../test/support/golden-review.ts";
import { hasRecordings, recordedNames, recordedText } from "../../../test/support/recorded.ts";
import { parseConnectPage } from "../../features/store-accounts/apple/connect-reviews.ts";
import { parseDesktopReviews } from "./fallback-reviews.ts";
import { parseLookup } from "./lookup-parser.ts";
import { parseProductPageRatings, parseRatingsNode } from "./product-page-ratings.ts";
import { parseRatingsPage } from "./ratings.ts";
import { parseRssJson } from "./rss-request.ts";
import { parseRssXml } from "./rss-xml.ts";

describe.skipIf(!hasRecordings())("feeds", () => {
  test.each(feedPages())(
    "$name: $count reviews of $lastPage pages",
    ({ name, count, lastPage, copy, lines }) => {
      const page = parseFeed(name);
      expect(page?.reviews.length).toBe(count);
      expect(page?.rejectedCount).toBe(0);
      expect(page?.lastPage).toBe(lastPage);
      expect(page?.copyMadeAt?.toISOString() ?? null).toBe(copy);
      for (const { index, expected: facts } of lines.map(parseGoldenReview)) {
        expect(toGoldenReview(page?.reviews[index])).toEqual(facts);
      }
      for (const review of page?.reviews ?? []) {
        expect(review).toMatchObject({ country: "xx", languageHint: null, reply: null });
        expect(review.author).not.toBe("");
      }
    },
  );

  test("every recorded feed is read here", () => {
    const names = [
      ...recordedNames("apple-rss-json", ".json"),
      ...recordedNames("apple-rss-xml", ".xml"),
    ];
    const known = feedPages().map(({ name }) => name);
    expect(known.filter((name) => !names.includes(name))).toEqual([]);
    for (const name of names) expect(parseFeed(name)).not.toBeNull();
  });

  test.each(recordedNames("apple-rss-json", ".txt"))("%s is no page", (name) => {
    expect(parseRssJson(recordedText("apple-rss-json", name), { region: "us" })).toBeNull();
    expect(parseRssXml(recordedText("apple-rss-json", name), { region: "us" })).toBeNull();
  });
});

describe.skipIf(!hasRecordings())("other pages", () => {
  test("rows of the old desktop program", () => {
    const name = "userReviewsRow_839285684_us_excerpt.json";
    const rows = parseDesktopReviews(recordedText("apple-mzstore", name), "us");
    expect(rows).toHaveLength(2);
    expect(rows?.map(toGoldenReview)).toEqual(
      [
        "0 11593815773 5 2024-08-10T13:23:49Z - 1 d1b220b92ef3",
        "1 5786142670 4 2020-04-09T14:01:44Z - 20 e17d4bbfcdb8",
      ].map((line) => parseGoldenReview(line).expected),
    );
  });

  test.each([
    [
      "customerReviews_6777469778_live_2026-09-25.json",
      "0 00000193-f7fb-5203-538a-6cdb00000000 5 2026-07-10T15:10:55Z - - 7ec72971dbce",
      { country: "cn", cursor: null, total: 1 },
    ],
    [
      "customerReviews_docs-example.json",
      "0 00000028-b08c-0014-729e-fbd500000000 5 2017-11-15T16:10:34Z - - e3719135157d",
      { country: "us", cursor: "AQ.AMt2C-U", total: 4_326 },
    ],
  ])("App Store Connect: %s", (name, line, { country, cursor, total }) => {
    const page = parseConnectPage(recordedText("app-store-connect", name));
    expect(page).toMatchObject({ rejectedCount: 0, cursor, total, reviews: [{ country }] });
    expect(page?.reviews.map(toGoldenReview)).toEqual([parseGoldenReview(line).expected]);
  });

  test.each(recordedNames("app-store-connect").filter((name) => !/^customer/.test(name)))(
    "App Store Connect: %s is no page of reviews",
    (name) => {
      expect(parseConnectPage(recordedText("app-store-connect", name))).toBeNull();
    },
  );

  test("lookups: found, not found and refused are distinguished", () => {
    const of = (name: string) => parseLookup(recordedText("apple-lookup", name), "6448311069");
    const found = of("lookup_6448311069_us_abridged_2026-09.json");
    expect(found).toMatchObject({
      kind: "found",
      app: { externalAppId: "6448311069", iconUrl: expect.stringMatching(/512x512bb\.jpg$/) },
      ratings: { total: 10_148_787, histogram: null },
    });
    expect(found.kind === "found" && found.ratings?.average).toBeCloseTo(4.82937, 10);
    expect(of("lookup_not_found.json")).toEqual({ kind: "not_found" });
    expect(of("lookup_bad-storefront_400.json")).toEqual({ kind: "malformed" });
  });

  test("the page of customer reviews has a histogram that adds up", () => {
    const [name = ""] = recordedNames("apple-ratings-html", ".html");
    const reading = parseRatingsPage(recordedText("apple-ratings-html", name));
    expect(reading).toMatchObject({ total: 3_624, histogram: [81, 25, 62, 212, 3_244] });
    expect(reading?.average).toBeCloseTo((3_244 * 5 + 212 * 4 + 62 * 3 + 25 * 2 + 81) / 3_624, 10);
  });

  test("product pages: counts are rounded and turned to one star first", () => {
    const [name = ""] = recordedNames("apple-web-page", ".json");
    const nodes = JSON.parse(recordedText("apple-web-page", name));
    const us = parseRatingsNode(nodes.us);
    expect(us).toMatchObject({
      total: 29_481_802,
      histogram: [1_226_159, 274_710, 696_048, 2_000_235, 25_284_650],
    });
    expect(us?.average).toBeCloseTo(4.6906, 3);
    const page = JSON.stringify([{ data: { shelves: [{ items: [nodes.us] }] } }]);
    const html = `<script type="application/json" id="serialized-server-data">${page}</script>`;
    expect(parseProductPageRatings(html, "389801252")).toEqual(us);
    expect(parseRatingsNode(nodes.gb)).toMatchObject({
      total: 4_207_978,
      histogram: [131_728, 38_703, 124_035, 368_857, 3_544_655],
    });
  });
});

function parseFeed(name: string) {
  return name.endsWith(".xml")
    ? parseRssXml(recordedText("apple-rss-xml", name), { region: "xx" })
    : parseRssJson(recordedText("apple-rss-json", name), { region: "xx" });
}

type FeedExpectation = {
  name: string;
  count: number;
  lastPage: number | null;
  /** When the copy was made. */
  copy: string | null;
  lines: string[];
};

function feedPages(): FeedExpectation[] {
  return [
    {
      name: "rss_100000000_gb_p1_no-such-app.json",
      count: 0,
      lastPage: 0,
      copy: "2021-01-30T16:26:10.000Z",
      lines: [],
    },
    {
      name: "rss_1404176564_jp_2020.json",
      count: 50,
      lastPage: 8,
      copy: "2020-08-08T03:17:03.000Z",
      lines: [
        "0 6290024630 4 - 3.4.3 0 3fdf0a9a39d0",
        "1 6285559638 2 - 3.4.3 0 b3daf2deeaa2",
        "16 6230528034 3 - 3.3.17 0 fa83233ee375",
        "25 6202406878 4 - 3.3.15 0 ae0b28dda10b",
        "33 6180912606 2 - 3.3.15 0 51fd498a4655",
        "49 6123449936 3 - 3.3.15 0 dbf481de405e",
      ],
    },
    {
      name: "rss_1510826067_gb_p1.json",
      count: 4,
      lastPage: 1,
      copy: "2021-01-30T15:58:07.000Z",
      lines: [
        "0 6504352127 5 - 1.1.0 0 e5676a2d0ccf",
        "1 6108405527 5 - 1.0.1 0 5544213a3ffe",
        "2 6096833863 5 - 1.0.1 0 b4703d206abe",
        "3 6091772301 5 - 1.0.0 0 07f8a49a2385",
      ],
    },
    {
      name: "rss_1510826067_gb_p2.json",
      count: 0,
      lastPage: 1,
      copy: "2021-01-30T16:25:47.000Z",
      lines: [],
    },
    {
      name: "rss_284815942_us_mosthelpful_p1_2023.json",
      count: 50,
      lastPage: 10,
      copy: "2022-06-14T09:55:37.000Z",
      lines: [
        "0 8044879566 4 2021-11-20T17:25:34Z 186.0 263 5cf43986ebaf",
        "1 7868068902 1 2021-10-02T06:13:03Z 179.0 289 f911ecd49029",
        "16 7834440371 2 2021-09-22T21:52:22Z 178.0 5 f2c9649b9f8d",
        "25 7877073963 2 2021-10-04T14:33:49Z 179.0 3 e9a4178c9519",
        "33 2559387601 3 2018-05-17T13:57:27Z 49.0 34 db7689caae4c",
        "49 7200642338 1 2021-04-09T03:41:23Z 153.0 3 aadbd862a50b",
      ],
    },
    {
      name: "rss_497799835_cn_p5.json",
      count: 50,
      lastPage: 10,
      copy: "2021-02-06T16:16:23.000Z",
      lines: [
        "0 6668621742 3 - 12.2 3 da4f66fcfc02",
        "1 6668507314 3 - 12.2 0 b1a7e9092ae7",
        "16 6657360325 1 - 12.2 0 2388ebf1422d",
        "25 6650646309 1 - 12.2 1 6e3922d5f943",
        "33 6647676042 1 - 12.2 1 2767074c66ba",
        "49 6639701538 5 - 12.2 0 e2afeaa43140",
      ],
    },
    {
      name: "rss_497799835_fr_p1.json",
      count: 50,
      lastPage: 6,
      copy: "2021-01-30T19:49:46.000Z",
      lines: [
        "0 6918761820 4 - 12.4 0 da72cbc1bc57",
        "1 6856326071 1 - 12.3 2 920e944651d3",
        "16 6480340961 1 - 12.0.1 2 ef9249b82295",
        "25 6169906234 1 - 11.5 4 ea0e89e45884",
        "33 5877060838 1 - 11.4.1 1 f8d7ee348a50",
        "49 5391554126 4 - 11.3 0 31c27be2b4dd",
      ],
    },
    {
      name: "rss_empty_page.json",
      count: 0,
      lastPage: 0,
      copy: "2021-02-28T14:35:33.000Z",
      lines: [],
    },
    {
      name: "rss_tr_p3_transient-hole_2026-09.json",
      count: 0,
      lastPage: 10,
      copy: "2026-09-01T23:28:26.000Z",
      lines: [],
    },
    {
      name: "rss_1208224953_zw_p1_empty_2021.xml",
      count: 0,
      lastPage: 0,
      copy: "2021-10-29T01:14:47.000Z",
      lines: [],
    },
    {
      name: "rss_1404176564_jp_2020.xml",
      count: 50,
      lastPage: 8,
      copy: "2020-08-12T15:00:37.000Z",
      lines: [
        "0 6310006838 5 2020-08-12T11:06:20Z 3.5.0 0 314b79fa41b0",
        "1 6309777489 5 2020-08-12T09:51:25Z 3.5.0 0 0b95604c6010",
        "16 6274202146 3 2020-08-03T08:49:07Z 3.4.2 0 335bd4212f7e",
        "25 6241848471 3 2020-07-25T23:26:41Z 3.3.17 0 4678e44f6467",
        "33 6209095716 5 2020-07-17T14:37:43Z 3.3.15 0 0ed6d9f5fba8",
        "49 6180524864 1 2020-07-10T10:52:38Z 3.3.15 0 5c1189660442",
      ],
    },
    {
      name: "rss_1465439395_us_app-entry-first_trimmed_2026-08.xml",
      count: 1,
      lastPage: null,
      copy: null,
      lines: ["0 14307969504 2 2026-07-15T23:06:18Z 3.5.2 2 34aba116101c"],
    },
    {
      name: "rss_333903271_us_p1_browser-saved_2021.xml",
      count: 50,
      lastPage: 10,
      copy: "2021-02-20T11:45:06.000Z",
      lines: [
        "0 7012426549 1 2021-02-19T07:07:45Z 8.54 0 65b92434bb92",
        "1 7012394898 1 2021-02-19T06:55:59Z 8.54 0 5e9ef9a825d1",
        "16 7011368875 5 2021-02-19T00:11:48Z 8.54 0 6e1f8cb9e42c",
        "25 7011094716 1 2021-02-18T22:18:10Z 8.53 0 5f03087b7d1c",
        "33 7010711308 1 2021-02-18T19:37:50Z 8.53 0 2c48fab0434d",
        "49 7010163519 1 2021-02-18T16:22:37Z 8.53 0 9eeffaed8e1e",
      ],
    },
  ];
}

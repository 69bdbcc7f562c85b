// Every parser of reviews over answers that are damaged in every way: it gives reviews that were there
// or nothing, and never throws.
import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { corruptJson, truncateText } from "../../test/support/corrupt-json.ts";
import { expectOnlyKnown } from "../../test/support/expect-only-known.ts";
import type { SourceReview } from "../domain/review/review.ts";
import { parseConnectPage } from "../features/store-accounts/apple/connect-reviews.ts";
import { parseApiPage } from "../features/store-accounts/google/api-reviews.ts";
import { parseConsoleCsv } from "../features/store-accounts/google/console-csv.ts";
import { parseJson } from "../lib/json.ts";
import { parseDesktopReviews, parseProductReviews } from "./apple/fallback-reviews.ts";
import { parseRssJson } from "./apple/rss-request.ts";
import { parseRssXml } from "./apple/rss-xml.ts";
import { parseRatingList } from "./firefox/rating-list.ts";
import { parseBatch } from "./google/batch.ts";
import { parseReviewsPayload } from "./google/reviews-payload.ts";

type Read = (text: string) => SourceReview[] | null;
type Source = { name: string; whole: unknown; write: (value: unknown) => string; read: Read };

const numbers = [1, 2, 3];
const label = (text: string) => ({ label: text });
const uuid = (index: number) => `00000000-0000-4000-8000-00000000000${index}`;

const sources: Source[] = [
  {
    name: "Apple's feed",
    whole: {
      feed: {
        entry: numbers.map((index) => ({
          id: label(`1454854379${index}`),
          "im:rating": label(String(index)),
          "im:version": label("1.2"),
          "im:voteSum": label("-3"),
          updated: label("2026-01-02T03:04:05-07:00"),
          author: { name: label("reader") },
          title: label("Fine"),
          content: { label: "Works well.", attributes: { type: "text" } },
        })),
        updated: label("2026-01-03T00:00:00-07:00"),
        link: [{ attributes: { rel: "last", href: "https://x/rss/customerreviews/page=4/xml" } }],
      },
    },
    write: JSON.stringify,
    read: (text) => parseRssJson(text, { region: "de" })?.reviews ?? null,
  },
  {
    name: "Apple's rows",
    whole: {
      userReviewList: numbers.map((index) => ({
        userReviewId: `1454854379${index}`,
        body: "Works well.",
        date: "2026-01-02T03:04:05Z",
        name: "reader",
        rating: index,
        title: "Fine",
        voteCount: 3,
        voteSum: 1,
      })),
    },
    write: JSON.stringify,
    read: (text) => parseDesktopReviews(text, "de"),
  },
  {
    name: "Apple's product page",
    whole: numbers.map((index) => ({
      $kind: "Review",
      id: `1454854379${index}`,
      title: "Fine",
      date: "2026-01-02T03:04:05.000Z",
      contents: "Works well.",
      rating: index,
      reviewerName: "reader",
      response: { contents: "Thanks.", date: "2026-01-03T03:04:05Z" },
    })),
    write: (value) =>
      `<script type="application/json" id="serialized-server-data">${JSON.stringify(value)}</script>`,
    read: (text) => parseProductReviews(text, { externalAppId: "1", region: "de" }),
  },
  {
    name: "App Store Connect",
    whole: {
      data: numbers.map((index) => ({
        type: "customerReviews",
        id: uuid(index),
        attributes: {
          rating: index,
          title: "Fine",
          body: "Works well.",
          reviewerNickname: "reader",
          createdDate: "2026-01-02T03:04:05-08:00",
          territory: "XKS",
        },
        relationships: { response: { data: { type: "customerReviewResponses", id: "r1" } } },
      })),
      included: [
        {
          type: "customerReviewResponses",
          id: "r1",
          attributes: { responseBody: "Thanks.", state: "PUBLISHED" },
        },
      ],
      links: { next: "https://api.appstoreconnect.apple.com/v1/apps/1?cursor=AQ.b" },
      meta: { paging: { total: 3, limit: 200 } },
    },
    write: JSON.stringify,
    read: (text) => parseConnectPage(text)?.reviews ?? null,
  },
  {
    name: "Google Play's pages",
    whole: [
      numbers.map((index) => [
        uuid(index),
        ["reader", null],
        index,
        null,
        "Works well.",
        [1_783_346_124, 77_000_000],
        3,
        ["Makers", "Thank you.", [1_683_346_000, 0]],
        null,
        null,
        "1.2",
      ]),
      [null, "token"],
    ],
    write: (value) =>
      `)]}'\n\n${JSON.stringify([["wrb.fr", "oCPfdb", JSON.stringify(value), null, null, null, "generic"]])}`,
    read: readBatch,
  },
  {
    name: "the Google Play Developer API",
    whole: {
      reviews: numbers.map((index) => ({
        reviewId: uuid(index),
        authorName: "reader",
        comments: [
          { developerComment: { text: "Thanks.", lastModified: { seconds: "1683346000" } } },
          {
            userComment: {
              text: "Old\tWorks well.",
              lastModified: { seconds: "1783346124", nanos: 77_000_000 },
              starRating: index,
              reviewerLanguage: "pt_BR",
              appVersionCode: 12,
              thumbsUpCount: 2,
            },
          },
        ],
      })),
      tokenPagination: { nextPageToken: "next" },
    },
    write: JSON.stringify,
    read: (text) => parseApiPage(text)?.reviews ?? null,
  },
  {
    name: "Firefox Add-ons",
    whole: {
      ...{ page_size: 50, count: 3, next: null },
      results: numbers.map((index) => ({
        id: 2_200_000 + index,
        addon: { id: 42, slug: "tides" },
        body: "Works well.",
        created: "2026-01-02T03:04:05Z",
        ...{ is_deleted: false, previous_count: 0, score: index },
        user: { id: 11_001, name: "reader", url: "https://x/user/11001/" },
        reply: { id: 9, body: "Thanks.", created: "2026-01-03T03:04:05Z" },
        version: { id: 1, version: "1.2" },
      })),
      grouped_ratings: { 1: 1, 2: 1, 3: 1, 4: 0, 5: 0 },
    },
    write: JSON.stringify,
    read: (text) => parseRatingList(parseJson(text), "42")?.reviews ?? null,
  },
];

function readBatch(text: string): SourceReview[] | null {
  const batch = parseBatch(text, "oCPfdb");
  return batch.kind === "payload"
    ? (parseReviewsPayload(batch.payload, "de")?.reviews ?? null)
    : null;
}

describe.each(sources)("$name", ({ whole, write, read }) => {
  const originals = read(write(whole)) ?? [];

  test("undamaged, all three are there with their day", () => {
    expect(originals.map(({ rating }) => rating)).toEqual(numbers);
    expect(originals.every(({ date }) => date !== null)).toBe(true);
  });

  test("fields dropped, arrays cut and types flipped never make a review", () => {
    fc.assert(
      fc.property(corruptJson(whole), (hurt) => {
        expectOnlyKnown(read(write(hurt)) ?? [], originals);
      }),
      { numRuns: 500 },
    );
  });

  test("a body that breaks off gives nothing", () => {
    fc.assert(
      fc.property(truncateText(write(whole)), (cut) => {
        expect(read(cut) ?? []).toEqual([]);
      }),
    );
  });
});

describe("Apple's feed as XML", () => {
  const fields = (index: number): [string, string][] => [
    ["updated", "2026-01-02T03:04:05-07:00"],
    ["id", `1454854379${index}`],
    ["title", "Fine &#128064; &amp;lt;"],
    ['content type="text"', "Works &lt;well&gt; &#x1F600;."],
    ["im:voteSum", "2"],
    ["im:rating", String(index)],
    ["im:version", "1.2"],
    ["author", "<name>reader</name><uri>u</uri>"],
    ['content type="html"', "&lt;table&gt;Another text&lt;/table&gt;"],
  ];
  const write = (entries: [string, string][][]): string => {
    const inside = entries.map((entry) =>
      entry.map(([tag, text]) => `<${tag}>${text}</${tag.split(" ")[0]}>`).join("\n"),
    );
    const body = inside.map((entry) => `<entry>${entry}</entry>`).join("");
    return `<?xml version="1.0"?><feed xmlns:im="x"><link rel="last" href="/page=4/"/>${body}</feed>\n`;
  };
  const whole = numbers.map(fields);
  const read: Read = (text) => parseRssXml(text, { region: "de" })?.reviews ?? null;
  const originals = read(write(whole)) ?? [];

  test("undamaged, entities are decoded once", () => {
    expect(originals).toMatchObject(
      numbers.map((rating) => ({ rating, title: "Fine 👀 &lt;", text: "Works <well> 😀." })),
    );
  });

  test("elements that are dropped, doubled, emptied or moved never make a review", () => {
    const oddity = fc.constantFrom(
      "",
      " ",
      "9x",
      "-1",
      "x",
      "<b>1</b>",
      "&#99999999;",
      "4.5",
      "1e0",
    );
    const hurtEntry = (entry: [string, string][]) =>
      fc
        .shuffledSubarray(entry, { minLength: 3 })
        .chain((kept) =>
          fc
            .record({ at: fc.nat(kept.length - 1), odd: fc.option(oddity) })
            .map(({ at, odd }) =>
              kept.map(([tag, text], index): [string, string] => [
                tag,
                index === at && odd !== null ? odd : text,
              ]),
            ),
        );
    fc.assert(
      fc.property(fc.tuple(...whole.map(hurtEntry)), (hurt) => {
        expectOnlyKnown(read(write(hurt)) ?? [], originals);
      }),
      { numRuns: 500 },
    );
  });

  test("a body that breaks off gives nothing", () => {
    fc.assert(fc.property(truncateText(write(whole).trimEnd()), (cut) => read(cut) === null));
  });
});

describe("exports of the Play Console", () => {
  const columns = ["Package Name", "Star Rating", "Review Text", "Review Link", "x"];
  const dated = ["Review Last Update Millis Since Epoch", ...columns];
  const rowOf = (index: number): string[] => [
    "1763045639590",
    "app.sample",
    String(index),
    `"Works, ""well"".\nReally."`,
    `http://play.google.com/console?reviewId=${uuid(index)}`,
    "",
  ];
  const write = (rows: readonly (readonly string[])[]): Buffer =>
    Buffer.from(`\ufeff${rows.map((row) => row.join(",")).join("\r\n")}`, "utf16le");
  const whole = [dated, ...numbers.map(rowOf)];
  const read = async (bytes: Uint8Array) =>
    (await parseConsoleCsv(Readable.from([bytes]), "app.sample"))?.reviews;

  test("columns dropped or renamed, cells lost and bytes cut never make a review", async () => {
    const originals = (await read(write(whole))) ?? [];
    expect(originals.length).toBe(3);
    const injury = fc.record({
      column: fc.option(fc.nat(5)),
      cell: fc.option(fc.record({ row: fc.nat(3), at: fc.nat(5) })),
      length: fc.option(fc.nat(write(whole).length)),
    });
    await fc.assert(
      fc.asyncProperty(injury, async ({ column, cell, length }) => {
        const rows = whole.map((row, index) =>
          row.filter((_, at) => at !== column && !(index === cell?.row && at === cell.at)),
        );
        const bytes = write(rows).subarray(0, length ?? undefined);
        expectOnlyKnown((await read(bytes)) ?? [], originals);
      }),
      { numRuns: 300 },
    );
  });
});

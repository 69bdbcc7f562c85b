// Google Play's parsers over every recording, and over answers that are damaged in every way.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutOff, injured } from "../../../test/support/mutated-json.ts";
import { hasRecordings, recordedNames, recordedText } from "../../../test/support/recorded.ts";
import { parseBatch } from "./batch.ts";
import { parseDetailsPage } from "./details-page.ts";
import { parseReviewsPayload } from "./reviews-payload.ts";

describe.skipIf(!hasRecordings())("recordings", () => {
  test.each([
    ["review_history_com.twitter.android_2021.txt", "UsvDTd", 1, 1, false],
    [
      "reviews_UsvDTd_com.google.android.apps.translate_en_us_newest_p1.txt",
      "UsvDTd",
      150,
      150,
      true,
    ],
    ["reviews_oCPfdb_com.google.android.apps.maps_trimmed_2026.txt", "oCPfdb", 3, 3, true],
  ])("%s: every review is read", (name, rpcId, count, idCount, hasToken) => {
    const batch = parseBatch(recordedText("play-batchexecute", name), rpcId);
    const payload = batch.kind === "payload" ? batch.payload : undefined;
    const page = parseReviewsPayload(payload, "en-US");
    expect(page?.reviews.length).toBe(count);
    expect(new Set(page?.reviews.map((review) => review.storeReviewId)).size).toBe(idCount);
    expect(page?.rejectedCount).toBe(0);
    expect(typeof page?.token === "string").toBe(hasToken);
    const raw = new Map(rawReviews(payload).map((item) => [item[0], item]));
    for (const review of page?.reviews ?? []) {
      expect(raw.has(review.storeReviewId)).toBe(true);
      expect(review.title).toBeNull();
      expect(review.languageHint).toBe("en");
      expect(review.country).toBeNull();
    }
    expect(page?.reviews.slice(0, 150).map(rawOf)).toEqual(firstOfEachId(payload).map(factsOf));
  });

  test("a chunked answer is read, and an answer to another call is no answer", () => {
    const text = recordedText("play-batchexecute", "synthetic_batch_chunked.txt");
    expect(parseBatch(text, "rpcChunk").kind).toBe("payload");
    expect(parseBatch(text, "oCPfdb").kind).toBe("missing");
  });

  test.each([
    [
      "com.google.android.apps.translate",
      9_039_805,
      4.26508,
      [971_173, 306_894, 479_693, 878_696, 6_403_317],
    ],
    ["com.adex77.WhereAmI", 336, 4.16, [40, 13, 26, 26, 228]],
  ])(
    "%s: the headline ratings, from the whole page and from its blocks",
    (id, total, average, histogram) => {
      const wanted = { total, average, histogram };
      const page = parseDetailsPage(recordedText("play-details-html", `${id}_en_us.html`), id);
      expect(page?.ratings).toEqual(wanted);
      expect(page?.name).not.toBe("");
      expect(page?.iconUrl).toMatch(/^https:/);
      const blocks = JSON.parse(recordedText("play-details-ds", `${id}_ds5_ds9_ds10.json`));
      expect(parseDetailsPage(pageOf(blocks), id)?.ratings).toEqual(wanted);
    },
  );

  test.each(recordedNames("play-details-html", ".html"))(
    "%s: without blocks, the summary gives average and count",
    (name) => {
      const html = recordedText("play-details-html", name).replaceAll(
        "AF_initData",
        "AF_elsewhere",
      );
      const page = parseDetailsPage(html, name.replace("_en_us.html", ""));
      expect(page?.ratings?.histogram).toBeNull();
      expect(page?.ratings?.total).toBeGreaterThan(0);
    },
  );

  test("the first reviews inside a details page are reviews like any other", () => {
    for (const name of recordedNames("play-details-ds", ".json")) {
      const payload = JSON.parse(recordedText("play-details-ds", name))["ds:10"];
      expect(parseReviewsPayload(payload, "en")?.reviews.length).toBe(20);
    }
  });
});

describe("damaged answers", () => {
  const review = (index: number) => [
    `00000000-0000-4000-8000-00000000000${index}`,
    ["reader", null],
    4,
    null,
    "Works well.",
    [1_783_346_124, 77_000_000],
    3,
    ["Makers", "Thank you.", [1_783_346_000, 0]],
    null,
    null,
    "1.2",
  ];
  const payload = [[review(1), review(2), review(3)], null, [null, "token"]];

  test("nanoseconds are a number, not digits after a point", () => {
    const [first] = parseReviewsPayload(payload, "de")?.reviews ?? [];
    expect(first?.date?.toISOString()).toBe("2026-07-06T13:55:24.077Z");
  });

  test("short arrays, null words and null versions are reviews", () => {
    const short = [[["id-1", null, 1]], null];
    expect(parseReviewsPayload(short, "pt-BR")?.reviews).toEqual([
      {
        storeReviewId: "id-1",
        author: "",
        rating: 1,
        title: null,
        text: "",
        version: "",
        country: null,
        languageHint: "pt",
        date: null,
        votes: null,
        reply: null,
      },
    ]);
  });

  test("any injury gives reviews that were there, or nothing", () => {
    fc.assert(
      fc.property(injured(payload), (hurt) => {
        for (const { rating, date } of parseReviewsPayload(hurt, "de")?.reviews ?? []) {
          expect([1, 2, 3, 4, 5]).toContain(rating);
          expect(date === null || !Number.isNaN(date.getTime())).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a framing that is cut off or injured never throws and never invents a payload", () => {
    const frames = [["wrb.fr", "oCPfdb", JSON.stringify(payload), null, null, null, "generic"]];
    const text = `)]}'\n\n${JSON.stringify(frames)}`;
    fc.assert(
      fc.property(cutOff(text), (cut) => {
        expect(["malformed", "missing"]).toContain(parseBatch(cut, "oCPfdb").kind);
      }),
    );
    fc.assert(
      fc.property(injured(frames), (hurt) => {
        const batch = parseBatch(JSON.stringify(hurt), "oCPfdb");
        if (batch.kind === "payload" && batch.payload !== null) {
          expect(parseReviewsPayload(batch.payload, "de")).toEqual(
            parseReviewsPayload(payload, "de"),
          );
        }
      }),
    );
  });

  test("a throttled gateway is told from a review that names it", () => {
    const named = [
      ["wrb.fr", "oCPfdb", JSON.stringify([[["a", null, 5, null, "PlayGatewayError"]]])],
    ];
    expect(parseBatch(JSON.stringify(named), "oCPfdb").kind).toBe("payload");
    const refused = '[["wrb.fr","oCPfdb",null,null,null,[13,null,[["x.PlayGatewayError"]]]]]';
    expect(parseBatch(refused, "oCPfdb").kind).toBe("throttled");
  });

  test("injured details give a sound reading or none", () => {
    const details = new Array<unknown>(120).fill(null);
    details[0] = ["Sample"];
    details[51] = [
      ["4.0", 4],
      [null, ["1", 1], ["1", 1], ["1", 1], ["1", 1], ["4", 4]],
      ["8", 8],
    ];
    details[77] = ["app.sample"];
    fc.assert(
      fc.property(injured(details), (hurt) => {
        const html = pageOf({ "ds:5": [[], [null, null, hurt]] });
        const ratings = parseDetailsPage(html, "app.sample")?.ratings ?? null;
        if (ratings === null) return;
        expect(ratings.total).toBeGreaterThanOrEqual(0);
        expect(ratings.average).toBeLessThanOrEqual(5);
        expect(ratings.average).toBeGreaterThanOrEqual(ratings.total === 0 ? 0 : 1);
      }),
    );
  });
});

type Item = unknown[];

function rawReviews(payload: unknown): Item[] {
  return (payload as [Item[]])[0];
}

function firstOfEachId(payload: unknown): Item[] {
  const seen = new Set<unknown>();
  return rawReviews(payload).filter((item) => !seen.has(item[0]) && seen.add(item[0]));
}

// Ids, ratings, versions and dates: what can be compared without anyone's words.
function rawOf(review: NonNullable<ReturnType<typeof parseReviewsPayload>>["reviews"][number]) {
  const { storeReviewId, rating, version, date, votes, reply } = review;
  return {
    storeReviewId,
    rating,
    version,
    dateMs: date?.getTime(),
    votes,
    hasReply: reply !== null,
  };
}

function factsOf(item: Item) {
  const [seconds = 0, nanos = 0] = item[5] as number[];
  return {
    storeReviewId: item[0],
    rating: item[2],
    version: item[10] ?? "",
    dateMs: seconds * 1_000 + Math.floor(nanos / 1_000_000),
    votes: item[6],
    hasReply: item[7] !== null,
  };
}

/** A page with these blocks under moved numbers, so that nothing rests on them. */
function pageOf(blocks: Record<string, unknown>): string {
  const known: [string, string][] = [
    ["ds:5", "Ws7gDc"],
    ["ds:9", "Ws7gDc"],
    ["ds:10", "oCPfdb"],
  ];
  const moved = known
    .filter(([key]) => blocks[key] !== undefined)
    .map(([key, rpcId], index) => ({ data: blocks[key], rpcId, key: `ds:${20 - index}` }));
  const services = moved.map(({ key, rpcId }) => `'${key}' : {id:'${rpcId}',request:[]}`).reverse();
  const callbacks = moved.map(
    ({ key, data }) =>
      `<script>AF_initDataCallback({key: '${key}', hash: '1', data:${JSON.stringify(data)}, sideChannel: {}});</script>`,
  );
  return `<script>var AF_dataServiceRequests = {${services}};</script>${callbacks.join("")}`;
}

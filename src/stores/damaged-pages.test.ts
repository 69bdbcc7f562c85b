// Synthetic and recorded pages with something wrong in them: the parsers find reviews that were there or
// nothing.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { corruptJson, truncateText } from "../../test/support/corrupt-json.ts";
import { expectOnlyKnown } from "../../test/support/expect-only-known.ts";
import { hasRecordings, recordedNames, recordedText } from "../../test/support/recorded.ts";
import { listStorePages, readStorePage } from "../../test/support/store-pages.ts";
import type { SourceReview } from "../domain/review/review.ts";
import { parseConnectPage } from "../features/store-accounts/apple/connect-reviews.ts";
import { parseApiPage } from "../features/store-accounts/google/api-reviews.ts";
import { parseDesktopReviews } from "./apple/fallback-reviews.ts";
import { parseRssJson } from "./apple/rss-request.ts";
import { parseRssXml } from "./apple/rss-xml.ts";
import { parseRatingList } from "./firefox/rating-list.ts";
import { parseBatch } from "./google/batch.ts";
import { parseDetailsPage } from "./google/details-page.ts";
import { parseReviewsPayload } from "./google/reviews-payload.ts";

type Read = (value: unknown) => SourceReview[];

const readers: [kind: string, extension: string, read: Read][] = [
  [
    "apple-rss-json",
    ".json",
    (json) => parseRssJson(JSON.stringify(json), { region: "us" })?.reviews ?? [],
  ],
  ["apple-mzstore", ".json", (json) => parseDesktopReviews(JSON.stringify(json), "us") ?? []],
  ["app-store-connect", ".json", (json) => parseConnectPage(JSON.stringify(json))?.reviews ?? []],
  ["addons-ratings", ".json", (json) => parseRatingList(json, "2764310")?.reviews ?? []],
  ["play-developer-api", ".json", (json) => parseApiPage(JSON.stringify(json))?.reviews ?? []],
];

describe("store pages", () => {
  test.each(
    readers.flatMap(([kind, extension, read]) =>
      listStorePages(kind, extension).map((page) => ({ ...page, read })),
    ),
  )("$source $kind/$name, damaged, makes no review", ({ read, ...page }) => {
    const whole = JSON.parse(readStorePage(page));
    const originals = read(whole);
    fc.assert(
      fc.property(corruptJson(whole), (hurt) => expectOnlyKnown(read(hurt), originals)),
      { numRuns: 40 },
    );
  });

  // A history holds two versions of one review, of which either may be the one that is left.
  test.each(listStorePages("play-batchexecute").filter(isReviewPage))(
    "$source $name, damaged, makes no review",
    (page) => {
      const text = readStorePage(page);
      const rpcId = text.includes('"oCPfdb"') ? "oCPfdb" : "UsvDTd";
      const batch = parseBatch(text, rpcId);
      const payload = batch.kind === "payload" ? batch.payload : null;
      const read: Read = (value) => parseReviewsPayload(value, "en")?.reviews ?? [];
      const originals = read(payload);
      expect(originals.length).toBeGreaterThan(0);
      fc.assert(
        fc.property(corruptJson(payload), (hurt) => expectOnlyKnown(read(hurt), originals)),
        { numRuns: 40 },
      );
      fc.assert(
        fc.property(truncateText(text), (cut) => {
          const answer = parseBatch(cut, rpcId);
          expect(["malformed", "missing"]).toContain(answer.kind);
        }),
        { numRuns: 20 },
      );
    },
  );

  test.each(listStorePages("apple-rss-xml", ".xml"))(
    "$source $name, cut off, is no page",
    (page) => {
      fc.assert(
        fc.property(truncateText(readStorePage(page).trimEnd()), (cut) => {
          expect(parseRssXml(cut, { region: "us" })).toBeNull();
        }),
        { numRuns: 20 },
      );
    },
  );
});

describe.skipIf(!hasRecordings())("recorded blocks", () => {
  test.each(recordedNames("play-details-ds", ".json"))(
    "%s, damaged, gives sound ratings",
    (name) => {
      const blocks = JSON.parse(recordedText("play-details-ds", name));
      const id = name.replace(/_ds.*$/, "");
      fc.assert(
        fc.property(corruptJson(blocks["ds:5"]), (hurt) => {
          const html =
            "<script>x = {'ds:5' : {id:'Ws7gDc',request:[]}};</script>" +
            `<script>AF_initDataCallback({key: 'ds:5', data:${JSON.stringify(hurt)}, sideChannel: {}});</script>`;
          const ratings = parseDetailsPage(html, id)?.ratings ?? null;
          if (ratings === null) return;
          expect(Number.isSafeInteger(ratings.total) && ratings.total >= 0).toBe(true);
          expect(ratings.average).toBeGreaterThanOrEqual(ratings.total === 0 ? 0 : 1);
          expect(ratings.average).toBeLessThanOrEqual(5);
        }),
        { numRuns: 40 },
      );
    },
  );
});

// Chunks end before the page does, so that a chunked page can be cut without losing a review.
function isReviewPage({ name }: { name: string }): boolean {
  return name.startsWith("reviews_") && !name.includes("chunked");
}

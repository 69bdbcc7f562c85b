// Pages and answers that were made to take forever: a megabyte of what makes a careless pattern start again at
// every character. Work that grows with the square of that would take many minutes, so no time is measured
// here: these tests end, or they don't.
import { describe, expect, test } from "vitest";
import { AppError } from "../domain/error.ts";
import { parseReviewLink } from "../domain/store/play-link.ts";
import { parseJson } from "../lib/json.ts";
import { parseRetryAfter } from "../lib/retry-after.ts";
import { nodesOfKind } from "./apple/product-page-data.ts";
import { parseRssJson } from "./apple/rss-request.ts";
import { parseRssXml } from "./apple/rss-xml.ts";
import { parseDetailsPage } from "./google/details-page.ts";
import { allBlocks, blocksOf } from "./google/page-blocks.ts";
import { findScript, listTextsOfClass, withoutScripts } from "./html-scan.ts";

const length = 1_000_000;
const fill = (part: string): string => part.repeat(Math.ceil(length / part.length));

const soups: readonly [name: string, text: string][] = [
  ["tags that are never closed", fill("<script ")],
  ["scripts that are never closed", fill('<script id="serialized-server-data">')],
  ["summaries that are never closed", fill('<script type="application/ld+json">')],
  ["a summary's tag without an end", `<script ${fill('type="application/ld+json" ')}`],
  ["classes", `class="${fill("total ")}`],
  ["attributes", fill('class="total" ')],
  ["elements", fill('<i class="total">')],
  ["blocks without data", fill("AF_initDataCallback({key: 'ds:1', ")],
  ["a table of blocks", fill("'ds:1' : {id:'abc', ")],
  ["blanks before the end", `AF_initDataCallback({key: 'ds:1', data:})${fill(" ")}x</script>`],
  ["brackets", fill("[")],
  ["objects", fill('{"a":')],
  ["sections", fill("<![CDATA[")],
  ["ends of sections", fill("]]> ")],
  ["entries", fill("<entry>")],
  ["entities", fill("&amp;")],
  ["digits", fill("9")],
  ["blanks", fill(" ")],
  ["a feed's end", fill("</feed> ")],
];

describe.each(soups)("%s", (_, text) => {
  test("end in a value, wherever they arrive", () => {
    findScript(text, "serialized-server-data");
    withoutScripts(text);
    for (const found of listTextsOfClass(text, "total")) expect(found.length).toBeLessThan(1_001);
    expect(nodesOfKind(text, { kind: "Review", countMax: 10 })).toEqual([]);
    expect(allBlocks(text).length).toBeLessThan(101);
    expect(blocksOf(text, "abc").length).toBeLessThan(101);
    expect(parseJson(text)).toBeOneOf([undefined, Number.POSITIVE_INFINITY]);
    expect(parseDetailsPage(text, "app.sample")).toBeNull();
    expect(parseRetryAfter(text, new Date())).toBeNull();
    expect(parseReviewLink(text)).toBeNull();
    for (const parse of [parseRssJson, parseRssXml]) {
      try {
        parse(text, { region: "us" });
      } catch (error) {
        // A value would do; a bug would not.
        expect(error).toBeInstanceOf(AppError);
      }
    }
  });
});

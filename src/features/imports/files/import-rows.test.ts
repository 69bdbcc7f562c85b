// Files as people have them: separators and encodings of spreadsheets, compressed and empty files.
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ImportRow } from "./import-file.ts";
import { readImportFile } from "./import-rows.ts";

async function read(content: string | Uint8Array, name = "reviews.csv"): Promise<ImportRow[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
    // In small pieces, so that characters are cut.
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  const rows: ImportRow[] = [];
  for await (const row of (await readImportFile({ name, chunks: chunks() })).rows) rows.push(row);
  return rows;
}

describe("separators", () => {
  test.each([",", ";", "\t"])("%j separates cells if the header uses it", async (separator) => {
    const lines = [
      ["id", "rating", "date", "text"],
      ["r1", "4", "2026-11-20", '"Slow; but, as ""they"" say\tfine"'],
    ];
    expect(await read(lines.map((line) => line.join(separator)).join("\r\n"))).toEqual([
      {
        line: 2,
        fields: {
          id: "r1",
          rating: "4",
          date: "2026-11-20",
          text: 'Slow; but, as "they" say\tfine',
        },
      },
    ]);
  });

  test("a header of one column is read with commas", async () => {
    expect(await read("id\nr1")).toEqual([{ line: 2, fields: { id: "r1" } }]);
  });
});

describe("encodings", () => {
  const text = "id,text\nr1,Café größer\n";
  const row = { line: 2, fields: { id: "r1", text: "Café größer" } };

  test("UTF-8, and UTF-16 with its mark, are read", async () => {
    expect(await read(text)).toEqual([row]);
    expect(await read(`\ufeff${text}`)).toEqual([row]);
    expect(await read(Buffer.from(`\ufeff${text}`, "utf16le"))).toEqual([row]);
  });

  test("a line that names the separator, and line ends of old Macs, are read", async () => {
    expect(await read("sep=;\r\nid;text\r\nr1;Fine\r\n")).toEqual([
      { line: 3, fields: { id: "r1", text: "Fine" } },
    ]);
    expect(await read("id,text\rr1,Fine\rr2,Slow\r")).toEqual([
      { line: 2, fields: { id: "r1", text: "Fine" } },
      { line: 3, fields: { id: "r2", text: "Slow" } },
    ]);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["Latin-1", Buffer.from(text, "latin1"), /line 2 is not in UTF-8/],
    ["a character that is cut at the end", Buffer.from("id,text\nr1,é").subarray(0, -1), /line 2/],
    ["UTF-16 without its mark", Buffer.from(text, "utf16le"), /UTF-16 without a byte order mark/],
    ["a compressed file", gzipSync(text), /compressed; unpack it first/],
    [
      "a workbook",
      Buffer.from("PK\x03\x04 [Content_Types].xml"),
      /an Excel workbook; save it as CSV UTF-8/,
    ],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), /an Excel workbook/],
    ["a zip", Buffer.from("PK\x03\x04 reviews.csv"), /a zip; unpack it/],
    ["bzip2", Buffer.from("BZh91AY&SY"), /compressed; unpack it first/],
    ["xz", Buffer.from("fd377a585a00", "hex"), /compressed; unpack it first/],
    ["zstd", Buffer.from("28b52ffd00", "hex"), /compressed; unpack it first/],
    ["7z", Buffer.from("377abcaf271c", "hex"), /compressed; unpack it first/],
    ["a PDF", Buffer.from("%PDF-1.7"), /no table; save it as CSV/],
    ["a web page as .xls", Buffer.from("<html><table>"), /HTML or XML; save it as CSV/],
    ["XML with a mark", Buffer.from("\ufeff<?xml version='1.0'?>"), /HTML or XML/],
    ["a text document", Buffer.from("{\\rtf1 id,rating}"), /no table/],
    ["Arrow", Buffer.from("ARROW1\0\0"), /no table/],
    ["Avro", Buffer.from("4f626a01", "hex"), /no table/],
    ["a pickle", Buffer.from("80049500", "hex"), /no table/],
    ["an empty file", new Uint8Array(), /it is empty/],
  ])("%s is refused with a way out", async (_, bytes, message) => {
    const failure = expect.objectContaining({ message: expect.stringMatching(message) });
    await expect(read(bytes)).rejects.toEqual(failure);
    await expect(read(bytes)).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("JSON documents", () => {
  const rows = [{ id: "r1" }, { id: "r2", text: "two\nlines" }];
  const expected = rows.map((fields, index) => ({ line: index + 1, fields }));

  test.each<[string, unknown, string]>([
    ["a list", rows, "reviews.json"],
    ["a list without an extension", rows, "-"],
    ["a page", { total: 2, reviews: rows }, "reviews.json"],
    ["pages of an API", [{ data: rows.slice(0, 1) }, { data: rows.slice(1) }], "reviews.json"],
  ])("%s is read, in one line or indented", async (_, document, name) => {
    expect(await read(JSON.stringify(document, null, 2), name)).toEqual(expected);
    const numbered = (await read(JSON.stringify(document), name)).map((row) => ({
      ...row,
      line: 0,
    }));
    expect(numbered).toEqual(expected.map((row) => ({ ...row, line: 0 })));
  });

  test("a list in one line may be longer than a line of JSONL", async () => {
    const long = Array.from({ length: 30 }, (_, at) => ({
      id: `r${at}`,
      text: "x".repeat(50_000),
    }));
    const found = await read(JSON.stringify(long), "reviews.json");
    expect(found).toHaveLength(30);
  });

  test("replies beside a page of the App Store Connect API are those of their reviews", async () => {
    const review = { id: "a1", attributes: { rating: 2, territory: "USA" } };
    const response = { data: { type: "customerReviewResponses", id: "p1" } };
    const page = {
      data: [
        { ...review, relationships: { response } },
        { ...review, id: "a2" },
      ],
      included: [
        {
          id: "p1",
          attributes: { responseBody: "Sorry.", lastModifiedDate: "2026-11-02T10:00:00Z" },
        },
      ],
    };
    expect(await read(JSON.stringify(page, null, 1), "page.json")).toMatchObject([
      { fields: { id: "a1", replyText: "Sorry.", replyDate: "2026-11-02T10:00:00Z" } },
      { fields: expect.not.objectContaining({ replyText: expect.anything() }) },
    ]);
  });

  test("a list that was cut off is refused as a whole", async () => {
    const cut = JSON.stringify(rows, null, 2).slice(0, -20);
    await expect(read(cut, "reviews.json")).rejects.toThrow("may have been cut off");
  });

  test("an item that is not an object costs itself alone", async () => {
    expect(await read('[1, {"id":"r1"}]', "reviews.json")).toEqual([
      { line: 1, reason: "the line is not a JSON object" },
      { line: 2, fields: { id: "r1" } },
    ]);
  });
});

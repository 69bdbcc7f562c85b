import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../../test/support/any-text.ts";
import { hasRecordings, recordedFolder, recordedNames } from "../../../../test/support/recorded.ts";
import type { StoreId } from "../../../domain/store/store-id.ts";
import { createFieldReader } from "./field-reader.ts";
import { reviewNames } from "./import-names.ts";
import { readImportFile } from "./import-rows.ts";
import { createReviewReader, type ParsedReview } from "./parse-review.ts";

const now = new Date("2026-11-21T12:00:00Z");
const good = { id: "1", rating: 4, date: "2026-11-20T10:00:00Z" };

const app = { store: "appstore", externalAppId: "1" } as const;

const readFields = createFieldReader(reviewNames);

function parseRow(fields: Record<string, unknown>, more: { timeZone?: string } = {}) {
  const reader = createReviewReader({ columns: null }, { app, now, ...more });
  return withoutOwnId(reader.parse(readFields(fields)));
}

function withoutOwnId(parsed: ParsedReview | null) {
  if (!parsed || "reason" in parsed) return parsed;
  const { hasOwnId: _, ...more } = parsed;
  return more;
}

async function readFile(
  content: string | Buffer,
  options: { name?: string; store?: StoreId; externalAppId?: string } = {},
): Promise<{ line: number; review?: unknown; reason?: string }[]> {
  const { name = "reviews.csv", ...listing } = options;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(content);
  }
  const file = await readImportFile({ name, chunks: chunks() });
  const reader = createReviewReader(file, { app: { ...app, ...listing }, now });
  const rows: { line: number; review?: unknown; reason?: string }[] = [];
  for await (const row of file.rows) {
    const parsed = "fields" in row ? withoutOwnId(reader.parse(readFields(row.fields))) : row;
    if (parsed) rows.push({ line: row.line, ...parsed });
  }
  return rows;
}

test("only id, rating and date are needed", () => {
  expect(parseRow(good)).toEqual({
    review: {
      storeReviewId: "1",
      author: "",
      rating: 4,
      title: null,
      text: null,
      version: "",
      country: null,
      languageHint: null,
      date: new Date("2026-11-20T10:00:00Z"),
      votes: null,
      reply: null,
    },
  });
});

test.each([
  ["id", true, "must be text, or a whole number that is exact"],
  ["id", 2 ** 53, "must be text, or a whole number that is exact"],
  ["id", "1.19760E+10", "was shortened by a spreadsheet"],
  ["id", "", "must not be empty"],
  ["id", "x".repeat(201), "longer than 200"],
  ["rating", "four", "whole number from 1 to 5"],
  ["rating", 4.5, "whole number from 1 to 5"],
  ["rating", 0, "whole number from 1 to 5"],
  ["rating", 6, "whole number from 1 to 5"],
  ["rating", true, "whole number from 1 to 5"],
  ["text", "x".repeat(100_001), "longer than 100000"],
  ["text", 5, "must be text"],
  ["date", "yesterday", "must be a date"],
  ["date", 17_636_340, "must be a date"],
  ["date", "1.7636E+12", "must be a date"],
  ["date", "2026-02-30", "must be a date"],
  ["date", "2026-11-20T25:00:00Z", "must be a date"],
  ["date", "2007-12-31T23:59:59Z", "must be from 2008"],
  ["date", "2026-11-23T12:00:01Z", "2 days ahead"],
])("a row whose %s is %j is rejected: %s", (name, value, reason) => {
  expect(parseRow({ ...good, [name]: value })).toMatchObject({
    reason: expect.stringMatching(new RegExp(`^${name} .*${reason}`)),
  });
});

test.each([
  ["author", "x".repeat(201), "longer than 200"],
  ["author", true, "must be text"],
  ["title", "x".repeat(1_001), "longer than 1000"],
  ["country", "Atlantis", "must be a country"],
  ["country", "XYZ", "must be a country"],
  ["language", "Klingonese", "must be a language"],
  ["replyDate", "yesterday", "must be a date"],
])("a review whose %s can't be read is kept without it, with a warning", (name, value, warning) => {
  expect(parseRow({ ...good, [name]: value })).toEqual({
    ...parseRow(good),
    warning: expect.stringMatching(new RegExp(`^${name} .*${warning}`)),
  });
});

test.each([
  ["country", "GBR", { country: "gb" }],
  ["country", "uk", { country: "gb" }],
  ["country", "United States", { country: "us" }],
  ["country", "XKS", { country: "xk" }],
  ["country", "", { country: null }],
  ["language", "eng", { languageHint: "en" }],
  ["language", "pt_BR", { languageHint: "pt-br" }],
  ["language", "German", { languageHint: "de" }],
])("the %s %s is read as %j", (name, value, expected) => {
  expect(parseRow({ ...good, [name]: value })).toMatchObject({ review: expected });
});

test.each([
  ["2026-07-20 10:30:15", "2026-07-20T08:30:15.000Z"],
  ["2026-11-20T10:30", "2026-11-20T09:30:00.000Z"],
  ["2026-11-20T10:30:00Z", "2026-11-20T10:30:00.000Z"],
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
])("with a time zone the date %s is %s", (date, expected) => {
  expect(parseRow({ ...good, date }, { timeZone: "Europe/Berlin" })).toMatchObject({
    review: { date: new Date(expected) },
  });
});

test("every limit itself is still fine, and the text is kept to the byte", () => {
  const text = `  ${"ü".repeat(99_990)}\t\r\n 😀`;
  const row = parseRow({
    id: "x".repeat(200),
    author: "x".repeat(200),
    rating: 5,
    title: "x".repeat(1_000),
    text,
    date: "2026-11-23T12:00:00Z",
  });
  expect(row).toMatchObject({ review: { text } });
});

test.each([
  ["2026-11-20", "2026-11-20T00:00:00.000Z"],
  ["2026-11-20T10:30", "2026-11-20T10:30:00.000Z"],
  ["2026-11-20 10:30:15", "2026-11-20T10:30:15.000Z"],
  ["2026-11-20T10:30:15.250Z", "2026-11-20T10:30:15.250Z"],
  ["2026-11-20T10:30:15-0700", "2026-11-20T17:30:15.000Z"],
  ["2008-01-01", "2008-01-01T00:00:00.000Z"],
  ["2026-11-20 09:12:00 +0200", "2026-11-20T07:12:00.000Z"],
  ["2026-11-20 09:12:00 -07:00", "2026-11-20T16:12:00.000Z"],
  ["2026-11-20 09:12:00 GMT", "2026-11-20T09:12:00.000Z"],
])("the date %s is read as UTC", (date, expected) => {
  const row = parseRow({ ...good, date });
  expect(row && "review" in row && row.review.date?.toISOString()).toBe(expected);
});

test("lone surrogates become U+FFFD; NUL and other control characters go", () => {
  const text = "a\u0000b\ud800c\u0007\tד\n";
  expect(parseRow({ ...good, text })).toMatchObject({ review: { text: "ab\ufffdc\tד\n" } });
});

test("a CSV may name its columns in any case and order, and have others besides", async () => {
  const rows = await readFile(
    'Date,RATING,Unknown, Text ,Id,Country\n2026-11-20,3,?,"two\nlines",r1,GB\n2026-11-20,x,,,r2,\n',
  );
  expect(rows).toEqual([
    { line: 2, review: expect.objectContaining({ storeReviewId: "r1", rating: 3, country: "gb" }) },
    { line: 4, reason: "rating must be a whole number from 1 to 5" },
  ]);
});

test("a CSV without a needed column, or with one twice, can't be imported at all", async () => {
  await expect(readFile("id,date\n1,2026-11-20\n")).rejects.toThrow("lacks the column rating");
  await expect(readFile("id,rating,date,ID\n")).rejects.toThrow("names the column id twice");
});

test("JSONL is detected by its content where the name says nothing", async () => {
  const content = `\n${JSON.stringify(good)}\nnot json\n[1]\n\n${JSON.stringify(good)}`;
  expect((await readFile(content, { name: "reviews.txt" })).map(({ line }) => line)).toEqual([
    2, 3, 4, 6,
  ]);
});

const playConsole = `Package Name,App Version Code,App Version Name,Reviewer Language,Review Last Update Date and Time,Star Rating,Review Title,Review Text,Developer Reply Date and Time,Developer Reply Text,Review Link
com.example.harbour,12,1.4,pt_BR,2026-11-10T08:00:00Z,2,,"Muito
lento",2026-11-11T09:00:00Z,Obrigado,https://play.example/console/review-details?reviewId=abc-1&corpus=PUBLIC
com.example.harbour,12,,en,2026-11-10T08:00:00Z,5,,,,,
com.example.other,12,,en,2026-11-10T08:00:00Z,5,,Fine,,,https://play.example/console/review-details?reviewId=abc-2
com.example.harbour,3,,en,2017-03-10T08:00:00Z,4,Solid,,,,http://play.example/apps/publish?account=1#ReviewDetailsPlace:p=com.example.harbour&reviewid=gp:abc-3
com.example.harbour,3,,en,2017-03-10T08:00:00Z,4,,Fine,,,https://play.example/console
`;

test.each(["utf8", "utf16le"] as const)(
  "a Play Console export in %s is known by its header",
  async (encoding) => {
    const content = Buffer.from(
      encoding === "utf8" ? playConsole : `\ufeff${playConsole}`,
      encoding,
    );
    const rows = await readFile(content, {
      store: "googleplay",
      externalAppId: "com.example.harbour",
    });
    expect(rows).toEqual([
      {
        line: 2,
        review: {
          storeReviewId: "abc-1",
          author: "",
          rating: 2,
          title: null,
          text: "Muito\nlento",
          version: "1.4",
          country: null,
          languageHint: "pt-br",
          date: new Date("2026-11-10T08:00:00Z"),
          votes: null,
          reply: { text: "Obrigado", at: new Date("2026-11-11T09:00:00Z") },
        },
      },
      { line: 4, reason: "stars without a review have no id" },
      {
        line: 5,
        reason:
          "the row is of another app than com.example.harbour: Package Name is com.example.other",
      },
      {
        line: 6,
        review: expect.objectContaining({ storeReviewId: "gp:abc-3", title: "Solid" }),
      },
      { line: 7, reason: "the review link names no review" },
    ]);
    await expect(readFile(content)).rejects.toThrow("belongs to a googleplay app");
  },
);

test.skipIf(!hasRecordings())("every row of a recorded Play Console export is read", async () => {
  const kind = "play-console-csv";
  const names = recordedNames(kind, ".csv").filter((name) => name.startsWith("reviews_"));
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const externalAppId = /^reviews_(.+)_\d{6}\.csv$/.exec(name)?.[1] ?? "";
    const content = fs.readFileSync(path.join(recordedFolder, kind, name));
    const rows = await readFile(content, { name, store: "googleplay", externalAppId });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      expect(row).toMatchObject({
        review: { storeReviewId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      });
    }
  }
});

test("no line makes the reader fail, and good rows survive bad ones", async () => {
  const anyLine = fc.oneof(
    anyText(),
    fc.json(),
    fc.record({ id: fc.anything(), rating: fc.anything(), date: fc.anything() }).map(stringify),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyLine, { maxLength: 8 }), async (lines) => {
      const bad = lines.map((line) => line.replaceAll("\n", " "));
      const content = [...bad, JSON.stringify(good)].join("\n");
      const rows = await readFile(Buffer.from(content, "utf8"), { name: "reviews.jsonl" });
      expect(rows.at(-1)).toMatchObject({ line: bad.length + 1, review: { storeReviewId: "1" } });
      for (const row of rows) expect("review" in row || (row.reason ?? "").length > 0).toBe(true);
    }),
  );
});

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "{";
  }
}

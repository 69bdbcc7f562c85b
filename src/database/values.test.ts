// Arrays written as text are read back as they were, and moments are read to the millisecond.
import fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import { toArrayText, typeParsers } from "./values.ts";

// The driver's own, for arrays of texts; its types know only of types with a name.
const parserOf = pg.types.getTypeParser as unknown as (id: number) => (text: string) => unknown;
const parseArray = parserOf(1009);
const storable = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", ""));

test("texts with quotes, backslashes, commas, braces and blanks come back as they were", () => {
  const awkward = fc.constantFrom("", "NULL", "null", '"', "\\", '\\"', ",", "{}", " ", "a\nb");
  fc.assert(
    fc.property(fc.array(fc.oneof(awkward, storable, fc.constant(null))), (values) => {
      expect(parseArray(toArrayText(values))).toEqual(values);
    }),
  );
});

test("numbers and moments are written with all their digits", () => {
  const moment = new Date("2026-02-28T23:59:59.123Z");
  expect(toArrayText([1, -0.1234, null, moment])).toBe(
    '{1,-0.1234,NULL,"2026-02-28T23:59:59.123Z"}',
  );
});

// How values of PostgreSQL are read.

const { TIMESTAMPTZ } = pg.types.builtins;
const parseMoment: (text: string) => unknown = typeParsers.getTypeParser(TIMESTAMPTZ, "text");
const parseAnyMoment: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ, "text");

test("a moment of the years that have four digits is read to the millisecond", () => {
  const moment = fc.date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, (at) => {
      // As the server writes it: no zeros at the end of the fraction.
      const text = at
        .toISOString()
        .replace("T", " ")
        .replace(/\.?0*Z$/, "+00");
      expect(parseMoment(text)).toEqual(at);
    }),
  );
});

test("microseconds are cut off, not rounded up", () => {
  expect(parseMoment("2026-11-21 16:16:37.458999+00")).toEqual(
    new Date("2026-11-21T16:16:37.458Z"),
  );
});

test("what is written otherwise is read as the driver reads it", () => {
  for (const text of [
    "2026-11-21 17:16:37.458+01",
    "2026-11-21 21:46:37+05:30",
    "0044-03-15 12:00:00+00 BC",
    "12026-11-21 16:16:37+00",
    "infinity",
    "-infinity",
  ]) {
    expect(parseMoment(text), text).toEqual(parseAnyMoment(text));
  }
});

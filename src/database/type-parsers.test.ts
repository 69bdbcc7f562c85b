// How values of PostgreSQL are read.
import fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import { typeParsers } from "./type-parsers.ts";

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

// Whatever is written as the text of an array is read back by PostgreSQL as it was.
import fc from "fast-check";
import pg from "pg";
import { expect, test } from "vitest";
import { toArrayText } from "./array-text.ts";

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

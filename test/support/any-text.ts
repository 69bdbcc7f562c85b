// Texts of any code points for tests of properties. They are those of fast-check's unit "binary", which makes a table of all
// code points first: that takes more than a second in each process.
import fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

const character = fc.nat(0x10ffff - surrogates.count).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (value) => {
    if (typeof value !== "string" || [...value].length !== 1) throw new Error("no character");
    const codePoint = value.codePointAt(0) ?? 0;
    return codePoint < surrogates.first ? codePoint : codePoint - surrogates.count;
  },
);

export const anyText = (bounds: { maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...bounds, unit: character });

// The normalized text that every stage reads.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeReview, normalizeText } from "./normalized-text.ts";

describe("normalized text", () => {
  test.each([
    ["ＧＯＯＤ　app", "good app"],
    ["Cafe\u0301", "café"],
    ["soooo good!!!!", "soo good!!"],
    ["see https://example.com/a?b now", "see § now"],
    // A mark behind a character of two units belongs to both of them.
    ["👍\ufe0f good", "👍 good"],
    ["a👍\ufe0fb👍c", "a👍b👍c"],
    ["𐀀ﾞb", "𐀀゙b"],
    ["👍👍👍👍", "👍👍"],
  ])("of %j is %j", (original, expected) => {
    expect(normalizeText(original)).toBe(expected.normalize("NFKC"));
  });

  test("of characters beyond the basic plane with marks is whole, and loses nothing behind them", () => {
    const character = fc.constantFrom("👍", "𝐀", "𐀀", "x");
    const mark = fc.constantFrom("", "\ufe0f", "\u0301", "ﾞ");
    const characters = fc.array(fc.tuple(character, mark).map((parts) => parts.join("")));
    fc.assert(
      fc.property(characters, (list) => {
        const normalized = normalizeReview({ title: null, text: `${list.join("")} end` });
        expect(normalized?.text.isWellFormed()).toBe(true);
        expect(normalized?.text.endsWith("end")).toBe(true);
      }),
    );
  });

  test("has the position of the whole character for both of its code units", () => {
    const normalized = normalizeReview({ title: null, text: "a👍b" });
    expect([...(normalized?.starts ?? [])]).toEqual([0, 1, 1, 3]);
    expect([...(normalized?.ends ?? [])]).toEqual([1, 3, 3, 4]);
  });
});

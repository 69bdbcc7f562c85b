// The one spelling in which every step reads a review.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeReview, normalizeText } from "./normalized-text.ts";

describe("the normal form", () => {
  test.each([
    ["ＧＯＯＤ　app", "good app"],
    ["Cafe\u0301", "café"],
    ["soooo good!!!!", "soo good!!"],
    ["see https://example.com/a?b now", "see § now"],
    // A mark behind a sign of two units belongs to both of them.
    ["👍\ufe0f good", "👍 good"],
    ["a👍\ufe0fb👍c", "a👍b👍c"],
    ["𐀀ﾞb", "𐀀゙b"],
    ["👍👍👍👍", "👍👍"],
  ])("of %j is %j", (said, spelled) => {
    expect(normalizeText(said)).toBe(spelled.normalize("NFKC"));
  });

  test("of signs beyond the basic plane with marks is whole, and loses nothing behind them", () => {
    const sign = fc.constantFrom("👍", "𝐀", "𐀀", "x");
    const mark = fc.constantFrom("", "\ufe0f", "\u0301", "ﾞ");
    const signs = fc.array(fc.tuple(sign, mark).map((parts) => parts.join("")));
    fc.assert(
      fc.property(signs, (list) => {
        const form = normalizeReview({ title: null, text: `${list.join("")} end` });
        expect(form?.text.isWellFormed()).toBe(true);
        expect(form?.text.endsWith("end")).toBe(true);
      }),
    );
  });

  test("remembers for both units of a sign where the whole sign stands", () => {
    const form = normalizeReview({ title: null, text: "a👍b" });
    expect([...(form?.starts ?? [])]).toEqual([0, 1, 1, 3]);
    expect([...(form?.ends ?? [])]).toEqual([1, 3, 3, 4]);
  });
});

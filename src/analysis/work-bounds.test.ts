// The work of an analysis is bounded for any review: every stage reads a text of bounded length and makes a
// bounded number of matches. No test here measures time.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { extractLanguageFeatures, languageUnitsMax } from "./language-features.ts";
import { findListed } from "./lexicon.ts";
import { normalizeReview, openingUnitsMax, textUnitsMax } from "./normalized-text.ts";
import { extractSentimentFeatures } from "./sentiment-features.ts";
import { tokenize } from "./tokens.ts";

// Difficult input first: characters that grow when normalized, lone surrogates, long runs.
const part = fc.oneof(
  fc.constantFrom("\ufdfa", "\ud83d", "\udc00", "ﬃ", "e\u0301", "😀", "各", "ค", "İ", "½", "no "),
  anyText(),
  fc.string(),
);
const longText = fc
  .tuple(part, fc.integer({ min: 1, max: 3_000 }), part)
  .map(([first, times, last]) => `${first.repeat(times)}${last}`);

describe("the work on any review", () => {
  test("is on a text of bounded length, whose positions are positions in the review", () => {
    fc.assert(
      fc.property(fc.option(longText), longText, (title, text) => {
        const normalized = normalizeReview({ title, text });
        if (normalized === null) return;
        expect(normalized.text.length).toBeLessThanOrEqual(textUnitsMax);
        expect(normalized.text.isWellFormed()).toBe(true);
        expect(normalized.text.startsWith(normalized.opening)).toBe(true);
        expect(normalized.opening.length).toBeLessThanOrEqual(openingUnitsMax);
        expect(normalized.opening.isWellFormed()).toBe(true);
        expect(normalized.starts).toHaveLength(normalized.text.length);
        expect(normalized.ends).toHaveLength(normalized.text.length);
      }),
    );
  });

  test("has no more tokens, features and matches than its length allows", () => {
    fc.assert(
      fc.property(longText, fc.constantFrom("en", "ja", "und"), (text, language) => {
        const review = normalizeReview({ title: null, text });
        const normalized = review?.opening ?? "";
        const tokens = tokenize(normalized);
        expect(tokens.length).toBeLessThanOrEqual(normalized.length);
        const whole = review ?? { text: "", opening: "" };
        const { words: sentimentWords, mentions } = findListed(whole, language);
        expect(sentimentWords.length).toBeLessThanOrEqual(normalized.length);
        // Eight for each code unit: the size of the arrays of buckets.
        const { buckets } = extractSentimentFeatures(normalized, { tokens, sentimentWords });
        expect(buckets.length).toBeLessThanOrEqual(normalized.length * 8);
        const mask = 0xffff;
        const count = extractLanguageFeatures(normalized, { tokens, mask }).length;
        expect(count).toBeLessThanOrEqual(languageUnitsMax * 10);
        // At each position a phrase may end, in at most as many ways as phrases share an ending.
        expect(mentions.length).toBeLessThanOrEqual(whole.text.length * 40);
      }),
    );
  });

  test("on a megabyte ends before its ninth thousand of characters", () => {
    const text = "slow and buggy ".repeat(70_000);
    const normalized = normalizeReview({ title: null, text });
    expect(Math.max(...(normalized?.ends ?? []))).toBeLessThan(9_000);
  });
});

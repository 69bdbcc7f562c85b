// What bounds the time of an analysis, whatever the review: every step reads a text of a bounded length
// and makes a bounded number of finds. Nothing here looks at a clock.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractLanguageFeatures, languageUnitsMax } from "./language-features.ts";
import { findSentimentWords } from "./lexicon-score.ts";
import { normalizeReview, textUnitsMax } from "./normalized-text.ts";
import { extractSentimentFeatures } from "./sentiment-features.ts";
import { tokenize } from "./tokens.ts";
import { findTopics } from "./topics.ts";

// Sources of trouble first: signs that grow in the normal form, lone surrogates, long runs.
const part = fc.oneof(
  fc.constantFrom("\ufdfa", "\ud83d", "\udc00", "ﬃ", "e\u0301", "😀", "各", "ค", "İ", "½", "no "),
  fc.string({ unit: "binary" }),
  fc.string(),
);
const longText = fc
  .tuple(part, fc.integer({ min: 1, max: 3_000 }), part)
  .map(([one, times, other]) => `${one.repeat(times)}${other}`);

describe("the work on any review", () => {
  test("is on a text that is cut, and places of it stay places of the review", () => {
    fc.assert(
      fc.property(fc.option(longText), longText, (title, text) => {
        const form = normalizeReview({ title, text });
        if (form === null) return;
        expect(form.text.length).toBeLessThanOrEqual(textUnitsMax);
        expect(form.text.isWellFormed()).toBe(true);
        expect(form.starts).toHaveLength(form.text.length);
        expect(form.ends).toHaveLength(form.text.length);
      }),
    );
  });

  test("has no more tokens, features and finds than its length allows", () => {
    fc.assert(
      fc.property(longText, fc.constantFrom("en", "ja", "und"), (text, language) => {
        const form = normalizeReview({ title: null, text })?.text ?? "";
        const tokens = tokenize(form);
        expect(tokens.length).toBeLessThanOrEqual(form.length);
        const sentimentWords = findSentimentWords(form, language);
        expect(sentimentWords.length).toBeLessThanOrEqual(form.length);
        // Eight for each unit: what the arrays of places are made for.
        const { buckets } = extractSentimentFeatures(form, { tokens, sentimentWords });
        expect(buckets.length).toBeLessThanOrEqual(form.length * 8);
        const mask = 0xffff;
        const unitsMax = languageUnitsMax;
        const count = extractLanguageFeatures(form, { tokens, mask, unitsMax }).length;
        expect(count).toBeLessThanOrEqual(languageUnitsMax * 10);
        // A phrase ends in each place, in at most as many ways as phrases share an ending.
        expect(findTopics(form, language).length).toBeLessThanOrEqual(form.length * 40);
      }),
    );
  });

  test("on a megabyte ends before its second thousand of characters", () => {
    const text = "slow and buggy ".repeat(70_000);
    const form = normalizeReview({ title: null, text });
    expect(Math.max(...(form?.ends ?? []))).toBeLessThan(1_000);
  });
});

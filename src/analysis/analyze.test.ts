// Properties of the whole analysis, for any review.
import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { type AnalysisInput, sentimentLabels } from "../domain/review/analysis.ts";
import { topicNames } from "../domain/review/topics.ts";
import { analysisVersion, analyzeReview, findTopicEvidence } from "./analyze.ts";
import { textUnitsMax } from "./normalized-text.ts";

const opinionated = fc
  .array(
    fc.constantFrom(
      ...["great", "terrible", "not", "but", ",", "crashes", "ads", "bagus", "tidak", "gut"],
      ...["最高", "ない", "👍", "😡", "\u200b", "\ud83d", "iyi", "değil", "!!!!", "\n"],
    ),
    { maxLength: 30 },
  )
  .map((words) => words.join(" "));
const reviewText = fc.oneof(opinionated, anyText(), fc.string());
const anyReview: fc.Arbitrary<AnalysisInput> = fc.record({
  title: fc.option(reviewText),
  text: reviewText,
  rating: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.double()),
  languageHint: fc.option(fc.oneof(fc.constantFrom("de", "pt-BR", "in"), fc.string())),
});

describe("any review at all", () => {
  test("gets an analysis, and the same review always the same", () => {
    fc.assert(
      fc.property(anyReview, (review) => {
        expect(analyzeReview(review)).toEqual(analyzeReview({ ...review }));
      }),
    );
  });

  test("has a language code, known topics sorted and once, and the engine's version", () => {
    fc.assert(
      fc.property(anyReview, (review) => {
        const { language, topics, version } = analyzeReview(review);
        expect(language).toMatch(/^[a-z]{2,3}$/);
        expect(topics).toEqual([...new Set(topics)].sort());
        expect(topicNames).toEqual(expect.arrayContaining(topics));
        expect(version).toBe(analysisVersion);
      }),
    );
  });

  test("has a score within its bounds that agrees with its label", () => {
    fc.assert(
      fc.property(anyReview, (review) => {
        const { sentiment } = analyzeReview(review);
        if (sentiment === null) return;
        const { label, score, clauseMin, clauseMax } = sentiment;
        expect(sentimentLabels).toContain(label);
        expect(Math.abs(score)).toBeLessThanOrEqual(1);
        expect(clauseMin).toBeGreaterThanOrEqual(-1);
        expect(clauseMin).toBeLessThanOrEqual(0);
        expect(clauseMax).toBeLessThanOrEqual(1);
        expect(clauseMax).toBeGreaterThanOrEqual(0);
        if (label === "positive") expect(score).toBeGreaterThan(0);
        if (label === "negative") expect(score).toBeLessThan(0);
        if (label === "neutral") expect(Math.abs(score)).toBeLessThan(0.2);
      }),
      { numRuns: 300 },
    );
  });

  test("never has a lower score with a star more", () => {
    fc.assert(
      fc.property(anyReview, (review) => {
        const scores = [1, 2, 3, 4, 5].map(
          (rating) => analyzeReview({ ...review, rating }).sentiment?.score ?? 0,
        );
        expect(scores).toEqual(scores.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe("odd texts", () => {
  const review = (text: string) => ({ title: null, text, rating: 3, languageHint: null });

  test("of a megabyte are analyzed by their opening", () => {
    const opening = "Great app. ".repeat(100).slice(0, textUnitsMax - 1);
    const long = `${opening} ${"terrible ".repeat(120_000)}`;
    expect(analyzeReview(review(long))).toEqual(analyzeReview(review(opening)));
  });

  test.each([
    ["lone surrogates", "\ud83d\ude00\ud83d \udc00great"],
    ["a pair cut in half by the limit", `${"a ".repeat(299)}a😀 tail`],
    ["letters that NFKC makes eighteen of", "\ufdfa".repeat(600)],
    ["a megabyte of emoji", "😀".repeat(500_000)],
    ["a megabyte without a letter", " \n\u200b".repeat(350_000)],
    ["a megabyte of one link", `https://${"a".repeat(1_000_000)}`],
    ["a megabyte of commas", ",".repeat(1_000_000)],
    ["a megabyte of openings of phrases", "no no ne not ".repeat(80_000)],
    ["stacked marks", `e${"\u0301".repeat(5_000)}`],
    ["one letter without end", "a".repeat(1_000_000)],
    ["nothing but openings", "((((((((([[[[[[[[".repeat(50)],
    ["the names of an object's own properties", "constructor __proto__ toString hasOwnProperty"],
  ])("%s are answered", (_, text) => {
    expect(analyzeReview(review(text)).version).toBe(analysisVersion);
    expect(findTopicEvidence(review(text))).toEqual(findTopicEvidence(review(text)));
  });

  test("all caps, drawn-out letters and full-width letters change nothing", () => {
    const plain = analyzeReview(review("so great, but it crashes"));
    expect(analyzeReview(review("SO GREAT, BUT IT CRASHES"))).toEqual(plain);
    expect(analyzeReview(review("ｓｏ ｇｒｅａｔ, ｂｕｔ ｉｔ ｃｒａｓｈｅｓ"))).toEqual(plain);
  });

  test("accents left out change no topic and no label", () => {
    const label = (text: string) => analyzeReview(review(text)).sentiment?.label;
    expect(label("pesima aplicacion, que decepcion")).toBe("negative");
    expect(label("pésima aplicación, qué decepción")).toBe("negative");
  });
});

test("once everything is loaded, no text of any language reads a file", async () => {
  vi.resetModules();
  const fresh: typeof import("./analyze.ts") = await import("./analyze.ts");
  await fresh.loadAnalysis();
  const read = vi.spyOn(fs, "readFileSync");
  for (const text of ["ok", "👍", "great", "отлично", "ممتاز", "अच्छा"]) {
    fresh.analyzeReview({ title: null, text, rating: 5, languageHint: null });
  }
  expect(read).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

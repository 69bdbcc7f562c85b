// Training further on an installation's own reviews: what it takes, what it refuses, and what it keeps.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inventedLanguage, inventOpinions } from "../../test/support/invented-opinions.ts";
import { analyseReview } from "./analyze.ts";
import { type Adaptation, ShiftTable, shiftCountMax, writeShifts } from "./fine-tuning.ts";
import { doesBetter, figuresOf } from "./fine-tuning-figures.ts";
import { type AdaptationTry, type StarredReview, tryAdaptation } from "./fine-tuning-training.ts";
import { sentimentPlaceCount } from "./sentiment-features.ts";

function tryOn(
  reviews: readonly StarredReview[],
  current: Adaptation | null = null,
): AdaptationTry {
  const work = tryAdaptation({ language: inventedLanguage, reviews, current });
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
  }
}

function taken({ change }: AdaptationTry, number = 1): Adaptation {
  if (change.kind !== "take") throw new Error("nothing was taken");
  return { number, shifts: new ShiftTable(change.weights) };
}

describe("a try on the reviews of one language", () => {
  test("learns words that the shipped weights don't know, and weighs new reviews with them", () => {
    const tried = tryOn(inventOpinions({ count: 600 }));
    expect(tried).toMatchObject({ rowCount: 600, change: { kind: "take" } });
    expect(tried.shipped?.accuracy).toBeLessThan(0.65);
    expect(tried.inUse?.accuracy).toBeGreaterThan(0.9);
    expect(tried.inUse?.auc).toBeGreaterThan(0.95);

    const adaptations = new Map([[inventedLanguage, taken(tried, 7)]]);
    const unseen = inventOpinions({ count: 200, seed: 2 });
    const isRight = ({ rating, ...review }: StarredReview, from: typeof adaptations): boolean => {
      const input = { ...review, rating: Number.NaN, languageHint: null };
      const { sentiment } = analyseReview(input, from);
      return Math.sign(sentiment?.score ?? 0) === Math.sign(rating - 3);
    };
    const rightCount = (from: typeof adaptations) =>
      unseen.filter((review) => isRight(review, from)).length;
    expect(rightCount(adaptations)).toBeGreaterThan(180);
    expect(rightCount(new Map())).toBeLessThan(130);
  });

  test("is named in what it analysed, and only in its language", () => {
    const adaptations = new Map([
      [inventedLanguage, taken(tryOn(inventOpinions({ count: 600 })), 7)],
    ]);
    const [georgian] = inventOpinions({ count: 1 });
    const input = { title: null, rating: 5, languageHint: null, text: georgian?.text ?? "" };
    expect(analyseReview(input, adaptations)).toMatchObject({ adaptation: 7 });
    const english = { ...input, text: "The tide tables are right, and the maps are lovely." };
    expect(analyseReview(english, adaptations)).toEqual(analyseReview(english));
  });

  test("changes nothing where stars and words have nothing to do with each other", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const tried = tryOn(inventOpinions({ count: 600, seed, isNoise: true }));
      expect(tried.change).toEqual({ kind: "keep" });
      expect(tried.inUse).toEqual(tried.shipped);
    }
  });

  test.each([
    ["199 reviews", inventOpinions({ count: 199 })],
    [
      "49 on the rarer side",
      inventOpinions({ count: 600 }).filter((_, at) => at % 2 === 0 || at < 98),
    ],
    ["three stars alone", inventOpinions({ count: 600 }).map((one) => ({ ...one, rating: 3 }))],
    [
      "the same words over and over",
      inventOpinions({ count: 20 }).flatMap((one) => Array(30).fill(one)),
    ],
  ])("is not made with %s, and says so", (_, reviews) => {
    expect(tryOn(reviews)).toMatchObject({
      change: { kind: "keep" },
      shipped: null,
      outcome: expect.stringContaining("too few"),
    });
  });

  test("replaces what is in use only by what does better, and gives up what does worse than shipped", () => {
    const reviews = inventOpinions({ count: 600 });
    const good = taken(tryOn(reviews));
    expect(tryOn(reviews, good)).toMatchObject({ change: { kind: "keep" } });
    // The words have changed sides since.
    const noise = inventOpinions({ count: 600, seed: 9, isNoise: true });
    const turned = reviews.map((one) => ({ ...one, rating: 6 - one.rating }));
    expect(tryOn(turned, good)).toMatchObject({ change: { kind: "take" } });
    const drifted = tryOn([...turned.slice(0, 120), ...noise], good);
    expect(drifted.inUse?.accuracy).toBeGreaterThanOrEqual(drifted.shipped?.accuracy ?? 1);
    expect(drifted.change.kind).not.toBe("keep");
  });

  test("gives the same bytes for the same reviews", () => {
    const reviews = inventOpinions({ count: 300 });
    expect(tryOn(reviews).change).toEqual(tryOn(reviews).change);
  });

  test("takes any text", () => {
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 80 }), {
      minLength: 0,
      maxLength: 30,
    });
    fc.assert(
      fc.property(texts, (odd) => {
        const more = odd.map((text, at) => ({ title: text, text, rating: (at % 5) + 1 }));
        const tried = tryOn([...inventOpinions({ count: 220 }), ...more]);
        expect(tried.rowCount).toBeGreaterThanOrEqual(220);
      }),
      { numRuns: 10 },
    );
  });
});

describe("shifts as bytes", () => {
  test("come back within one step, and the largest are kept", () => {
    const shifts = new Float32Array(sentimentPlaceCount);
    for (let place = 0; place < 60_000; place += 1) shifts[place * 17] = (place - 30_000) / 10_000;
    const bytes = writeShifts(shifts);
    expect(bytes.length).toBe(8 + 6 * shiftCountMax);
    const table = new ShiftTable(bytes);
    expect(table.stepsAt(0) * table.step).toBeCloseTo(-3, 3);
    expect(table.stepsAt(59_999 * 17) * table.step).toBeCloseTo(2.9999, 3);
    expect(table.stepsAt(30_500 * 17)).toBe(0);
    expect(table.stepsAt(1)).toBe(0);
  });

  test("that are none are refused", () => {
    const bytes = writeShifts(new Float32Array(8).fill(0.5));
    expect(() => new ShiftTable(bytes.subarray(0, bytes.length - 1))).toThrow("no adaptation");
    expect(new ShiftTable(writeShifts(new Float32Array(8))).stepsAt(3)).toBe(0);
  });
});

describe("the gate's figures", () => {
  const verdicts = (leanings: readonly number[]) =>
    leanings.map((leaning, at) => ({ leaning, isPraise: at % 2 === 0 }));

  test("are the mean of both sides, and the share of pairs in the right order", () => {
    // Praise: 2, 1, -1; blame: -2, 1, -3. Pairs in order: 2 beats all, 1 beats two and ties, -1 two.
    expect(figuresOf(verdicts([2, -2, 1, 1, -1, -3]))).toEqual({
      accuracy: (2 / 3 + 2 / 3) / 2,
      auc: (3 + 2.5 + 2) / 9,
    });
    expect(figuresOf(verdicts([0, 0]))).toEqual({ accuracy: 0, auc: 0.5 });
  });

  test("a few rows put right are chance, many are not", () => {
    const wrong = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? -1 : -2));
    const rightUpTo = (count: number) =>
      wrong.map((one, at) => (at < count && at % 2 === 0 ? 1 : one));
    expect(doesBetter(verdicts(rightUpTo(2)), verdicts(wrong))).toBe(false);
    expect(doesBetter(verdicts(rightUpTo(40)), verdicts(wrong))).toBe(true);
    expect(doesBetter(verdicts(wrong), verdicts(wrong))).toBe(false);
  });
});

// Fine-tuning: what it learns, what the acceptance gate promotes, keeps and rolls back, and the encoding.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { generateOpinions, opinionLanguage } from "../../test/support/generated-opinions.ts";
import { analyzeReview } from "./analyze.ts";
import { DeltaTable, deltaCountMax, encodeDeltas, type FineTuning } from "./fine-tuning.ts";
import { computeFigures, isSignificantlyBetter } from "./fine-tuning-figures.ts";
import {
  type FineTuningResult,
  runFineTuning,
  type StarredReview,
} from "./fine-tuning-training.ts";
import { sentimentBucketCount } from "./sentiment-features.ts";

function runOn(
  reviews: readonly StarredReview[],
  current: FineTuning | null = null,
): FineTuningResult {
  const work = runFineTuning({ language: opinionLanguage, reviews, current });
  for (;;) {
    const turn = work.next();
    if (turn.done) return turn.value;
  }
}

function promoted({ change }: FineTuningResult, number = 1): FineTuning {
  if (change.kind !== "promote") throw new Error("nothing was promoted");
  return { number, deltas: new DeltaTable(change.weights) };
}

describe("fine-tuning on the reviews of one language", () => {
  test("learns words that the shipped weights don't know, and scores new reviews with them", () => {
    const run = runOn(generateOpinions({ count: 600 }));
    expect(run).toMatchObject({ rowCount: 600, change: { kind: "promote" } });
    expect(run.shipped?.accuracy).toBeLessThan(0.65);
    expect(run.inUse?.accuracy).toBeGreaterThan(0.9);
    expect(run.inUse?.auc).toBeGreaterThan(0.95);

    const fineTunings = new Map([[opinionLanguage, promoted(run, 7)]]);
    const unseen = generateOpinions({ count: 200, seed: 2 });
    const isRight = ({ rating, ...review }: StarredReview, from: typeof fineTunings): boolean => {
      const input = { ...review, rating: Number.NaN, languageHint: null };
      const { sentiment } = analyzeReview(input, from);
      return Math.sign(sentiment?.score ?? 0) === Math.sign(rating - 3);
    };
    const rightCount = (from: typeof fineTunings) =>
      unseen.filter((review) => isRight(review, from)).length;
    expect(rightCount(fineTunings)).toBeGreaterThan(180);
    expect(rightCount(new Map())).toBeLessThan(130);
  });

  test("is named in the analyses that used it, and only in its language", () => {
    const fineTunings = new Map([
      [opinionLanguage, promoted(runOn(generateOpinions({ count: 600 })), 7)],
    ]);
    const [georgian] = generateOpinions({ count: 1 });
    const input = { title: null, rating: 5, languageHint: null, text: georgian?.text ?? "" };
    expect(analyzeReview(input, fineTunings)).toMatchObject({ fineTuning: 7 });
    const english = { ...input, text: "The tide tables are right, and the maps are lovely." };
    expect(analyzeReview(english, fineTunings)).toEqual(analyzeReview(english));
  });

  test("changes nothing where stars and words have nothing to do with each other", () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const run = runOn(generateOpinions({ count: 600, seed, isNoise: true }));
      expect(run.change).toEqual({ kind: "keep" });
      expect(run.inUse).toEqual(run.shipped);
    }
  });

  test.each([
    ["199 reviews", generateOpinions({ count: 199 })],
    [
      "49 on the rarer side",
      generateOpinions({ count: 600 }).filter((_, at) => at % 2 === 0 || at < 98),
    ],
    [
      "three stars alone",
      generateOpinions({ count: 600 }).map((review) => ({ ...review, rating: 3 })),
    ],
    [
      "the same words over and over",
      generateOpinions({ count: 20 }).flatMap((review) => Array(30).fill(review)),
    ],
  ])("is not made with %s, and says so", (_, reviews) => {
    expect(runOn(reviews)).toMatchObject({
      change: { kind: "keep" },
      shipped: null,
      outcome: expect.stringContaining("too few"),
    });
  });

  test("is refused where the stars contradict the texts", () => {
    const praise =
      "lovely great useful helpful excellent wonderful perfect amazing nice brilliant".split(" ");
    const blame = "terrible awful useless broken horrible worst garbage annoying slow bad".split(
      " ",
    );
    const things = "maps tides charts buttons colours routes lists sounds stories pictures".split(
      " ",
    );
    const reviews = Array.from({ length: 400 }, (_, at): StarredReview => {
      const isPraise = at % 2 === 0;
      const words = isPraise ? praise : blame;
      const pick = (list: string[], by: number) => list[Math.floor(at / by) % list.length] ?? "";
      const text = `${pick(words, 2)} ${pick(things, 20)} and ${pick(words, 6)} ${pick(things, 3)} ${at}`;
      return {
        title: null,
        text: text.replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? ""),
        rating: isPraise ? 1 : 5,
      };
    });
    const work = runFineTuning({ language: "en", reviews, current: null });
    let turn = work.next();
    while (!turn.done) turn = work.next();
    expect(turn.value).toMatchObject({
      change: { kind: "keep" },
      outcome: "refused the new weights: the stars contradict the texts",
    });
    expect(turn.value.candidate?.auc).toBeGreaterThan(0.7);
  });

  test("replaces weights in use only by better ones, and rolls back what is worse than the shipped weights", () => {
    const reviews = generateOpinions({ count: 600 });
    const good = promoted(runOn(reviews));
    expect(runOn(reviews, good)).toMatchObject({ change: { kind: "keep" } });
    // The words have changed sides since.
    const noise = generateOpinions({ count: 600, seed: 9, isNoise: true });
    const flipped = reviews.map((review) => ({ ...review, rating: 6 - review.rating }));
    expect(runOn(flipped, good)).toMatchObject({ change: { kind: "promote" } });
    const drifted = runOn([...flipped.slice(0, 120), ...noise], good);
    expect(drifted.inUse?.accuracy).toBeGreaterThanOrEqual(drifted.shipped?.accuracy ?? 1);
    expect(drifted.change.kind).not.toBe("keep");
  });

  test("gives the same bytes for the same reviews", () => {
    const reviews = generateOpinions({ count: 300 });
    expect(runOn(reviews).change).toEqual(runOn(reviews).change);
  });

  test("takes any text", () => {
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 80 }), {
      minLength: 0,
      maxLength: 30,
    });
    fc.assert(
      fc.property(texts, (odd) => {
        const more = odd.map((text, at) => ({ title: text, text, rating: (at % 5) + 1 }));
        const run = runOn([...generateOpinions({ count: 220 }), ...more]);
        expect(run.rowCount).toBeGreaterThanOrEqual(220);
      }),
      { numRuns: 10 },
    );
  });
});

describe("deltas as bytes", () => {
  test("come back within one step, and the largest are kept", () => {
    const deltas = new Float32Array(sentimentBucketCount);
    for (let bucket = 0; bucket < 60_000; bucket += 1)
      deltas[bucket * 17] = (bucket - 30_000) / 10_000;
    const bytes = encodeDeltas(deltas);
    expect(bytes.length).toBe(8 + 6 * deltaCountMax);
    const table = new DeltaTable(bytes);
    expect(table.stepsAt(0) * table.step).toBeCloseTo(-3, 3);
    expect(table.stepsAt(59_999 * 17) * table.step).toBeCloseTo(2.9999, 3);
    expect(table.stepsAt(30_500 * 17)).toBe(0);
    expect(table.stepsAt(1)).toBe(0);
  });

  test("that were not encoded by it are refused", () => {
    const bytes = encodeDeltas(new Float32Array(8).fill(0.5));
    expect(() => new DeltaTable(bytes.subarray(0, bytes.length - 1))).toThrow(
      "no fine-tuned weights",
    );
    expect(new DeltaTable(encodeDeltas(new Float32Array(8))).stepsAt(3)).toBe(0);
  });
});

describe("the figures of the acceptance gate", () => {
  const predictions = (logits: readonly number[]) =>
    logits.map((logit, at) => ({ logit, isPositive: at % 2 === 0 }));

  test("are the mean of both sides, and the share of pairs in the right order", () => {
    // Positive: 2, 1, -1; negative: -2, 1, -3. Pairs in order: 2 beats all, 1 beats two and ties, -1 two.
    expect(computeFigures(predictions([2, -2, 1, 1, -1, -3]))).toEqual({
      accuracy: (2 / 3 + 2 / 3) / 2,
      auc: (3 + 2.5 + 2) / 9,
    });
    expect(computeFigures(predictions([0, 0]))).toEqual({ accuracy: 0, auc: 0.5 });
  });

  test("a few corrected rows are chance, many are not", () => {
    const wrong = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? -1 : -2));
    const rightUpTo = (count: number) =>
      wrong.map((logit, at) => (at < count && at % 2 === 0 ? 1 : logit));
    expect(isSignificantlyBetter(predictions(rightUpTo(2)), predictions(wrong))).toBe(false);
    expect(isSignificantlyBetter(predictions(rightUpTo(40)), predictions(wrong))).toBe(true);
    expect(isSignificantlyBetter(predictions(wrong), predictions(wrong))).toBe(false);
  });
});

// The sequential test: that its evidence can't grow on average where nothing became worse, by counting all outcomes, and
// what it concludes from invented releases.
import { describe, expect, test } from "vitest";
import { simulateRelease } from "../../../../bench/verdict/simulated-releases.ts";
import { createRandom } from "../../../../simulator/random.ts";
import { evidenceMin, falseAlarmRate } from "../../../domain/changes/verdict.ts";
import { openBets, type TestedReview } from "./bets.ts";
import { verdictQuestions as questions } from "./questions.ts";
import { testRelease } from "./test-release.ts";

const negative = 1;
const crash = 1 << questions.findIndex(({ name }) => name === "crash");

const review = (marks: number, stratum = "us"): TestedReview => ({ id: "", stratum, marks });
const repeat = (count: number, of: (index: number) => TestedReview): TestedReview[] =>
  Array.from({ length: count }, (_, index) => of(index));
/** One in ten is negative. */
const usual = (count: number, stratum = "us") =>
  repeat(count, (index) => review(index % 10 === 0 ? negative : 0, stratum));

/** The mean of what `read` returns over all outcomes of past and new reviews with these shares of a yes. */
function average(
  input: { pastCount: number; pastShare: number; count: number; share: number },
  read: (past: TestedReview[], reviews: TestedReview[]) => number,
): number {
  const { pastCount, pastShare, count, share } = input;
  const total = pastCount + count;
  const bits = Array.from({ length: total }, (_, bit) => bit);
  let mean = 0;
  for (let outcome = 0; outcome < 2 ** total; outcome += 1) {
    const marks = bits.map((bit) => (outcome >> bit) & 1);
    const chance = marks.reduce((product, mark, bit) => {
      const yes = bit < pastCount ? pastShare : share;
      return product * (mark === 1 ? yes : 1 - yes);
    }, 1);
    const reviews = marks.map((mark) => review(mark));
    mean += chance * read(reviews.slice(0, pastCount), reviews.slice(pastCount));
  }
  return mean;
}

describe("evidence is 1 at most on average, also for a reader who stops as soon as it is large", () => {
  const stopAt = 1.3;
  const readStopped =
    (side: "worse" | "fine", worseBy: number) =>
    (past: TestedReview[], reviews: TestedReview[]): number => {
      const bets = openBets({ past, questionCount: 1, worseBy });
      for (const one of reviews) {
        bets.settle(one);
        if (bets[side](0) >= stopAt) break;
      }
      return bets[side](0);
    };

  test.each([0.02, 0.1, 0.3, 0.5, 0.8])(
    "that a share rose from %d to the same or less",
    (share) => {
      for (const now of [share, share / 2]) {
        const counts = { pastCount: 9, pastShare: share, count: 5, share: now };
        expect(average(counts, readStopped("worse", 0.1))).toBeLessThanOrEqual(1 + 1e-12);
      }
    },
  );

  test.each([0.02, 0.1, 0.3, 0.5, 0.6])("that a share did not rise by 0.2 from %d", (share) => {
    for (const now of [share + 0.2, share + 0.35]) {
      const counts = { pastCount: 9, pastShare: share, count: 5, share: now };
      expect(average(counts, readStopped("fine", 0.2))).toBeLessThanOrEqual(1 + 1e-12);
    }
  });

  test("and is more than 1 where it did rise, or stayed", () => {
    const past = { pastCount: 9, pastShare: 0.1, count: 5 };
    expect(average({ ...past, share: 0.6 }, readStopped("worse", 0.2))).toBeGreaterThan(1.1);
    expect(average({ ...past, share: 0.1 }, readStopped("fine", 0.2))).toBeGreaterThan(1.1);
  });
});

test("at most 5 % of harmless releases are called worse, looked at after every review", () => {
  const random = createRandom(38);
  const count = 200;
  const worse = repeat(count, () => review(0)).filter(() => {
    const { past, reviews } = simulateRelease(random, { kind: "language", worsening: 0 });
    return testRelease({ questions, pasts: [past], reviews, worseBy: 0.1 }).worseAt !== null;
  });
  expect(worse.length).toBeLessThanOrEqual(falseAlarmRate * count);
});

describe("a release", () => {
  const past = usual(300);

  test("is worse after the complaints that make the evidence suffice, and stays so", () => {
    const bad = repeat(30, (index) => review(index % 3 === 0 ? negative | crash : 0));
    const tested = testRelease({
      questions,
      pasts: [past],
      reviews: [...bad, ...usual(300)],
      worseBy: 0.1,
    });
    const { worseAt, curve, evidence } = tested;
    expect(worseAt).not.toBeNull();
    expect(curve[worseAt ?? 0]?.worse).toBeGreaterThanOrEqual(evidenceMin);
    expect(curve[(worseAt ?? 0) - 1]?.worse).toBeLessThan(evidenceMin);
    const most = evidence.indexOf(Math.max(...evidence));
    expect(questions[most]?.name).toBe("crash");
  });

  test("is fine once a rise by worseBy is ruled out, sooner for a larger one", () => {
    const fineAt = (worseBy: number) =>
      testRelease({ questions, pasts: [usual(600)], reviews: usual(200), worseBy }).fineAt;
    expect(fineAt(0.3)).toBeLessThan(fineAt(0.15) ?? 0);
  });

  test("is neither with few reviews", () => {
    const tested = testRelease({ questions, pasts: [past], reviews: usual(8), worseBy: 0.1 });
    expect(tested).toMatchObject({ worseAt: null, fineAt: null, comparedCount: 8 });
  });

  test("is neither without a past", () => {
    const tested = testRelease({ questions, pasts: [[]], reviews: usual(50), worseBy: 0.1 });
    expect(tested).toMatchObject({ worseAt: null, fineAt: null, comparedCount: 0 });
    expect(tested.curve.at(-1)).toEqual({ worse: 1, fine: 1 });
  });

  test("is not worse because more of its reviews come from a storefront that always complains", () => {
    const random = createRandom(7);
    const mix = (count: number, germanShare: number): TestedReview[] =>
      repeat(count, () => {
        const isGerman = random.chance(germanShare);
        return review(Number(random.chance(isGerman ? 0.6 : 0.1)), isGerman ? "de" : "us");
      });
    const [before, after] = [mix(400, 0.25), mix(120, 0.75)];
    const read = (of: (one: TestedReview) => TestedReview) =>
      testRelease({ questions, pasts: [before.map(of)], reviews: after.map(of), worseBy: 0.1 })
        .worseAt;
    expect(read((one) => one)).toBeNull();
    expect(read((one) => ({ ...one, stratum: "all" }))).not.toBeNull();
  });

  test("is not worse when the same weeks a year before were as bad", () => {
    const bad = (count: number) => repeat(count, (index) => review(index % 2 === 0 ? negative : 0));
    const worseAt = (pasts: TestedReview[][]) =>
      testRelease({ questions, pasts, reviews: bad(60), worseBy: 0.1 }).worseAt;
    expect(worseAt([past])).not.toBeNull();
    expect(worseAt([past, bad(300)])).toBeNull();
    expect(worseAt([past, past])).toBe(worseAt([past]));
  });

  test("ignores reviews of a storefront without a past", () => {
    const strangers = repeat(50, () => review(negative | crash, "jp"));
    const tested = testRelease({ questions, pasts: [past], reviews: strangers, worseBy: 0.1 });
    expect(tested).toMatchObject({ worseAt: null, comparedCount: 0 });
  });
});

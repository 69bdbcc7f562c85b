// The sequential test of one release: evidence after each of its reviews, and when it first sufficed. However often it is
// looked at, at most 5 % of harmless releases are ever called worse (Ville's inequality).
import { evidenceMin } from "../../../domain/changes/verdict.ts";
import { openBets, type TestedReview } from "./bets.ts";

/** A question with its part of the false alarms. */
export type Question = { name: string; weight: number };

export type ReleaseTest = {
  /** After each review. */
  curve: EvidencePoint[];
  /** Reviews with past ones of their stratum; the others change nothing. */
  comparedCount: number;
  /** The index of the review that made the evidence suffice; null when none did. */
  worseAt: number | null;
  fineAt: number | null;
  /** By question, that its share rose: after the review `worseAt`, or after the last one. */
  evidence: number[];
};

/** E-values. */
type EvidencePoint = {
  /** That a share rose: the weighted mean of all questions, which is an e-value however they depend on each other. */
  worse: number;
  /** That no share rose by `worseBy`: the least of all questions. */
  fine: number;
};

/**
 * @param input.questions their weights add up to 1; the bits of `marks` in this order
 * @param input.pasts earlier reviews, each oldest first; the release must be worse than all of them
 * @param input.reviews in the order of their arrival
 * @param input.worseBy the rise of a share that `fine` rules out
 */
export function testRelease(input: {
  questions: readonly Question[];
  pasts: readonly (readonly TestedReview[])[];
  reviews: readonly TestedReview[];
  worseBy: number;
}): ReleaseTest {
  const { questions, pasts, reviews, worseBy } = input;
  const all = pasts.map((past) => openBets({ past, questionCount: questions.length, worseBy }));
  // The least of several e-values holds against "not worse than at least one of the pasts".
  const evidenceOf = (question: number) => Math.min(...all.map((bets) => bets.worse(question)));
  let evidence = questions.map(() => 1);
  let point: EvidencePoint = { worse: 1, fine: 1 };
  const test: Omit<ReleaseTest, "evidence"> = {
    curve: [],
    comparedCount: 0,
    worseAt: null,
    fineAt: null,
  };
  for (const [index, review] of reviews.entries()) {
    const isCompared = all.map((bets) => bets.settle(review)).includes(true);
    if (isCompared) {
      test.comparedCount += 1;
      const now = questions.map((_, question) => evidenceOf(question));
      point = {
        worse: questions.reduce(
          (sum, { weight }, question) => sum + weight * (now[question] ?? 1),
          0,
        ),
        fine: Math.min(...questions.map((_, question) => all[0]?.fine(question) ?? 1)),
      };
      if (test.worseAt === null) evidence = now;
      if (point.worse >= evidenceMin) test.worseAt ??= index;
      if (point.fine >= evidenceMin) test.fineAt ??= index;
    }
    test.curve.push(point);
  }
  return { ...test, evidence };
}

// Simulated releases with the evidence after each of their reviews, for the script that computes it independently.

import { createRandom } from "../../simulator/random.ts";
import type { TestedReview } from "../../src/features/verdict/judge/bets.ts";
import { verdictQuestions as questions } from "../../src/features/verdict/judge/questions.ts";
import { testRelease } from "../../src/features/verdict/judge/test-release.ts";
import { type StrataKind, simulateRelease, strataKinds } from "./simulated-releases.ts";

/** A review as stratum and marks. */
type Recorded = [stratum: string, marks: number];

export type RecordedSequence = {
  worseBy: number;
  /** The weights of the questions, in the order of the bits. */
  weights: number[];
  /** Oldest first. */
  pasts: Recorded[][];
  reviews: Recorded[];
  /** After each review. */
  worse: number[];
  fine: number[];
};

export function recordSequences(seed: number): RecordedSequence[] {
  return (Object.keys(strataKinds) as StrataKind[]).flatMap((kind, index) =>
    [0, 0.3].map((worsening): RecordedSequence => {
      const random = createRandom(seed * 100 + 75 + index);
      const sizes = { pastCount: 150, reviewCount: 60 };
      const { past, reviews } = simulateRelease(random, { kind, worsening, ...sizes });
      // Sometimes a second past, as of the same weeks a year before.
      const season = simulateRelease(random, { kind, worsening: 0, ...sizes }).past;
      const pasts = index % 2 === 0 ? [past] : [past, season];
      const worseBy = index % 2 === 0 ? 0.1 : 0.25;
      const { curve } = testRelease({ questions, pasts, reviews, worseBy });
      const toRecorded = ({ stratum, marks }: TestedReview): Recorded => [stratum, marks];
      return {
        worseBy,
        weights: questions.map(({ weight }) => weight),
        pasts: pasts.map((one) => one.map(toRecorded)),
        reviews: reviews.map(toRecorded),
        worse: curve.map((point) => point.worse),
        fine: curve.map((point) => point.fine),
      };
    }),
  );
}

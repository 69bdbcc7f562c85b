// Invented releases with rates as apps have them: how many reviews are negative, what they complain of, and how both
// differ between strata, whose mix changes from the past to the release.

import type { Random } from "../../simulator/random.ts";
import type { TestedReview } from "../../src/features/verdict/judge/bets.ts";
import { verdictQuestions } from "../../src/features/verdict/judge/questions.ts";

/** How many strata there are, and their names' prefix. */
export const strataKinds = { none: 1, store: 2, language: 8, storefront: 25 } as const;
export type StrataKind = keyof typeof strataKinds;

export type SimulatedRelease = { past: TestedReview[]; reviews: TestedReview[] };

type Stratum = { name: string; negative: number; pastWeight: number; weight: number };

const firstTopic = 2;
const topicCount = verdictQuestions.length - firstTopic;

/** @param options.worsening the share of reviews that complain of one more thing and would not have complained */
export function simulateRelease(
  random: Random,
  options: { kind: StrataKind; worsening: number; reviewCount?: number; pastCount?: number },
): SimulatedRelease {
  const strata = inventStrata(random, options.kind);
  const topics = Array.from({ length: topicCount }, () => logUniform(random, 0.01, 0.25));
  const broken = firstTopic + random.whole(0, topicCount - 1);
  const { pastCount = Math.round(logUniform(random, 60, 900)) } = options;
  const { reviewCount = Math.round(logUniform(random, 10, 300)) } = options;
  const invent = (index: number, field: "pastWeight" | "weight", worsening: number) => {
    const stratum = random.weighted(strata.map((item) => ({ item, weight: item[field] })));
    const isNegative = random.chance(stratum.negative);
    let marks = isNegative ? 1 : 0;
    if (random.chance(isNegative ? 0.85 : 0.04)) marks |= 2;
    for (const [topic, share] of topics.entries())
      if (random.chance(isNegative ? share : share / 20)) marks |= 1 << (firstTopic + topic);
    if (random.chance(worsening)) marks |= 3 | (1 << broken);
    return { id: `${field} ${index}`, stratum: stratum.name, marks };
  };
  return {
    past: Array.from({ length: pastCount }, (_, index) => invent(index, "pastWeight", 0)),
    reviews: Array.from({ length: reviewCount }, (_, index) =>
      invent(index, "weight", options.worsening),
    ),
  };
}

function inventStrata(random: Random, kind: StrataKind): Stratum[] {
  const usual = 0.1 + 0.3 * random.next();
  return Array.from({ length: strataKinds[kind] }, (_, index) => {
    const pastWeight = 1 / (index + 1);
    return {
      name: `${kind} ${index}`,
      negative: Math.min(0.7, usual * logUniform(random, 0.5, 2)),
      pastWeight,
      weight: pastWeight * logUniform(random, 0.5, 2),
    };
  });
}

function logUniform(random: Random, min: number, max: number): number {
  return min * (max / min) ** random.next();
}

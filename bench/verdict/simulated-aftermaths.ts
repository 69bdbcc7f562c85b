// Invented histories after a bad release, with the truth about each later release: the sentences about it are checked against it.
// The sentence is read again after each review, as people do.
import type { Random } from "../../simulator/random.ts";
import { judgeAftermath } from "../../src/features/verdict/judge/aftermath.ts";
import { markOf } from "../../src/features/verdict/judge/questions.ts";

/** How the releases after the bad one are: as usual, as bad, half of its complaints ended, or another complaint. */
const kinds = {
  "true fix": ["usual"],
  "false fix": ["bad"],
  "fix of one of two complaints": ["half"],
  "fix, then another incident": ["usual", "other"],
  "fix with another incident": ["other"],
  "false fix, then a rollback": ["bad", "usual"],
  "false fix, then another incident": ["bad", "other"],
  "two small releases, the second one fixes": ["bad", "usual"],
} as const;
export type AftermathKind = keyof typeof kinds;
export const aftermathKinds = Object.keys(kinds) as AftermathKind[];

type Quality = "usual" | "bad" | "half" | "other";
type Claims = { fixed: boolean; not_fixed: boolean };

/** Whether each sentence was false at any moment, and the last state. */
export type SimulatedAftermath = { false: Claims; last: string };

/** A release that is worse itself is known as such after about as many reviews. */
const knownAfter = 12;
const questions = ["crash", "bug", "negative"] as const;

type Rates = Record<(typeof questions)[number], number>;

export function simulateAftermath(random: Random, kind: AftermathKind): SimulatedAftermath {
  const usual: Rates = {
    crash: 0.02 + 0.04 * random.next(),
    bug: 0.02 + 0.06 * random.next(),
    negative: 0.1 + 0.2 * random.next(),
  };
  const rise = 0.25 + 0.35 * random.next();
  const isSmall = kind.startsWith("two small");
  const ratesOf: Record<Quality, Rates> = {
    usual,
    bad: {
      crash: usual.crash + rise,
      bug: usual.bug + rise,
      negative: Math.min(0.9, usual.negative + rise),
    },
    half: {
      crash: usual.crash,
      bug: usual.bug + rise,
      negative: Math.min(0.9, usual.negative + rise / 2),
    },
    // Complaints of another kind are negative reviews as well.
    other: { ...usual, negative: Math.min(0.9, usual.negative + rise) },
  };
  const count = (total: number, rates: Rates) => {
    const counts = questions.map((question) => {
      const hits = Array.from({ length: total }, () => random.chance(rates[question]));
      return [question, hits.filter(Boolean).length] as const;
    });
    const byName = new Map<string, number>(counts);
    return { total, countOf: (question: string) => byName.get(question) ?? 0 };
  };
  const before = count(random.whole(60, 500), usual);
  const own = count(random.whole(20, 90), ratesOf.bad);
  const releases = kinds[kind].map((quality, at) => ({
    version: `1.${at + 1}`,
    quality,
    reviewCount: isSmall && at === 0 ? random.whole(2, 8) : random.whole(8, 80),
  }));
  const claims = (): Claims => ({ fixed: false, not_fixed: false });
  const result: SimulatedAftermath = { false: claims(), last: "" };
  const reviews: Parameters<typeof judgeAftermath>[0]["reviews"][number][] = [];
  for (const [at, { version, quality, reviewCount }] of releases.entries()) {
    for (let index = 0; index < reviewCount; index += 1) {
      const marks = questions.filter((question) => random.chance(ratesOf[quality][question]));
      const bits = marks.reduce((sum, question) => sum | markOf(question), 0);
      reviews.push({ version, marks: bits, isPraise: false });
      const followers = releases.slice(0, at + 1).map((one, which) => ({
        version: one.version,
        isWorse: one.quality === "other" && (which < at || index >= knownAfter),
      }));
      const { state, laterVersions } = judgeAftermath({
        ...{ version: "1.0", questions, followers, reviews, own, before },
      });
      result.last = state;
      if (state === "too_early") continue;
      const judged = releases.filter((one) => laterVersions.includes(one.version));
      if (
        isFalse(
          state,
          judged.map((one) => one.quality),
        )
      )
        result.false[state] = true;
    }
  }
  return result;
}

/**
 * "Fixed" where the last of the named releases had a cause of the verdict, or "not fixed" where none of them had. Negative
 * reviews are a cause, whatever they complain of.
 */
function isFalse(state: "fixed" | "not_fixed", judged: readonly Quality[]): boolean {
  if (state === "fixed") return judged.at(-1) !== "usual";
  return judged.every((quality) => quality === "usual" || quality === "other");
}

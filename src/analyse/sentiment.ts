// Weighs the opinion words of a text in normal form, clause by clause, with the stars as a prior.
// Says neutral where it finds nothing to go by.
import type { Sentiment, SentimentLabel } from "../reviews/analysis.ts";
import { type Clause, splitClauses } from "./clauses.ts";
import { findOpinions, type OpinionFind } from "./sentiment-lexicon.ts";

export type SentimentInput = { text: string; language: string; rating: number };

/** What speaks for and against, both zero or more. */
type Weight = { good: number; bad: number };

const middleRating = 3;
const starWeight = 0.5;
/** A clause alone has no stars, so that neutral is given a head start. */
const clauseNeutral = 0.5;
const clauseWeightMax = 6;
const turnWeight = 1.25;

export function weighSentiment({ text, language, rating }: SentimentInput): Sentiment {
  const opinions = findOpinions(text, language);
  const whole: Weight = { good: 0, bad: 0 };
  let clauseMin = 0;
  let clauseMax = 0;
  for (const clause of splitClauses(text)) {
    const weight = weighClause(text, opinionsWithin(opinions, clause));
    const { score } = balance(weight, clauseNeutral);
    clauseMin = Math.min(clauseMin, score);
    clauseMax = Math.max(clauseMax, score);
    whole.good += weight.good * (clause.isTurn ? turnWeight : 1);
    whole.bad += weight.bad * (clause.isTurn ? turnWeight : 1);
  }
  const stars = starsOf(rating);
  const tilt = starWeight * (stars - middleRating);
  const tilted = { good: saturate(whole.good) + tilt, bad: saturate(whole.bad) - tilt };
  const { label, score } = balance(tilted, 0);
  const isMixed = holdsBoth({ clauseMin, clauseMax, stars });
  return { label: isMixed ? "mixed" : label, score, clauseMin, clauseMax };
}

function opinionsWithin(opinions: OpinionFind[], { start, end }: Clause): OpinionFind[] {
  return opinions.filter((find) => find.start >= start && find.start < end);
}

function weighClause(text: string, opinions: OpinionFind[]): Weight {
  const weight: Weight = { good: 0, bad: 0 };
  for (const [at, { opinion }] of opinions.entries()) {
    if (opinion.kind !== "value") continue;
    const value =
      turnCount(text, opinions, at) % 2 === 0 ? opinion.value : turnRound(opinion.value);
    if (value > 0) weight.good = Math.min(clauseWeightMax, weight.good + value);
    else weight.bad = Math.min(clauseWeightMax, weight.bad - value);
  }
  return weight;
}

// "Not great" is a milder blame than "bad", and "no crashes" a milder praise than "great".
const turnedShare = 0.6;

function turnRound(value: number): number {
  return -value * turnedShare;
}

/** How many negators reach the opinion at a place of the list. */
function turnCount(text: string, opinions: OpinionFind[], at: number): number {
  const turned = opinions[at];
  if (turned === undefined) return 0;
  return opinions.filter((find, index) => {
    if (find.opinion.kind !== "negator") return false;
    if (find.opinion.reach === "following") {
      return index < at && isNear(text.slice(find.end, turned.start));
    }
    return index > at && isNear(text.slice(turned.end, find.start));
  }).length;
}

const wordsBetweenMax = 3;
const blanklessUnitsMax = 4;
const spacedWord = /[\p{L}\p{M}\p{N}']+/gu;
const blanklessUnit = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

function isNear(between: string): boolean {
  const units = between.match(blanklessUnit)?.length ?? 0;
  return units <= blanklessUnitsMax && (between.match(spacedWord)?.length ?? 0) <= wordsBetweenMax;
}

// Ten words of praise say little more than five: the sum nears `ceiling` and never reaches it.
const ceiling = 6;
const halfway = 5;

function saturate(sum: number): number {
  return (ceiling * sum) / (sum + halfway);
}

function starsOf(rating: number): number {
  return Number.isFinite(rating) ? Math.min(5, Math.max(1, rating)) : middleRating;
}

type Balance = { label: SentimentLabel; score: number };

/** Softmax over good, bad and neutral; a tie with neutral is neutral. */
function balance({ good, bad }: Weight, neutral: number): Balance {
  const goodShare = Math.exp(good);
  const badShare = Math.exp(bad);
  const neutralShare = Math.exp(neutral);
  const share = (goodShare - badShare) / (goodShare + badShare + neutralShare);
  // More digits than these would be noise; `|| 0` keeps a minus off the zero.
  const score = Math.round(share * 10_000) / 10_000 || 0;
  if (goodShare > neutralShare && goodShare > badShare) return { label: "positive", score };
  if (badShare > neutralShare && badShare > goodShare) return { label: "negative", score };
  return { label: "neutral", score };
}

const strongClause = 0.85;
const plainClause = 0.7;

// One and five stars are a clear word of the writer, so that only strong clauses contradict them.
function holdsBoth(of: { clauseMin: number; clauseMax: number; stars: number }): boolean {
  const least = of.stars >= 2 && of.stars <= 4 ? plainClause : strongClause;
  return of.clauseMax > least && of.clauseMin < -least;
}

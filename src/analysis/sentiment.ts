// Tells the sentiment of a text in normal form from the trained weights, the words of praise and
// blame, and the stars as a prior. Says neutral where it finds nothing to go by.
import type { Sentiment, SentimentLabel } from "../domain/analysis.ts";
import { splitClauses } from "./clauses.ts";
import type { DeltaTable } from "./fine-tuning.ts";
import { type SentimentWord, scoreWords } from "./lexicon-score.ts";
import { type PolarityLogits, scoreFeatures } from "./sentiment-model.ts";
import type { Token } from "./tokens.ts";

export type SentimentInput = {
  text: string;
  tokens: readonly Token[];
  /** The words of praise and blame, in the order of the text. */
  sentimentWords: readonly SentimentWord[];
  /** 1 to 5; anything else is no rating. */
  rating: number;
  /** Of the adaptation to the language, where there is one. */
  deltas?: DeltaTable | null;
};

const wordWeight = 0.8;
const starWeight = 0.5;
const middleRating = 3;
/** A head start for neutral where no stars help; who gives stars has an opinion. */
const neutralWithoutStars = 0.5;
const neutralWithStars = -0.3;

export function scoreSentiment(input: SentimentInput): Sentiment {
  const { text, tokens, sentimentWords: sentimentWords, deltas: deltas = null } = input;
  const clauses = splitClauses(text);
  const learned = scoreFeatures({ text, tokens, clauses, sentimentWords: sentimentWords, deltas: deltas });
  const stars = starsOf(input.rating);
  const words = scoreWords(sentimentWords, tokens.length);
  const tilt = wordWeight * words + starWeight * ((stars ?? middleRating) - middleRating);
  const neutral = stars === null ? neutralWithoutStars : neutralWithStars;
  const { label, score } = balance(tilted(learned.whole, tilt), neutral);
  let clauseMin = 0;
  let clauseMax = 0;
  for (const [at, { start, end }] of clauses.entries()) {
    const within = sentimentWords.filter((find) => find.start >= start && find.start < end);
    const count = tokens.filter((token) => token.start >= start && token.start < end).length;
    if (isCourtesy(within, count)) continue;
    const opinion = tilted(learned.clauses[at] ?? nothing, wordWeight * scoreWords(within, count));
    const clauseScore = balance(opinion, neutralWithoutStars).score;
    clauseMin = Math.min(clauseMin, clauseScore);
    clauseMax = Math.max(clauseMax, clauseScore);
  }
  const isMixed = holdsBoth({ clauseMin, clauseMax, stars });
  return { label: isMixed ? "mixed" : label, score, clauseMin, clauseMax };
}

/** How far a text leans to praise (above 0) or blame, as a logit; the stars are left out. */
export function computeLogit(input: Omit<SentimentInput, "rating">): number {
  const { whole } = scoreFeatures({ ...input, deltas: input.deltas ?? null, clauses: [] });
  return whole.good - whole.bad + 2 * wordWeight * scoreWords(input.sentimentWords, input.tokens.length);
}

const courtesyTokensMax = 4;
const courtesyValueMax = 1.5;

/** "Thanks, but it crashes" holds one opinion. */
function isCourtesy(words: readonly SentimentWord[], tokenCount: number): boolean {
  const isMild = words.every(({ value }) => value > 0 && value <= courtesyValueMax);
  return words.length > 0 && tokenCount <= courtesyTokensMax && isMild;
}

const nothing: PolarityLogits = { good: 0, bad: 0 };

function tilted({ good, bad }: PolarityLogits, tilt: number): PolarityLogits {
  return { good: good + tilt, bad: bad - tilt };
}

function starsOf(rating: number): number | null {
  if (!Number.isFinite(rating) || rating < 0.5) return null;
  return Math.min(5, Math.max(1, rating));
}

/** Softmax over good, bad and neutral; a tie with neutral is neutral. */
function balance(
  { good, bad }: PolarityLogits,
  neutral: number,
): { label: SentimentLabel; score: number } {
  const most = Math.max(good, bad, neutral);
  const goodShare = Math.exp(good - most);
  const badShare = Math.exp(bad - most);
  const neutralShare = Math.exp(neutral - most);
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
function holdsBoth(of: { clauseMin: number; clauseMax: number; stars: number | null }): boolean {
  const isClear = of.stars !== null && (of.stars < 2 || of.stars > 4);
  const least = isClear ? strongClause : plainClause;
  return of.clauseMax > least && of.clauseMin < -least;
}

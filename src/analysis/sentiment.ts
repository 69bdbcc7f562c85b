// Computes the sentiment of a normalized text from the trained weights, the sentiment words, and the stars
// as a prior. A text without any indication is neutral.
import { opinionScoreMin, type Sentiment, type SentimentLabel } from "../domain/analysis.ts";
import type { Topic } from "../domain/topics.ts";
import { type Clause, contrast, splitClauses } from "./clauses.ts";
import type { DeltaTable } from "./fine-tuning.ts";
import { type SentimentWord, scoreWords } from "./lexicon-score.ts";
import { type PolarityLogits, scoreFeatures } from "./sentiment-model.ts";
import type { Token } from "./tokens.ts";
import type { TopicMatch } from "./topics.ts";

export type SentimentInput = {
  text: string;
  language: string;
  tokens: readonly Token[];
  /** In the order of the text. */
  sentimentWords: readonly SentimentWord[];
  /** 1 to 5; anything else is not a rating. */
  rating: number;
  /** The weights of the language's fine-tuning, if any. */
  deltas?: DeltaTable | null;
};

const wordWeight = 0.8;
const starWeight = 0.5;
const middleRating = 3;
/** The logit of neutral without stars or with three. */
const neutralLogit = 0.5;
/**
 * Reviewers who take sides by stars are rarely neutral. Below `starWeight`, so that a star more never lowers the score.
 */
const neutralLossPerStar = 0.4;

export type SentimentFindings = {
  sentiment: Sentiment;
  /** In the order of the text, each with its score from the text alone; polite ones are left out. */
  clauses: ScoredClause[];
  /** The distinct feature buckets of the text. */
  buckets: number[];
};

export type ScoredClause = Clause & { score: number };

export function scoreSentiment(input: SentimentInput): SentimentFindings {
  const { text, language, tokens, sentimentWords, deltas = null } = input;
  const clauses = splitClauses(text);
  const trained = scoreFeatures({
    text,
    language,
    tokens,
    clauses,
    sentimentWords,
    deltas,
  });
  const stars = starsOf(input.rating);
  const words = scoreWords(sentimentWords, tokens.length);
  const side = (stars ?? middleRating) - middleRating;
  const bias = wordWeight * words + starWeight * side;
  const neutral = neutralLogit - neutralLossPerStar * Math.abs(side);
  // Dots and things ("🚲") say nothing; weights of so few features are chance.
  const isWordless = words === 0 && tokens.every(({ kind }) => kind === "symbol");
  const logits = isWordless ? noLogits : trained.whole;
  const { label, score } = toLabel(addBias(logits, bias), neutral);
  const scored = scoreClauses(input, { clauses, logits: trained.clauses });
  let clauseMin = 0;
  let clauseMax = 0;
  for (const clause of scored) {
    clauseMin = Math.min(clauseMin, clause.score);
    clauseMax = Math.max(clauseMax, clause.score);
  }
  const contrasts = contrast.test(text);
  const byClauses = { best: 0, worst: 0, rating: input.rating, contrasts };
  return {
    sentiment: judgeMixed({ label, score, clauseMin, clauseMax }, byClauses),
    clauses: scored,
    buckets: trained.buckets,
  };
}

function scoreClauses(
  { tokens, sentimentWords }: SentimentInput,
  { clauses, logits }: { clauses: readonly Clause[]; logits: readonly PolarityLogits[] },
): ScoredClause[] {
  const scored: ScoredClause[] = [];
  let token = 0;
  for (const [at, { start, end }] of clauses.entries()) {
    const within = sentimentWords.filter((word) => word.start >= start && word.start < end);
    let count = 0;
    // Tokens and clauses are both in the order of the text.
    for (; token < tokens.length && (tokens[token]?.start ?? end) < end; token += 1) {
      if ((tokens[token]?.start ?? 0) >= start) count += 1;
    }
    if (isPolite(within, count)) continue;
    const biased = addBias(logits[at] ?? noLogits, wordWeight * scoreWords(within, count));
    scored.push({ start, end, score: toLabel(biased, neutralLogit).score });
  }
  return scored;
}

/** Above 0 for positive, below 0 for negative, from the text alone without stars. */
export function computeLogit(input: Omit<SentimentInput, "rating">): number {
  const { whole } = scoreFeatures({ ...input, deltas: input.deltas ?? null, clauses: [] });
  return (
    whole.positive -
    whole.negative +
    2 * wordWeight * scoreWords(input.sentimentWords, input.tokens.length)
  );
}

const politeTokensMax = 4;
const politeValueMax = 1.5;

/** Polite clauses are ignored: "Thanks, but it crashes" is not mixed. */
function isPolite(words: readonly SentimentWord[], tokenCount: number): boolean {
  const isMild = words.every(({ value }) => value > 0 && value <= politeValueMax);
  return words.length > 0 && tokenCount <= politeTokensMax && isMild;
}

const noLogits: PolarityLogits = { positive: 0, negative: 0 };

function addBias({ positive, negative }: PolarityLogits, bias: number): PolarityLogits {
  return { positive: positive + bias, negative: negative - bias };
}

function starsOf(rating: number): number | null {
  if (!Number.isFinite(rating) || rating < 0.5) return null;
  return Math.min(5, Math.max(1, rating));
}

/** Softmax over positive, negative and neutral; a tie with neutral is neutral. */
function toLabel(
  { positive, negative }: PolarityLogits,
  neutral: number,
): { label: SentimentLabel; score: number } {
  const highest = Math.max(positive, negative, neutral);
  const positivePower = Math.exp(positive - highest);
  const negativePower = Math.exp(negative - highest);
  const neutralPower = Math.exp(neutral - highest);
  const difference =
    (positivePower - negativePower) / (positivePower + negativePower + neutralPower);
  // Four digits are enough; `|| 0` turns -0 into 0.
  const score = Math.round(difference * 10_000) / 10_000 || 0;
  if (positivePower > neutralPower && positivePower > negativePower)
    return { label: "positive", score };
  if (negativePower > neutralPower && negativePower > positivePower)
    return { label: "negative", score };
  // A text whose score is stronger takes sides, although neutral is the most likely of the three classes.
  if (Math.abs(score) < opinionScoreMin) return { label: "neutral", score };
  return { label: score > 0 ? "positive" : "negative", score };
}

// From one star to five. A text that contradicts the stars must be clear; one that agrees with them needs hardly any
// words where a "but" says that two judgements follow each other.
const mixedMins = [
  { best: 0.85, worst: 0.3 },
  { best: 0.5, worst: 0.3 },
  { best: 0.4, worst: 0.4 },
  { best: 0.3, worst: 0.5 },
  { best: 0.3, worst: 0.85 },
] as const;
const contrastMin = 0.3;
const plainMin = 0.5;

const requestUnitsMax = 160;
const strongWordMin = 2;

/**
 * `neutral` for a text that only asks or wishes, whatever its stars.
 *
 * @param topics the mentions in the text
 */
export function judgeRequest(
  sentiment: Sentiment,
  request: { text: string; topics: readonly TopicMatch[]; words: readonly SentimentWord[] },
): Sentiment {
  const { text, topics, words } = request;
  const wishes = topics.filter(({ topic }) => topic === "feature_request");
  const asks = /[?？؟;]\s*$/u.test(text);
  if (text.length > requestUnitsMax || !(asks || wishes.length > 0)) return sentiment;
  // "It would be nice" wishes and does not praise.
  const judges = words.some(
    ({ start, end, value }) =>
      Math.abs(value) >= strongWordMin &&
      !wishes.some((wish) => wish.start < end && start < wish.end),
  );
  if (judges || topics.some(({ topic }) => faults.has(topic))) return sentiment;
  const most = opinionScoreMin - 0.01;
  const score = Math.max(-most, Math.min(most, sentiment.score));
  return { ...sentiment, label: "neutral", score };
}

const faults: ReadonlySet<Topic> = new Set(["bug", "crash", "battery", "praise"]);

/**
 * `mixed` instead of the label where a clause or topic is clearly good and another one clearly bad.
 *
 * @param topics the best and the worst score of a topic, by its words; whether the text has a word like "but"
 */
export function judgeMixed(
  sentiment: Sentiment,
  topics: { best: number; worst: number; rating: number; contrasts: boolean },
): Sentiment {
  const best = Math.max(sentiment.clauseMax, topics.best);
  const worst = Math.min(sentiment.clauseMin, topics.worst);
  const stars = Math.round(starsOf(topics.rating) ?? middleRating);
  const least = mixedMins[stars - 1];
  if (least === undefined) return sentiment;
  const agreeing = topics.contrasts ? contrastMin : plainMin;
  if (best <= Math.max(least.best, agreeing) || worst >= -Math.max(least.worst, agreeing))
    return sentiment;
  return { ...sentiment, label: "mixed" };
}

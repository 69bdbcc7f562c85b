// Reads the sentiment of a normalized text from the trained weights and the sentiment words: of each clause, and of
// the whole text, which sentiment-decision.ts decides.
import type { Sentiment } from "../domain/review/analysis.ts";
import type { ScoredClause } from "./clauses.ts";
import type { ListedPhrases } from "./lexicon.ts";
import { type SentimentWord, scoreWords } from "./lexicon-score.ts";
import {
  blendScore,
  decideSentiment,
  listTextSignals,
  onlyAsks,
  onlyBlames,
  type PolarityShares,
  roundScore,
  type SentimentReading,
} from "./sentiment-decision.ts";
import {
  loadSentimentModel,
  type PolarityLogits,
  type SentimentModel,
  scoreFeatures,
} from "./sentiment-model.ts";
import { type Token, tokenize } from "./tokens.ts";

type SentimentInput = {
  text: string;
  language: string;
  tokens: readonly Token[];
  listed: ListedPhrases;
};

const wordWeight = 0.8;
/** People labelled 61 of 68 real reviews below it, with four or five stars, as negative, and 3 as positive. */
const complaintScoreMax = -0.8;
const neutralLogit = 0.5;

type SentimentFindings = {
  sentiment: Sentiment;
  /** In the order of the text, each with its score from the text alone; polite ones are left out. */
  clauses: ScoredClause[];
  /** Those of `listTextSignals`, which topics are decided by. */
  signals: number[];
  /** The feature buckets of the text, with repeats. */
  buckets: Uint32Array;
};

/** @param input.rating 1 to 5; anything else is not a rating */
export function scoreSentiment(input: SentimentInput & { rating: number }): SentimentFindings {
  const model = loadSentimentModel();
  const { reading, buckets } = readSentiment(input, model);
  const signals = listTextSignals(reading);
  const scores = reading.clauses.map(({ score }) => score);
  const { decision } = model.head;
  const isUnlisted = reading.words.length === 0 && reading.mentions.length === 0;
  const bare = decideSentiment(decision, { signals, rating: 0, isUnlisted });
  // A wish or a question counts without the stars, and a complaint without praising ones.
  const isComplaint = bare.score < complaintScoreMax || onlyBlames(reading, bare.score);
  const isBare = onlyAsks(reading) || (input.rating > 3 && isComplaint);
  const rating = isBare ? 0 : input.rating;
  const { label, score: decided } = decideSentiment(decision, { signals, rating, isUnlisted });
  const { positive, negative } = reading.whole;
  const score = blendScore(decided, { words: positive - negative, decided: bare.score });
  const clauseMin = Math.min(0, ...scores);
  const clauseMax = Math.max(0, ...scores);
  const sentiment = { label, score, clauseMin, clauseMax };
  return { sentiment, clauses: reading.clauses, signals, buckets };
}

/** Reads everything that the decision is made from. */
export function readSentiment(
  input: SentimentInput,
  model: SentimentModel,
): { reading: SentimentReading; buckets: Uint32Array } {
  const { language, listed } = input;
  const { text, tokens } = withoutCourtesies(input);
  const { words: sentimentWords, mentions, clauses, hasContrast } = listed;
  const trained = scoreFeatures({ text, language, tokens, clauses, sentimentWords }, model);
  const sum = scoreWords(sentimentWords, tokens.length);
  // Dots and things ("🚲") say nothing; weights of so few features are chance.
  const isWordless = sum === 0 && tokens.every(({ kind }) => kind === "symbol");
  const reading: SentimentReading = {
    text,
    tokenCount: tokens.length,
    words: sentimentWords,
    mentions,
    hasContrast,
    clauses: scoreClauses({ tokens, listed }, trained.clauses),
    whole: toShares(isWordless ? noLogits : trained.whole, sum),
  };
  return { reading, buckets: trained.buckets };
}

/** Greetings and the like as spaces, if the review says more. */
function withoutCourtesies(input: SentimentInput): Pick<SentimentInput, "text" | "tokens"> {
  const { courtesies } = input.listed;
  if (courtesies.length === 0) return input;
  let text = "";
  for (const { start, end } of courtesies.toSorted((one, other) => one.start - other.start)) {
    text += input.text.slice(text.length, start);
    text += " ".repeat(Math.max(0, end - text.length));
  }
  text += input.text.slice(text.length);
  const tokens = tokenize(text);
  return tokens.some(({ kind }) => kind !== "symbol") ? { text, tokens } : input;
}

function scoreClauses(
  { tokens, listed }: Pick<SentimentInput, "tokens" | "listed">,
  logits: readonly PolarityLogits[],
): ScoredClause[] {
  const scored: ScoredClause[] = [];
  let token = 0;
  for (const [at, { start, end }] of listed.clauses.entries()) {
    const within = listed.words.filter((word) => word.start >= start && word.start < end);
    let count = 0;
    // Tokens and clauses are both in the order of the text.
    for (; token < tokens.length && (tokens[token]?.start ?? end) < end; token += 1) {
      if ((tokens[token]?.start ?? 0) >= start) count += 1;
    }
    if (isPolite(within, count)) continue;
    const { positive, negative } = toShares(logits[at] ?? noLogits, scoreWords(within, count));
    scored.push({ start, end, score: roundScore(positive - negative) });
  }
  return scored;
}

const politeTokensMax = 4;
const politeValueMax = 1.5;

/** Polite clauses are ignored: "Thanks, but it crashes" is not mixed. */
function isPolite(words: readonly SentimentWord[], tokenCount: number): boolean {
  const isMild = words.every(({ value }) => value >= 0 && value <= politeValueMax);
  return words.length > 0 && tokenCount <= politeTokensMax && isMild;
}

const noLogits: PolarityLogits = { positive: 0, negative: 0 };

/** Softmax over positive, negative and neutral. */
function toShares(logits: PolarityLogits, words: number): PolarityShares {
  const positive = logits.positive + wordWeight * words;
  const negative = logits.negative - wordWeight * words;
  const highest = Math.max(positive, negative, neutralLogit);
  const good = Math.exp(positive - highest);
  const bad = Math.exp(negative - highest);
  const none = Math.exp(neutralLogit - highest);
  const sum = good + bad + none;
  const logit = positive - negative;
  return { positive: good / sum, negative: bad / sum, neutral: none / sum, logit };
}

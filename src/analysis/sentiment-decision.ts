// Decides the sentiment of a review: a softmax over the four labels, whose weights are trained on labelled reviews.
// Its signals are the same in all languages: they count and compare, and know no word.
import { opinionScoreMin, type Sentiment, type SentimentLabel } from "../domain/review/analysis.ts";
import type { Topic } from "../domain/review/topics.ts";
import type { ScoredClause } from "./clauses.ts";
import type { SentimentWord } from "./lexicon-score.ts";
import type { TopicMatch } from "./topics.ts";

/** By label the weights of the signals, those of the stars last. */
export type SentimentDecision = Readonly<Record<SentimentLabel, readonly number[]>>;

export type SentimentReading = {
  text: string;
  tokenCount: number;
  words: readonly SentimentWord[];
  mentions: readonly TopicMatch[];
  /** In the order of the text, without polite ones. */
  clauses: ScoredClause[];
  /** Whether it has a word like "but". */
  hasContrast: boolean;
  /** The whole text by the trained weights and the sentiment words. */
  whole: PolarityShares;
};

/** `logit` is above 0 where positive is likelier than negative. */
export type PolarityShares = Record<"positive" | "negative" | "neutral" | "logit", number>;

const faults: ReadonlySet<Topic> = new Set(["bug", "crash", "battery"]);
const shortTokensMax = 2;
// The decisions are trained with few reviews that are longer.
const tokensMax = 80;
const clausesMax = 10;

/** The signals of a text, each about −1 to 3. */
export function listTextSignals(reading: SentimentReading): number[] {
  const { text, tokenCount, words, mentions, clauses, hasContrast, whole } = reading;
  const scores = clauses.map(({ score }) => score);
  const best = Math.max(0, ...scores);
  const worst = Math.min(0, ...scores);
  const wishes = mentions.filter(({ topic }) => topic === "feature_request");
  const wishing = clauses.filter((clause) => wishes.some((wish) => overlaps(wish, clause)));
  const sumOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.sqrt(1 + tokenCount);
  const values = words.map(({ value }) => value);
  const turned = words.filter(({ isNegated }) => isNegated);
  return [
    1,
    whole.logit,
    whole.positive - whole.negative,
    whole.neutral,
    sumOf(values.filter((value) => value > 0)),
    sumOf(values.filter((value) => value < 0)),
    best,
    worst,
    Math.min(best, -worst),
    scores[0] ?? 0,
    scores.at(-1) ?? 0,
    Number(hasContrast),
    Number(wishes.length > 0),
    wishing.length / Math.max(1, clauses.length),
    Number(isQuestion(text)),
    Number(text.includes("?")),
    Number(text.includes("!")),
    Number(onlyAsks(reading)),
    Number(mentions.some(({ topic }) => faults.has(topic))),
    Number(mentions.some(({ topic }) => topic === "praise")),
    Math.log1p(new Set(mentions.map(({ topic }) => topic)).size),
    Math.log1p(Math.min(tokenCount, tokensMax)),
    Math.log1p(Math.min(clauses.length, clausesMax)),
    Number(tokenCount <= shortTokensMax),
    Number(turned.some(({ value }) => value < 0)),
    Number(turned.some(({ value }) => value > 0)),
    Number(values.includes(0)),
    Number(words.length === 0),
  ];
}

function overlaps(one: { start: number; end: number }, other: { start: number; end: number }) {
  return one.start < other.end && other.start < one.end;
}

const requestUnitsMax = 160;
const strongWordMin = 2;

function isQuestion(text: string): boolean {
  return /[?？؟;]\s*$/u.test(text);
}

/** Whether a text wishes or asks, and neither judges nor names a fault. */
export function onlyAsks({ text, mentions, words }: SentimentReading): boolean {
  const wishes = mentions.filter(({ topic }) => topic === "feature_request");
  if (text.length > requestUnitsMax || !(isQuestion(text) || wishes.length > 0)) return false;
  // "It would be nice" wishes and does not praise.
  const judges = words.some(
    (word) => Math.abs(word.value) >= strongWordMin && !wishes.some((wish) => overlaps(wish, word)),
  );
  return !judges && !mentions.some(({ topic }) => topic === "praise" || faults.has(topic));
}

const complaintTokensMax = 8;
const complaintScoreMax = -0.4;
// Not the battery: its words name a thing, which people also praise.
const complaintTopics: ReadonlySet<Topic> = new Set(["bug", "crash", "performance"]);

/** Whether a few words only blame: many people press five stars by habit, and mean their words. */
export function onlyBlames({ tokenCount, words, mentions }: SentimentReading, bareScore: number) {
  if (tokenCount > complaintTokensMax || bareScore > complaintScoreMax) return false;
  if (words.some(({ value }) => value > 0)) return false;
  return (
    words.some(({ value }) => value < 0) || mentions.some(({ topic }) => complaintTopics.has(topic))
  );
}

const middleRating = 3;

/** @param rating 1 to 5; anything else is not a rating. Three stars take no side and count like none. */
export function listStarSignals(rating: number): [side: number, distance: number, beyond: number] {
  const isRating = Number.isFinite(rating) && rating >= 0.5;
  const side = isRating ? Math.min(5, Math.max(1, rating)) - middleRating : 0;
  return [side, Math.abs(side), Math.max(0, Math.abs(side) - 1)];
}

/** The label and P(positive) − P(negative), by the signals of the text and the stars. */
export function decideSentiment(
  decision: SentimentDecision,
  review: { signals: readonly number[]; rating: number; isUnlisted: boolean },
): Pick<Sentiment, "label" | "score"> {
  const signals = [...review.signals, ...listStarSignals(review.rating)];
  const powerOf = (label: SentimentLabel): number => Math.exp(weigh(signals, decision[label]));
  const [positive, negative] = [powerOf("positive"), powerOf("negative")];
  const [neutral, mixed] = [powerOf("neutral"), powerOf("mixed")];
  const score = roundScore((positive - negative) / (positive + negative + neutral + mixed));
  const highest = Math.max(positive, negative, neutral, mixed);
  if (mixed === highest) return { label: "mixed", score };
  // A text whose score is stronger takes sides, although neutral is the most likely of the labels; a weaker one of which no
  // list knows a word does not.
  const isWeak = Math.abs(score) < opinionScoreMin;
  if (score === 0 || (isWeak && (neutral === highest || review.isUnlisted)))
    return { label: "neutral", score };
  return { label: score > 0 ? "positive" : "negative", score };
}

/**
 * The decision's score, moved half of the way towards what weights and words say alone, by log odds: the decision knows best which
 * side a text takes, and they know better how strongly. It stays on its side, and on its side of `opinionScoreMin`, so that the
 * label agrees with it.
 */
export function blendScore(decided: number, text: { words: number; decided: number }): number {
  if (decided === 0) return 0;
  const shift = (toLogOdds(text.words) - toLogOdds(text.decided)) / 2;
  const blended = Math.sign(decided) * roundScore(Math.tanh(toLogOdds(decided) + shift));
  const isWeak = Math.abs(decided) < opinionScoreMin;
  const [least, most] = isWeak ? [scoreStep, weakScoreMax] : [opinionScoreMin, 1];
  return Math.sign(decided) * Math.min(most, Math.max(least, blended));
}

const sureScore = 0.999;

function toLogOdds(score: number): number {
  return Math.atanh(Math.max(-sureScore, Math.min(sureScore, score)));
}

export function weigh(signals: readonly number[], weights: readonly number[]): number {
  return signals.reduce((sum, signal, at) => sum + signal * (weights[at] ?? 0), 0);
}

const scoreStep = 0.0001;
const weakScoreMax = roundScore(opinionScoreMin - scoreStep);

/** Four digits are enough; `|| 0` turns -0 into 0. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000 || 0;
}

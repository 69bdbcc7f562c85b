// Rows to train the decision over the four labels with: our own gold, read with weights and word lists that do not know
// it. Weights are always right about their own rows, so the decision would trust them too much.
import { detectLanguage } from "../src/analysis/language-detector.ts";
import { findSentimentWords, type SentimentWord } from "../src/analysis/lexicon-score.ts";
import { normalizeReview } from "../src/analysis/normalized-text.ts";
import { readSentiment } from "../src/analysis/sentiment.ts";
import { listStarSignals, listTextSignals, onlyAsks } from "../src/analysis/sentiment-decision.ts";
import type { SentimentHead, SentimentModel } from "../src/analysis/sentiment-model.ts";
import { type Token, tokenize } from "../src/analysis/tokens.ts";
import { findTopics, type TopicMatch } from "../src/analysis/topics.ts";
import type { SentimentLabel } from "../src/domain/analysis.ts";
import { type GoldRow, goldKey, readDevelopmentGold, writtenOrigin } from "./gold-rows.ts";
import { textHash } from "./random.ts";
import { trainSentiment } from "./sentiment-trainer.ts";

export type DecisionRow = {
  text: number[];
  /** All 0 for a review without stars. */
  stars: [number, number, number];
  label: SentimentLabel;
  weight: number;
};

const foldCount = 4;

/** @param zeroPoints of the weights for all rows: those of a fold would be nearly the same */
export function readDecisionRows(zeroPoints: SentimentHead["zeroPoints"]): DecisionRow[] {
  const rows = readDevelopmentGold().map(prepare);
  const words = foldsByPhrase(rows, ({ words: found }) => found);
  const mentions = foldsByPhrase(rows, ({ mentions: found }) => found);
  return Array.from({ length: foldCount }, (_, fold) => {
    const model = trainSentiment({
      isRowLeftOut: (text) => foldOf(text) === fold,
      isPhraseLeftOut: (phrase) => isLeftOut(words, { phrase, fold }),
    });
    const head = { ...model.head, zeroPoints };
    return rows
      .filter((row) => row.fold === fold)
      .flatMap((row) => {
        const isKept = (folds: FoldsByPhrase) => (match: Match) =>
          !isLeftOut(folds, { phrase: row.text.slice(match.start, match.end), fold });
        const known = {
          ...row,
          words: row.words.filter(isKept(words)),
          mentions: row.mentions.filter(isKept(mentions)),
        };
        return toDecisionRows(known, { ...model, head });
      });
  }).flat();
}

/** Sister rows, which tell one idea in several languages, are in one fold only by chance, as in the deciding third. */
function foldOf(text: string): number {
  // The deciding third is chosen by the remainder of three.
  return Math.floor(textHash(goldKey(text)) / 3) % foldCount;
}

type PreparedRow = {
  gold: GoldRow;
  fold: number;
  text: string;
  language: string;
  tokens: Token[];
  words: SentimentWord[];
  mentions: TopicMatch[];
};

function prepare(gold: GoldRow): PreparedRow {
  const text = normalizeReview({ title: null, text: gold.text })?.opening ?? "";
  const tokens = tokenize(text);
  const language = detectLanguage({ text, tokens }, null);
  const words = findSentimentWords(text, language);
  const mentions = findTopics(text, language);
  return { gold, fold: foldOf(gold.text), text, language, tokens, words, mentions };
}

// People wrote them of their own accord, and gave their stars themselves.
const storeReviewWeight = 2;

function toDecisionRows(row: PreparedRow, model: SentimentModel): DecisionRow[] {
  const { reading } = readSentiment({ ...row, sentimentWords: row.words }, model);
  const { gold } = row;
  const text = listTextSignals(reading);
  const ratings = gold.stars === null || onlyAsks(reading) ? [0] : [0, gold.stars];
  return ratings.map((rating) => ({
    text,
    stars: listStarSignals(rating),
    label: gold.sentiment,
    weight: gold.origin === writtenOrigin ? 1 : storeReviewWeight,
  }));
}

type Match = { start: number; end: number };
type FoldsByPhrase = ReadonlyMap<string, ReadonlySet<number>>;

function foldsByPhrase(
  rows: readonly PreparedRow[],
  matchesOf: (row: PreparedRow) => readonly Match[],
): FoldsByPhrase {
  const folds = new Map<string, Set<number>>();
  for (const row of rows) {
    for (const { start, end } of matchesOf(row)) {
      const phrase = row.text.slice(start, end);
      folds.set(phrase, (folds.get(phrase) ?? new Set()).add(row.fold));
    }
  }
  return folds;
}

// The lists were mended by these rows. Phrases that no other fold has may be there for one row alone; without a third of
// them the former rules were as right about these rows as about the deciding ones.
const leftOutShare = 0.35;

function isLeftOut(
  folds: FoldsByPhrase,
  { phrase, fold }: { phrase: string; fold: number },
): boolean {
  const found = folds.get(phrase);
  const isOfThisFold = found?.size === 1 && found.has(fold);
  return isOfThisFold && (textHash(phrase) % 1_000) / 1_000 < leftOutShare;
}

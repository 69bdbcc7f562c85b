// Finds the topics that workspaces define themselves, by their phrases and by what ticks taught. Finders are built
// once for each set of topics and kept while they are used. The service calls `findOwnTopics`, `previewPhrases` and
// `trainOnTicked` in other threads.

import { toEvidence } from "../../analysis/evidence.ts";
import { normalizeReview, textUnitsMax } from "../../analysis/normalized-text.ts";
import {
  buildPhraseFinder,
  type PhraseMatch,
  prepareSearch,
} from "../../analysis/phrase-finder.ts";
import { keepRecent } from "../../lib/bounded-map.ts";
import { exclusionMark, isExclusion, type OwnTopicRule } from "./own-topic.ts";
import {
  isAboutTopic,
  isSampled,
  type TickedRow,
  type TickTraining,
  trainOnTicks,
} from "./tick-classifier.ts";

type Text = { title: string | null; text: string };

/** For a thread that runs a function of this module. */
export const ownTopicsModule = import.meta.url;

/** As much of a review as is read: the rest need not be cloned. */
export function toReadText({ title, text }: Text): Text {
  return { title, text: text.slice(0, textUnitsMax + 1) };
}

let finder: OwnTopicFinder | null = null;

/** Ids of the topics of each review. */
export function findOwnTopics(
  rules: readonly OwnTopicRule[],
  reviews: readonly Text[],
): string[][] {
  finder ??= createOwnTopicFinder();
  const { find } = finder;
  // A buffer that was cloned is a plain array of bytes.
  const known = rules.map((rule) => ({
    ...rule,
    weights: rule.weights && Buffer.from(rule.weights),
  }));
  return reviews.map((review) => [...find(known, review)]);
}

/** The words of each review that phrases find, see `findPhraseWords`, and how many reviews each phrase finds. */
export function previewPhrases(
  phrases: readonly string[],
  reviews: readonly Text[],
): { words: string[][]; phraseCounts: number[] } {
  const exclusions = phrases.filter(isExclusion);
  const findEach = buildFinder(phrases.map((id) => ({ id, phrases: [id, ...exclusions] })));
  const found = reviews.map((review) => {
    const text = normalizeReview(review)?.text ?? "";
    return new Set(findEach(text, 1).map(({ meaning }) => meaning));
  });
  return {
    words: reviews.map(findPhraseWords(phrases)),
    phraseCounts: phrases.map((phrase) => found.filter((each) => each.has(phrase)).length),
  };
}

/** Weights of a topic, from reviews that people ticked. */
export function trainOnTicked(
  phrases: readonly string[],
  ticked: Parameters<typeof findTickedRows>[1],
): TickTraining {
  return trainOnTicks(findTickedRows(phrases, ticked));
}

type OwnTopicFinder = {
  /** Ids of the topics that the review has, each once. */
  find(rules: readonly OwnTopicRule[], review: Text): Set<string>;
};

// Each holds a table of all code units. Listings have sets of their own.
const finderMax = 64;

/** Places of a review whose surroundings are weighed. */
const contextsMax = 20;
/** Words of a review that are shown. */
const wordsMax = 5;

export function createOwnTopicFinder(): OwnTopicFinder {
  const finders = new Map<string, ReturnType<typeof buildFinder>>();

  function finderOf(rules: readonly OwnTopicRule[]): ReturnType<typeof buildFinder> {
    const key = rules.map(({ id, revision }) => `${id} ${revision}`).join();
    const finder = finders.get(key) ?? buildFinder(rules);
    keepRecent(finders, { key, value: finder, countMax: finderMax });
    return finder;
  }

  return {
    find(rules, review) {
      const normalized = rules.length === 0 ? null : normalizeReview(review);
      if (normalized === null) return new Set();
      const isWeighed = rules.some(({ weights }) => weights !== null);
      const found = finderOf(rules)(normalized.text, isWeighed ? contextsMax : 1);
      const ids = new Set(found.map(({ meaning }) => meaning));
      return found.length === 0 ? ids : takeAway(rules, { ids, found, text: normalized.text });
    },
  };
}

/** Topics with weights stay where these agree, and in a sample of the others. */
function takeAway(
  rules: readonly OwnTopicRule[],
  { ids, found, text }: { ids: Set<string>; found: readonly PhraseMatch<string>[]; text: string },
): Set<string> {
  for (const { id, weights } of rules) {
    if (weights === null || !ids.has(id)) continue;
    const ofTopic = found.filter(({ meaning }) => meaning === id);
    if (!isAboutTopic(weights, { text, found: ofTopic }) && !isSampled(text)) ids.delete(id);
  }
  return ids;
}

/** Ticked reviews as training reads them; without those that the phrases don't find. */
export function findTickedRows(
  phrases: readonly string[],
  ticked: readonly (Text & { isRight: boolean })[],
): TickedRow[] {
  const find = buildFinder([{ id: "", phrases }]);
  return ticked.flatMap(({ isRight, ...review }) => {
    const text = normalizeReview(review)?.text ?? "";
    const found = find(text, contextsMax);
    return found.length === 0 ? [] : [{ text, found, isRight }];
  });
}

/** The first words of a review that phrases find, as the review spells them. */
export function findPhraseWords(phrases: readonly string[]): (review: Text) => string[] {
  const find = buildFinder([{ id: "", phrases }]);
  return (review) => {
    const normalized = normalizeReview(review);
    if (normalized === null) return [];
    const matches = find(normalized.text, wordsMax);
    const words = matches.map((match) => toEvidence(review, normalized, match).words);
    return [...new Set(words)].slice(0, wordsMax);
  };
}

/** A match of a phrase that overlaps an excluded one does not count: `abo*` with `-about` finds "abonné" alone. */
function buildFinder(
  rules: readonly Pick<OwnTopicRule, "id" | "phrases">[],
): (text: string, eachMax: number) => PhraseMatch<string>[] {
  const find = buildPhraseFinder(
    rules.flatMap(({ id, phrases }) =>
      phrases.map((phrase) =>
        isExclusion(phrase)
          ? { phrase: phrase.slice(exclusionMark.length), meaning: exclusionMark + id }
          : { phrase, meaning: id },
      ),
    ),
  );
  if (!rules.some(({ phrases }) => phrases.some(isExclusion)))
    return (text, eachMax) => find(prepareSearch(text), eachMax);
  return (text, eachMax) => {
    const found = find(prepareSearch(text), Math.max(eachMax, contextsMax));
    return found.filter(
      (match) =>
        !match.meaning.startsWith(exclusionMark) &&
        !found.some(
          ({ meaning, start, end }) =>
            meaning === exclusionMark + match.meaning && start < match.end && match.start < end,
        ),
    );
  };
}

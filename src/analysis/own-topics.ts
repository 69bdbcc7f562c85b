// Finds the topics that workspaces define themselves, by their phrases. Finders are built once for each set of topics
// and kept while they are used.
import type { OwnTopicRule } from "../domain/own-topic.ts";
import { toEvidence } from "./evidence.ts";
import { normalizeReview } from "./normalized-text.ts";
import { buildPhraseFinder, type PhraseFinder } from "./phrase-finder.ts";

type Text = { title: string | null; text: string };

export type OwnTopicFinder = {
  /** Ids of the topics that the review has, each once. */
  find(rules: readonly OwnTopicRule[], review: Text): Set<string>;
};

// Each holds a table of all code units. Listings have sets of their own.
const finderMax = 64;

export function createOwnTopicFinder(): OwnTopicFinder {
  const finders = new Map<string, PhraseFinder<string>>();

  function finderOf(rules: readonly OwnTopicRule[]): PhraseFinder<string> {
    const key = rules.map(({ id, revision }) => `${id} ${revision}`).join();
    const finder = finders.get(key) ?? buildFinder(rules);
    // The one that was used last is at the end.
    finders.delete(key);
    finders.set(key, finder);
    const [oldest] = finders.keys();
    if (finders.size > finderMax && oldest !== undefined) finders.delete(oldest);
    return finder;
  }

  return {
    find(rules, review) {
      const normalized = rules.length === 0 ? null : normalizeReview(review);
      if (normalized === null) return new Set();
      return new Set(finderOf(rules)(normalized.text).map(({ meaning }) => meaning));
    },
  };
}

/** The words of a review that phrases find, as the review spells them. */
export function findPhraseWords(phrases: readonly string[]): (review: Text) => string[] {
  const find = buildPhraseFinder(phrases.map((phrase) => ({ phrase, meaning: phrase })));
  return (review) => {
    const normalized = normalizeReview(review);
    if (normalized === null) return [];
    const words = find(normalized.text).map((match) => toEvidence(review, normalized, match).words);
    return [...new Set(words)];
  };
}

function buildFinder(rules: readonly OwnTopicRule[]): PhraseFinder<string> {
  return buildPhraseFinder(
    rules.flatMap(({ id, phrases }) => phrases.map((phrase) => ({ phrase, meaning: id }))),
  );
}

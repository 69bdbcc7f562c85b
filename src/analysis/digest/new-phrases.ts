// Words and phrases that reviews use now and did not use before. They are compared within each language, so that
// reviews in a language that is new do not make all of its words new.
import type { ReviewWords } from "./near-duplicates.ts";
import { spikeCountMin, tailProbability } from "./poisson.ts";

export type FoundPhrase = {
  phrase: string;
  language: string;
  count: number;
  countBefore: number;
  reviewIds: string[];
};

/** Thousands of phrases are compared, so each must be far more surprising than a topic. */
const phraseProbabilityMax = 1e-6;
/** How many times as frequent as before a phrase must be to be called new. */
const growthMin = 6;
/** Words, or characters of a script without spaces. */
const phraseWordsMax = 4;
const phrasesMax = 8;
const reviewIdsMax = 50;

/** The most surprising first. Each list of reviews has near-duplicates once. */
export function findNewPhrases(input: {
  now: readonly ReviewWords[];
  before: readonly ReviewWords[];
}): FoundPhrase[] {
  const languages = [...new Set(input.now.map(({ review }) => review.language))].sort();
  const candidates = languages.flatMap((language) => {
    const isOf = ({ review }: ReviewWords): boolean => review.language === language;
    return findInLanguage({
      language,
      now: input.now.filter(isOf),
      before: input.before.filter(isOf),
    });
  });
  return chooseDistinct(candidates);
}

type Candidate = { phrase: string; language: string; ids: Set<string>; countBefore: number } & {
  probability: number;
};

function findInLanguage(input: {
  language: string;
  now: readonly ReviewWords[];
  before: readonly ReviewWords[];
}): Candidate[] {
  const { language, now, before } = input;
  if (now.length < spikeCountMin || before.length === 0) return [];
  const found = countFrequent(now);
  const countsBefore = countKnown(before, found);
  const candidates: Candidate[] = [];
  for (const [phrase, ids] of found) {
    const countBefore = countsBefore.get(phrase) ?? 0;
    // One more than was seen: a phrase that was missing in few reviews may still be an old one.
    const expected = ((countBefore + 1) / before.length) * now.length;
    if (ids.size < growthMin * expected) continue;
    const probability = tailProbability(ids.size, expected);
    if (probability > phraseProbabilityMax) continue;
    candidates.push({ phrase, language, ids, countBefore, probability });
  }
  return candidates;
}

/** The phrases that enough reviews use. Longer ones are made only of words that are frequent themselves. */
function countFrequent(reviews: readonly ReviewWords[]): Map<string, Set<string>> {
  const frequent = new Map<string, Set<string>>();
  for (let length = 1; length <= phraseWordsMax; length += 1) {
    const found = new Map<string, Set<string>>();
    for (const { review, words } of reviews) {
      for (const { phrase, start } of phrasesOf(words, length)) {
        if (length > 1 && !hasFrequentParts(frequent, words.slice(start, start + length))) continue;
        const ids = found.get(phrase) ?? new Set<string>();
        found.set(phrase, ids);
        ids.add(review.id);
      }
    }
    for (const [phrase, ids] of found) if (ids.size >= spikeCountMin) frequent.set(phrase, ids);
  }
  for (const phrase of frequent.keys()) if (!isTelling(phrase)) frequent.delete(phrase);
  return frequent;
}

function hasFrequentParts(frequent: ReadonlyMap<string, unknown>, words: string[]): boolean {
  return (
    frequent.has(words.slice(0, -1).join(separator)) && frequent.has(words.slice(1).join(separator))
  );
}

function countKnown(
  reviews: readonly ReviewWords[],
  known: ReadonlyMap<string, unknown>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { words } of reviews) {
    const seen = new Set<string>();
    for (let length = 1; length <= phraseWordsMax; length += 1) {
      for (const { phrase } of phrasesOf(words, length)) if (known.has(phrase)) seen.add(phrase);
    }
    for (const phrase of seen) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  return counts;
}

const separator = " ";

function* phrasesOf(
  words: readonly string[],
  length: number,
): Generator<{ phrase: string; start: number }> {
  for (let start = 0; start + length <= words.length; start += 1) {
    yield { phrase: words.slice(start, start + length).join(separator), start };
  }
}

/** A number or a single letter says nothing; a single character of Chinese or Japanese neither. */
function isTelling(phrase: string): boolean {
  return phrase.replaceAll(separator, "").length > 1 && /\p{L}/u.test(phrase);
}

/** Of phrases that the same reviews use, the longest: "login loop", and not "login" and "loop" as well. */
function chooseDistinct(candidates: readonly Candidate[]): FoundPhrase[] {
  const ordered = [...candidates].sort(
    (one, other) =>
      one.probability - other.probability ||
      other.ids.size - one.ids.size ||
      (one.phrase < other.phrase ? -1 : 1),
  );
  const chosen: Candidate[] = [];
  for (const candidate of ordered) {
    const same = chosen.findIndex((one) => overlapOf(one.ids, candidate.ids) >= sameReviewsMin);
    if (same === -1) {
      if (chosen.length < phrasesMax) chosen.push(candidate);
      continue;
    }
    const other = chosen[same];
    const isLonger = other && candidate.phrase.includes(other.phrase);
    if (isLonger && candidate.ids.size >= sameReviewsMin * other.ids.size) chosen[same] = candidate;
  }
  return chosen.map(({ phrase, language, ids, countBefore }) => ({
    phrase: isUnspaced.test(phrase) ? phrase.replaceAll(separator, "") : phrase,
    language,
    count: ids.size,
    countBefore,
    reviewIds: [...ids].slice(0, reviewIdsMax),
  }));
}

const sameReviewsMin = 0.7;
// The words of these scripts were single characters.
const isUnspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The share of the smaller set that is in the other, too. */
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let both = 0;
  for (const id of small) if (large.has(id)) both += 1;
  return small.size === 0 ? 0 : both / small.size;
}

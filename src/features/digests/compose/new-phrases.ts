// Words and phrases that reviews use now and did not use before. They are compared within each language, so that
// reviews in a language that is new do not make all of its words new.

import { keepSurprising, riseProbability } from "../../../analysis/exact-test.ts";
import { normalizeReview } from "../../../analysis/normalized-text.ts";
import { spikeCountMin } from "../../../analysis/poisson.ts";
import type { DigestReview } from "../../../domain/changes/digest.ts";
import { locateWords, type ReviewWords } from "./near-duplicates.ts";

export type FoundPhrase = {
  phrase: string;
  language: string;
  count: number;
  countBefore: number;
  /** Reviews in that language, now and before. */
  total: number;
  totalBefore: number;
  reviewIds: string[];
};

/** How often a digest of quiet days calls any phrase new, of thousands that it compares. */
const falseClaimsMax = 0.01;
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
  const chosen = chooseDistinct(keepSurprising(candidates, falseClaimsMax));
  const reviews = new Map(input.now.map(({ review }) => [review.id, review]));
  return chosen.map((one) => ({
    ...one,
    phrase: findSpelling(
      one.phrase,
      one.reviewIds.flatMap((id) => reviews.get(id) ?? []),
    ),
  }));
}

/** As most reviews write the phrase; they are compared in one case and without repeated letters. */
function findSpelling(phrase: string, reviews: readonly DigestReview[]): string {
  const words = phrase.split(separator);
  const counts = new Map<string, number>();
  for (const review of reviews) {
    const normalized = normalizeReview(review);
    if (normalized === null) continue;
    const places = locateWords(normalized.opening);
    const at = places.findIndex((_, from) =>
      words.every((word, index) => {
        const place = places[from + index];
        return place && normalized.opening.slice(place.start, place.end) === word;
      }),
    );
    const first = places[at];
    const last = places[at + words.length - 1];
    if (!first || !last) continue;
    const source = (first.start < normalized.titleUnits ? review.title : review.text) ?? "";
    const written = source.slice(normalized.starts[first.start], normalized.ends[last.end - 1]);
    const spelling = written.replaceAll(/\s+/g, " ");
    counts.set(spelling, (counts.get(spelling) ?? 0) + 1);
  }
  const [most] = [...counts].sort((one, other) => other[1] - one[1]);
  return most?.[0] || phrase;
}

type Candidate = Omit<FoundPhrase, "count" | "reviewIds"> & {
  ids: Set<string>;
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
    const totals = { total: now.length, totalBefore: before.length };
    const isNew = ids.size >= growthMin * expected;
    const probability = isNew ? riseProbability({ count: ids.size, countBefore, ...totals }) : 1;
    candidates.push({ phrase, language, ids, countBefore, ...totals, probability });
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

// Words that hold others together, of languages with many reviews.
const functionWords = new Set(
  `a an the and or but of to in on at for with from by as is are was were be been it its i my me we our you your he she they
  their this that these those not no so very just too also than then there here when what which who how why if since after
  before have has had do does did can could will would all any some more most only even now never always again out up about
  der die das ein eine und oder aber ist sind war nicht kein ich mich mir mein wir es sie er zu von mit auf für im in am den
  dem des auch nur noch sehr so wenn dann seit nach wie was hier da immer nie mehr man
  le la les un une des du de et ou mais est sont pas ne je mon ma mes nous vous il elle ce cette que qui pour avec sur dans
  plus très tout depuis el los las y o pero es son no mi mis me se que por para con en muy más ya al lo su il lo gli e ma non
  ho è che per con sono più molto da di del della os as um uma eu meu minha em na no do da não mais muito como
  het een en van ik niet maar ook met voor op и в не на я что с по за к но как это у мне все
  di dan yang ini itu saya tidak ada untuk bisa ke dari nya bir ve bu çok için da de`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** A number or a single letter says nothing; a single character of Chinese or Japanese neither, nor function words. */
function isTelling(phrase: string): boolean {
  if (phrase.split(separator).every((word) => functionWords.has(word))) return false;
  return phrase.replaceAll(separator, "").length > 1 && /\p{L}/u.test(phrase);
}

/** Keeps the longest of phrases that the same reviews use: "login loop", and not "login" and "loop" as well. */
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
  return chosen.map(({ ids, probability: _, ...candidate }) => ({
    ...candidate,
    count: ids.size,
    reviewIds: [...ids].slice(0, reviewIdsMax),
  }));
}

const sameReviewsMin = 0.7;
/** The share of the smaller set that is in the other, too. */
function overlapOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let both = 0;
  for (const id of small) if (large.has(id)) both += 1;
  return small.size === 0 ? 0 : both / small.size;
}

// Corrects misspelt words before the lists are searched: a word that the language does not know, and one edit away from a word
// of the lists. `npm run train:spelling` chooses the words; likely edits cost less than others, and correct shorter words and
// rare ones that the language does know.
import { groupBy } from "../lib/group-by.ts";
import { lazy } from "../lib/lazy.ts";
import { readWeightFile } from "../lib/weight-file.ts";
import { isWordUnit } from "./char-classes.ts";
import { beginHash, finishHash, hashSpan, hashUnit } from "./hash.ts";

export type SpellingHead = {
  /**
   * In the order of the file, which has for each a Bloom filter of `knownBytes`, the words that the language knows, and in
   * `wordBytes` words of the lists without accents, frequent ones first, with a space between them.
   */
  languages: { language: string; knownBytes: number; wordBytes: number }[];
};

/** A text without accents, as `prepareSearch` gives it. */
type SpelledText = { folded: string; wordStarts: readonly number[] };

/** `start` and `end` of the misspelt word. */
type Correction = { start: number; end: number; word: string };

type Dictionary = {
  own: Int8Array;
  english: Int8Array;
  groups: WordGroups;
};

/** Words by first letter and length, one after the other and frequent ones first: single strings would be all over the memory. */
type WordGroups = ReadonlyMap<number, string>;

const modelUrl = new URL("./models/spelling.bin", import.meta.url);
export const loadSpelling = lazy(() => readWeightFile<SpellingHead>(modelUrl));

export const typedUnitsMin = 4;
export const listedUnitsMin = 5;
const unitsMax = 20;
/** Other edits than likely ones correct words from this length on. */
const longUnitsMin = 7;

export const likelyEdit = 1;
const unlikelyEdit = 2;
const severalEdits = 3;

/** The misspelt words of a text, in its order; none in a language without a dictionary. */
export function findMisspelt(text: SpelledText, language: string): Correction[] {
  const dictionary = dictionaryOf(language);
  return dictionary === null ? [] : listMisspelt(text, dictionary);
}

const dictionaries = new Map<string, Dictionary | null>();

function dictionaryOf(language: string): Dictionary | null {
  const known = dictionaries.get(language);
  if (known !== undefined) return known;
  const dictionary = readDictionary(language);
  dictionaries.set(language, dictionary);
  return dictionary;
}

// Reviews in all languages have English words.
const commonLanguage = "en";

function readDictionary(language: string): Dictionary | null {
  const own = readEntry(language);
  const english = readEntry(commonLanguage);
  if (own === null || english === null) return null;
  const groups = groupWords(Buffer.from(own.words).toString("utf8").split(" "));
  return { own: own.known, english: english.known, groups };
}

function readEntry(language: string): { known: Int8Array; words: Int8Array } | null {
  const { head, weights } = loadSpelling();
  let from = 0;
  for (const { language: name, knownBytes, wordBytes } of head.languages) {
    const wordsFrom = from + knownBytes;
    const to = wordsFrom + wordBytes;
    if (name === language)
      return { known: weights.subarray(from, wordsFrom), words: weights.subarray(wordsFrom, to) };
    from = to;
  }
  return null;
}

const wordSeed = beginHash(21);
const stepSeed = 0x9e37_79b9;
const probeCount = 4;
const hashMask = 0x3fff_ffff;
const stepMask = 0xff_ffff;

export function addWord(filter: Int8Array, word: string): void {
  const hash = hashSpan(word, { start: 0, end: word.length }, wordSeed);
  const step = finishHash(hash ^ stepSeed, stepMask);
  let place = finishHash(hash, hashMask);
  for (let probe = 0; probe < probeCount; probe += 1) {
    const bit = place % (filter.length * 8);
    filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
    place += step;
  }
}

function hasHash(filter: Int8Array, hash: number): boolean {
  const bitCount = filter.length * 8;
  const step = finishHash(hash ^ stepSeed, stepMask);
  let place = finishHash(hash, hashMask);
  for (let probe = 0; probe < probeCount; probe += 1) {
    const bit = place % bitCount;
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    place += step;
  }
  return true;
}

function listMisspelt(
  { folded, wordStarts }: SpelledText,
  { own, english, groups }: Dictionary,
): Correction[] {
  const found: Correction[] = [];
  for (const start of wordStarts) {
    let end = start;
    let hash = wordSeed;
    for (let unit = folded.charCodeAt(end); isWordUnit(unit); unit = folded.charCodeAt(end)) {
      hash = hashUnit(hash, unit);
      end += 1;
    }
    const length = end - start;
    if (length < typedUnitsMin || length > unitsMax) continue;
    if (hasHash(own, hash) || hasHash(english, hash)) continue;
    // Parts of "couldn't" don't count as words.
    if (isApostrophe(folded, end) || isApostrophe(folded, start - 1)) continue;
    const word = findNearest(folded.slice(start, end), groups);
    if (word !== null) found.push({ start, end, word });
  }
  return found;
}

function isApostrophe(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x27;
}

/** The cheapest of the words that one edit makes of a typed word, and of equal ones the most frequent. */
export function findNearest(typed: string, groups: WordGroups): string | null {
  let nearest: string | null = null;
  let least = severalEdits;
  for (const length of [typed.length, typed.length + 1, typed.length - 1]) {
    const dearest = length < longUnitsMin ? likelyEdit : unlikelyEdit;
    const words = groups.get(groupOf(typed, length)) ?? "";
    for (let from = 0; from < words.length; from += length) {
      if (!isNear(typed, words, from, length)) continue;
      const word = words.slice(from, from + length);
      const price = priceOfEdit(typed, word);
      if (price > dearest || price >= least) continue;
      nearest = word;
      least = price;
    }
  }
  return nearest;
}

/** Whether the letters behind the first two that differ may be the same: nearly all words differ there. */
function isNear(typed: string, words: string, from: number, length: number): boolean {
  let at = 1;
  while (at < length && typed.charCodeAt(at) === words.charCodeAt(from + at)) at += 1;
  const last = length - 1;
  return at >= last - 1 || typed.charCodeAt(typed.length - 1) === words.charCodeAt(from + last);
}

export function groupWords(words: readonly string[]): WordGroups {
  const groups = groupBy(words, (word) => groupOf(word, word.length));
  return new Map([...groups].map(([group, own]) => [group, own.join("")]));
}

/** People rarely mistype the first letter. */
function groupOf(word: string, length: number): number {
  return word.charCodeAt(0) * (unitsMax + 2) + length;
}

// Letters with the same sound, or nearly the same, in many languages.
const soundAlike = ["csz", "ckq", "bv", "vw", "gj", "зс", "дт", "бп", "гк", "вф", "жш", "шщ"];
const alikePairs = new Set(
  soundAlike.flatMap((letters) =>
    Array.from(letters).flatMap((one) => Array.from(letters, (other) => one + other)),
  ),
);
const vowels = new Set("aeiouyäöüаеиоуыэюяйіїєαεηιουω");
const silent = new Set("hьъ");

/**
 * The price of the edit that makes `word` of what was typed: a doubled letter, two in the wrong order, a vowel or a letter of the
 * same sound is likely.
 */
export function priceOfEdit(typed: string, word: string): number {
  const at = firstDifference(typed, word);
  const [typedLetter, letter] = [typed.charAt(at), word.charAt(at)];
  if (typed.length === word.length) {
    if (isSameFrom(typed, at + 1, word, at + 1)) {
      // Short words that differ in a vowel are mostly two words: Russian "сапер" is not "супер".
      const isVowel =
        typed.length > listedUnitsMin && vowels.has(typedLetter) && vowels.has(letter);
      return isVowel || alikePairs.has(typedLetter + letter) ? likelyEdit : unlikelyEdit;
    }
    const isSwapped = typedLetter === word.charAt(at + 1) && letter === typed.charAt(at + 1);
    return isSwapped && isSameFrom(typed, at + 2, word, at + 2) ? likelyEdit : severalEdits;
  }
  const [long, short] = typed.length > word.length ? [typed, word] : [word, typed];
  if (long.length !== short.length + 1 || !isSameFrom(long, at + 1, short, at)) return severalEdits;
  const extra = long.charAt(at);
  const isDoubled = extra === long.charAt(at - 1);
  return isDoubled || vowels.has(extra) || silent.has(extra) ? likelyEdit : unlikelyEdit;
}

function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

function isSameFrom(one: string, from: number, other: string, otherFrom: number): boolean {
  for (let at = 0; from + at < one.length; at += 1)
    if (one.charCodeAt(from + at) !== other.charCodeAt(otherFrom + at)) return false;
  return true;
}

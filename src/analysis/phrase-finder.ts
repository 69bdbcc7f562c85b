// Finds thousands of words and phrases in one pass over a text. Respects word boundaries, so that "ads"
// is not found in "heads".

import { groupBy } from "../lib/group-by.ts";
import { classOfUnit, isWordUnit, unspacedUnit } from "./char-classes.ts";
import { beginHash, finishHash, hashUnit } from "./hash.ts";
import { normalizeText } from "./normalized-text.ts";

/**
 * `phrase` is written as in the word lists: `_` is a space, a `*` before or after it means that the word may
 * continue there. Scripts without spaces need no `*`; a `_` before a Korean phrase means that it begins a word.
 */
export type Phrase<Meaning> = {
  phrase: string;
  /**
   * Phrases with `|` between them, one of which must follow in the same clause, a few words later at most: German "stürzt"
   * and "ab|hinunter". After a `phrase` that ends with `_` it is the next word.
   */
  seconds?: string;
  meaning: Meaning;
};

/** `[start, end)` in UTF-16 code units of the text. */
export type PhraseMatch<Meaning> = { start: number; end: number; meaning: Meaning };

/** A normalized text as every finder reads it: prepared once, however many finders search it. */
type SearchText = {
  text: string;
  /** Without accents, as long as the text. */
  folded: string;
  wordStarts: readonly number[];
  isVietnamese: boolean;
};

/**
 * Returns all matches, or at most `eachMax` of each meaning. Phrases that people chose need that limit: 50 nested
 * ones (`*ab*`, `*abab*`, …) match 50 times at each letter of a suitable text.
 */
type PhraseFinder<Meaning> = (text: SearchText, eachMax?: number) => PhraseMatch<Meaning>[];

type Pattern<Meaning> = Part & {
  accented: string;
  seconds: Seconds | null;
  unitsBetweenMax: number;
  meaning: Meaning;
  /** Another one with the same beginning. */
  next: Pattern<Meaning> | null;
};

/** By their first code unit. */
type Seconds = ReadonlyMap<number, Part[]>;

type Part = {
  /** Without accents, and without the Korean syllable of `lastStem`. */
  text: string;
  /** The code unit of a last syllable that may take the beginning of an ending; 0 for none. */
  lastStem: number;
  openEnd: boolean;
};

// The Japanese mark for a long vowel belongs to no script of its own.
const unspaced =
  /[ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const unitsBetweenMax = 33;
const koreanSpace = /(?<=\p{Script=Hangul})_(?=\p{Script=Hangul})/gu;

export function prepareSearch(text: string): SearchText {
  const wordStarts: number[] = [];
  let isInWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const wasInWord = isInWord;
    isInWord = isWordUnit(text.charCodeAt(at));
    if (isInWord && !wasInWord) wordStarts.push(at);
  }
  return { text, folded: foldAccents(text), wordStarts, isVietnamese: vietnameseLetter.test(text) };
}

/** Builds a finder for normalized texts. It matches every phrase, also overlapping ones. */
export function buildPhraseFinder<Meaning>(phrases: Phrase<Meaning>[]): PhraseFinder<Meaning> {
  const seconds = new Map<string, Seconds>();
  const wordStart: Pattern<Meaning>[] = [];
  const anywhere: Pattern<Meaning>[] = [];
  for (const phrase of phrases.flatMap(withoutKoreanSpaces)) {
    const pattern = parsePhrase(phrase, seconds);
    if (pattern.accented !== "")
      (isOpenStart(phrase, pattern) ? anywhere : wordStart).push(pattern);
  }
  const roots = {
    wordStart: buildBeginnings(wordStart),
    anywhere: buildBeginnings(anywhere),
    mayBegin: listFirstUnits(anywhere),
  };
  const meaningCount = new Set(phrases.map(({ meaning }) => meaning)).size;
  return (text, eachMax) => {
    const quota = eachMax === undefined ? null : new Quota<Meaning>(meaningCount, eachMax);
    return findPatterns(text, { roots, quota });
  };
}

/** Korean writers agree on few spaces: "안 열려" is also "안열려". */
function withoutKoreanSpaces<Meaning>(listed: Phrase<Meaning>): Phrase<Meaning>[] {
  const phrase = listed.phrase.replace(koreanSpace, "");
  return phrase === listed.phrase ? [listed] : [listed, { ...listed, phrase }];
}

/** @param known the second parts of other phrases, which many share */
function parsePhrase<Meaning>(
  { phrase, seconds: listed, meaning }: Phrase<Meaning>,
  known: Map<string, Seconds>,
): Pattern<Meaning> {
  const accented = normalizeText(bareText(phrase));
  const seconds = listed === undefined ? null : (known.get(listed) ?? parseSeconds(listed));
  if (listed !== undefined && seconds !== null) known.set(listed, seconds);
  // Spread into the pattern, the fields would take twice the memory.
  const { text, lastStem, openEnd } = parsePart(phrase, foldAccents(accented));
  return {
    text,
    lastStem,
    openEnd,
    accented,
    seconds,
    unitsBetweenMax: phrase.endsWith("_") ? 1 : unitsBetweenMax,
    meaning,
    next: null,
  };
}

function parsePart(phrase: string, text: string): Part {
  const openEnd = phrase.endsWith("*") || isOpenBeside(text.at(-1));
  const lastStem = text.length > 1 ? text.charCodeAt(text.length - 1) : 0;
  return isStem(lastStem)
    ? { text: text.slice(0, -1), lastStem, openEnd }
    : { text, lastStem: 0, openEnd };
}

function bareText(phrase: string): string {
  return phrase.replace(/^\*|\*$|_$/g, "").replaceAll("_", " ");
}

function parseSeconds(phrases: string): Seconds {
  const parts = phrases
    .split("|")
    .map((phrase) => parsePart(phrase, foldAccents(normalizeText(bareText(phrase)))));
  return groupBy(parts, ({ text }) => text.charCodeAt(0));
}

const hangul = { first: 0xac00, last: 0xd7a3, finals: 28 };
// ㄴ, ㄹ, ㅁ, ㅂ and ㅆ: what Korean endings put below the last syllable of a verb: 튕기 is also 튕긴, 튕김 and 튕깁니다.
const endings = new Set([4, 8, 16, 17, 20]);

/** Whether a code unit is a Korean syllable with nothing below it. */
function isStem(unit: number): boolean {
  const isHangul = unit >= hangul.first && unit <= hangul.last;
  return isHangul && (unit - hangul.first) % hangul.finals === 0;
}

function isFormOf(unit: number, stem: number): boolean {
  return unit === stem || endings.has(unit - stem);
}

/**
 * The beginnings of patterns, up to `beginningUnitsMax` code units, in an open hash table: a lookup is one look at an array, where a
 * tree of maps would miss the processor's cache at each letter.
 */
type Beginnings<Meaning> = {
  /** By slot the hash of a beginning; 0 for none. Its length is a power of two. */
  hashes: Int32Array;
  /** By slot the first of the patterns to compare with a text that begins so; null where it only begins longer beginnings. */
  firsts: (Pattern<Meaning> | null)[];
};

const beginningUnitsMax = 6;

function buildBeginnings<Meaning>(patterns: readonly Pattern<Meaning>[]): Beginnings<Meaning> {
  // A list for each beginning would take twice the memory of the patterns.
  const found = new Map<number, Pattern<Meaning> | null>();
  for (const pattern of patterns.toReversed()) {
    const length = Math.min(pattern.text.length, beginningUnitsMax);
    let hash = emptyHash;
    for (let at = 0; at < length; at += 1) {
      hash = hashBeginning(hash, pattern.text.charCodeAt(at));
      if (!found.has(hash)) found.set(hash, null);
    }
    pattern.next = found.get(hash) ?? null;
    found.set(hash, pattern);
  }
  const hashes = new Int32Array(2 ** Math.ceil(Math.log2(found.size * 1.5 + 1)));
  const firsts = Array.from(hashes, (): Pattern<Meaning> | null => null);
  for (const [hash, first] of found) {
    const slot = slotOf(hashes, hash);
    hashes[slot] = hash;
    firsts[slot] = first;
  }
  return { hashes, firsts };
}

const emptyHash = beginHash(0);

/** Never 0. Two beginnings with one hash only cost a comparison. */
function hashBeginning(hash: number, unit: number): number {
  return hashUnit(hash, unit) || 1;
}

/** That of the hash, or a free one. */
function slotOf(hashes: Int32Array, hash: number): number {
  const mask = hashes.length - 1;
  let slot = finishHash(hash, mask);
  while (hashes[slot] !== hash && hashes[slot] !== 0) slot = (slot + 1) & mask;
  return slot;
}

// Letters of Europe and emoji differ in them, and a table of this size stays in the processor's cache.
const lowBits = 0x1fff;

function listFirstUnits(patterns: readonly Pattern<unknown>[]): Uint8Array {
  const mayBegin = new Uint8Array(lowBits + 1);
  for (const { text } of patterns) mayBegin[text.charCodeAt(0) & lowBits] = 1;
  return mayBegin;
}

function isOpenStart({ phrase }: Phrase<unknown>, { accented }: Pattern<unknown>): boolean {
  return phrase.startsWith("*") || (!phrase.startsWith("_") && isOpenBeside(accented.at(0)));
}

function isOpenBeside(unit: string | undefined): boolean {
  return unit === undefined || unspaced.test(unit) || !isWordUnit(unit.charCodeAt(0));
}

type Roots<Meaning> = {
  wordStart: Beginnings<Meaning>;
  anywhere: Beginnings<Meaning>;
  /** By the low bits of a code unit 1 where a phrase for `anywhere` may begin: most letters need no other look. */
  mayBegin: Uint8Array;
};

function findPatterns<Meaning>(
  { text, folded, wordStarts, isVietnamese }: SearchText,
  { roots, quota }: { roots: Roots<Meaning>; quota: Quota<Meaning> | null },
): PhraseMatch<Meaning>[] {
  const matches: PhraseMatch<Meaning>[] = [];
  const match = ({ hashes, firsts }: Beginnings<Meaning>, start: number): void => {
    let hash = emptyHash;
    for (let at = start; at < start + beginningUnitsMax; at += 1) {
      hash = hashBeginning(hash, folded.charCodeAt(at));
      const slot = slotOf(hashes, hash);
      if (hashes[slot] === 0) return;
      for (let pattern = firsts[slot] ?? null; pattern !== null; pattern = pattern.next) {
        const end = endOfPart(folded, pattern, start);
        if (end === -1 || quota?.isUsedUp(pattern.meaning)) continue;
        if (isVietnamese && hasOtherAccent(text, start, pattern)) continue;
        const lastEnd = endOfSecond(folded, pattern, end);
        if (lastEnd === -1) continue;
        matches.push({ start, end: lastEnd, meaning: pattern.meaning });
        quota?.count(pattern.meaning);
      }
    }
  };
  for (const start of wordStarts) if (!quota?.isAllUsedUp) match(roots.wordStart, start);
  for (let at = 0; at < text.length && !quota?.isAllUsedUp; at += 1)
    if (roots.mayBegin[folded.charCodeAt(at) & lowBits] === 1) match(roots.anywhere, at);
  return matches;
}

/** Where a part ends that begins at `start`; -1 when it doesn't. */
function endOfPart(folded: string, { text, lastStem, openEnd }: Part, start: number): number {
  const end = start + text.length;
  // Most candidates differ in their last unit, and a look at it is cheaper than the call.
  if (folded.charCodeAt(end - 1) !== text.charCodeAt(text.length - 1)) return -1;
  if (!folded.startsWith(text, start)) return -1;
  if (lastStem !== 0) return isFormOf(folded.charCodeAt(end), lastStem) ? end + 1 : -1;
  return openEnd || !isWordUnit(folded.charCodeAt(end)) ? end : -1;
}

const clauseEnds = new Set(Array.from(".!?;,…\n。、،؟।", (unit) => unit.charCodeAt(0)));

/** Where a second part of a pattern ends that follows `from` in its clause; -1 when none does, `from` if it has none. */
function endOfSecond(
  folded: string,
  { seconds, unitsBetweenMax: reach }: Pattern<unknown>,
  from: number,
): number {
  if (seconds === null) return from;
  for (let at = from; at <= from + reach; at += 1) {
    const unit = folded.charCodeAt(at);
    if (clauseEnds.has(unit)) return -1;
    const parts = seconds.get(unit);
    if (parts === undefined || !isWordStart(folded, at)) continue;
    for (const part of parts) {
      const end = endOfPart(folded, part, at);
      if (end !== -1) return end;
    }
  }
  return -1;
}

function isWordStart(text: string, at: number): boolean {
  return classOfUnit(text.charCodeAt(at)) === unspacedUnit || !isWordUnit(text.charCodeAt(at - 1));
}

/** How many matches of each meaning are still wanted. */
class Quota<Meaning> {
  readonly #counts = new Map<Meaning, number>();
  readonly #eachMax: number;
  #openCount: number;

  constructor(meaningCount: number, eachMax: number) {
    this.#openCount = meaningCount;
    this.#eachMax = eachMax;
  }

  get isAllUsedUp(): boolean {
    return this.#openCount === 0;
  }

  isUsedUp(meaning: Meaning): boolean {
    return this.#counts.get(meaning) === this.#eachMax;
  }

  count(meaning: Meaning): void {
    const count = (this.#counts.get(meaning) ?? 0) + 1;
    this.#counts.set(meaning, count);
    if (count === this.#eachMax) this.#openCount -= 1;
  }
}

// Vietnamese words differ in accents alone. One may be left out, but with another one it is another word.
const vietnameseLetter = /[đơưạ-ỹ]/u;

function hasOtherAccent<Meaning>(text: string, start: number, pattern: Pattern<Meaning>): boolean {
  for (let at = 0; at < pattern.text.length; at += 1) {
    const unit = text.charCodeAt(start + at);
    if (unit !== pattern.text.charCodeAt(at) && unit !== pattern.accented.charCodeAt(at))
      return true;
  }
  return false;
}

// Umlauts stay: without them German "schön" (beautiful) would read "schon" (already).
const unfoldedLetters = new Set("äöü");
// Persian is also written with the Arabic forms of its letters.
const specialFolds = new Map(
  Object.entries({ ı: "i", ł: "l", đ: "d", ø: "o", ё: "е", ی: "ي", ک: "ك" }),
);
const foldable = /[\u00e0-\u024f\u0390-\u03ce\u1e00-\u1effёیک]/g;

function foldAccents(text: string): string {
  return text.replace(foldable, foldLetter);
}

function foldLetter(letter: string): string {
  if (unfoldedLetters.has(letter)) return letter;
  return specialFolds.get(letter) ?? letter.normalize("NFD").charAt(0);
}

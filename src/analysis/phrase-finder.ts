// Finds thousands of words and phrases in one pass over a text. Respects word boundaries, so that "ads"
// is not found in "heads".

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

/** `…` leaves room for a few words: `stürzt…ab`, `fliegt…raus|ab`. */
export function readPhrase<Meaning>(listed: string, meaning: Meaning): Phrase<Meaning> {
  const [phrase = "", seconds] = listed.split("…");
  return seconds === undefined ? { phrase, meaning } : { phrase, seconds, meaning };
}

/** `[start, end)` in UTF-16 code units of the text. */
export type PhraseMatch<Meaning> = { start: number; end: number; meaning: Meaning };

/** A normalized text as every finder reads it: prepared once, however many finders search it. */
export type SearchText = {
  text: string;
  /** Without accents, as long as the text. */
  folded: string;
  wordStarts: readonly number[];
  /** Where matches may begin. */
  from: number;
  to: number;
  isVietnamese: boolean;
};

/**
 * Returns all matches, or at most `eachMax` of each meaning. Phrases that people chose need that limit: 50 nested
 * ones (`*ab*`, `*abab*`, …) match 50 times at each letter of a suitable text.
 */
type PhraseFinder<Meaning> = (text: SearchText, eachMax?: number) => PhraseMatch<Meaning>[];

type Patterns<Meaning> = {
  parts: Parts;
  /** By part, as the following. */
  meanings: readonly Meaning[];
  seconds: ReadonlyMap<number, Seconds>;
  /** Another phrase with the same beginning. */
  nexts: Int32Array;
  wordStart: Beginnings;
  anywhere: Beginnings;
  /** By the low bits of a code unit 1 where a phrase for `anywhere` may begin: most letters need no other look. */
  mayBegin: Uint8Array;
};

/** One of the parts from `first` to `last` must follow. `beginnings` has a bit for each first code unit, by its low bits. */
type Seconds = { first: number; last: number; unitsBetweenMax: number; beginnings: number };

const none = -1;

// The Japanese mark for a long vowel belongs to no script of its own.
const unspaced =
  /[ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const unitsBetweenMax = 33;
const koreanSpace = /(?<=\p{Script=Hangul})_(?=\p{Script=Hangul})/gu;

/** @param part where matches may begin; a part begins with a word */
export function prepareSearch(text: string, part = { from: 0, to: text.length }): SearchText {
  const { from, to } = part;
  const wordStarts: number[] = [];
  let isInWord = false;
  for (let at = from; at < to; at += 1) {
    const wasInWord = isInWord;
    isInWord = isWordUnit(text.charCodeAt(at));
    if (isInWord && !wasInWord) wordStarts.push(at);
  }
  const isVietnamese = vietnameseLetter.test(text);
  return { text, folded: foldAccents(text), wordStarts, from, to, isVietnamese };
}

/** Builds a finder for normalized texts. It matches every phrase, also overlapping ones. */
export function buildPhraseFinder<Meaning>(listed: Phrase<Meaning>[]): PhraseFinder<Meaning> {
  const patterns = packPatterns(listed.flatMap(withoutKoreanSpaces));
  const meanings = new Set(patterns.meanings);
  return (text, eachMax) => {
    const quota = eachMax && new Map(Array.from(meanings, (meaning) => [meaning, eachMax]));
    return findPatterns(text, { patterns, quota: quota || null });
  };
}

/** Korean writers agree on few spaces: "안 열려" is also "안열려". */
function withoutKoreanSpaces<Meaning>(listed: Phrase<Meaning>): Phrase<Meaning>[] {
  const phrase = listed.phrase.replace(koreanSpace, "");
  return phrase === listed.phrase ? [listed] : [listed, { ...listed, phrase }];
}

function packPatterns<Meaning>(phrases: readonly Phrase<Meaning>[]): Patterns<Meaning> {
  const listed = phrases.map(({ phrase }) => phrase);
  const seconds = listSeconds(phrases, listed);
  const parts = new Parts(listed);
  for (const group of new Set(seconds.values()))
    for (let part = group.first; part <= group.last; part += 1)
      group.beginnings |= 1 << parts.firstUnit(part);
  const meanings = phrases.map(({ meaning }) => meaning);
  const nexts = new Int32Array(phrases.length);
  const open: number[] = [];
  const closed: number[] = [];
  for (const [part, { phrase }] of phrases.entries()) {
    if (parts.startOf(part) === parts.startOf(part + 1)) continue;
    const isOpen = !phrase.startsWith("_") && isOpenBeside(parts.firstUnit(part));
    (isOpen || phrase.startsWith("*") ? open : closed).push(part);
  }
  const wordStart = buildBeginnings(parts, { numbers: closed, nexts });
  const anywhere = buildBeginnings(parts, { numbers: open, nexts });
  const mayBegin = new Uint8Array(lowBits + 1);
  for (const part of open) mayBegin[parts.firstUnit(part) & lowBits] = 1;
  return { parts, meanings, seconds, nexts, wordStart, anywhere, mayBegin };
}

/** Adds second parts to the parts, each group once: many phrases share it. */
function listSeconds(phrases: readonly Phrase<unknown>[], parts: string[]): Map<number, Seconds> {
  const groups = new Map<string, Seconds>();
  const found = new Map<number, Seconds>();
  for (const [at, { phrase, seconds }] of phrases.entries()) {
    if (seconds === undefined) continue;
    const reach = phrase.endsWith("_") ? 1 : unitsBetweenMax;
    const key = `${reach} ${seconds}`;
    const first = parts.length;
    const last = groups.has(key) ? 0 : parts.push(...seconds.split("|")) - 1;
    const group = groups.get(key) ?? { first, last, unitsBetweenMax: reach, beginnings: 0 };
    groups.set(key, group);
    found.set(at, group);
  }
  return found;
}

/** A part is followed by the end of the word, or by anything. */
const endOfWord = 0;
const anything = 1;
/** Anything, and its last syllable may take the beginning of a Korean ending. */
const ending = 2;

/** Phrases and their second parts, by number. Packed, because objects would take five times the memory. */
class Parts {
  /** The texts of all, one after the other. */
  readonly accented: string;
  readonly folded: string;
  /** Where each begins, and where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #tails: Uint8Array;

  constructor(phrases: readonly string[]) {
    this.#starts = new Uint32Array(phrases.length + 1);
    this.#tails = new Uint8Array(phrases.length);
    let accented = "";
    for (const [part, phrase] of phrases.entries()) {
      const text = normalizeText(phrase.replace(/^\*|\*$|_$/g, "").replaceAll("_", " "));
      accented += text;
      this.#starts[part + 1] = accented.length;
      this.#tails[part] = tailOf(phrase, text);
    }
    this.accented = accented;
    this.folded = foldAccents(accented);
  }

  firstUnit(part: number): number {
    return this.folded.charCodeAt(this.startOf(part));
  }

  startOf(part: number): number {
    return this.#starts[part] ?? 0;
  }

  /** Behind its last unit; before that of a syllable which may take an ending. */
  stemEnd(part: number): number {
    return this.startOf(part + 1) - (this.#tails[part] === ending ? 1 : 0);
  }

  /** Where a part ends in a text without accents, if it begins at `start`; `none` when it doesn't. */
  endIn(text: string, part: number, start: number): number {
    const from = this.startOf(part);
    const last = this.startOf(part + 1) - 1;
    const end = start + last - from + 1;
    const tail = this.#tails[part];
    // Most candidates differ in their last unit.
    const difference = text.charCodeAt(end - 1) - this.folded.charCodeAt(last);
    if (difference !== 0 && !(tail === ending && endings.has(difference))) return none;
    for (let at = from; at < last; at += 1)
      if (text.charCodeAt(start + at - from) !== this.folded.charCodeAt(at)) return none;
    return tail === endOfWord && isWordUnit(text.charCodeAt(end)) ? none : end;
  }
}

function tailOf(phrase: string, text: string): number {
  const last = text.charCodeAt(text.length - 1);
  if (text.length > 1 && isStem(last)) return ending;
  return phrase.endsWith("*") || isOpenBeside(last) ? anything : endOfWord;
}

const hangul = { first: 0xac00, last: 0xd7a3, finals: 28 };
// ㄴ, ㄹ, ㅁ, ㅂ and ㅆ: what Korean endings put below the last syllable of a verb: 튕기 is also 튕긴, 튕김 and 튕깁니다.
const endings = new Set([4, 8, 16, 17, 20]);

/** Whether a code unit is a Korean syllable with nothing below it. */
function isStem(unit: number): boolean {
  const isHangul = unit >= hangul.first && unit <= hangul.last;
  return isHangul && (unit - hangul.first) % hangul.finals === 0;
}

/**
 * The beginnings of patterns, up to `beginningUnitsMax` code units, in an open hash table: a lookup is one look at an array, where a
 * tree of maps would miss the processor's cache at each letter.
 */
type Beginnings = {
  /** By slot the hash of a beginning; 0 for none. Its length is a power of two. */
  hashes: Int32Array;
  /** By slot the first of the patterns to compare with a text that begins so; `none` where it only begins longer beginnings. */
  firsts: Int32Array;
};

const beginningUnitsMax = 6;

/** Links those of `numbers` in `nexts`. */
function buildBeginnings(
  parts: Parts,
  { numbers, nexts }: { numbers: readonly number[]; nexts: Int32Array },
): Beginnings {
  const found = new Map<number, number>();
  for (const part of numbers.toReversed()) {
    const from = parts.startOf(part);
    const to = Math.min(parts.stemEnd(part), from + beginningUnitsMax);
    let hash = emptyHash;
    for (let at = from; at < to; at += 1) {
      hash = hashBeginning(hash, parts.folded.charCodeAt(at));
      if (!found.has(hash)) found.set(hash, none);
    }
    nexts[part] = found.get(hash) ?? none;
    found.set(hash, part);
  }
  const hashes = new Int32Array(2 ** Math.ceil(Math.log2(found.size * 1.5 + 1)));
  const firsts = new Int32Array(hashes.length);
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

function isOpenBeside(unit: number): boolean {
  return unspaced.test(String.fromCharCode(unit)) || !isWordUnit(unit);
}

function findPatterns<Meaning>(
  { text, folded, wordStarts, from, to, isVietnamese }: SearchText,
  { patterns, quota }: { patterns: Patterns<Meaning>; quota: Map<Meaning, number> | null },
): PhraseMatch<Meaning>[] {
  const { parts, meanings, seconds, nexts, wordStart, anywhere, mayBegin } = patterns;
  const matches: PhraseMatch<Meaning>[] = [];
  const match = ({ hashes, firsts }: Beginnings, start: number): void => {
    let hash = emptyHash;
    for (let at = start; at < start + beginningUnitsMax; at += 1) {
      hash = hashBeginning(hash, folded.charCodeAt(at));
      const slot = slotOf(hashes, hash);
      if (hashes[slot] === 0) return;
      for (let part = firsts[slot] ?? none; part !== none; part = nexts[part] ?? none) {
        const end = parts.endIn(folded, part, start);
        if (end === none) continue;
        const meaning = meanings[part];
        if (meaning === undefined || quota?.has(meaning) === false) continue;
        if (isVietnamese && hasOtherAccent(parts, part, text.slice(start))) continue;
        const second = seconds.get(part);
        const lastEnd = second ? endOfSecond(parts, second, { folded, from: end }) : end;
        if (lastEnd === none) continue;
        matches.push({ start, end: lastEnd, meaning });
        const left = (quota?.get(meaning) ?? 0) - 1;
        if (left > 0) quota?.set(meaning, left);
        else quota?.delete(meaning);
      }
    }
  };
  for (const start of wordStarts) if (quota?.size !== 0) match(wordStart, start);
  for (let at = from; at < to && quota?.size !== 0; at += 1)
    if (mayBegin[folded.charCodeAt(at) & lowBits] === 1) match(anywhere, at);
  return matches;
}

const clauseEnds = new Set(Array.from(".!?;,…\n。、،؟।", (unit) => unit.charCodeAt(0)));

/** Where one of the second parts ends that follows `from` in its clause; `none` when none does. */
function endOfSecond(
  parts: Parts,
  { first, last, unitsBetweenMax: reach, beginnings }: Seconds,
  { folded, from }: { folded: string; from: number },
): number {
  for (let start = from; start <= from + reach; start += 1) {
    const unit = folded.charCodeAt(start);
    if (clauseEnds.has(unit) && !isInNumber(folded, start)) return none;
    if ((beginnings & (1 << unit)) === 0 || !isWordStart(folded, start)) continue;
    for (let part = first; part <= last; part += 1) {
      const end = parts.endIn(folded, part, start);
      if (end !== none) return end;
    }
  }
  return none;
}

/** Whether the mark is the point of a version or an amount. */
function isInNumber(text: string, at: number): boolean {
  return isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1));
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

function isWordStart(text: string, at: number): boolean {
  return classOfUnit(text.charCodeAt(at)) === unspacedUnit || !isWordUnit(text.charCodeAt(at - 1));
}

// Vietnamese words differ in accents alone. One may be left out, but with another one it is another word.
const vietnameseLetter = /[đơưạ-ỹ]/u;

function hasOtherAccent(parts: Parts, part: number, text: string): boolean {
  const from = parts.startOf(part);
  for (let at = from; at < parts.stemEnd(part); at += 1) {
    const unit = text.charCodeAt(at - from);
    if (unit !== parts.folded.charCodeAt(at) && unit !== parts.accented.charCodeAt(at)) return true;
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

export function foldAccents(text: string): string {
  return text.replace(foldable, foldLetter);
}

function foldLetter(letter: string): string {
  if (unfoldedLetters.has(letter)) return letter;
  return specialFolds.get(letter) ?? letter.normalize("NFD").charAt(0);
}

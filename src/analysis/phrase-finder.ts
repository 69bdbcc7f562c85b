// Finds thousands of words and phrases in one pass over a text. Respects word boundaries, so that "ads"
// is not found in "heads".

import { groupBy } from "../lib/group-by.ts";
import { isWordUnit } from "./char-classes.ts";
import { normalizeText } from "./normalized-text.ts";

/**
 * `phrase` is written as in the word lists: `_` is a space, a `*` before or after it means that the word may
 * continue there. Scripts without spaces need no `*`.
 */
export type Phrase<Meaning> = {
  phrase: string;
  /** A phrase that must follow in the same clause, a few words later at most: German "stürzt" and "ab". */
  second?: string;
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

type Pattern<Meaning> = {
  /** Without accents. */
  text: string;
  accented: string;
  openStart: boolean;
  openEnd: boolean;
  second: Second | null;
  meaning: Meaning;
};

/** `text` begins with the space before it. */
type Second = { text: string; openEnd: boolean };

// The Japanese mark for a long vowel belongs to no script of its own.
const unspaced =
  /[ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

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
  const patterns = phrases.map(parsePhrase).filter(({ text }) => text !== "");
  const anywhere = patterns.filter(({ openStart }) => openStart);
  const roots = {
    wordStart: buildBranch(
      patterns.filter(({ openStart }) => !openStart),
      0,
    ),
    anywhere: buildBranch(anywhere, 0),
    mayBegin: listFirstUnits(anywhere),
  };
  const meaningCount = new Set(patterns.map(({ meaning }) => meaning)).size;
  return (text, eachMax) => {
    const quota = eachMax === undefined ? null : new Quota<Meaning>(meaningCount, eachMax);
    return findPatterns(text, { roots, quota });
  };
}

function parsePhrase<Meaning>({ phrase, second, meaning }: Phrase<Meaning>): Pattern<Meaning> {
  const accented = normalizeText(bareText(phrase));
  const text = foldAccents(accented);
  return {
    text,
    accented,
    openStart: phrase.startsWith("*") || isOpenBeside(text.at(0)),
    openEnd: phrase.endsWith("*") || isOpenBeside(text.at(-1)),
    second: second === undefined ? null : buildSecond(second),
    meaning,
  };
}

function bareText(phrase: string): string {
  return phrase.replace(/^\*|\*$/g, "").replaceAll("_", " ");
}

function buildSecond(phrase: string): Second {
  const text = ` ${foldAccents(normalizeText(bareText(phrase)))}`;
  return { text, openEnd: phrase.endsWith("*") || isOpenBeside(text.at(-1)) };
}

/** Patterns that begin with the same letters. */
type Branch<Meaning> = {
  /** Those to compare with the text: the ones that end here, or all when they are few. */
  patterns: Pattern<Meaning>[];
  /** The others by their next code unit. */
  next: ReadonlyMap<number, Branch<Meaning>>;
};

const patternsPerLeafMax = 4;
const noBranches = new Map<number, never>();

function buildBranch<Meaning>(patterns: Pattern<Meaning>[], depth: number): Branch<Meaning> {
  if (patterns.length <= patternsPerLeafMax) return { patterns, next: noBranches };
  const ending = patterns.filter(({ text }) => text.length === depth);
  const longer = patterns.filter(({ text }) => text.length > depth);
  const groups = groupBy(longer, ({ text }) => text.charCodeAt(depth));
  const next = [...groups].map(([unit, group]) => [unit, buildBranch(group, depth + 1)] as const);
  return { patterns: ending, next: new Map(next) };
}

const lowByte = 0xff;

function listFirstUnits(patterns: readonly Pattern<unknown>[]): Uint8Array {
  const mayBegin = new Uint8Array(lowByte + 1);
  for (const { text } of patterns) mayBegin[text.charCodeAt(0) & lowByte] = 1;
  return mayBegin;
}

function isOpenBeside(unit: string | undefined): boolean {
  return unit === undefined || unspaced.test(unit) || !isWordUnit(unit.charCodeAt(0));
}

type Roots<Meaning> = {
  wordStart: Branch<Meaning>;
  anywhere: Branch<Meaning>;
  /** By the low byte of a code unit 1 where a phrase for `anywhere` may begin: most letters need no other look. */
  mayBegin: Uint8Array;
};

function findPatterns<Meaning>(
  { text, folded, wordStarts, isVietnamese }: SearchText,
  { roots, quota }: { roots: Roots<Meaning>; quota: Quota<Meaning> | null },
): PhraseMatch<Meaning>[] {
  const matches: PhraseMatch<Meaning>[] = [];
  const match = (root: Branch<Meaning>, start: number): void => {
    let branch: Branch<Meaning> | undefined = root;
    for (let at = start; branch !== undefined; at += 1) {
      for (const pattern of branch.patterns) {
        if (!folded.startsWith(pattern.text, start) || quota?.isUsedUp(pattern.meaning)) continue;
        const end = start + pattern.text.length;
        if (!pattern.openEnd && isWordUnit(text.charCodeAt(end))) continue;
        if (isVietnamese && hasOtherAccent(text, start, pattern)) continue;
        const lastEnd = pattern.second === null ? end : endOfSecond(folded, pattern.second, end);
        if (lastEnd === null) continue;
        matches.push({ start, end: lastEnd, meaning: pattern.meaning });
        quota?.count(pattern.meaning);
      }
      branch = branch.next.get(folded.charCodeAt(at));
    }
  };
  for (const start of wordStarts) if (!quota?.isAllUsedUp) match(roots.wordStart, start);
  for (let at = 0; at < text.length && !quota?.isAllUsedUp; at += 1)
    if (roots.mayBegin[folded.charCodeAt(at) & lowByte] === 1) match(roots.anywhere, at);
  return matches;
}

const unitsBetweenMax = 33;
const clauseEnd = /[.!?;,…\n。、،؟।]/u;

/** Where the second part of a phrase ends; null when it doesn't follow the first one's end at `from` in the same clause. */
function endOfSecond(text: string, second: Second, from: number): number | null {
  let wordEnd = from;
  while (isWordUnit(text.charCodeAt(wordEnd))) wordEnd += 1;
  const near = text.slice(wordEnd, wordEnd + unitsBetweenMax + second.text.length);
  let at = near.indexOf(second.text);
  for (; at !== -1; at = near.indexOf(second.text, at + 1)) {
    const end = wordEnd + at + second.text.length;
    if (second.openEnd || !isWordUnit(text.charCodeAt(end)))
      return clauseEnd.test(near.slice(0, at)) ? null : end;
  }
  return null;
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

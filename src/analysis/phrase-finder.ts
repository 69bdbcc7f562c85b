// Finds thousands of words and phrases in one pass over a text. Respects word boundaries, so that "ads"
// is not found in "heads".
import { foldAccents, listFolds } from "./accents.ts";
import { isWordUnit } from "./char-classes.ts";
import { normalizeText } from "./normalized-text.ts";
import { type Automaton, buildAutomaton, rootState, wordStart } from "./phrase-automaton.ts";

/**
 * `phrase` is written as in the word lists: `_` is a space, a `*` before or after it means that the word may
 * continue there. Scripts without spaces need no `*`.
 */
export type Phrase<Meaning> = { phrase: string; meaning: Meaning };

/** `[start, end)` in UTF-16 code units of the text. */
export type PhraseMatch<Meaning> = { start: number; end: number; meaning: Meaning };

/**
 * Returns all matches, or at most `eachMax` of each meaning. Phrases that people chose need that limit: 50 nested
 * ones (`*ab*`, `*abab*`, …) match 50 times at each letter of a suitable text.
 */
export type PhraseFinder<Meaning> = (text: string, eachMax?: number) => PhraseMatch<Meaning>[];

type Pattern<Meaning> = {
  /** Without accents. */
  text: string;
  accented: string;
  openStart: boolean;
  openEnd: boolean;
  meaning: Meaning;
};

// The Japanese mark for a long vowel belongs to no script of its own.
const unspaced =
  /[ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Builds a finder for normalized texts. It matches every phrase, also overlapping ones. */
export function buildPhraseFinder<Meaning>(phrases: Phrase<Meaning>[]): PhraseFinder<Meaning> {
  const patterns = phrases.map(parsePhrase);
  // Accents of the text are folded by the automaton, one code unit at a time.
  const automaton = buildAutomaton(patterns.map(markWordStarts), listFolds());
  const meaningCount = new Set(patterns.map(({ meaning }) => meaning)).size;
  return (text, eachMax) =>
    findPatterns(text, {
      automaton,
      patterns,
      quota: eachMax === undefined ? null : new Quota<Meaning>(meaningCount, eachMax),
    });
}

/** The phrases of a list, separated by spaces and line ends. */
export function phrasesOf(list: string): string[] {
  return list.split(/\s+/).filter((phrase) => phrase !== "");
}

function parsePhrase<Meaning>({ phrase, meaning }: Phrase<Meaning>): Pattern<Meaning> {
  const bare = phrase.replace(/^\*|\*$/g, "").replaceAll("_", " ");
  const accented = normalizeText(bare);
  const text = foldAccents(accented);
  return {
    text,
    accented,
    openStart: phrase.startsWith("*") || isOpenBeside(text.at(0)),
    openEnd: phrase.endsWith("*") || isOpenBeside(text.at(-1)),
    meaning,
  };
}

/** The phrase as the automaton reads it: a phrase that begins in the middle of a word is told from others at once. */
function markWordStarts<Meaning>({ text, openStart }: Pattern<Meaning>): string {
  let marked = "";
  for (let at = 0; at < text.length; at += 1) {
    const isStart = isWordStart(text, at) && (at > 0 || !openStart);
    marked += isStart ? wordStart + text.charAt(at) : text.charAt(at);
  }
  return marked;
}

function isWordStart(text: string, at: number): boolean {
  return isWordUnit(text.charCodeAt(at)) && !isWordUnit(text.charCodeAt(at - 1));
}

function isOpenBeside(unit: string | undefined): boolean {
  return unit === undefined || unspaced.test(unit) || !isWordUnit(unit.charCodeAt(0));
}

function findPatterns<Meaning>(
  text: string,
  {
    automaton,
    patterns,
    quota,
  }: { automaton: Automaton; patterns: Pattern<Meaning>[]; quota: Quota<Meaning> | null },
): PhraseMatch<Meaning>[] {
  const matches: PhraseMatch<Meaning>[] = [];
  let state = rootState;
  let isInWord = false;
  let isVietnamese: boolean | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const wasInWord = isInWord;
    isInWord = isWordUnit(unit);
    if (isInWord && !wasInWord) state = automaton.beginWord(state);
    state = automaton.step(state, unit);
    if (state === rootState) continue;
    for (const index of automaton.endingAt(state)) {
      const pattern = patterns[index];
      if (pattern === undefined || quota?.isUsedUp(pattern.meaning)) continue;
      const end = at + 1;
      const start = end - pattern.text.length;
      if (!pattern.openEnd && isWordUnit(text.charCodeAt(end))) continue;
      if (hasOtherAccent(text, start, pattern)) {
        isVietnamese ??= vietnameseLetter.test(text);
        if (isVietnamese) continue;
      }
      matches.push({ start, end, meaning: pattern.meaning });
      quota?.count(pattern.meaning);
    }
    if (quota?.isAllUsedUp) break;
  }
  return matches;
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
const vietnameseLetter = /[ăđơưạ-ỹ]/u;

function hasOtherAccent<Meaning>(text: string, start: number, pattern: Pattern<Meaning>): boolean {
  for (let at = 0; at < pattern.text.length; at += 1) {
    const unit = text.charCodeAt(start + at);
    if (unit !== pattern.text.charCodeAt(at) && unit !== pattern.accented.charCodeAt(at))
      return true;
  }
  return false;
}

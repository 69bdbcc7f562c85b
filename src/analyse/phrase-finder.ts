// Finds thousands of words and phrases in one pass over a text (Aho and Corasick, 1975). Knows
// where a word may begin and end, so that "ads" isn't found in "heads".
import { foldAccents } from "./accents.ts";
import { normalForm } from "./normal-form.ts";

/**
 * `phrase` is written as in the word lists: `_` for a blank, a `*` before or after where the word
 * may go on. Scripts without blanks need no `*`.
 */
export type Phrase<Meaning> = { phrase: string; meaning: Meaning };

/** A place where a phrase was found; `end` is exclusive, in UTF-16 units of the given text. */
export type Find<Meaning> = { start: number; end: number; meaning: Meaning };

export type PhraseFinder<Meaning> = (text: string) => Find<Meaning>[];

type Pattern<Meaning> = { text: string; openStart: boolean; openEnd: boolean; meaning: Meaning };

type Automaton<Meaning> = {
  /** State and unit to the next state, one key each. */
  next: Map<number, number>;
  /** Where to go on when no letter fits: the longest suffix that begins some pattern. */
  fallback: number[];
  /** The patterns that end in a state, suffixes included. */
  ending: Pattern<Meaning>[][];
};

const unitCount = 0x1_0000;
const root = 0;
const wordUnit = /[\p{L}\p{M}\p{N}]/u;
// The Japanese mark for a long vowel belongs to no script of its own.
const blankless =
  /[ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Builds a finder for texts in normal form. It finds every phrase, also overlapping ones. */
export function buildPhraseFinder<Meaning>(phrases: Phrase<Meaning>[]): PhraseFinder<Meaning> {
  const automaton = plantPatterns(phrases.map(readPhrase));
  linkFallbacks(automaton);
  return (text) => findPatterns(automaton, foldAccents(text));
}

/** The phrases of a list, which are parted by blanks and line ends. */
export function phrasesOf(list: string): string[] {
  return list.split(/\s+/).filter((phrase) => phrase !== "");
}

function readPhrase<Meaning>({ phrase, meaning }: Phrase<Meaning>): Pattern<Meaning> {
  const bare = phrase.replace(/^\*|\*$/g, "").replaceAll("_", " ");
  const text = foldAccents(normalForm(bare));
  return {
    text,
    openStart: phrase.startsWith("*") || isOpenBeside(text.at(0)),
    openEnd: phrase.endsWith("*") || isOpenBeside(text.at(-1)),
    meaning,
  };
}

function isOpenBeside(unit: string | undefined): boolean {
  return unit === undefined || blankless.test(unit) || !wordUnit.test(unit);
}

function plantPatterns<Meaning>(patterns: Pattern<Meaning>[]): Automaton<Meaning> {
  const automaton: Automaton<Meaning> = { next: new Map(), fallback: [root], ending: [[]] };
  for (const pattern of patterns) {
    let state = root;
    for (let at = 0; at < pattern.text.length; at += 1) {
      const key = keyOf(state, pattern.text.charCodeAt(at));
      let following = automaton.next.get(key);
      if (following === undefined) {
        following = automaton.ending.push([]) - 1;
        automaton.fallback.push(root);
        automaton.next.set(key, following);
      }
      state = following;
    }
    automaton.ending[state]?.push(pattern);
  }
  return automaton;
}

// A Map keeps the order of insertion, which is by pattern, not by depth; the fallback of a state
// needs that of every shorter one first.
function linkFallbacks<Meaning>(automaton: Automaton<Meaning>): void {
  const children = new Map<number, [unit: number, child: number][]>();
  for (const [key, child] of automaton.next) {
    const parent = Math.floor(key / unitCount);
    const siblings = children.get(parent) ?? [];
    siblings.push([key % unitCount, child]);
    children.set(parent, siblings);
  }
  let level = [root];
  while (level.length > 0) {
    const deeper: number[] = [];
    for (const parent of level) {
      for (const [unit, child] of children.get(parent) ?? []) {
        const suffix =
          parent === root ? root : stepFrom(automaton, fallbackOf(automaton, parent), unit);
        automaton.fallback[child] = suffix;
        automaton.ending[child]?.push(...(automaton.ending[suffix] ?? []));
        deeper.push(child);
      }
    }
    level = deeper;
  }
}

function findPatterns<Meaning>(automaton: Automaton<Meaning>, text: string): Find<Meaning>[] {
  const finds: Find<Meaning>[] = [];
  let state = root;
  for (let at = 0; at < text.length; at += 1) {
    state = stepFrom(automaton, state, text.charCodeAt(at));
    for (const pattern of automaton.ending[state] ?? []) {
      const end = at + 1;
      const start = end - pattern.text.length;
      if (!pattern.openStart && wordUnit.test(text.charAt(start - 1))) continue;
      if (!pattern.openEnd && wordUnit.test(text.charAt(end))) continue;
      finds.push({ start, end, meaning: pattern.meaning });
    }
  }
  return finds;
}

function stepFrom<Meaning>(automaton: Automaton<Meaning>, from: number, unit: number): number {
  let state = from;
  while (true) {
    const following = automaton.next.get(keyOf(state, unit));
    if (following !== undefined) return following;
    if (state === root) return root;
    state = fallbackOf(automaton, state);
  }
}

function fallbackOf<Meaning>(automaton: Automaton<Meaning>, state: number): number {
  return automaton.fallback[state] ?? root;
}

function keyOf(state: number, unit: number): number {
  return state * unitCount + unit;
}

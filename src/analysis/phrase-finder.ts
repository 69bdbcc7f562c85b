// Finds thousands of words and phrases in one pass over a text. Respects word boundaries, so that "ads"
// is not found in "heads".
import { foldAccents, listFolds } from "./accents.ts";
import { isWordUnit } from "./char-classes.ts";
import { normalizeText } from "./normalized-text.ts";
import { type Automaton, buildAutomaton, rootState } from "./phrase-automaton.ts";

/**
 * `phrase` is written as in the word lists: `_` is a space, a `*` before or after it means that the word may
 * continue there. Scripts without spaces need no `*`.
 */
export type Phrase<Meaning> = { phrase: string; meaning: Meaning };

/** `[start, end)` in UTF-16 code units of the text. */
export type PhraseMatch<Meaning> = { start: number; end: number; meaning: Meaning };

export type PhraseFinder<Meaning> = (text: string) => PhraseMatch<Meaning>[];

type Pattern<Meaning> = { text: string; openStart: boolean; openEnd: boolean; meaning: Meaning };

// The Japanese mark for a long vowel belongs to no script of its own.
const unspaced =
  /[ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Builds a finder for normalized texts. It matches every phrase, also overlapping ones. */
export function buildPhraseFinder<Meaning>(phrases: Phrase<Meaning>[]): PhraseFinder<Meaning> {
  const patterns = phrases.map(parsePhrase);
  // Accents of the text are folded by the automaton, one code unit at a time.
  const automaton = buildAutomaton(
    patterns.map(({ text }) => text),
    listFolds(),
  );
  return (text) => findPatterns(text, { automaton, patterns });
}

/** The phrases of a list, separated by spaces and line ends. */
export function phrasesOf(list: string): string[] {
  return list.split(/\s+/).filter((phrase) => phrase !== "");
}

function parsePhrase<Meaning>({ phrase, meaning }: Phrase<Meaning>): Pattern<Meaning> {
  const bare = phrase.replace(/^\*|\*$/g, "").replaceAll("_", " ");
  const text = foldAccents(normalizeText(bare));
  return {
    text,
    openStart: phrase.startsWith("*") || isOpenBeside(text.at(0)),
    openEnd: phrase.endsWith("*") || isOpenBeside(text.at(-1)),
    meaning,
  };
}

function isOpenBeside(unit: string | undefined): boolean {
  return unit === undefined || unspaced.test(unit) || !isWordUnit(unit.charCodeAt(0));
}

function findPatterns<Meaning>(
  text: string,
  { automaton, patterns }: { automaton: Automaton; patterns: Pattern<Meaning>[] },
): PhraseMatch<Meaning>[] {
  const matches: PhraseMatch<Meaning>[] = [];
  let state = rootState;
  for (let at = 0; at < text.length; at += 1) {
    state = automaton.step(state, text.charCodeAt(at));
    if (state === rootState) continue;
    for (const index of automaton.endingAt(state)) {
      const pattern = patterns[index];
      if (pattern === undefined) continue;
      const end = at + 1;
      const start = end - pattern.text.length;
      if (!pattern.openStart && isWordUnit(text.charCodeAt(start - 1))) continue;
      if (!pattern.openEnd && isWordUnit(text.charCodeAt(end))) continue;
      matches.push({ start, end, meaning: pattern.meaning });
    }
  }
  return matches;
}

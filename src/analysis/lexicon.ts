// Word lists of several languages in one phrase finder: what a phrase means, and in texts of which languages it
// counts.
import { undetermined } from "../domain/analysis.ts";
import { lazy } from "../lib/lazy.ts";
import {
  buildPhraseFinder,
  type Phrase,
  type PhraseFinder,
  type PhraseMatch,
} from "./phrase-finder.ts";

export type LexiconFinder<Meaning> = (text: string, language: string) => PhraseMatch<Meaning>[];

/**
 * Finds phrases in a normalized text, those of its language and of the lists that its language shares; in a text of
 * no known language, those of all.
 */
export function buildLexicon<Words, Meaning>(options: {
  /** By language. */
  readLists(): Readonly<Record<string, Words>>;
  listPhrases(words: Words): Phrase<Meaning>[];
  /** Whether the list of one language also counts in texts of another. */
  isShared(listed: string, language: string): boolean;
}): LexiconFinder<Meaning> {
  const { readLists, listPhrases, isShared } = options;
  type Entry = { listed: string; meaning: Meaning };
  // Built with the first text: it takes longer than loading most of the service, and a process that only
  // answers requests or delivers has no text.
  const loadFinder = lazy<PhraseFinder<Entry>>(() =>
    buildPhraseFinder(
      Object.entries(readLists()).flatMap(([listed, words]) =>
        listPhrases(words).map(({ meaning, ...phrase }) => ({
          ...phrase,
          meaning: { listed, meaning },
        })),
      ),
    ),
  );
  const counts = (listed: string, language: string): boolean =>
    listed === language || language === undetermined || isShared(listed, language);
  return (text, language) => {
    const find = loadFinder();
    const matches: PhraseMatch<Meaning>[] = [];
    for (const { start, end, meaning } of find(text)) {
      if (counts(meaning.listed, language)) matches.push({ start, end, meaning: meaning.meaning });
    }
    return matches;
  };
}

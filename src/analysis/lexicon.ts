// Word lists of several languages: what a phrase means, and in texts of which languages it counts.
import { undetermined } from "../domain/analysis.ts";
import { lazy } from "../lib/lazy.ts";
import { buildPhraseFinder, type Phrase, type PhraseMatch } from "./phrase-finder.ts";

type LexiconFinder<Meaning> = (text: string, language: string) => PhraseMatch<Meaning>[];

/** Those that have a list of topics and one of sentiment words. */
export const listedLanguages =
  "ar cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tl tr uk vi zh".split(
    " ",
  );

/** Short texts are often taken for one of a close relative, and some relatives have no list of their own. */
const relatives: Readonly<Record<string, string>> = {
  da: "no",
  no: "da",
  sk: "cs",
  ms: "id",
  af: "nl",
};

/**
 * Finds phrases in a normalized text: those of its language and a close relative, then those of the lists that count in
 * its language too; in a text of no known language, those of all.
 */
export function buildLexicon<Words, Meaning>(options: {
  /** The languages that have a list, and lists for several languages. */
  names: readonly string[];
  readList(name: string): Words;
  listPhrases(words: Words): Phrase<Meaning>[];
  /** Whether the list of one language also counts in texts of another. */
  isShared(name: string, language: string): boolean;
}): LexiconFinder<Meaning> {
  const { names, readList, listPhrases, isShared } = options;
  // Built with the first text that needs it: most installations meet few of the languages.
  const finders = names.map((name) => ({
    name,
    load: lazy(() => buildPhraseFinder(listPhrases(readList(name)))),
  }));
  return (text, language) => {
    const own = [language, relatives[language]];
    const others = finders.filter(
      ({ name }) => !own.includes(name) && (language === undetermined || isShared(name, language)),
    );
    const inOrder = [...finders.filter(({ name }) => own.includes(name)), ...others];
    return inOrder.flatMap(({ load }) => load()(text));
  };
}

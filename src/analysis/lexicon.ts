// Searches the word lists: which topics a text mentions, and its words of praise, blame, negation and contrast. The lists of a
// language are searched together, in one pass.
import { undetermined } from "../domain/review/analysis.ts";
import type { Topic } from "../domain/review/topics.ts";
import { lazy } from "../lib/lazy.ts";
import type { PhraseList } from "../lib/word-lists.ts";
import { type Clause, findBoundaries, splitClauses } from "./clauses.ts";
import { correctText } from "./corrected-text.ts";
import { type SentimentWord, toSentimentWords } from "./lexicon-score.ts";
import type { NormalizedText } from "./normalized-text.ts";
import { buildPhraseFinder, type PhraseMatch, prepareSearch } from "./phrase-finder.ts";
import {
  type LexiconMeaning,
  listSentimentPhrases,
  readSentimentList,
  type SentimentWords,
} from "./sentiment-lexicon.ts";
import {
  listTopicPhrases,
  readTopicList,
  sortMentions,
  type TopicMatch,
  type TopicMeaning,
} from "./topics.ts";

/** Those that have a list of topics and one of sentiment words. */
const listedLanguages =
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

// English words for software ("login", "bug", "update") are used in all languages.
const commonLanguage = "en";
// These have words that are spelled like English ones and mean something else: German "fast" is "almost".
const withoutEnglish = new Set(["da", "de", "es", "fr", "it", "no", "pt", "sv"]);
const everywhere = "emoji";

// Built with the first text that needs it: most installations meet few of the languages.
const finders = [...listedLanguages, everywhere].map((name) => ({
  name,
  load: lazy(() =>
    buildPhraseFinder<TopicMeaning | LexiconMeaning>([
      ...(name === everywhere ? [] : listTopicPhrases(readTopicList(name))),
      ...listSentimentPhrases(readSentimentList(name)),
    ]),
  ),
}));

/** Each reads one list. */
export const listLoaders: readonly (() => unknown)[] = finders.map(({ load }) => load);

type Search = (typeof finders)[number] & { isForSentiment: boolean };
const searches = new Map<string, Search[]>();

/** The lists of a language and a close relative first, then those that count in all; in a text of no known language, all. */
function searchesIn(language: string): Search[] {
  const known = searches.get(language);
  if (known !== undefined) return known;
  const own = [language, relatives[language]];
  const counts = (name: string) =>
    language === undetermined || name === everywhere || name === commonLanguage;
  const found = [
    ...finders.filter(({ name }) => own.includes(name)),
    ...finders.filter(({ name }) => !own.includes(name) && counts(name)),
  ].map((finder) => ({
    ...finder,
    isForSentiment:
      own.includes(finder.name) || finder.name !== commonLanguage || !withoutEnglish.has(language),
  }));
  searches.set(language, found);
  return found;
}

export type ListedPhrases = {
  /** Every mention of a topic in the whole text, in its order. */
  mentions: TopicMatch[];
  /** The sentiment words of the opening, in its order. */
  words: SentimentWord[];
  clauses: Clause[];
  /** Whether a word like "but" is in the opening. */
  hasContrast: boolean;
  /** Polite phrases of the opening. Nothing listed is in them. */
  courtesies: Clause[];
};

export function findListed(
  { text, opening }: Pick<NormalizedText, "text" | "opening">,
  language: string,
): ListedPhrases {
  const searched = prepareSearch(text);
  const corrected = correctText(searched, language);
  const mentions: TopicMatch[] = [];
  const found: PhraseMatch<LexiconMeaning>[] = [];
  for (const { load, isForSentiment } of searchesIn(language)) {
    const find = load();
    const add = ({ start, end, meaning }: PhraseMatch<TopicMeaning | LexiconMeaning>): void => {
      if (meaning.kind === "topic") mentions.push({ topic: meaning.topic, start, end });
      else if (isForSentiment && end <= opening.length) found.push({ start, end, meaning });
    };
    for (const match of find(searched)) add(match);
    if (corrected === null) continue;
    for (const match of find(corrected.searched)) {
      const original = corrected.toOriginal(match);
      if (original !== null) add({ ...original, meaning: match.meaning });
    }
  }
  const courtesies = found.filter(({ meaning }) => meaning.kind === "courtesy");
  const meantOf = <Match extends Clause>(all: Match[]): Match[] =>
    courtesies.length === 0
      ? all
      : all.filter(
          ({ start, end }) => !courtesies.some((one) => one.start < end && start < one.end),
        );
  const meant = withoutCancelled(meantOf(found));
  const contrasts = meant.filter(({ meaning }) => meaning.kind === "contrast");
  const boundaries = findBoundaries(opening, contrasts);
  const words = toSentimentWords(keepLongest(meant), { text: opening, language, boundaries });
  return {
    mentions: withoutDenied(sortMentions(meantOf(mentions)), words),
    words,
    clauses: splitClauses(opening, boundaries),
    hasContrast: contrasts.length > 0,
    courtesies,
  };
}

// "No errors" and "nothing is missing" praise, and "the least useful" does not.
const deniedBy: Readonly<Partial<Record<Topic, number>>> = {
  bug: 1,
  feature_request: 1,
  praise: -1,
};

/**
 * Without mentions that a negation turns round, or a phrase that says the opposite as a whole ("zero bugs"), if all words
 * together say the same: "never a problem before, now nothing works" has a bug.
 */
function withoutDenied(mentions: TopicMatch[], words: readonly SentimentWord[]): TopicMatch[] {
  const sum = words.reduce((total, { value }) => total + value, 0);
  return mentions.filter(({ topic, start, end }) => {
    const sign = deniedBy[topic];
    if (sign === undefined || sum * sign <= 0) return true;
    return !words.some((word) => {
      const isAround =
        word.start <= start && end <= word.end && word.end - word.start > end - start;
      const isTurned = word.isNegated && word.start < end && start < word.end;
      // A bug that is fixed was one.
      return word.value * sign > 0 && !word.isParted && (isAround || isTurned);
    });
  });
}

/** "The problem is solved" praises; "the problem was never solved" does not, whose words count one by one. */
function withoutCancelled(found: PhraseMatch<LexiconMeaning>[]): PhraseMatch<LexiconMeaning>[] {
  const isParted = ({ meaning }: PhraseMatch<LexiconMeaning>) =>
    meaning.kind === "value" && meaning.isParted;
  if (!found.some(isParted)) return found;
  const negators = found.filter(({ meaning }) => meaning.kind === "negator");
  return found.filter(
    (match) =>
      !isParted(match) ||
      !negators.some(({ start, end }) => match.start < start && end < match.end),
  );
}

/** In the order of the text; of overlapping ones the longest is kept. */
function keepLongest(found: readonly PhraseMatch<LexiconMeaning>[]): PhraseMatch<LexiconMeaning>[] {
  const sorted = found
    .filter(({ meaning }) => meaning.kind !== "contrast")
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let covered = 0;
  return sorted.filter(({ start, end }) => {
    if (start < covered) return false;
    covered = end;
    return true;
  });
}

/** @throws Error when a list is damaged */
export function readTopicWords(): Record<string, PhraseList<Topic>> {
  return Object.fromEntries(listedLanguages.map((language) => [language, readTopicList(language)]));
}

/**
 * By language, with the emoji of all languages.
 * @throws Error when a list is damaged
 */
export function readSentimentWords(): Record<string, SentimentWords> {
  return Object.fromEntries(
    [...listedLanguages, everywhere].map((name) => [name, readSentimentList(name)]),
  );
}

// Chooses the words for spelling.bin, which the analysis corrects misspelt words by: words of the lists, and which words
// the language knows. The arguments are the folder of the weights and that of the frequencies that word_frequencies.py wrote.
// Run by `npm run train:spelling -- FOLDER`.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { readSentimentWords, readTopicWords } from "../src/analysis/lexicon.ts";
import { foldAccents } from "../src/analysis/phrase-finder.ts";
import {
  addWord,
  findNearest,
  groupWords,
  likelyEdit,
  listedUnitsMin,
  priceOfEdit,
  type SpellingHead,
  typedUnitsMin,
} from "../src/analysis/spelling.ts";
import { writeModel } from "./model-writer.ts";

// With spaces between words, and letters that one edit changes a little. Vietnamese has short syllables, Korean and Hindi write
// a syllable in one character or with marks.
const languages = "ar cs da de el en es fa fi fr he hu id it nl no pl pt ro ru sv tl tr uk".split(
  " ",
);

// Zipf's scale: the logarithm of how often a word is in a billion words. Words below 3 in informal text are often misspelt.
const knownMin = 2.8;
const rareMin = 2;
const listedMin = 2.7;
const aloneBonus = 1;
/** A rare word is corrected if its neighbour is 30 times as common. */
const rareGap = 1.5;
const wordsMax = 3_500;
/** Less common words count only if they resemble a word of the lists. */
const commonMax = 10_000;
const bitsPerWord = 10;
/** Words that neighbours in the lists would replace. */
const notMisspelt: Readonly<Record<string, readonly string[]>> = {
  en: ["greyed"],
  es: ["clabe"],
};

type Frequencies = ReadonlyMap<string, number>;

const [, , modelFolder = ".", frequencyFolder = "."] = process.argv;
writeSpelling();

function writeSpelling(): void {
  const head: SpellingHead = { languages: [] };
  const parts: Int8Array[] = [];
  for (const language of languages) {
    const frequencies = readFrequencies(language);
    const words = chooseWords(language, frequencies);
    const own = notMisspelt[language] ?? [];
    const known = [...words, ...listKnown(frequencies, words), ...own];
    const knownBytes = Math.ceil((known.length * bitsPerWord) / 8);
    const filter = new Int8Array(knownBytes);
    for (const word of known) addWord(filter, word);
    const listed = Int8Array.from(Buffer.from(words.join(" ")));
    head.languages.push({ language, knownBytes, wordBytes: listed.length });
    parts.push(filter, listed);
    process.stderr.write(`${language}: ${words.length} words, ${known.length} known\n`);
  }
  writeModel(path.join(modelFolder, "spelling.bin"), { head, parts });
}

function readFrequencies(language: string): Frequencies {
  const found = new Map<string, number>();
  for (const line of fs
    .readFileSync(path.join(frequencyFolder, `${language}.tsv`), "utf8")
    .split("\n")) {
    const [word = "", frequency] = line.split("\t");
    const folded = foldAccents(word);
    // The list has the more frequent form first.
    if (!found.has(folded)) found.set(folded, Number(frequency));
  }
  return found;
}

/** Words in the phrases of a language, and forms of their stems: frequent ones, and rather those that are topics by themselves. */
function chooseWords(language: string, frequencies: Frequencies): string[] {
  const [topics = [], sentiments = []] = [readTopicWords(), readSentimentWords()].map((lists) =>
    Object.values(lists[language] ?? {})
      .flat()
      .map(foldAccents),
  );
  const alone = listForms(
    topics.filter((phrase) => !/[_…]/.test(phrase)),
    frequencies,
  );
  const parts = [...topics, ...sentiments].flatMap((phrase) => phrase.split(/[_…|]/));
  const frequencyOf = (word: string) => frequencies.get(word) ?? 0;
  const useOf = (word: string) => frequencyOf(word) + (alone.has(word) ? aloneBonus : 0);
  const sortBy = (words: Iterable<string>, worthOf: (word: string) => number) =>
    [...words].sort((a, b) => worthOf(b) - worthOf(a) || (a < b ? -1 : 1));
  const chosen = sortBy(listForms(parts, frequencies), useOf).slice(0, wordsMax);
  return sortBy(chosen, frequencyOf);
}

/** The words, and the common ones that begin with a word before `*`. */
function listForms(words: readonly string[], frequencies: Frequencies): Set<string> {
  const isWord = (word: string) => /^\p{L}+$/u.test(word) && word.length >= listedUnitsMin;
  const stems = new Set(
    words.flatMap((word) => (/^\p{L}{4,}\*$/u.test(word) ? [word.slice(0, -1)] : [])),
  );
  const isForm = (word: string) =>
    Array.from({ length: word.length }, (_, end) => word.slice(0, end)).some((one) =>
      stems.has(one),
    );
  const forms = [...frequencies].flatMap(([word, frequency]) =>
    frequency >= listedMin && isWord(word) && isForm(word) ? [word] : [],
  );
  return new Set([...words.filter(isWord), ...forms]);
}

/** Common words, and rare ones unless a likely edit makes a much more common word of the lists of them. */
function listKnown(frequencies: Frequencies, words: readonly string[]): string[] {
  const groups = groupWords(words);
  return [...frequencies].flatMap(([word, frequency], rank) => {
    if (word.length < typedUnitsMin || frequency < rareMin) return [];
    if (rank < commonMax) return [word];
    const nearest = findNearest(word, groups);
    if (nearest === null) return [];
    const isMisspelt =
      frequency < knownMin &&
      priceOfEdit(word, nearest) === likelyEdit &&
      (frequencies.get(nearest) ?? 0) - frequency >= rareGap;
    return isMisspelt ? [] : [word];
  });
}

// Finds the topics of a review by the phrases that people use for them. A topic is what is mentioned, good
// or bad: "no more crashes" is about crashes.
import { type Topic, topicNames } from "../domain/topics.ts";
import { type PhraseList, readPhraseList } from "../lib/word-lists.ts";
import { buildLexicon, listedLanguages } from "./lexicon.ts";
import type { Phrase } from "./phrase-finder.ts";

/** `[start, end)` in UTF-16 code units of the normalized text. */
export type TopicMatch = { topic: Topic; start: number; end: number };

// English words for software ("login", "bug", "update") are used in all languages.
const commonLanguage = "en";

const findPhrases = buildLexicon<PhraseList<Topic>, Topic>({
  names: listedLanguages,
  readList,
  listPhrases: (words) =>
    topicNames.flatMap((topic) => words[topic].map((listed) => readPhrase(listed, topic))),
  isShared: (listed) => listed === commonLanguage,
});

/** `…` leaves room for a few words: `stürzt…ab`. */
function readPhrase(listed: string, meaning: Topic): Phrase<Topic> {
  const [phrase = "", second] = listed.split("…");
  return second === undefined ? { phrase, meaning } : { phrase, second, meaning };
}

/** Every mention in a normalized text, in its order. */
export function findTopics(text: string, language: string): TopicMatch[] {
  const matches = findPhrases(text, language).map(({ start, end, meaning }) => ({
    topic: meaning,
    start,
    end,
  }));
  matches.sort((a, b) => a.start - b.start || a.end - b.end || a.topic.localeCompare(b.topic));
  // Lists of several languages have words in common.
  return matches.filter((match, at) => !isSame(match, matches[at - 1]));
}

function isSame(one: TopicMatch, other: TopicMatch | undefined): boolean {
  return one.start === other?.start && one.end === other.end && one.topic === other.topic;
}

/** @throws Error when a list is damaged */
export function readTopicWords(): Record<string, PhraseList<Topic>> {
  return Object.fromEntries(listedLanguages.map((language) => [language, readList(language)]));
}

function readList(language: string): PhraseList<Topic> {
  return readPhraseList(new URL(`./words/topics/${language}.txt`, import.meta.url), topicNames);
}

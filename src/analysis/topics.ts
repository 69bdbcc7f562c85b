// The lists of phrases that people use for topics. A topic is what is mentioned, good or bad: "no more crashes" is about
// crashes.
import { type Topic, topicNames } from "../domain/review/topics.ts";
import { type PhraseList, readPhraseList } from "../lib/word-lists.ts";
import { type Phrase, readPhrase } from "./phrase-finder.ts";

/** `[start, end)` in UTF-16 code units of the normalized text. */
export type TopicMatch = { topic: Topic; start: number; end: number };

/** @throws Error when the list is damaged */
export function readTopicList(language: string): PhraseList<Topic> {
  return readPhraseList(new URL(`./words/topics/${language}.txt`, import.meta.url), topicNames);
}

export type TopicMeaning = { kind: "topic"; topic: Topic };

export function listTopicPhrases(words: PhraseList<Topic>): Phrase<TopicMeaning>[] {
  return topicNames.flatMap((topic) => {
    const meaning: TopicMeaning = { kind: "topic", topic };
    return words[topic].map((listed) => readPhrase(listed, meaning));
  });
}

/** In the order of the text, each once: lists of several languages have words in common. */
export function sortMentions(mentions: TopicMatch[]): TopicMatch[] {
  mentions.sort((a, b) => a.start - b.start || a.end - b.end || a.topic.localeCompare(b.topic));
  return mentions.filter(({ topic, start, end }, at) => {
    const before = mentions[at - 1];
    return start !== before?.start || end !== before.end || topic !== before.topic;
  });
}

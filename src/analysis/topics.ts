// Finds the topics of a review by the phrases that people use for them. A topic is what is mentioned, good
// or bad: "no more crashes" is about crashes.
import { type Topic, topicNames } from "../domain/topics.ts";
import { buildLexicon } from "./lexicon.ts";
import { phrasesOf } from "./phrase-finder.ts";
import { chinese } from "./topic-words/chinese.ts";
import { english } from "./topic-words/english.ts";
import { french } from "./topic-words/french.ts";
import { german } from "./topic-words/german.ts";
import { indonesian } from "./topic-words/indonesian.ts";
import { italian } from "./topic-words/italian.ts";
import { japanese } from "./topic-words/japanese.ts";
import { korean } from "./topic-words/korean.ts";
import { portuguese } from "./topic-words/portuguese.ts";
import { russian } from "./topic-words/russian.ts";
import { spanish } from "./topic-words/spanish.ts";
import { turkish } from "./topic-words/turkish.ts";
import { vietnamese } from "./topic-words/vietnamese.ts";

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The phrases of one language for every topic. */
export type TopicWords = Readonly<Record<CamelCase<Topic>, string>>;

/** `[start, end)` in UTF-16 code units of the normalized text. */
export type TopicMatch = { topic: Topic; start: number; end: number };

const lexicons: Readonly<Record<string, TopicWords>> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  id: indonesian,
  it: italian,
  ja: japanese,
  ko: korean,
  pt: portuguese,
  ru: russian,
  tr: turkish,
  vi: vietnamese,
  zh: chinese,
};

// English words for software ("login", "bug", "update") are used in all languages.
const commonLanguage = "en";

const findPhrases = buildLexicon<TopicWords, Topic>({
  lists: lexicons,
  listPhrases: (words) =>
    topicNames.flatMap((topic) =>
      phrasesOf(words[keyOf(topic)]).map((phrase) => ({ phrase, meaning: topic })),
    ),
  isShared: (listed) => listed === commonLanguage,
});

/** Every mention in a normalized text, in its order. */
export function findTopics(text: string, language: string): TopicMatch[] {
  const matches = findPhrases(text, language).map(({ start, end, meaning }) => ({
    topic: meaning,
    start,
    end,
  }));
  return matches.sort((a, b) => a.start - b.start || a.end - b.end);
}

function keyOf(topic: Topic): CamelCase<Topic> {
  return topic === "feature_request" ? "featureRequest" : topic;
}

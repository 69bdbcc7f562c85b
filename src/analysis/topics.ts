// Finds what a review talks about by the words people use for it. A topic says what is mentioned,
// not whether it is blamed: "no more crashes" is about crashes.
import { undetermined } from "../domain/analysis.ts";
import { buildPhraseFinder, phrasesOf } from "./phrase-finder.ts";
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

export const topicNames = [
  "crash",
  "bug",
  "performance",
  "login",
  "pricing",
  "subscription",
  "ads",
  "ui",
  "feature_request",
  "update",
  "notifications",
  "support",
  "privacy",
  "battery",
  "payment",
  "content",
  "praise",
] as const;
export type Topic = (typeof topicNames)[number];

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** The phrases of one language for every topic. */
export type TopicWords = Readonly<Record<CamelCase<Topic>, string>>;

/** Where a topic was found: `[start, end)` in UTF-16 units of the normal form. */
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
  zh: chinese,
};

// English words for software ("login", "bug", "update") are used everywhere.
const sharedLanguage = "en";

type Entry = { language: string; topic: Topic };

const findEntries = buildPhraseFinder<Entry>(
  Object.entries(lexicons).flatMap(([language, words]) =>
    topicNames.flatMap((topic) =>
      phrasesOf(words[keyOf(topic)]).map((phrase) => ({ phrase, meaning: { language, topic } })),
    ),
  ),
);

/** Every mention in a text in normal form, in the order of the text. */
export function findTopics(text: string, language: string): TopicMatch[] {
  const matches = findEntries(text)
    .filter(({ meaning }) => isRead(meaning.language, language))
    .map(({ start, end, meaning }) => ({ topic: meaning.topic, start, end }));
  return matches.sort((a, b) => a.start - b.start || a.end - b.end);
}

function isRead(listed: string, language: string): boolean {
  return listed === language || listed === sharedLanguage || language === undetermined;
}

function keyOf(topic: Topic): CamelCase<Topic> {
  return topic === "feature_request" ? "featureRequest" : topic;
}

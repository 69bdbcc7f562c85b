// A workspace's own topic: a name and the phrases that it is found by. Beside the built-in topics, channels, pages
// and the read API treat it like one of them.
import { z } from "zod";
import { cleanText } from "../../domain/clean-text.ts";
import { listSchema, unique } from "../../domain/fields.ts";
import { hasKnownSecret, secretError } from "../../domain/known-secret.ts";
import { isTopicName, toTopicName } from "../../domain/review/topics.ts";

export const ownTopicLimits = {
  topicsMax: 20,
  nameMax: 40,
  phrasesMax: 50,
  phraseMin: 2,
  phraseMax: 60,
  ticksMax: 2_000,
} as const;

const { nameMax, phrasesMax, phraseMin, phraseMax } = ownTopicLimits;

/** In the shape of the built-in names. */
const nameSchema = z
  .string({ error: "is required" })
  .refine((text) => !hasKnownSecret(text), { error: secretError })
  .transform((text) => toTopicName(text))
  .refine((name) => /^[\p{L}\p{M}\p{N}]+(_[\p{L}\p{M}\p{N}]+)*$/u.test(name), {
    error: "must be letters and digits, with _ between words",
  })
  .refine((name) => name.length <= nameMax, { error: `must have at most ${nameMax} characters` })
  .refine((name) => !isTopicName(name), { error: "is a topic that every workspace has" })
  .describe("Lower case, with `_` between words. It stays as it is.");

/** Before a phrase whose words don't count, whatever other phrases find there. */
export const exclusionMark = "-";

export function isExclusion(phrase: string): boolean {
  return phrase.startsWith(exclusionMark);
}

const phraseError = `must be phrases of ${phraseMin} to ${phraseMax} characters`;

const phraseSchema = z
  .string({ error: phraseError })
  .transform((text) => cleanText(text).trim().replace(/\s+/gu, " ").toLowerCase())
  .refine((phrase) => phrase.length <= phraseMax && countLetters(phrase) >= phraseMin, {
    error: phraseError,
  })
  .refine((phrase) => !/^-?\*?(@|https?:|www\.)/.test(phrase), {
    error: "must not be links or @names: they are left out when reviews are read",
  });

const phrasesError = `must be 1 to ${phrasesMax}`;

export const phrasesSchema = listSchema(phraseSchema, { max: 4 * phrasesMax, error: phrasesError })
  .transform(unique)
  .refine(({ length }) => length >= 1 && length <= phrasesMax, { error: phrasesError })
  .refine((phrases) => !phrases.every(isExclusion), {
    error: `must not all be excluded by ${exclusionMark}`,
  })
  .describe("Phrases of reviews with the topic; one that begins with `-` is excluded.");

export const ownTopicSchema = z
  .strictObject({ name: nameSchema, phrases: phrasesSchema })
  .meta({ id: "TopicInput" });

/** The phrases of a topic that does not exist yet. */
export const topicPhrases = z.strictObject({ phrases: phrasesSchema });

/** The matcher of the topic. */
export type OwnTopicRule = {
  id: string;
  phrases: readonly string[];
  /** Another one after every change of what it finds. */
  revision: number;
  /** Trained on ticks; null: the phrases alone decide. */
  weights: Buffer | null;
};

/** How the last training on ticks ended. */
export type TopicTraining = {
  /** Ticked reviews that the phrases find. */
  rowCount: number;
  /** null with too few to train. */
  figures: TickFigures | null;
  isInUse: boolean;
};

/** Counts of ticked reviews, each decided by weights that had not seen it. */
export type TickFigures = {
  /** Decided as people did: by the phrases alone, and with the weights. */
  phrases: number;
  classifier: number;
  /** Those that the weights take away. */
  removedWrong: number;
  removedRight: number;
};

export type OwnTopic = Omit<OwnTopicRule, "weights"> & {
  workspaceId: string;
  /** Names are unique among the workspace's topics. */
  name: string;
  createdAt: Date;
  /** Rises with every change by people. */
  version: number;
  /** null before the first. */
  training: TopicTraining | null;
  /** Its phrases took too much work, and are not looked for before; null: they are. */
  restsUntil: Date | null;
};

/** The topics of one app that follows a listing: its workspace's topic. */
export type ListingTopic = OwnTopicRule & { appId: string; workspaceId: string; name: string };

/** An open end alone, or punctuation, would be found everywhere. */
function countLetters(phrase: string): number {
  return phrase.match(/[\p{L}\p{N}\p{S}]/gu)?.length ?? 0;
}

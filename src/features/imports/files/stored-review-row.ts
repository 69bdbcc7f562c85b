// The part of an exported review that its source does not have: when it was seen and edited, its earlier
// versions, its analysis and its translation. An import takes them back. In a CSV all values are text, and lists are JSON.
import { z } from "zod";
import { idSchema } from "../../../domain/fields.ts";
import { type Analysis, sentimentLabels } from "../../../domain/review/analysis.ts";
import { reviewLimits, type StoredReviewState } from "../../../domain/review/review.ts";
import { isTopicName } from "../../../domain/review/topics.ts";
import { parseJson } from "../../../lib/json.ts";
import { type ImportRowOptions, moment, number, optionalText, stars } from "./import-fields.ts";

const { titleMax, textMax } = reviewLimits;
const exampleDate = "2026-11-21T08:37:00Z";
const nameMax = 200;
/** More than any store lets a user edit. */
const versionsMax = 1_000;
const topicsMax = 1_000;

const score = number({
  expected: "a number from -1 to 1",
  isValid: (value) => value >= -1 && value <= 1,
});
const version = number({
  expected: "a whole number from 1 up",
  isValid: (value) => Number.isInteger(value) && value > 0 && value < 2 ** 31,
});
const label = z.enum(sentimentLabels);
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")]);

function json<Value extends z.ZodType>(schema: Value) {
  return z.preprocess((value) => (typeof value === "string" ? parseJson(value) : value), schema);
}

/** A list, or words with spaces between them. */
function words<Value extends z.ZodType>(schema: Value) {
  return z.preprocess((value) => {
    if (typeof value !== "string") return value;
    return value.startsWith("[") ? parseJson(value) : value.split(" ");
  }, schema);
}

export function storedReviewSchema(options: ImportRowOptions) {
  return rowSchema(options).transform(toState);
}

function rowSchema(options: ImportRowOptions) {
  const date = moment(options, exampleDate);
  const replaced = z.object({
    rating: stars(),
    title: optionalText(titleMax).transform((title) => title || null),
    text: optionalText(textMax),
    version: optionalText(nameMax),
    date,
    replacedAt: date,
  });
  return z.object({
    firstSeenAt: date,
    editedAt: date.nullish(),
    removedAt: date.nullish(),
    isListed: flag.nullish(),
    isDateAssumed: flag.nullish(),
    translatedText: optionalText(textMax),
    translatedFrom: optionalText(nameMax),
    versions: json(z.array(replaced).max(versionsMax).nullish()),
    language: optionalText(nameMax),
    analysisVersion: z.union([z.null(), version]).optional(),
    analysisProvider: optionalText(nameMax),
    sentiment: z.object({ label, score }).nullish(),
    sentimentLabel: label.nullish(),
    sentimentScore: score.optional(),
    clauseMin: z.union([z.null(), score]).optional(),
    clauseMax: z.union([z.null(), score]).optional(),
    topics: words(z.array(z.string()).max(topicsMax).nullish()),
    topicScores: json(z.record(z.string(), score).nullish()),
    erasedId: idSchema.optional(),
  });
}

type Fields = z.infer<ReturnType<typeof rowSchema>>;

function toState(fields: Fields): StoredReviewState {
  const { firstSeenAt, translatedText: text, translatedFrom: from } = fields;
  return {
    firstSeenAt,
    editedAt: fields.editedAt ?? null,
    ...(fields.removedAt && { removedAt: fields.removedAt }),
    ...(fields.isListed && { isListed: true }),
    isDateAssumed: fields.isDateAssumed ?? false,
    translation: text && from ? { text, from } : null,
    analysis: toAnalysis(fields),
    versions: fields.versions ?? [],
    ...(fields.erasedId && { erasedId: fields.erasedId.toLowerCase() }),
  };
}

/** null: the review is analysed as a new one. Topics of a workspace, and those of other versions, are not a part of it. */
function toAnalysis(fields: Fields): Analysis | null {
  const { analysisVersion, language, analysisProvider: provider, topicScores } = fields;
  if (!analysisVersion || language === "") return null;
  const { label = fields.sentimentLabel, score: found = fields.sentimentScore } =
    fields.sentiment ?? {};
  const bounds = { clauseMin: fields.clauseMin ?? 0, clauseMax: fields.clauseMax ?? 0 };
  const topics = [...new Set(fields.topics)].filter(isTopicName).sort();
  return {
    version: analysisVersion,
    language,
    sentiment: label ? { label, score: found ?? 0, ...bounds } : null,
    topics,
    ...(topicScores && { topicScores: topics.map((topic) => topicScores[topic] ?? 0) }),
    ...(provider && { provider }),
  };
}

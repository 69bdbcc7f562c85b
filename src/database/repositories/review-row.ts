// A row of the table reviews as the domain's Review, and reviews as the arrays that are written in bulk.
import type { SentimentLabel } from "../../domain/analysis.ts";
import type { Review } from "../../domain/review.ts";
import { toArrayText } from "../array-text.ts";

export type ReviewRow = Omit<
  Review,
  | "analysis"
  | "translation"
  | "reply"
  | "device"
  | "osVersion"
  | "submittedAt"
  | "isListed"
  | "removedAt"
> & {
  device: string | null;
  osVersion: string | null;
  submittedAt: Date | null;
  isListed: boolean;
  removedAt: Date | null;
  replyText: string | null;
  replyAt: Date | null;
  analysisVersion: number | null;
  language: string | null;
  sentiment: SentimentLabel | null;
  sentimentScore: number | null;
  clauseMin: number | null;
  clauseMax: number | null;
  topics: string[];
  topicScores: number[] | null;
  fineTuning: number | null;
  analysisProvider: string | null;
  translatedText: string | null;
  translatedFrom: string | null;
};

export const reviewColumns = `id, store_review_id as "storeReviewId", author, rating, title, body as text, version,
  country, language_hint as "languageHint", date, is_date_assumed as "isDateAssumed", votes, reply_text as "replyText",
  reply_at as "replyAt", analysis_version as "analysisVersion", language, sentiment,
  sentiment_score as "sentimentScore", clause_min as "clauseMin", clause_max as "clauseMax", topics,
  topic_scores as "topicScores",
  fine_tuning as "fineTuning", analysis_provider as "analysisProvider",
  translated_text as "translatedText", translated_from as "translatedFrom",
  first_seen_at as "firstSeenAt", edited_at as "editedAt", device, os_version as "osVersion",
  submitted_at as "submittedAt", is_listed as "isListed", removed_at as "removedAt"`;

// One line per column: its name, its type in unnest, and its value. Topics and their scores are one text
// with commas, because unnest would flatten an array of arrays.
const unnested: readonly [
  name: string,
  type: string,
  value: (review: Review) => string | number | boolean | Date | null,
][] = [
  ["id", "uuid", (review) => review.id],
  ["store_review_id", "text", (review) => review.storeReviewId],
  ["author", "text", (review) => review.author],
  ["rating", "smallint", (review) => review.rating],
  ["title", "text", (review) => review.title],
  ["body", "text", (review) => review.text],
  ["version", "text", (review) => review.version],
  ["country", "text", (review) => review.country],
  ["language_hint", "text", (review) => review.languageHint],
  ["date", "timestamptz", (review) => review.date],
  ["is_date_assumed", "boolean", (review) => review.isDateAssumed],
  ["votes", "integer", (review) => review.votes],
  ["reply_text", "text", (review) => review.reply?.text ?? null],
  ["reply_at", "timestamptz", (review) => review.reply?.at ?? null],
  ["analysis_version", "integer", (review) => review.analysis?.version ?? null],
  ["language", "text", (review) => review.analysis?.language ?? null],
  ["sentiment", "text", (review) => review.analysis?.sentiment?.label ?? null],
  ["sentiment_score", "real", (review) => review.analysis?.sentiment?.score ?? null],
  ["clause_min", "real", (review) => review.analysis?.sentiment?.clauseMin ?? null],
  ["clause_max", "real", (review) => review.analysis?.sentiment?.clauseMax ?? null],
  ["topics", "text", (review) => (review.analysis?.topics ?? []).join(",")],
  ["topic_scores", "text", (review) => review.analysis?.topicScores?.join(",") ?? null],
  ["fine_tuning", "integer", (review) => review.analysis?.fineTuning ?? null],
  ["analysis_provider", "text", (review) => review.analysis?.provider ?? null],
  ["translated_text", "text", (review) => review.translation?.text ?? null],
  ["translated_from", "text", (review) => review.translation?.from ?? null],
  ["first_seen_at", "timestamptz", (review) => review.firstSeenAt],
  ["edited_at", "timestamptz", (review) => review.editedAt],
  ["device", "text", (review) => review.device ?? null],
  ["os_version", "text", (review) => review.osVersion ?? null],
  ["submitted_at", "timestamptz", (review) => review.submittedAt ?? null],
  ["is_listed", "boolean", (review) => review.isListed ?? false],
  ["removed_at", "timestamptz", (review) => review.removedAt ?? null],
];

export const unnestedNames = unnested.map(([name]) => name);
export const unnestedColumns = unnestedNames.join(", ");
const listColumns: Readonly<Record<string, string>> = {
  topics: "string_to_array(u.topics, ',')",
  topic_scores: "string_to_array(u.topic_scores, ',')::real[]",
};
export const selectUnnested = `select $1::uuid, ${unnestedNames
  .map((name) => listColumns[name] ?? `u.${name}`)
  .join(", ")} from unnest(${unnested
  .map(([, type], index) => `$${index + 2}::${type}[]`)
  .join(", ")}) as u (${unnestedColumns})`;

export function toArrays(reviews: readonly Review[]): string[] {
  return unnested.map(([, , value]) => toArrayText(reviews.map(value)));
}

/** In the order of `unnestedColumns`. */
export function toValues(review: Review): unknown[] {
  const { topics = [], topicScores = null } = review.analysis ?? {};
  const lists: Readonly<Record<string, unknown>> = { topics, topic_scores: topicScores };
  return unnested.map(([name, , value]) => (name in lists ? lists[name] : value(review)));
}

export function toReview(row: ReviewRow): Review {
  const {
    replyText,
    replyAt,
    analysisVersion,
    language,
    sentiment,
    sentimentScore,
    clauseMin,
    clauseMax,
    topics,
    topicScores,
    fineTuning,
    analysisProvider,
    translatedText,
    translatedFrom,
    device,
    osVersion,
    submittedAt,
    isListed,
    removedAt,
    ...plain
  } = row;
  return {
    ...plain,
    ...(device === null ? {} : { device }),
    ...(osVersion === null ? {} : { osVersion }),
    ...(submittedAt === null ? {} : { submittedAt }),
    ...(isListed ? { isListed } : {}),
    ...(removedAt === null ? {} : { removedAt }),
    reply: replyText === null ? null : { text: replyText, at: replyAt },
    analysis:
      analysisVersion === null || language === null
        ? null
        : {
            version: analysisVersion,
            language,
            topics,
            ...(topicScores === null ? {} : { topicScores }),
            ...(fineTuning === null ? {} : { fineTuning }),
            ...(analysisProvider === null ? {} : { provider: analysisProvider }),
            sentiment:
              sentiment === null
                ? null
                : {
                    label: sentiment,
                    score: sentimentScore ?? 0,
                    clauseMin: clauseMin ?? 0,
                    clauseMax: clauseMax ?? 0,
                  },
          },
    translation:
      translatedText === null || translatedFrom === null
        ? null
        : { text: translatedText, from: translatedFrom },
  };
}

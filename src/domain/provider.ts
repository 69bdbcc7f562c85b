// A provider is a service of the operator's choice that is asked about reviews: to translate them, or
// to analyse them. A job is one review, as it read at that moment, that it is asked about.
import { createHash } from "node:crypto";
import { cleanText } from "./clean-text.ts";
import { type Review, reviewLimits, type Translation } from "./review.ts";

export const providerKinds = ["translate", "analyse"] as const;
export type ProviderKind = (typeof providerKinds)[number];

export type NewProviderJob = {
  kind: ProviderKind;
  listingId: string;
  reviewId: string;
  /** Of what is asked about: an edited review is another job. */
  contentHash: Buffer;
  language: string;
  rating: number;
  title: string | null;
  text: string;
  /** Somebody waits for it. */
  isUrgent: boolean;
};

export type ProviderJob = Omit<NewProviderJob, "isUrgent"> & {
  /** Attempts before this one. */
  attemptCount: number;
  leaseToken: string;
};

/** How a provider does, shared by all processes that ask it. */
export type ProviderState = {
  kind: ProviderKind;
  provider: string;
  /** In a row. */
  failureCount: number;
  cooldownUntil: Date | null;
  goodAt: Date | null;
  failedAt: Date | null;
  /** In words; null while it answers. */
  lastError: string | null;
};

/** How a request to a provider failed. */
export type ProviderFailure = {
  kind: "failed";
  /** `text`: it would not take what was asked; `provider`: nothing can be asked right now. */
  about: "text" | "provider";
  /** In words, for people; without secrets. */
  reason: string;
  /** How long it is to be left alone; null when nobody says. */
  cooldownMs: number | null;
};

/** Whether a review is to be translated into English: never what is English already or unclear. */
export function needsTranslation({ analysis, text, translation }: Review): boolean {
  const language = analysis?.language ?? "und";
  return translation === null && text.trim() !== "" && !/^(en|und)(-|$)/i.test(language);
}

export function toTranslationJob(
  listingId: string,
  review: Review,
): Omit<NewProviderJob, "isUrgent"> {
  const { id: reviewId, rating, title, text } = review;
  const language = review.analysis?.language ?? "und";
  const contentHash = hashOf([language, text]);
  return { kind: "translate", listingId, reviewId, contentHash, language, rating, title, text };
}

export function toAnalysisJob(listingId: string, review: Review): Omit<NewProviderJob, "isUrgent"> {
  const { id: reviewId, rating, title, text } = review;
  const language = review.analysis?.language ?? "und";
  const contentHash = analysisHash(review);
  return { kind: "analyse", listingId, reviewId, contentHash, language, rating, title, text };
}

/** Of everything that an analysis reads: the same hash is the same review, as far as it goes. */
export function analysisHash({ title, text, rating }: Pick<Review, "title" | "text" | "rating">) {
  return hashOf([title, text, rating]);
}

function hashOf(content: readonly unknown[]): Buffer {
  return createHash("sha256").update(JSON.stringify(content)).digest();
}

/** A translation as it may be kept: within the limits of a review's own text. */
export function toTranslation(text: string, from: string): Translation | null {
  const cleaned = cleanText(text).trim();
  if (cleaned === "" || cleaned.length > reviewLimits.textMax) return null;
  return { text: cleaned, from };
}

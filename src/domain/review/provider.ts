// A provider is a service of the operator's choice that translates or analyses reviews. A job is one
// review, as it was at that moment, for one provider.
import { createHash } from "node:crypto";
import { cleanText } from "../clean-text.ts";
import type { Analysis } from "./analysis.ts";
import { type Review, reviewLimits, type Translation } from "./review.ts";

export const providerKinds = ["translate", "analyse"] as const;
export type ProviderKind = (typeof providerKinds)[number];

export type NewProviderJob = {
  kind: ProviderKind;
  listingId: string;
  reviewId: string;
  /** Hash of the sent text: an edited review is another job. */
  contentHash: Buffer;
  language: string;
  rating: number;
  title: string | null;
  text: string;
  /** A delivery waits for it. */
  isUrgent: boolean;
};

export type ProviderJob = Omit<NewProviderJob, "isUrgent"> & {
  /** Attempts before this one. */
  attemptCount: number;
  leaseToken: string;
};

/** The state of a provider, shared by all processes that use it. */
export type ProviderState = {
  kind: ProviderKind;
  provider: string;
  /** Failures in a row. */
  failureCount: number;
  cooldownUntil: Date | null;
  goodAt: Date | null;
  failedAt: Date | null;
  /** In words; null while it works. */
  lastError: string | null;
};

export type ProviderFailure = {
  kind: "failed";
  /** `text`: the provider rejected this text; `provider`: it can't be used right now. */
  about: "text" | "provider";
  /** In words, for people; without secrets. */
  reason: string;
  /** How long the provider wants a pause; null when it does not say. */
  cooldownMs: number | null;
};

/** Asks a language model for JSON of that schema, which is not checked. `input` is data, apart from the instructions. */
export type Chat = (prompt: {
  system: string;
  input: unknown;
  schemaName: string;
  schema: object;
}) => Promise<{ kind: "response"; value: unknown } | ProviderFailure>;

/** Whether a review needs a translation into English: not if it is English or of unknown language. */
export function needsTranslation({ analysis, text, translation }: Review): boolean {
  const language = analysis?.language ?? "und";
  return translation === null && text.trim() !== "" && !/^(en|und)(-|$)/i.test(language);
}

export function toProviderJob(
  kind: ProviderKind,
  job: {
    listingId: string;
    review: Pick<Review, "id" | "rating" | "title" | "text"> & {
      analysis: Pick<Analysis, "language"> | null;
    };
    isUrgent: boolean;
  },
): NewProviderJob {
  const { review, ...place } = job;
  const { id: reviewId, rating, title, text } = review;
  const language = review.analysis?.language ?? "und";
  const contentHash = kind === "translate" ? hashOf([language, text]) : analysisHash(review);
  return { kind, ...place, reviewId, contentHash, language, rating, title, text };
}

/** Hash of everything that an analysis reads: equal hashes give equal analyses. */
export function analysisHash({ title, text, rating }: Pick<Review, "title" | "text" | "rating">) {
  return hashOf([title, text, rating]);
}

function hashOf(content: readonly unknown[]): Buffer {
  return createHash("sha256").update(JSON.stringify(content)).digest();
}

/** A translation that can be stored: cleaned, and within the limits of a review's text; else null. */
export function toTranslation(text: string, from: string): Translation | null {
  const cleaned = cleanText(text).trim();
  if (cleaned === "" || cleaned.length > reviewLimits.textMax) return null;
  return { text: cleaned, from };
}

/** The settings of one kind of provider. */
export type ProviderConfig = {
  kind: ProviderKind;
  /** As the setting names it, e.g. `deepl`, `none` or `local`. */
  setting: string;
  isEnabled: boolean;
  dayMax: number;
  unit: "characters" | "reviews";
};

/** The state of a provider for operators. */
export type ProviderStatus = Pick<ProviderConfig, "kind" | "dayMax" | "unit"> &
  Pick<ProviderState, "goodAt" | "failedAt" | "lastError"> & {
    provider: string;
    /** In words. */
    status: string;
    restsUntil: Date | null;
    waitingReviews: number;
    /** How many of those failed before. */
    triedReviews: number;
    waitingDeliveries: number;
    requestsToday: number;
    usedToday: number;
  };

// The developer's answer to a review as a store has it, and what a store's API says to reading, publishing and withdrawing
// one. A review has one answer, which a second one replaces.

import type { StoreId } from "../store/store-id.ts";
import { storeTraits } from "../store/store-traits.ts";
import type { SourceReview } from "./review.ts";

export type StoreAnswer = {
  text: string;
  at: Date | null;
  /** The store took it and does not show it yet when false. */
  isPublic: boolean;
};

export type AnswerResult<T> =
  | { outcome: "ok"; value: T }
  /** The store does not take it, and another try does not help before a person changed something. */
  | { outcome: "refused"; reason: string }
  /** `isTaken`: whether the store may have carried it out all the same, which only reading it shows. */
  | { outcome: "unknown"; reason: string; retryAfterMs: number | null; isTaken: "maybe" | "no" };

export type AnsweredReview = { externalAppId: string; storeReviewId: string };

/** null: the review is unanswered. `review` is the review as the store has it, if the store returns it with the answer. */
export type ReadAnswer = AnswerResult<StoreAnswer | null> & {
  review?: Pick<SourceReview, "rating" | "text" | "date">;
};

export type StoreAnswers = {
  read(review: AnsweredReview): Promise<ReadAnswer>;
  /** Replaces the one that is there. */
  publish(
    answer: AnsweredReview & { text: string; isStillWanted: () => boolean },
  ): Promise<AnswerResult<StoreAnswer>>;
  /** `refused` where the store knows no withdrawal. */
  withdraw(review: AnsweredReview & { isStillWanted: () => boolean }): Promise<AnswerResult<null>>;
};

const markup = /<\/?[a-z][^<>]*>/giu;

/** Stores remove markup and change white space: neither makes another answer. */
export function isSameAnswer(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && toComparable(one) === toComparable(other);
}

function toComparable(text: string): string {
  return text.replace(markup, "").normalize("NFC").replace(/\s+/gu, " ").trim();
}

/** Counted in UTF-16 units: a store that counts characters counts no more. */
function countAnswerCharacters(text: string): number {
  return text.trim().length;
}

/** Why the store would not take the text, as a part of a sentence; null without a reason. */
export function findAnswerFault(store: StoreId, text: string): string | null {
  const { answers, nameInText } = storeTraits[store];
  if (answers === null) return `${nameInText} takes no answers through an API`;
  const count = countAnswerCharacters(text);
  if (text.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, "") === "") return "is empty";
  const { charactersMax } = answers;
  if (count > charactersMax)
    return `has ${count} characters, and ${nameInText} takes ${charactersMax}`;
  if (text.search(markup) !== -1) return "has markup, which stores remove: write plain text";
  return null;
}

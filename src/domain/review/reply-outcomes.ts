// The stars of reviews after an answer.

type Outcome = { count: number; gained: number; lost: number };

/** Stars that reviews gained and lost after an answer, and without one. It says nothing of causes. */
export type ReplyOutcomes = Outcome & {
  /** From the date of the review to the first answer that the store took; null without an answer. */
  medianSeconds: number | null;
  unanswered: Outcome;
};

// An adaptation: the built-in sentiment, trained further on the reviews of this installation for one
// language. It is in use only while it does better on reviews that were held out from training.

/** In place of a language, where all of them are meant. */
export const allLanguages = "*";

/** On reviews held out: shares from 0 to 1. */
export type FineTuningFigures = {
  /** The mean of the shares that are told right among praise and among blame. */
  accuracy: number;
  /** How often a praise is scored above a blame. */
  auc: number;
};

/** What is known of one language. */
export type FineTuningState = {
  language: string;
  /** A person's switch. */
  isEnabled: boolean;
  /** Whether reviews are analysed with it. */
  isInUse: boolean;
  /** Of the last that was taken; 0 before the first. */
  number: number;
  analysisVersion: number;
  takenAt: Date | null;
  triedAt: Date | null;
  /** What the last try was handed, the different texts in it, and those held out. */
  reviewCount: number;
  rowCount: number;
  heldOutCount: number;
  /** null before the first try, or where there were too few reviews. */
  shipped: FineTuningFigures | null;
  /** With what is in use since the last try. */
  inUse: FineTuningFigures | null;
  /** Of the last try, in words. */
  outcome: string | null;
};

/** What came of a try, as it is kept. */
export type FineTuningRun = Pick<
  FineTuningState,
  "language" | "reviewCount" | "rowCount" | "heldOutCount" | "shipped" | "inUse"
> & {
  outcome: string;
  analysisVersion: number;
  /** `keep` leaves in use what is in use. */
  change: { kind: "promote"; weights: Buffer } | { kind: "rollback" } | { kind: "keep" };
};

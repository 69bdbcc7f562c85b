// Fine-tuning: the built-in sentiment, trained further on the reviews of this installation for one
// language. The weights are in use only while they do better on reviews held out from training.

/** Stands for all languages. */
export const allLanguages = "*";

/** On reviews held out: shares from 0 to 1. */
export type FineTuningFigures = {
  /** The mean of the shares that are classified correctly among positive and among negative reviews. */
  accuracy: number;
  /** Area under the ROC curve: how often a positive review scores above a negative one. */
  auc: number;
};

export type FineTuningState = {
  language: string;
  /** The operator's switch. */
  isEnabled: boolean;
  /** Whether reviews are analysed with it. */
  isInUse: boolean;
  /** The number of the weights that were promoted last; 0 before the first. */
  number: number;
  analysisVersion: number;
  takenAt: Date | null;
  triedAt: Date | null;
  /** Results of the last run: its reviews, the different texts among them, and those held out. */
  reviewCount: number;
  rowCount: number;
  heldOutCount: number;
  /** null before the first run, or with too few reviews. */
  shipped: FineTuningFigures | null;
  /** Measures of the weights that are in use since the last run. */
  inUse: FineTuningFigures | null;
  /** The result of the last run, in words. */
  outcome: string | null;
};

export type FineTuningRun = Pick<
  FineTuningState,
  "language" | "reviewCount" | "rowCount" | "heldOutCount" | "shipped" | "inUse"
> & {
  outcome: string;
  analysisVersion: number;
  /** `keep` changes nothing. */
  change: { kind: "promote"; weights: Buffer } | { kind: "rollback" } | { kind: "keep" };
};

// Fine-tuning of the sentiment, which is one for the whole installation: what it did for each language.
import type * as requests from "./requests.ts";
import type { Moment, Nothing, Route } from "./route.ts";

export type FineTunedLanguage = {
  language: string;
  isEnabled: boolean;
  isInUse: boolean;
  /** How the last run ended, in words; null while one is due. */
  outcome: string | null;
  triedAt: Moment | null;
  /** Different texts with stars that the last run read, and how many more it needs to train. */
  reviewCount: number;
  missingCount: number;
  /** In percent, on reviews held out from training; null without a training. */
  shippedAccuracy: number | null;
  accuracy: number | null;
  shippedAuc: number | null;
  auc: number | null;
};

export type FineTuningRoutes = {
  "GET /workspaces/:workspace/fine-tuning": Route<{
    /** Off for all languages. */
    isOn: boolean;
    /** Only where the installation has no other workspace: it is the operator's, otherwise. */
    canChange: boolean;
    languages: FineTunedLanguage[];
  }>;
  /** Owner of the only workspace. `language` null: all of them. */
  "PATCH /workspaces/:workspace/fine-tuning": Route<Nothing, typeof requests.fineTuningChange>;
  /** Owner of the only workspace. Trains every language again, in the background. */
  "POST /workspaces/:workspace/fine-tuning/run": Route<Nothing>;
};

// Fine-tuning of the sentiment, which is one for the whole installation: what it did for each language.
import type { FineTuningStatus } from "../../use-cases/analysis/fine-tuning.ts";
import type * as requests from "./requests.ts";
import type { Json, Nothing, Route } from "./route.ts";

export type FineTunedLanguage = Json<
  Omit<FineTuningStatus, "heldOut" | "missing" | "reviews" | "status" | "takenAt">
> & {
  /** Different texts with stars that the last run read, and how many more it needs to train. */
  reviewCount: number;
  missingCount: number;
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

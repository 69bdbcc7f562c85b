// The analysis of this installation: the built-in stages with the fine-tuned weights that are in use.

import { analysisVersion, analyzeReview } from "../analysis/analyze.ts";
import { DeltaTable, type FineTuning } from "../analysis/fine-tuning.ts";
import type { Database } from "../database/database.ts";
import type { Analysis, AnalysisInput } from "../domain/analysis.ts";

export type Analyzer = {
  analyze(input: AnalysisInput): Analysis;
  /** The fine-tuning in use for a language, or null. */
  fineTuningOf(language: string): FineTuning | null;
  /** Names the analysis version and the fine-tunings in use; another name may mean other results. */
  modelVersion(): string;
  /** Reads again which fine-tunings are in use. */
  refresh(): Promise<void>;
};

export async function createAnalyzer(
  database: Pick<Database, "loadFineTunedWeights">,
): Promise<Analyzer> {
  let fineTunings = new Map<string, FineTuning>();

  async function refresh(): Promise<void> {
    const loaded = await database.loadFineTunedWeights(analysisVersion);
    const before = fineTunings;
    fineTunings = new Map(
      loaded.map(({ language, number, weights }) => {
        const known = before.get(language);
        const isKnown = known?.number === number;
        return [language, isKnown ? known : { number, deltas: new DeltaTable(weights) }];
      }),
    );
  }

  await refresh();
  return {
    analyze: (input) => analyzeReview(input, fineTunings),
    fineTuningOf: (language) => fineTunings.get(language) ?? null,
    modelVersion() {
      const numbers = [...fineTunings].map(([language, { number }]) => `${language}-${number}`);
      return [`engine-${analysisVersion}`, ...numbers.sort()].join(" ");
    },
    refresh,
  };
}

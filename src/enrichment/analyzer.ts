// The built-in analysis as this installation has it: the pure steps with the adaptations that are in use.

import { analyzeReview, analysisVersion } from "../analysis/analyze.ts";
import { type FineTuning, DeltaTable } from "../analysis/fine-tuning.ts";
import type { Database } from "../database/database.ts";
import type { Analysis, AnalysisInput } from "../domain/analysis.ts";

export type Analyzer = {
  analyze(input: AnalysisInput): Analysis;
  /** What a language is analysed with beside the shipped weights, or null. */
  fineTuningOf(language: string): FineTuning | null;
  /** Names the engine and the adaptations in use: another one may answer differently. */
  modelVersion(): string;
  /** Reads again which adaptations are in use. */
  refresh(): Promise<void>;
};

export async function createAnalyzer(database: Pick<Database, "loadFineTunedWeights">): Promise<Analyzer> {
  let adaptations = new Map<string, FineTuning>();

  async function refresh(): Promise<void> {
    const inUse = await database.loadFineTunedWeights(analysisVersion);
    const known = adaptations;
    adaptations = new Map(
      inUse.map(({ language, number, weights }) => {
        const before = known.get(language);
        const isKnown = before?.number === number;
        return [language, isKnown ? before : { number, deltas: new DeltaTable(weights) }];
      }),
    );
  }

  await refresh();
  return {
    analyze: (input) => analyzeReview(input, adaptations),
    modelVersion() {
      const numbers = [...adaptations].map(([language, { number }]) => `${language}-${number}`);
      return [`engine-${analysisVersion}`, ...numbers.sort()].join(" ");
    },
    fineTuningOf: (language) => adaptations.get(language) ?? null,
    refresh,
  };
}

// The built-in analysis as this installation has it: the pure steps with the adaptations that are in use.

import { analyseReview, analysisVersion } from "../analysis/analyze.ts";
import { type Adaptation, ShiftTable } from "../analysis/fine-tuning.ts";
import type { Database } from "../database/database.ts";
import type { Analysis, AnalysisInput } from "../domain/analysis.ts";

export type Analyst = {
  analyse(input: AnalysisInput): Analysis;
  /** What a language is analysed with beside the shipped weights, or null. */
  adaptationOf(language: string): Adaptation | null;
  /** Names the engine and the adaptations in use: another one may answer differently. */
  mark(): string;
  /** Reads again which adaptations are in use. */
  refresh(): Promise<void>;
};

export async function openAnalyst(database: Pick<Database, "loadAdaptations">): Promise<Analyst> {
  let adaptations = new Map<string, Adaptation>();

  async function refresh(): Promise<void> {
    const inUse = await database.loadAdaptations(analysisVersion);
    const known = adaptations;
    adaptations = new Map(
      inUse.map(({ language, number, weights }) => {
        const before = known.get(language);
        const isKnown = before?.number === number;
        return [language, isKnown ? before : { number, shifts: new ShiftTable(weights) }];
      }),
    );
  }

  await refresh();
  return {
    analyse: (input) => analyseReview(input, adaptations),
    mark() {
      const numbers = [...adaptations].map(([language, { number }]) => `${language}-${number}`);
      return [`engine-${analysisVersion}`, ...numbers.sort()].join(" ");
    },
    adaptationOf: (language) => adaptations.get(language) ?? null,
    refresh,
  };
}

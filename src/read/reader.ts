// The needs of functions that read what pages, reports and shared links show.
import type { Database } from "../database/database.ts";
import type { AnalysisInput } from "../domain/review/analysis.ts";
import type { Clock } from "../lib/clock.ts";

export type Evidence = { topic: string; words: string };

export type Reader = {
  clock: Clock;
  database: Database;
  /** The words of each review of a workspace that mention a topic, as the review spells them. */
  findEvidence: (
    inputs: readonly AnalysisInput[],
    workspaceId: string,
  ) => Promise<readonly Evidence[][]>;
};

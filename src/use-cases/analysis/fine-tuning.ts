// Fine-tuning as operators see it, and the switch for each language or for all.
import type { Database } from "../../database/database.ts";
import { allLanguages, type FineTuningState } from "../../domain/fine-tuning.ts";
import { failField } from "../../domain/validation-errors.ts";

/** Figures in percent. */
export type FineTuningStatus = {
  language: string;
  /** In words. */
  status: string;
  isEnabled: boolean;
  isInUse: boolean;
  triedAt: Date | null;
  takenAt: Date | null;
  reviews: number;
  heldOut: number;
  shippedAccuracy: number | null;
  accuracy: number | null;
  shippedAuc: number | null;
  auc: number | null;
};

export async function listFineTuning(
  database: Pick<Database, "listFineTunings" | "isFineTuningAllowed">,
  analysisVersion: number,
): Promise<FineTuningStatus[]> {
  const isAllowed = await database.isFineTuningAllowed();
  const states = await database.listFineTunings(analysisVersion);
  return states.map((state) => ({
    language: state.language,
    status: describe(state, isAllowed),
    isEnabled: isAllowed && state.isEnabled,
    isInUse: state.isInUse,
    triedAt: state.triedAt,
    takenAt: state.takenAt,
    reviews: state.rowCount,
    heldOut: state.heldOutCount,
    shippedAccuracy: toPercent(state.shipped?.accuracy),
    accuracy: toPercent(state.inUse?.accuracy),
    shippedAuc: toPercent(state.shipped?.auc),
    auc: toPercent(state.inUse?.auc),
  }));
}

function describe({ isEnabled, isInUse, outcome }: FineTuningState, isAllowed: boolean): string {
  if (!isAllowed) return "switched off for all languages";
  if (!isEnabled) return "switched off";
  return `${isInUse ? "in use" : "not in use"}; last run: ${outcome ?? "none yet"}`;
}

/** With one digit; null for no figure. */
export function toPercent(share: number | undefined): number | null {
  return share === undefined ? null : Math.round(share * 1_000) / 10;
}

/**
 * @param input.language null for all of them
 * @throws AppError `invalid_input`
 */
export async function setFineTuning(
  database: Pick<Database, "setFineTuningEnabled" | "notify">,
  input: { language: string | null; isEnabled: boolean },
): Promise<{ language: string; isEnabled: boolean }> {
  const language = input.language ?? allLanguages;
  if (input.language !== null && !/^[a-z]{2,3}$/.test(input.language)) {
    failField("language", "must be a code like de");
  }
  await database.setFineTuningEnabled({ language, isEnabled: input.isEnabled });
  await database.notify("analysis");
  return { language: input.language ?? "all", isEnabled: input.isEnabled };
}

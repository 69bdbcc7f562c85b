// Fine-tuning as operators see it, and the switch for each language or for all.
import { analysisVersion } from "../../analysis/analyze.ts";
import { rowCountMin } from "../../analysis/fine-tuning-training.ts";
import type { Database } from "../../database/database.ts";
import { allLanguages, type FineTuningState } from "../../domain/fine-tuning.ts";
import { failField } from "../../domain/validation-errors.ts";

export type FineTuningStatus = Awaited<ReturnType<typeof listFineTuning>>[number];

/** Figures in percent. */
export async function listFineTuning(
  database: Pick<Database, "listFineTunings" | "isFineTuningAllowed">,
  version = analysisVersion,
) {
  const isAllowed = await database.isFineTuningAllowed();
  const states = await database.listFineTunings(version);
  return states.map((state) => ({
    language: state.language,
    status: describe(state, isAllowed),
    outcome: state.outcome,
    isEnabled: isAllowed && state.isEnabled,
    isInUse: state.isInUse,
    triedAt: state.triedAt,
    takenAt: state.takenAt,
    // Different texts with stars, and how many more are needed to train; 0 where there are enough.
    reviews: state.rowCount,
    missing: state.shipped === null ? Math.max(0, rowCountMin - state.rowCount) : 0,
    heldOut: state.heldOutCount,
    shippedAccuracy: toPercent(state.shipped?.accuracy),
    accuracy: toPercent(state.inUse?.accuracy),
    shippedAuc: toPercent(state.shipped?.auc),
    auc: toPercent(state.inUse?.auc),
  }));
}

/** Its results, and whether it is enabled. */
export async function readFineTuning(
  database: Pick<Database, "listFineTunings" | "isFineTuningAllowed">,
) {
  return {
    isOn: await database.isFineTuningAllowed(),
    languages: await listFineTuning(database),
  };
}

/** Every language is due again: the background work trains it. */
export async function runFineTuningAgain(
  database: Pick<Database, "makeFineTuningDue" | "notify">,
): Promise<void> {
  await database.makeFineTuningDue();
  await database.notify("analysis");
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
  if (input.language !== null && !isLanguage(input.language)) {
    failField("language", "must be a code like de");
  }
  await database.setFineTuningEnabled({ language, isEnabled: input.isEnabled });
  await database.notify("analysis");
  return { language: input.language ?? "all", isEnabled: input.isEnabled };
}

const languageNames = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

function isLanguage(code: string): boolean {
  return /^[a-z]{2,3}$/.test(code) && languageNames.of(code) !== undefined;
}

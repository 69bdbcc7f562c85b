// starpost adaptation: fine-tuning of the built-in sentiment on the reviews that are stored here: its
// state for each language, a run, and its switches.

import { analysisVersion } from "../../analysis/analyze.ts";
import { fineTuneLanguages, type LanguageFineTuning } from "../../enrichment/fine-tune.ts";
import { listFineTuning, setFineTuning, toPercent } from "../../use-cases/analysis/fine-tuning.ts";
import { type Command, command } from "../command.ts";
import { optional } from "../option.ts";

const figures = ["shippedAccuracy", "accuracy", "shippedAuc", "auc"];
const columns = ["language", "status", "reviews", "heldOut", ...figures];
const language = optional("[language]", "A code like de; all languages unless given.");

export const commands: Command[] = [
  command({
    name: "adaptation list",
    description:
      "Show each language's last run: figures in percent, on reviews held out from training.",
    async run({ database }) {
      return { value: await listFineTuning(database, analysisVersion), columns };
    },
  }),
  command({
    name: "adaptation try",
    description:
      "Train on the stored reviews; weights that do better on held-out reviews are used. Shows the figures of the shipped and the new weights, and how many reviews a language lacks.",
    async run(context) {
      const runs = await fineTuneLanguages(await context.loadContainer(), { isForced: true });
      const value = runs.map(({ language, change, outcome, shipped, candidate }) => ({
        language,
        change: outputNameOf(change),
        shippedAccuracy: toPercent(shipped?.accuracy),
        accuracy: toPercent(candidate?.accuracy),
        shippedAuc: toPercent(shipped?.auc),
        auc: toPercent(candidate?.auc),
        outcome,
      }));
      return { value, columns: ["language", "change", ...figures, "outcome"] };
    },
  }),
  command({
    name: "adaptation on",
    description: "Analyse a language, or all, with fine-tuned weights where they are better.",
    args: { language },
    async run({ database }, values) {
      return { value: await turn(database, values.language, true) };
    },
  }),
  command({
    name: "adaptation off",
    description: "Analyse a language, or all, with the shipped weights alone, and train no more.",
    args: { language },
    async run({ database }, values) {
      return { value: await turn(database, values.language, false) };
    },
  }),
];

function turn(
  database: Parameters<typeof setFineTuning>[0],
  language: string | undefined,
  isEnabled: boolean,
): ReturnType<typeof setFineTuning> {
  return setFineTuning(database, { language: language ?? null, isEnabled });
}

/** The JSON output has these words. */
function outputNameOf(change: LanguageFineTuning["change"]): string {
  if (change === "promote") return "take";
  return change === "rollback" ? "drop" : change;
}

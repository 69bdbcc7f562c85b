// starpost adaptation: the built-in sentiment, trained further on the reviews that are kept here; what
// came of it for each language, and its switches.

import { analysisVersion } from "../../analysis/analyze.ts";
import { fineTuneLanguages } from "../../enrichment/fine-tune.ts";
import { listFineTuning, setFineTuning } from "../../use-cases/analysis/fine-tuning.ts";
import { type Command, command } from "../command.ts";
import { optional } from "../option.ts";

const columns = ["language", "status", "reviews", "heldOut", "shippedAccuracy", "accuracy", "auc"];
const language = optional("[language]", "A code like de; all languages unless given.");

// The JSON output keeps these words.
const changeNames = { promote: "take", rollback: "drop", keep: "keep" } as const;

export const adaptationCommands: Command[] = [
  command({
    name: "adaptation list",
    about: "Show each language's last try: figures in percent, on reviews held out from training.",
    args: {},
    options: {},
    async run(shell) {
      const { database } = await shell.context();
      return { value: await listFineTuning(database, analysisVersion), columns };
    },
  }),
  command({
    name: "adaptation try",
    about: "Train on the reviews that are kept; what does better on those held out is used.",
    args: {},
    options: {},
    async run(shell) {
      const context = await shell.context();
      const runs = await fineTuneLanguages(context, { isForced: true });
      const value = runs.map(({ language, change, outcome }) => ({
        language,
        change: changeNames[change],
        outcome,
      }));
      return { value, columns: ["language", "change", "outcome"] };
    },
  }),
  command({
    name: "adaptation on",
    about: "Allow a language, or all, to be analysed with what was learned here.",
    args: { language },
    options: {},
    async run(shell, given) {
      const { database } = await shell.context();
      return { value: await turn(database, given.language, true) };
    },
  }),
  command({
    name: "adaptation off",
    about: "Analyse a language, or all, by the shipped weights alone, and try nothing.",
    args: { language },
    options: {},
    async run(shell, given) {
      const { database } = await shell.context();
      return { value: await turn(database, given.language, false) };
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

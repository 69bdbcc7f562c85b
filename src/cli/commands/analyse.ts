// starpost analyse: what the built-in engine says, once more for reviews that an older one analysed.
import { analysisVersion } from "../../analyse/steps.ts";
import { refuse } from "../../manage/refusal.ts";
import { checkScope } from "../../manage/workspaces.ts";
import { reanalyse } from "../../reanalysis-pipeline.ts";
import { type Command, command } from "../command.ts";
import { flag, optional } from "../option.ts";

export const analyseCommands: Command[] = [
  command({
    name: "analyse",
    about: "Analyse again what an older version analysed; can be stopped and goes on from there.",
    args: {},
    options: {
      all: flag("--all", "All reviews that an older version analysed, or none yet."),
      workspace: optional("--workspace <id>", "Only those of this workspace's apps."),
    },
    async run(shell, { all, workspace }) {
      if (!all) refuse("all", "say --all to analyse again what an older version analysed");
      const context = await shell.context();
      const scope = await checkScope(context.keep, workspace ?? null);
      const done = await reanalyse(context, {
        ...scope,
        onProgress: ({ doneCount, totalCount }) =>
          shell.note(`${doneCount} of ${totalCount} reviews`),
      });
      return { value: { version: analysisVersion, ...done } };
    },
  }),
];

// starpost analyse: analyses reviews again that an older version of the built-in engine analysed.
import { analysisVersion } from "../../analysis/analyze.ts";
import { failField } from "../../domain/validation-errors.ts";
import { reanalyze } from "../../ingest/reanalyze.ts";
import { requireScope } from "../../use-cases/workspaces/workspaces.ts";
import { type Command, command } from "../command.ts";
import { flag, workspaceFilter } from "../option.ts";

export const commands: Command[] = [
  command({
    name: "analyse",
    options: {
      all: flag("--all", "All reviews that an older version analysed, or none yet."),
      workspace: workspaceFilter("Only those of this workspace's apps."),
    },
    async run(context, { all, workspace }) {
      if (!all) failField("all", "say --all to analyse again what an older version analysed");
      const scope = await requireScope(context.database, workspace ?? null);
      const result = await reanalyze(await context.loadContainer(), {
        ...scope,
        onProgress: ({ doneCount, totalCount }) =>
          context.showProgress(
            `${doneCount} of ${totalCount} reviews`,
            totalCount === 0 ? null : doneCount / totalCount,
          ),
      });
      return { value: { version: analysisVersion, ...result } };
    },
  }),
];

// starpost completion: a script that lets a shell complete commands and options.
import { failField } from "../../domain/validation-errors.ts";
import { type Command, command } from "../command.ts";
import { type CompletionShell, completionShells, formatCompletion } from "../completion.ts";
import { required } from "../option.ts";

/** @param loadAllCommands of the whole command line */
export const createCompletionCommands = (
  loadAllCommands: () => Promise<readonly Command[]>,
): Command[] => [
  command({
    name: "completion",
    args: { shell: required("<shell>", "bash, zsh or fish.") },
    async run(shell, values) {
      const script = formatCompletion(parseShell(values.shell), await loadAllCommands());
      if (shell.isJson) return { value: { script } };
      await shell.write(script);
      return null;
    },
  }),
];

function parseShell(name: string): CompletionShell {
  const known = completionShells.find((shell) => shell === name);
  return known ?? failField("shell", `must be one of ${completionShells.join(", ")}`);
}

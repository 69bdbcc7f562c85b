// starpost completion: a script that lets a shell complete commands and options.
import { failField } from "../../domain/validation-errors.ts";
import { type Command, command } from "../command.ts";
import { loadAllCommands } from "../commands.ts";
import { completionShells, formatCompletion } from "../completion.ts";
import { required } from "../option.ts";

export const commands: Command[] = [
  command({
    name: "completion",
    args: { shell: required("<shell>", "bash, zsh or fish.") },
    async runAlone(shell, values) {
      const name = completionShells.find((known) => known === values.shell);
      if (!name) return failField("shell", `must be one of ${completionShells.join(", ")}`);
      const script = formatCompletion(name, await loadAllCommands());
      if (shell.isJson) return { value: { script } };
      await shell.write(script);
      return null;
    },
  }),
];

// starpost version: the same as --version, and for scripts.
import { version } from "../../lib/version.ts";
import { type Command, command } from "../command.ts";

export const commands: Command[] = [
  command({
    name: "version",
    async runAlone(shell) {
      return { value: shell.isJson ? { version, node: process.versions.node } : version };
    },
  }),
];

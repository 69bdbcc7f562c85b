// All commands of `starpost` by their first word. A command line loads the one file that it needs: help and
// version answer without the database, the stores and the analysis.
import type { Command } from "./command.ts";
import groups from "./command-words.json" with { type: "json" };
import { featureCommands } from "./feature-commands.ts";

export type CommandWord = {
  word: string;
  description: string;
  /** Groups the words in the help. */
  heading: string;
  /** The name of the file in commands/ that has the commands. */
  file: string;
};

/** In the order of the help. */
export const commandWords: readonly CommandWord[] = Object.entries(groups).flatMap(
  ([heading, files]) =>
    Object.entries<Record<string, string>>(files).flatMap(([file, words]) =>
      Object.entries(words).map(([word, description]) => ({ word, description, heading, file })),
    ),
);

/** The commands that begin with this word. One of a single word has the description of the word. */
export async function loadCommands({ word, description, file }: CommandWord): Promise<Command[]> {
  const load = featureCommands[file] ?? (() => import(`./commands/${file}.ts`));
  const { commands }: { commands: Command[] } = await load();
  return commands
    .filter(({ name }) => name.split(" ")[0] === word)
    .map((command) => (command.name === word ? { ...command, description } : command));
}

/** All of them, for documentation and completion. */
export async function loadAllCommands(): Promise<readonly Command[]> {
  return (await Promise.all(commandWords.map(loadCommands))).flat();
}

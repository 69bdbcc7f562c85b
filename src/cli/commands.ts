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
  /** The names of the files in commands/, or of the features, that have its commands. */
  files: readonly string[];
};

/** In the order of the help. */
export const commandWords: readonly CommandWord[] = listWords();

function listWords(): CommandWord[] {
  const found = new Map<string, CommandWord>();
  for (const [heading, files] of Object.entries(groups)) {
    for (const [file, words] of Object.entries<Record<string, string>>(files)) {
      for (const [word, description] of Object.entries(words)) {
        const known = found.get(word) ?? { word, description, heading, files: [] };
        found.set(word, { ...known, files: [...known.files, file] });
      }
    }
  }
  return [...found.values()];
}

/** The commands that begin with this word. One of a single word has the description of the word. */
export async function loadCommands({ word, description, files }: CommandWord): Promise<Command[]> {
  const loaded: { commands: Command[] }[] = await Promise.all(
    files.map((file) => featureCommands[file]?.() ?? import(`./commands/${file}.ts`)),
  );
  return loaded
    .flatMap(({ commands }) => commands)
    .filter(({ name }) => name.split(" ")[0] === word)
    .map((command) => (command.name === word ? { ...command, description } : command));
}

/** All of them, for documentation and completion. */
export async function loadAllCommands(): Promise<readonly Command[]> {
  return (await Promise.all(commandWords.map(loadCommands))).flat();
}

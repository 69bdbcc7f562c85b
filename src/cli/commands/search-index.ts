// starpost search-index: the index with which searches of the dashboard find rare words among all reviews.
import { type Command, command } from "../command.ts";

export const searchIndexCommands: Command[] = [
  command({
    name: "search-index create",
    description:
      "Make the index while the service runs; after an interruption it begins again. Searches use it at once.",
    args: {},
    options: {},
    async run(shell) {
      const onProgress = shell.showProgress;
      return { value: await shell.changeSearchIndex({ change: "create", onProgress }) };
    },
  }),
  command({
    name: "search-index drop",
    description: "Remove the index; searches look through the newest reviews again.",
    args: {},
    options: {},
    run: async (shell) => ({ value: await shell.changeSearchIndex({ change: "drop" }) }),
  }),
  command({
    name: "search-index status",
    description: "Show whether the index is there, and its size.",
    args: {},
    options: {},
    async run(shell) {
      const { database } = await shell.context();
      return { value: await database.readSearchIndex() };
    },
  }),
];

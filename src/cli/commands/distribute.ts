// starpost distribute: from one PostgreSQL to several servers.
import { type Command, command } from "../command.ts";
import { number, requireWhole } from "../option.ts";

// Several for each server that may ever be there.
const countDefault = 32;
const countMax = 1024;

export const commands: Command[] = [
  command({
    name: "distribute",
    options: {
      shards: number(
        "--shards <count>",
        `Parts into which each table falls, up to ${countMax}; ${countDefault} unless given.`,
      ),
    },
    async runAlone(shell, { shards = countDefault }) {
      const value = await shell.runDistribute({
        note: (text) => shell.showProgress(text),
        shardCount: requireWhole("shards", { value: shards, min: 1, max: countMax }),
      });
      return { value };
    },
  }),
];

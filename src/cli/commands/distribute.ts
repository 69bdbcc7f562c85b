// starpost distribute: from one PostgreSQL to several servers.
import { type Command, command } from "../command.ts";
import { number, requireWhole } from "../option.ts";

// Several for each server that may ever be there; each costs the delivery worker a statement when it looks for work.
const countDefault = 32;
const countMax = 1024;

export const commands: Command[] = [
  command({
    name: "distribute",
    options: {
      buckets: number(
        "--buckets <count>",
        `Parts into which the channels fall, up to ${countMax}; ${countDefault} unless given. Stays as it is.`,
      ),
      shards: number(
        "--shards <count>",
        `Parts into which each table falls, up to ${countMax}; ${countDefault} unless given.`,
      ),
    },
    async runAlone(shell, { buckets = countDefault, shards = countDefault }) {
      const bounds = { min: 1, max: countMax };
      const value = await shell.runDistribute({
        note: (text) => shell.showProgress(text),
        bucketCount: requireWhole("buckets", { value: buckets, ...bounds }),
        shardCount: requireWhole("shards", { value: shards, ...bounds }),
      });
      return { value };
    },
  }),
];

// starpost distribute: from one PostgreSQL to several servers.
import { wholeNumberSchema } from "../../domain/fields.ts";
import { parseField } from "../../domain/validation-errors.ts";
import { type Command, command } from "../command.ts";
import { number } from "../option.ts";

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
      const count = wholeNumberSchema({ min: 1, max: countMax });
      const value = await shell.runDistribute({
        note: (text) => shell.showProgress({ text, share: null }),
        bucketCount: parseField(count, { field: "buckets", value: buckets }),
        shardCount: parseField(count, { field: "shards", value: shards }),
      });
      return { value };
    },
  }),
];

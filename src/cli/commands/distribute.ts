// starpost distribute: from one PostgreSQL to several servers.
import { distribute } from "../../database/cluster/distribute.ts";
import { ResourceStack } from "../../lib/resource-stack.ts";
import { type Command, command } from "../command.ts";
import { openDirectly, openMaintenance } from "../maintenance.ts";
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
      const shardCount = requireWhole("shards", { value: shards, min: 1, max: countMax });
      const { log, ...deps } = await openMaintenance(shell);
      const onStep = (sentence: string): void => deps.note(`${sentence} …`);
      const resources = new ResourceStack();
      try {
        const connection = await openDirectly({ log, ...deps, creates: false }, resources);
        return { value: await distribute({ log, connection, onStep, shardCount }) };
      } finally {
        await resources.closeAll();
      }
    },
  }),
];

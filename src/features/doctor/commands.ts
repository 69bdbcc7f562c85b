// starpost doctor: checks of settings, data folder, database, keys, ports, stores and clock.
import { type Command, command } from "../../cli/command.ts";
import { flag } from "../../cli/option.ts";
import { systemClock } from "../../lib/clock.ts";
import { runDoctor } from "./doctor.ts";

export const commands: Command[] = [
  command({
    name: "doctor",
    isGate: true,
    options: {
      stores: flag("--stores", "Also read a page of one well-known app in each store."),
    },
    async runAlone(shell, { stores: readsStores }) {
      const config = await shell.loadConfig();
      const value = await runDoctor({ config, clock: systemClock, readsStores });
      const isFailed = value.some(({ state }) => state === "failed");
      return { value, columns: ["state", "check", "detail"], isFailed };
    },
  }),
];

// starpost demo: the service with simulated stores, until it is stopped.
import { type Command, command } from "../../cli/command.ts";
import { openCommandLog } from "../../cli/context.ts";
import { optional } from "../../cli/option.ts";
import { runUntilStopped } from "../../cli/run-until-stopped.ts";

export const commands: Command[] = [
  command({
    name: "demo",
    options: {
      webhook: optional(
        "--webhook <url>",
        "Your own endpoint, which gets every event of the demo, too.",
      ),
    },
    async runAlone(shell, values) {
      const print = (line: string): void => (shell.isJson ? shell.note(line) : shell.print(line));
      const stopping = new AbortController();
      void shell.untilStopped().then(() => stopping.abort());
      const options = { print, signal: stopping.signal, webhookUrl: values.webhook ?? null };
      await runUntilStopped(shell, async () => {
        try {
          const config = await shell.loadConfig();
          const { startDemo } = await import("./demo.ts");
          return await startDemo({ config, log: await openCommandLog(config), ...options });
        } catch (error) {
          // Stopped while it was prepared: everything is closed, and the next run goes on from there.
          if (stopping.signal.aborted) return null;
          throw error;
        }
      });
      return null;
    },
  }),
];

// starpost serve, demo and migrate: what runs until it is stopped, and what prepares for it.
import { type Role, roles } from "../../config.ts";
import { refuse } from "../../manage/refusal.ts";
import { type Command, command, type Shell } from "../command.ts";
import type { Running } from "../context.ts";
import { list } from "../option.ts";

export const serviceCommands: Command[] = [
  command({
    name: "serve",
    about: "Run the service until it is stopped; migrates the database first.",
    args: {},
    options: { roles: list("--roles <names>", `Some of ${roles.join(", ")}; all unless given.`) },
    async run(shell, given) {
      const chosen = readRoles(given.roles);
      await runUntilStopped(shell, () => shell.startService(chosen));
      return null;
    },
  }),
  command({
    name: "demo",
    about: "Run the service with simulated stores, a sample workspace and a verifying receiver.",
    args: {},
    options: {},
    async run(shell) {
      const print = (line: string): void => (shell.isJson ? shell.note(line) : shell.print(line));
      await runUntilStopped(shell, () => shell.startDemo(print));
      return null;
    },
  }),
  command({
    name: "migrate",
    about: "Bring the database to this version's shape.",
    args: {},
    options: {},
    async run(shell) {
      const { migrated } = await shell.context();
      return { value: { migrated } };
    },
  }),
];

function readRoles(stated: readonly string[] | undefined): Role[] | null {
  if (stated === undefined) return null;
  const chosen = roles.filter((role) => stated.includes(role));
  const known: readonly string[] = roles;
  if (chosen.length === 0 || stated.some((role) => !known.includes(role))) {
    refuse("roles", `must be some of ${roles.join(", ")}`);
  }
  return chosen;
}

async function runUntilStopped(shell: Shell, start: () => Promise<Running>): Promise<void> {
  // Listened for from the first moment: who is told to stop while starting still closes in order.
  const stopped = shell.untilStopped();
  const running = await start();
  if (shell.isJson) await shell.write(`${JSON.stringify({ url: running.url })}\n`);
  await stopped;
  await running.close();
}

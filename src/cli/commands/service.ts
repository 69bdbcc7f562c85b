// starpost serve, demo and simulate, which run until they are stopped; migrate and doctor, which prepare
// for it.
import { type FaultName, faultNames } from "../../../simulator/faults.ts";
import { type Simulation, startSimulation } from "../../../simulator/simulate.ts";
import { type Role, roles } from "../../config/config.ts";
import { failField } from "../../domain/validation-errors.ts";
import { type Command, command, type Shell } from "../command.ts";
import type { Running } from "../context.ts";
import { list, number } from "../option.ts";

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
    name: "simulate",
    about: "Run simulated stores with generated apps until they are stopped.",
    args: {},
    options: {
      port: number("--port <number>", "Port to listen on; a free one unless given."),
      apps: number("--apps <count>", "Apps in each store, up to 100000; 1 unless given."),
      reviews: number(
        "--reviews <count>",
        "Reviews of each app, up to 5000000; 1000 unless given.",
      ),
      seed: number("--seed <number>", "The same seed makes the same stores; 1 unless given."),
      faults: list("--faults <names>", "Switches that are on from the start; see the manual."),
    },
    async run(shell, given) {
      const stopped = shell.untilStopped();
      const { close, ...simulation } = await startSimulation({
        port: readWhole("port", given.port ?? 0, 65_535),
        apps: readWhole("apps", given.apps ?? 1, 100_000),
        reviews: readWhole("reviews", given.reviews ?? 1_000, 5_000_000),
        seed: readWhole("seed", given.seed ?? 1, 2 ** 31),
        faults: readFaults(given.faults ?? []),
      });
      if (shell.isJson) await shell.write(`${JSON.stringify(simulation)}\n`);
      else for (const line of describeSimulation(simulation)) shell.print(line);
      await stopped;
      await close();
      return null;
    },
  }),
  command({
    name: "migrate",
    about: "Bring the database to this version's shape.",
    args: {},
    options: {},
    async run(shell) {
      const { appliedMigrations: migrated } = await shell.context();
      return { value: { migrated } };
    },
  }),
  command({
    name: "doctor",
    about: "Check the database, keys, data folder, stores, providers, ports and clock.",
    args: {},
    options: {},
    async run(shell) {
      const value = await shell.examine();
      const isFailed = value.some(({ state }) => state === "failed");
      return { value, columns: ["state", "check", "detail"], isFailed };
    },
  }),
];

function readRoles(stated: readonly string[] | undefined): Role[] | null {
  if (stated === undefined) return null;
  const chosen = roles.filter((role) => stated.includes(role));
  const known: readonly string[] = roles;
  if (chosen.length === 0 || stated.some((role) => !known.includes(role))) {
    failField("roles", `must be some of ${roles.join(", ")}`);
  }
  return chosen;
}

function readFaults(stated: readonly string[]): FaultName[] {
  const known = faultNames();
  const faults = known.filter((name) => stated.includes(name));
  const unknown = stated.filter((name) => !(known as string[]).includes(name));
  if (unknown.length > 0) failField("faults", `must be some of ${known.join(", ")}`);
  return faults;
}

function readWhole(field: string, value: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= 0 && value <= max) return value;
  return failField(field, `must be a whole number from 0 to ${max}`);
}

function describeSimulation(simulation: Omit<Simulation, "close">): string[] {
  const { url, apps, settings, credentials } = simulation;
  return [
    `Simulated stores at ${url}; the first apps are ${apps.appstore} and ${apps.googleplay}.`,
    `Switches and time: ${url}/simulator`,
    "Settings of a service that asks them:",
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    "Credentials for their official sides, good until they stop:",
    JSON.stringify(credentials),
  ];
}

async function runUntilStopped(shell: Shell, start: () => Promise<Running>): Promise<void> {
  // Listened for from the first moment: who is told to stop while starting still closes in order.
  const stopped = shell.untilStopped();
  const running = await start();
  if (shell.isJson) await shell.write(`${JSON.stringify({ url: running.url })}\n`);
  await stopped;
  await running.close();
}

// starpost serve and simulate, which run until they are stopped; migrate and where, which prepare for them.
import { faultNames } from "../../../simulator/faults.ts";
import { type Simulation, startSimulation } from "../../../simulator/simulate.ts";
import { type Role, roles } from "../../config/config.ts";
import { describeInstallation } from "../../config/installation.ts";
import { failField } from "../../domain/validation-errors.ts";
import { type Command, command } from "../command.ts";
import { list, number, requireWhole } from "../option.ts";
import { runUntilStopped } from "../run-until-stopped.ts";

export const commands: Command[] = [
  command({
    name: "serve",
    options: {
      roles: {
        ...list("--roles <names>", `Some of ${roles.join(", ")}; all unless given.`),
        values: roles,
      },
    },
    async runAlone(shell, values) {
      const chosen = parseRoles(values.roles);
      await runUntilStopped(shell, () => shell.startService(chosen));
      return null;
    },
  }),
  command({
    name: "simulate",
    options: {
      port: number("--port <number>", "Port to listen on; a free one unless given."),
      apps: number("--apps <count>", "Apps in each store, up to 100000; 1 unless given."),
      reviews: number(
        "--reviews <count>",
        "Reviews of each app, up to 5000000; 1000 unless given.",
      ),
      seed: number("--seed <number>", "The same seed makes the same stores; 1 unless given."),
      faults: list(
        "--faults <names>",
        "Faults that are on from the start; docs/development/adding-a-store.md lists them.",
      ),
    },
    async runAlone(shell, values) {
      const stopped = shell.untilStopped();
      const { close, ...simulation } = await startSimulation({
        port: requireWhole("port", { value: values.port ?? 0, max: 65_535 }),
        apps: requireWhole("apps", { value: values.apps ?? 1, max: 100_000 }),
        reviews: requireWhole("reviews", { value: values.reviews ?? 1_000, max: 5_000_000 }),
        seed: requireWhole("seed", { value: values.seed ?? 1, max: 2 ** 31 }),
        faults: values.faults
          ? parseNames("faults", { names: values.faults, known: faultNames() })
          : [],
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
    async runAlone(shell) {
      return { value: { migrated: await shell.migrate() } };
    },
  }),
  command({
    name: "where",
    async runAlone(shell) {
      const config = await shell.loadConfig();
      return { value: describeInstallation(config) };
    },
  }),
];

function parseRoles(names: readonly string[] | undefined): Role[] | null {
  return names === undefined ? null : parseNames("roles", { names, known: roles });
}

/** In the order of the known names. */
function parseNames<Name extends string>(
  field: string,
  { names, known }: { names: readonly string[]; known: readonly Name[] },
): Name[] {
  const isKnown = names.every((name) => (known as readonly string[]).includes(name));
  if (names.length === 0 || !isKnown) failField(field, `must be some of ${known.join(", ")}`);
  return known.filter((name) => names.includes(name));
}

function describeSimulation(simulation: Omit<Simulation, "close">): string[] {
  const { url, apps, settings } = simulation;
  return [
    `Simulated stores at ${url}; Ctrl-C stops them. A fixed --port keeps the settings valid.`,
    "",
    "Put these settings into .env and restart the service:",
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    "",
    "Then follow the apps:",
    ...Object.entries(apps).map(
      ([store, id]) => `  starpost app add --store ${store} --external-id ${id}`,
    ),
    "Write reviews by moving the stores' time, and read them:",
    `  curl -X POST ${url}/simulator/clock -d '{"advanceMs":86400000}'`,
    `  starpost collect --app ${Object.values(apps)[0]}`,
    "",
    `Faults and other switches: ${url}/simulator. Keys of the official APIs: --json prints them.`,
  ];
}

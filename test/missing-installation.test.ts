// Commands in a place without an installation: they say where they looked and make nothing. Five commands make one.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Command } from "../src/cli/command.ts";
import { loadAllCommands } from "../src/cli/commands.ts";
import { createServices, openContext } from "../src/cli/context.ts";
import { runCli } from "../src/cli/run.ts";
import { readConfig } from "../src/config/config.ts";
import { describeInstallation } from "../src/config/installation.ts";
import { createPlainDatabase, type TestDatabase } from "./support/database.ts";

const creators = ["serve", "demo", "migrate", "restore", "report"];
/** Need no installation, and run until they are stopped. */
const endless = ["simulate", "mcp"];
/** Say something without one. */
const silent = ["completion", "doctor", "topics", "version", "where"];
const commands = (await loadAllCommands()).filter(
  ({ name }) => !creators.includes(name) && !endless.includes(name),
);
let folder: string;
let empty: TestDatabase;
let file: string;

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-nowhere-"));
  file = path.join(folder, "input.yaml");
  await fs.writeFile(file, "workspace: Team\n");
  empty = await createPlainDatabase();
});
afterAll(async () => {
  await fs.rm(folder, { recursive: true });
  await empty.drop();
});
afterEach(() => vi.unstubAllEnvs());

/** A command line with a value for everything that must be there. */
function toLine({ name, args, options }: Command): string[] {
  const argument = ({ flags }: { flags: string }): string =>
    flags === "<file>" && name !== "backup" ? file : path.join(folder, "here", "new");
  const required = Object.values(options).filter(({ isRequired }) => isRequired);
  return [
    ...name.split(" "),
    ...Object.values(args).map(argument),
    ...required.flatMap(({ flags }) => [/--[\w-]+/.exec(flags)?.[0] ?? "", file]),
    "--json",
  ];
}

async function run(argv: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: false });
  stdin.end();
  const output = new PassThrough();
  const streams = { stdin, stdout: output, stderr: new PassThrough() };
  const services = { ...createServices(() => {}), untilStopped: async () => {} };
  const exitCode = await runCli(argv, { ...services, ...streams, openContext });
  output.end();
  return { exitCode, output: await text(output) };
}

describe.each(["a folder", "an empty database"])("in %s", (place) => {
  const isFolder = place === "a folder";
  const here = (): string => path.join(folder, "here");
  let refusedCount = 0;

  test.each(commands.map((command) => [command.name, command] as const))(
    "%s",
    async (name, command) => {
      await fs.mkdir(here(), { recursive: true });
      vi.stubEnv("STARPOST_FOLDER", here());
      vi.stubEnv("DATABASE_URL", isFolder ? "" : empty.connectionString);
      vi.stubEnv("ITUNES_BASE_URL", "http://127.0.0.1:9");
      const { exitCode, output } = await run(toLine(command));
      expect(await fs.readdir(here())).toEqual([]);
      expect(await listTables()).toEqual([]);
      if (silent.includes(name)) return;
      expect(exitCode).not.toBe(0);
      if (!output.includes("there is no installation of Starpost")) return;
      expect(output).toContain(isFolder ? here() : "starpost_test_");
      refusedCount += 1;
    },
  );

  test("most of them got as far as looking for it", () => {
    expect(refusedCount).toBeGreaterThan(commands.length * 0.7);
  });
});

async function listTables(): Promise<unknown[]> {
  const client = new pg.Client(empty.connectionString);
  await client.connect();
  const { rows } = await client.query(
    "select from pg_class where relnamespace = 'public'::regnamespace",
  );
  await client.end();
  return rows;
}

describe("one rule says which installation a command means", () => {
  const url = "postgresql://starpost:secret@db.example.com/reviews?sslmode=require";
  test.each<[string, { env?: NodeJS.ProcessEnv; envFile?: string }, RegExp[]]>([
    ["npx in a folder", {}, [/^\/.*\/data$/, /the current folder/]],
    [
      "cron or a second terminal that names the folder",
      { env: { STARPOST_FOLDER: "/" } },
      [/^\/data$/, /STARPOST_FOLDER/],
    ],
    ["a container", { env: { DATA_DIR: "/data" } }, [/^\/data$/, /DATA_DIR in the environment/]],
    [
      "a container with PostgreSQL",
      { env: { DATA_DIR: "/data", DATABASE_URL: url } },
      [/^the database reviews at db.example.com$/, /DATABASE_URL in the environment/],
    ],
    [
      "systemd and sudo: .env of the folder",
      { envFile: "DATA_DIR=/var/lib/starpost\n" },
      [/^\/var\/lib\/starpost$/, /DATA_DIR in \/.*\.env/],
    ],
    [
      ".env with PostgreSQL",
      { envFile: `DATABASE_URL=${url}\n` },
      [/^the database reviews at/, /DATABASE_URL in \/.*\.env/],
    ],
    [
      "a socket",
      { env: { DATABASE_URL: "postgresql:///reviews?host=/run/postgresql" } },
      [/^the database reviews at \/run\/postgresql$/],
    ],
  ])("%s", async (_, { env = {}, envFile }, [database = /./, because = /./]) => {
    const place = await fs.mkdtemp(path.join(folder, "place-"));
    const settings = path.join(place, ".env");
    if (envFile) await fs.writeFile(settings, envFile);
    const found = describeInstallation(readConfig({ env, envFile: settings }));
    expect(found.database).toMatch(database);
    expect(found.because).toMatch(because);
    expect(JSON.stringify(found)).not.toContain("secret");
  });

  test("STARPOST_FOLDER has the .env and the start of relative paths, also of files of settings", async () => {
    const place = await fs.mkdtemp(path.join(folder, "named-"));
    await fs.writeFile(path.join(place, ".env"), "DATA_DIR=here\nSTARPOST_KEY_FILE=key\n");
    await fs.writeFile(path.join(place, "key"), "sp_key\n");
    const config = readConfig({ env: { STARPOST_FOLDER: place } });
    expect(config).toMatchObject({ dataDir: path.join(place, "here"), starpostKey: "sp_key" });
    expect(() => readConfig({ env: { STARPOST_FOLDER: `${place}/none` } })).toThrow(
      "there is no folder",
    );
  });
});

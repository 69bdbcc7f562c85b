// Checks the packages as they are published: packs them, checks their content, installs Starpost into an empty folder
// with an empty home, and runs the demo there until its dashboard and its API answer. Takes a minute, so CI and the
// release run it and `npm test` does not.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import readline from "node:readline";
import { Command } from "commander";

// npm runs scripts in the folder of the package.
const root = process.cwd();
const megabyte = 1_000_000;
/** Megabytes, packed and unpacked. The weights of the analysis are 2.8 MB. */
const sizesMax = { starpost: [7, 12], "@starpost/client": [0.05, 0.1] };
const needed = {
  starpost: [
    "dist/package.json",
    "dist/src/cli.js",
    "dist/sdk/src/client.js",
    "dist/simulator/simulate.js",
    "dist/dashboard/index.html",
    "dist/src/database/migrations/001-schema.sql",
    "dist/src/database/migrations/002-operations-and-shapes.sql",
    "dist/docs-site/docs/guides/quick-start.html",
    ".env.example",
    "LICENSE",
    "NOTICE",
    "README.md",
    "CHANGELOG.md",
  ],
  "@starpost/client": [
    "dist/index.js",
    "dist/index.d.ts",
    "dist/handlers/node.js",
    "README.md",
    "LICENSE",
  ],
};
const refused = /\.test\.|\.map$|\.ts$(?<!\.d\.ts)|(^|\/)\.built$|^(src|test|bench|dashboard)\//;
const startsWithinMs = 300_000;
const { manifests } = new Command("npm run check-package --")
  .option("--manifests", "check only the fields of package.json")
  .parse()
  .opts();

for (const manifest of ["package.json", "sdk/package.json", "dashboard/package.json"]) {
  checkManifest(manifest);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-package-"));
try {
  if (!manifests) {
    const tarball = pack("starpost", root);
    pack("@starpost/client", path.join(root, "sdk"));
    await runDemo(install(tarball));
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

/** @returns the tarball's path */
function pack(name, from) {
  const out = npm(["pack", "--json", "--pack-destination", folder], { cwd: from });
  const [{ filename, files, size, unpackedSize }] = JSON.parse(out.slice(out.indexOf("[")));
  const paths = files.map((file) => file.path);
  const missing = needed[name].filter((file) => !paths.includes(file));
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(", ")}`);
  const odd = paths.filter((file) => refused.test(file));
  if (odd.length > 0) throw new Error(`${name} should not have ${odd.slice(0, 5).join(", ")}`);
  const [packedMax, unpackedMax] = sizesMax[name];
  const figures = `${files.length} files, ${inMegabytes(size)} packed, ${inMegabytes(unpackedSize)} unpacked`;
  if (size > packedMax * megabyte || unpackedSize > unpackedMax * megabyte) {
    throw new Error(`${name} is too large: ${figures}`);
  }
  print(`${name}: ${figures}`);
  return path.join(folder, filename);
}

// npm refuses to publish with provenance without `repository`, and links to all three on the package's page.
function checkManifest(file) {
  const manifest = JSON.parse(fs.readFileSync(path.join(root, file), "utf8"));
  const lacking = ["repository", "homepage", "bugs"].filter((field) => !manifest[field]);
  if (lacking.length > 0) throw new Error(`${file} lacks ${lacking.join(", ")}`);
}

/** @returns the folder that it is installed in */
function install(tarball) {
  const target = path.join(folder, "empty");
  fs.mkdirSync(target);
  fs.writeFileSync(path.join(target, "package.json"), '{ "private": true }');
  const startedAt = Date.now();
  npm(["install", "--prefer-offline", "--no-audit", "--no-fund", tarball], { cwd: target });
  print(`installed in ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  return target;
}

/** `npx starpost demo`, as a user types it, but on a free port. */
async function runDemo(cwd) {
  const home = path.join(folder, "home");
  fs.mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home, PORT: "0" };
  const demo = spawn("npx", ["--offline", "starpost", "demo", "--json"], {
    ...{ cwd, env, detached: true, stdio: ["ignore", "pipe", "inherit"] },
  });
  const ended = new Promise((resolve) => demo.once("close", resolve));
  try {
    const { url } = JSON.parse(await firstValue(demo.stdout));
    const page = await (await fetch(url, { redirect: "follow" })).text();
    if (!page.includes('<div id="root"')) throw new Error("the dashboard is missing");
    const { status } = await fetch(`${url}/api/v1/apps`);
    if (status !== 401) throw new Error(`the API answered ${status} to a request without a key`);
    print(`the demo answers at ${url}`);
  } finally {
    // npx starts the program as a child: both are in one group.
    process.kill(-demo.pid, "SIGINT");
    await ended;
  }
}

/** The one JSON value that --json prints, which may have several lines. */
function firstValue(stream) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the demo did not start")), startsWithinMs);
    const lines = readline.createInterface({ input: stream });
    lines.on("line", (line) => {
      clearTimeout(timer);
      resolve(line);
    });
    lines.on("close", () => reject(new Error("the demo ended before it was ready")));
  });
}

function npm(args, options) {
  const env = { ...process.env, npm_config_loglevel: "error" };
  const result = spawnSync("npm", args, {
    ...options,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", 2],
  });
  if (result.status !== 0) throw new Error(`npm ${args[0]} failed`);
  return result.stdout;
}

function inMegabytes(bytes) {
  return `${(bytes / megabyte).toFixed(2)} MB`;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

// `npm run check`: types, style and the tests beside what changed since the last commit, in seconds. With paths
// (`npm run check -- src/delivery`): their style and tests.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Command } from "commander";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const isTested = /^(src|simulator|test|dashboard\/src)\//;

const named = new Command("npm run check --")
  .argument(
    "[paths...]",
    "files and folders to check (default: what changed since the last commit)",
  )
  .parse().args;
const changed = named.length > 0 ? named : listChanged();
if (changed.length === 0) {
  process.stdout.write(
    "Nothing changed since the last commit. Name paths to check: npm run check -- src/delivery\n",
  );
  process.exit();
}
const tests = named.length > 0 ? named : listTests(changed);
const results = await Promise.all([
  run("types", ["tsc", ...incremental("tsconfig.json", "types")]),
  run("types of the dashboard", ["tsc", ...incremental("dashboard", "dashboard-types")]),
  run("style", ["biome", "check", "--error-on-warnings", "--no-errors-on-unmatched", ...changed]),
  run("tests", ["vitest", "run", "--passWithNoTests", ...tests, "test/tidy.test.ts"]),
]);
if (results.some((isGood) => !isGood)) process.exitCode = 1;

/** Changed, added and renamed files. */
function listChanged() {
  const git = (...words) =>
    spawnSync("git", words, { cwd: root, encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  return [
    ...git("diff", "--name-only", "--diff-filter=d", "HEAD"),
    ...git("ls-files", "--others", "--exclude-standard"),
  ];
}

/** Test files themselves, the tests of other files, and the folders of those without a test. */
function listTests(files) {
  const tests = files
    .filter((file) => isTested.test(file))
    .map((file) => {
      const test = file.endsWith(".test.ts") ? file : file.replace(/\.tsx?$/, ".test.ts");
      return fs.existsSync(path.join(root, test)) ? test : `${path.dirname(file)}/`;
    });
  return [...new Set(tests)];
}

function incremental(project, name) {
  return [
    "-p",
    project,
    "--incremental",
    "--tsBuildInfoFile",
    `node_modules/.cache/${name}.tsbuildinfo`,
  ];
}

/** Runs a program of node_modules and prints its output when it ends; the tests' is printed as it comes. */
async function run(name, [program, ...words]) {
  const bin = path.join(root, "node_modules", ".bin", program);
  const startedAt = performance.now();
  const isLive = name === "tests";
  const output = [];
  const child = spawn(bin, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (isLive ? process.stdout.write(chunk) : output.push(chunk)));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`== ${name}: ${code === 0 ? "good" : "failed"} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(Buffer.concat(output));
  return code === 0;
}

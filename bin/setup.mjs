// Brings a checkout to the point where dist/ can run: dependencies and build, each only when out of
// date. Plain JavaScript, because it runs before anything is installed. Progress goes to stderr, so
// that `npm run -s starpost -- … --json` keeps stdout for its one JSON value.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const nodeFloor = [20, 19];
const lockPath = path.join(root, ".setup.lock");
const builtStamp = path.join(root, "dist", ".built");

/** Stops the set-up; the message is for people. */
class SetupError extends Error {}

try {
  main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  print(error.message);
  process.exitCode = 1;
}

function main() {
  refuseOldNode();
  // Where the sources run as they are, only the dependencies are needed.
  const isBuildWanted = !process.argv.includes("--no-build");
  if (isInstalled() && (!isBuildWanted || isBuilt())) return;
  takeLock();
  try {
    if (!isInstalled()) install();
    if (isBuildWanted && !isBuilt()) build();
  } finally {
    fs.rmSync(lockPath, { force: true });
  }
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > nodeFloor[0] || (major === nodeFloor[0] && minor >= nodeFloor[1])) return;
  throw new SetupError(
    `Starpost needs Node ${nodeFloor.join(".")} or newer; this is ${process.versions.node}.`,
  );
}

// npm records its installation when it has finished, whichever process called it.
function isInstalled() {
  const installed = readIfThere(path.join(root, "node_modules", ".package-lock.json"));
  if (installed === null) return false;
  const { packages: present } = JSON.parse(installed);
  const { packages: wanted } = JSON.parse(readIfThere(path.join(root, "package-lock.json")));
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      !name.startsWith("node_modules/") || optional || present[name]?.version === version,
  );
}

function isBuilt() {
  return readIfThere(builtStamp) === fingerprint(sources());
}

function install() {
  print("installing dependencies (npm ci) …");
  run("npm", [
    "ci",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    "--include=dev",
  ]);
}

function build() {
  print("building …");
  const stamp = fingerprint(sources());
  const fresh = path.join(root, `dist.${process.pid}`);
  try {
    compileTo(fresh);
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true });
    throw error;
  }
  fs.writeFileSync(path.join(fresh, ".built"), stamp);
  swapIn(fresh);
}

// Two renames in a row, so that a command that starts at the same time almost never finds no build.
function swapIn(fresh) {
  const old = `${fresh}.old`;
  const dist = path.join(root, "dist");
  if (fs.existsSync(dist)) fs.renameSync(dist, old);
  fs.renameSync(fresh, dist);
  fs.rmSync(old, { recursive: true, force: true });
}

function compileTo(fresh) {
  // bin/ci checks the types.
  run(process.execPath, [tscPath(), "-p", "tsconfig.build.json", "--noCheck", "--outDir", fresh]);
  for (const file of sources().filter((name) => !name.endsWith(".ts") && name.startsWith("src"))) {
    const target = path.join(fresh, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(path.join(root, file), target);
  }
  fs.copyFileSync(path.join(root, "package.json"), path.join(fresh, "package.json"));
  buildDocsSite(path.join(fresh, "docs-site"));
  buildDashboard(path.join(fresh, "dashboard"));
  buildDashboard(path.join(fresh, "dashboard"), "dashboard/vite.sign-in.config.ts");
  buildDashboard(path.join(fresh, "report"), "dashboard/vite.report.config.ts");
}

function buildDocsSite(outDir) {
  const loader = new URL("./typescript-loader.mjs", import.meta.url).href;
  run(process.execPath, ["--import", loader, "docs-site/build.ts", outDir]);
}

function buildDashboard(outDir, config = "dashboard/vite.config.ts") {
  const vite = path.join(root, "node_modules", "vite", "bin", "vite.js");
  run(
    process.execPath,
    [
      vite,
      "build",
      "dashboard",
      "--config",
      config,
      "--outDir",
      outDir,
      "--logLevel",
      "warn",
      // Tests that build run with another NODE_ENV, which would make it a development build.
    ],
    { ...process.env, NODE_ENV: "production" },
  );
}

function tscPath() {
  return path.join(root, "node_modules", "typescript", "bin", "tsc");
}

function sources() {
  return ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"].concat(
    ...["src", "simulator", "dashboard", "sdk/src", "docs-site"].map(listFiles),
    guides(),
  );
}

/** The service serves them at /docs/guides, with their pictures. */
function guides() {
  const names = ["docs", "docs/images"].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)),
  );
  return names.filter((name) => /\.(md|png)$/.test(name)).sort();
}

function listFiles(folder) {
  return (
    fs
      .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
      // Installed packages are covered by the lock file.
      .filter((entry) => !entry.parentPath.includes("node_modules"))
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
      .sort()
  );
}

// Content, not times: a checkout that was copied or unpacked has new times and old files.
function fingerprint(files) {
  const hash = createHash("sha256").update(process.versions.modules);
  for (const file of files) hash.update(`${file}\0`).update(fs.readFileSync(path.join(root, file)));
  return hash.digest("hex");
}

// Two commands at once in a fresh clone: the second waits for the first, unless the first has died.
function takeLock() {
  const mine = `${lockPath}.${process.pid}`;
  fs.writeFileSync(mine, String(process.pid));
  try {
    for (let waited = false; !tryLink(mine); waited = true) {
      const holder = Number(readIfThere(lockPath));
      if (!isAlive(holder)) {
        breakLock(holder);
        continue;
      }
      if (!waited) print(`another set-up is running (process ${holder}), waiting for it …`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
  } finally {
    fs.rmSync(mine, { force: true });
  }
}

// A link appears together with its content, so a lock always names its holder.
function tryLink(mine) {
  try {
    fs.linkSync(mine, lockPath);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

// The lock is renamed first and read afterwards: of two processes that break it, the later one must not
// remove the lock that the earlier one has created since.
function breakLock(deadHolder) {
  const broken = `${lockPath}.${process.pid}.broken`;
  try {
    fs.renameSync(lockPath, broken);
  } catch (error) {
    if (error.code === "ENOENT") return;
    throw error;
  }
  if (Number(readIfThere(broken)) !== deadHolder) tryLink(broken);
  fs.rmSync(broken, { force: true });
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function run(command, args, env = process.env) {
  // Children write to our stderr: stdout belongs to the command that comes after the set-up.
  const result = spawnSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] });
  if (result.error) throw new SetupError(`could not run ${command}: ${result.error.message}`);
  if (result.status !== 0) {
    const how = result.signal ?? `exit code ${result.status}`;
    throw new SetupError(`${command} ${args[0] ?? ""} failed (${how}).`);
  }
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    // The file is missing before the first installation or build.
    return null;
  }
}

function print(text) {
  process.stderr.write(`starpost: ${text}\n`);
}

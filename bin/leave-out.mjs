#!/usr/bin/env node
// Leaves a feature out, in a copy of the checkout: deletes its folder, the lines that name it and the tests that import it;
// then checks types, builds and runs the tests of the core. `node bin/leave-out.mjs NAME [--keep] [test files …]`, or `all`.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const [chosen = "", ...rest] = process.argv.slice(2);
const isKept = rest.includes("--keep");
const tests = rest.filter((one) => one !== "--keep");
const features = fs
  .readdirSync(path.join(root, "src/features"), { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const names = chosen === "all" ? features : [chosen];
for (const name of names)
  if (!features.includes(name)) {
    process.stderr.write(`name one of ${features.join(", ")}, or all\n`);
    process.exit(1);
  }
/** They hold whatever features there are. */
const coreTests = ["src/operations", "src/ingest", "src/matching"];

let failedCount = 0;
for (const name of names) {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), `starpost-without-${name}-`));
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const file of listed
    .split("\0")
    .filter((one) => one !== "" && fs.existsSync(path.join(root, one)))) {
    if (file.startsWith(`src/features/${name}/`)) continue;
    const target = path.join(copy, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(path.join(root, file), target);
    leaveOut(target, name);
  }
  fs.symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));
  const steps = [
    ["npx", ["tsc", "-p", "tsconfig.build.json", "--noEmit"]],
    ["npx", ["vitest", "run", ...(tests.length > 0 ? tests : coreTests)]],
  ];
  for (const [command, args] of steps) {
    const { status } = spawnSync(command, args, { cwd: copy, stdio: "inherit" });
    if (status !== 0) failedCount += 1;
    process.stdout.write(
      `without ${name}: ${command} ${args.slice(0, 2).join(" ")} ${status === 0 ? "passed" : "FAILED"}\n`,
    );
  }
  if (isKept) process.stdout.write(`${copy}\n`);
  else fs.rmSync(copy, { recursive: true });
}
process.exit(failedCount === 0 ? 0 : 1);

/** Tests that import the feature go as a whole; elsewhere the lines that name it go. */
function leaveOut(file, name) {
  if (!/\.(ts|json)$/.test(file)) return;
  const text = fs.readFileSync(file, "utf8");
  if (file.endsWith("/command-words.json")) {
    const groups = JSON.parse(text);
    for (const words of Object.values(groups)) delete words[name];
    fs.writeFileSync(file, JSON.stringify(groups));
    return;
  }
  const isNaming = (line) =>
    line.includes(`features/${name}/`) ||
    line.includes(`, // ${name}:`) ||
    line.endsWith(` // ${name}`);
  const lines = text.split("\n");
  const kept = lines.filter((line) => !isNaming(line));
  if (kept.length === lines.length) return;
  // The database of the tests is the server of a feature, of which they keep the original.
  if (name === "embedded-postgres" && file.includes("/test/support/"))
    fs.writeFileSync(
      file,
      text.replaceAll(/"[./]+\/src\/features\/embedded-postgres/g, `"${root}/src/features/${name}`),
    );
  else if (/\.test\.ts$|\/test\//.test(file)) fs.rmSync(file);
  else fs.writeFileSync(file, kept.join("\n"));
}

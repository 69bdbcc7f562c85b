// The client library as it is published: it builds, every entry of its exports can be imported by plain Node, and
// the linters of packages and of their types find nothing.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, expect, test } from "vitest";
import { root } from "../support/source-tree.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-sdk-"));
const target = path.join(folder, "node_modules/@starpost/client");
afterAll(() => fs.rmSync(folder, { recursive: true }));

test("it builds, and every entry of its exports has code and types", () => {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const args = ["-p", path.join(root, "sdk/tsconfig.json"), "--outDir", path.join(target, "dist")];
  execFileSync(process.execPath, [compiler, ...args]);
  for (const file of ["package.json", "README.md"]) {
    fs.copyFileSync(path.join(root, "sdk", file), path.join(target, file));
  }
  const { exports } = JSON.parse(fs.readFileSync(path.join(target, "package.json"), "utf8")) as {
    exports: Record<string, { types: string; default: string }>;
  };
  for (const { types } of Object.values(exports)) {
    expect([types, fs.existsSync(path.join(target, types))]).toEqual([types, true]);
  }
  const names = Object.keys(exports).map((entry) => path.posix.join("@starpost/client", entry));
  const program = names.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folder,
    encoding: "utf8",
  });
  expect([run.status, run.stderr]).toEqual([0, ""]);
});

test("a CommonJS program loads it by require, and TypeScript accepts that", () => {
  const project = path.join(folder, "commonjs");
  fs.mkdirSync(project);
  fs.writeFileSync(path.join(project, "package.json"), '{ "type": "commonjs" }');
  const program =
    'import { createClient } from "@starpost/client";\nconsole.log(typeof createClient);\n';
  fs.writeFileSync(path.join(project, "main.ts"), program);
  const tsc = path.join(root, "node_modules/typescript/bin/tsc");
  const types = ["--typeRoots", path.join(root, "node_modules/@types"), "--types", "node"];
  const args = [tsc, "--module", "nodenext", "--strict", ...types, "main.ts"];
  const compiled = spawnSync(process.execPath, args, { cwd: project, encoding: "utf8" });
  expect([compiled.status, compiled.stdout]).toEqual([0, ""]);
  expect(fs.readFileSync(path.join(project, "main.js"), "utf8")).toContain("require(");
  const run = spawnSync(process.execPath, ["main.js"], { cwd: project, encoding: "utf8" });
  expect([run.status, run.stdout]).toEqual([0, "function\n"]);
});

test("publint and arethetypeswrong find nothing, for programs that are ES modules", async () => {
  const { messages } = await publint({ pkgDir: target, pack: false, strict: true });
  expect(messages).toEqual([]);
  // Built above; the build of prepack would look for the compiler in the temporary folder.
  execFileSync("npm", ["pack", "--ignore-scripts", "--offline", "--loglevel=error"], {
    cwd: target,
  });
  const tarball = fs.readdirSync(target).find((name) => name.endsWith(".tgz")) ?? "";
  const result = await checkPackage(
    createPackageFromTarballData(fs.readFileSync(path.join(target, tarball))),
  );
  if (!result.types) throw new Error("the package has no types");
  // The package has no CommonJS side, and Node's way before "exports" can't find its handlers.
  const isServed = (problem: object): boolean =>
    !("resolutionKind" in problem) ||
    !["node10", "node16-cjs"].includes(String(problem.resolutionKind));
  expect(result.problems.filter(isServed)).toEqual([]);
  expect(Object.keys(result.entrypoints)).toHaveLength(5);
});

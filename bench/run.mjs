// Runs a benchmark from its TypeScript source: compiles it with the service into a temporary folder, so
// that what is measured is this checkout. Plain JavaScript, because it runs before anything is compiled.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [name = "", ...options] = process.argv.slice(2);
const benchmarks = fs.readdirSync(path.join(root, "bench")).filter((file) => !file.includes("."));
if (!benchmarks.includes(name)) {
  process.stderr.write(`usage: node bench/run.mjs ${benchmarks.join("|")} [--help]\n`);
  process.exit(2);
}
const program = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-bench-"));
process.on("exit", () => fs.rmSync(program, { recursive: true, force: true }));

// The account that root lets PostgreSQL run as must be able to read it.
fs.chmodSync(program, 0o755);
fs.symlinkSync(path.join(root, "node_modules"), path.join(program, "node_modules"));
compile();
copy("package.json");
// Migrations, trained weights, word lists and the like lie beside the code that reads them.
copy("src");
const child = spawn(
  process.execPath,
  [path.join(program, "dist/bench", name, `${name}.js`), ...options],
  { stdio: "inherit" },
);
// The benchmark stops its own children on these signals.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.once("close", (code) => process.exit(code ?? 1));

function compile() {
  const settings = {
    extends: path.join(root, "tsconfig.build.json"),
    compilerOptions: {
      rootDir: root,
      outDir: path.join(program, "dist"),
      // bin/ci checks the types.
      noCheck: true,
      typeRoots: [path.join(root, "node_modules/@types")],
    },
    include: [path.join(root, "bench", name)],
  };
  const config = path.join(program, "tsconfig.json");
  fs.writeFileSync(config, JSON.stringify(settings));
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const result = spawnSync(process.execPath, [compiler, "-p", config], { stdio: ["ignore", 2, 2] });
  if (result.status !== 0) process.exit(1);
}

function copy(file) {
  const target = path.join(program, "dist", file);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const filter = (name) => !name.endsWith(".ts");
  fs.cpSync(path.join(root, file), target, { recursive: true, filter });
}

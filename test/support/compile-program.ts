// Compiles one source file with all it imports to where a plain Node process can run it.
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const checkout = path.resolve(import.meta.dirname, "../..");

/** Creates the folder `program` and returns the path of the compiled file in it. */
export async function compileProgram(program: string, source: string): Promise<string> {
  const dist = path.join(program, "dist");
  await fs.mkdir(program, { recursive: true });
  await fs.symlink(path.join(checkout, "node_modules"), path.join(program, "node_modules"));
  const config = path.join(program, "tsconfig.json");
  const settings = {
    extends: path.join(checkout, "tsconfig.build.json"),
    compilerOptions: {
      rootDir: checkout,
      outDir: dist,
      typeRoots: [path.join(checkout, "node_modules/@types")],
      // bin/ci checks the types.
      noCheck: true,
    },
    include: [],
    files: [path.join(checkout, source)],
  };
  await fs.writeFile(config, JSON.stringify(settings));
  const compiler = path.join(checkout, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", config]);
  await fs.copyFile(path.join(checkout, "package.json"), path.join(dist, "package.json"));
  const filter = (name: string): boolean => !name.endsWith(".ts");
  await fs.cp(path.join(checkout, "src"), path.join(dist, "src"), { recursive: true, filter });
  return path.join(dist, source.replace(/\.ts$/, ".js"));
}

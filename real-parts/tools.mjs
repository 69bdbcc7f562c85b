// Tools by package name, installed into a cache folder (REAL_PARTS_CACHE): what a registry does not have is skipped with its reason.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { canConnect, waitFor } from "./service.mjs";

export const root = path.resolve(import.meta.dirname, "..");
// Outside of the checkout: below node_modules, compilers take sources for libraries.
const cache =
  process.env["REAL_PARTS_CACHE"] ?? path.join(os.homedir(), ".cache/starpost-real-parts");
const execute = promisify(execFile);

/** A part that could not be had here: it is skipped. */
export class Unavailable extends Error {}

/** Runs a program; throws an error with the end of its output. */
export async function run(program, args, options = {}) {
  try {
    const ended = execute(program, args, {
      ...{ encoding: "utf8", maxBuffer: 64 * 1024 * 1024, timeout: 600_000 },
      ...options,
    });
    const { stdout, stderr } = await ended;
    return `${stdout}${stderr}`;
  } catch (error) {
    const output = `${error.stdout ?? ""}${error.stderr ?? ""}` || error.message;
    throw new Error(`${program} ${args.slice(0, 3).join(" ")}: ${output.slice(-4_000)}`, {
      cause: error,
    });
  }
}

/** An empty folder for the work of a part. */
export async function openFolder(name) {
  const folder = path.join(cache, "work", name);
  await fs.rm(folder, { recursive: true, force: true });
  await fs.mkdir(folder, { recursive: true });
  return folder;
}

/** Packages of PyPI in an environment of their own. */
export async function python(name, packages) {
  const folder = path.join(cache, "python", name);
  const bin = (program) => path.join(folder, "bin", program);
  await orUnavailable(async () => {
    await run("python3", ["-m", "venv", folder]);
    await run(bin("python"), ["-m", "pip", "install", "-q", "--upgrade", ...packages]);
  });
  return {
    bin,
    run: (program, args, options) => run(bin(program), args, options),
    version: async (one) => {
      const shown = await run(bin("python"), ["-m", "pip", "show", one]);
      return /^Version: (.+)$/m.exec(shown)?.[1] ?? "";
    },
  };
}

/** Packages of npm in a folder of their own. */
export async function npm(name, packages) {
  const folder = path.join(cache, "npm", name);
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(path.join(folder, "package.json"), '{"private":true,"type":"module"}');
  await orUnavailable(() =>
    run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages], {
      cwd: folder,
    }),
  );
  return {
    folder,
    write: (file, text) => fs.writeFile(path.join(folder, file), text),
    run: (program, args, options) => run(program, args, { cwd: folder, ...options }),
    version: async (one) =>
      JSON.parse(await fs.readFile(path.join(folder, "node_modules", one, "package.json"), "utf8"))
        .version,
  };
}

/** A program of a Go module. */
export async function go(module, version, program) {
  const bin = path.join(cache, "go");
  const file = path.join(bin, program);
  const isThere = await fs.access(file).then(
    () => true,
    () => false,
  );
  if (!isThere)
    await orUnavailable(() =>
      run("go", ["install", `${module}@${version}`], { env: { ...process.env, GOBIN: bin } }),
    );
  return file;
}

/** A package of Debian, unpacked and not installed. */
export async function unpackDebian(name, folder) {
  const unpacked = path.join(folder, "unpacked");
  await machine("dpkg", ["--version"], "only on Debian and Ubuntu");
  await orUnavailable(() => run("apt-get", ["download", name], { cwd: folder }));
  const [file] = (await fs.readdir(folder)).filter((one) => one.endsWith(".deb"));
  await run("dpkg", ["-x", file, unpacked], { cwd: folder });
  return unpacked;
}

/** An artifact of Maven. */
export async function maven(coordinates) {
  await machine("mvn", ["--version"], "Debian: maven");
  const folder = path.join(cache, "maven");
  const options = ["-q", "-B", `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`];
  await orUnavailable(() => run("mvn", ["dependency:copy", ...options]));
  const [, name, version, type] = coordinates.split(":");
  return path.join(folder, `${name}-${version}.${type}`);
}

/** A program of the machine; `hint` says how to install it. */
export async function machine(program, args, hint) {
  try {
    return await run(program, args);
  } catch {
    throw new Unavailable(`${program} is missing (${hint})`);
  }
}

async function orUnavailable(install) {
  try {
    await install();
  } catch (error) {
    throw new Unavailable(lastLineOf(error), { cause: error });
  }
}

/** The line of a program's output that says why it failed. */
export function lastLineOf(error) {
  const lines = error.message.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => /error|unable|not found|failed/i.test(line));
  return (said[0] ?? lines.filter((line) => line !== "").at(-1) ?? "").slice(0, 200);
}

/**
 * Runs tests of the suite that talk to a real program.
 *
 * @returns the names of the tests that were skipped, because their program is missing
 */
export async function vitest(files, env = {}) {
  const file = path.join(await openFolder("vitest"), "results.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  await run("npx", ["vitest", "run", ...files, ...reporters], {
    cwd: root,
    env: { ...process.env, ...env },
  });
  const { testResults } = JSON.parse(await fs.readFile(file, "utf8"));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.filter(({ status }) => status !== "passed").map(({ title }) => title);
}

/**
 * One test file against a program of the machine.
 * @param hint how to install the program
 * @param pattern finds the version in what the program prints for `--version`
 */
export async function testWith(program, { hint, pattern, file }) {
  const printed = await machine(program, ["--version"], hint);
  const missing = await vitest([file]);
  return { version: pattern.exec(printed)?.[1], missing };
}

/** A certificate for 127.0.0.1 that no authority has signed. */
export async function makeCertificate(folder) {
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => path.join(folder, name));
  const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  await run("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"],
    ...["-nodes", "-days", "2"],
    ...[...names, "-keyout", key, "-out", cert],
  ]);
  await fs.chmod(key, 0o600);
  return { key, cert };
}

/** Does the work while a program listens on the port. What it prints is part of an error of the work. */
export async function whileRunning({ program, args, port, env = {}, withinMs }, work) {
  const printed = [];
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => printed.push(String(chunk)));
  const ended = once(child, "close");
  try {
    const describe = () => `${path.basename(program)} does not listen`;
    await waitFor(() => canConnect(port), describe, withinMs);
    return await work();
  } catch (error) {
    throw new Error(`${error.message}\n${printed.join("").slice(-2_000)}`, { cause: error });
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

export function assert(isTrue, message) {
  if (!isTrue) throw new Error(message);
}

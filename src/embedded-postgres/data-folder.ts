// The data folder and what marks it as ours. A folder that holds somebody else's files is refused
// before anything in it is touched.
import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { AppError } from "../domain/error.ts";
import { isRoot } from "./os-user.ts";

/** `path` is real and absolute; `id` was drawn when the folder became ours. */
export type DataFolder = { path: string; id: string };

const markerName = "starpost.json";
const passwordName = "postgres.password";
const formatVersion = 1;
const marker = z.object({ format: z.number().int(), id: z.uuid() });

// What a fresh volume or checkout may hold, and what another process is just about to put here.
const harmless = /^(lost\+found|\.gitkeep|\.gitignore|\.DS_Store|(starpost|postgres)\..*)$/;

/** Makes the folder when it is missing and marks it as Starpost's. Safe when two do it at once. */
export async function claimDataFolder(dataDir: string): Promise<DataFolder> {
  try {
    // As root the server's account has to pass through; a private folder is worked around later.
    await fs.mkdir(dataDir, { recursive: true, mode: isRoot() ? 0o755 : 0o700 });
    const folder = await fs.realpath(dataDir);
    const file = path.join(folder, markerName);
    const text = (await readIfThere(file)) ?? (await createMarker({ folder, file }));
    return { path: folder, id: readMarker({ file, text }) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError("unavailable", `cannot use the data folder ${dataDir}: ${reason}`, {
      cause: error,
    });
  }
}

/** The server's password, drawn once. A cluster without its password is an error, not a reason to draw. */
export async function readPassword(folder: DataFolder, hasCluster: boolean): Promise<string> {
  const file = path.join(folder.path, passwordName);
  const kept = await readIfThere(file);
  if (kept !== null) return kept.trim();
  if (hasCluster) {
    throw new AppError("unavailable", `the password of the database is missing: restore ${file}`);
  }
  return (await createOnce({ file, text: `${randomBytes(24).toString("hex")}\n` })).trim();
}

async function createMarker(at: { folder: string; file: string }): Promise<string> {
  const foreign = (await fs.readdir(at.folder)).filter((name) => !harmless.test(name));
  if (foreign.length > 0) {
    // Another first start may have marked and filled it since we looked.
    const marked = await readIfThere(at.file);
    if (marked !== null) return marked;
    throw new AppError(
      "unavailable",
      `${at.folder} holds files that are not Starpost's (${foreign.slice(0, 3).join(", ")}); choose an empty folder as DATA_DIR`,
    );
  }
  return createOnce({
    file: at.file,
    text: `${JSON.stringify({ format: formatVersion, id: randomUUID() })}\n`,
  });
}

function readMarker(found: { file: string; text: string }): string {
  const parsed = marker.safeParse(parseJson(found.text));
  if (!parsed.success) {
    throw new AppError("unavailable", `${found.file} is damaged: restore it from a backup`);
  }
  if (parsed.data.format > formatVersion) {
    throw new AppError("unavailable", `${found.file} was written by a newer version of Starpost`);
  }
  return parsed.data.id;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it with the name of the file.
    return null;
  }
}

/** Writes a private file whole or not at all; whoever is second gets the words of the first. */
async function createOnce(wanted: { file: string; text: string }): Promise<string> {
  const draft = `${wanted.file}.${randomUUID()}`;
  await fs.writeFile(draft, wanted.text, { mode: 0o600, flag: "wx" });
  try {
    if (isRoot()) await giveToOwner(draft);
    await fs.link(draft, wanted.file);
    return wanted.text;
  } catch (error) {
    const first = await readIfThere(wanted.file);
    if (first === null) throw error;
    return first;
  } finally {
    await fs.rm(draft);
  }
}

// A file that root makes in somebody's folder stays readable for them.
async function giveToOwner(file: string): Promise<void> {
  const owner = await fs.stat(path.dirname(file));
  await fs.chown(file, owner.uid, owner.gid);
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await fs.readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

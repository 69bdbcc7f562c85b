// The data folder, its marker file and the server's password. A folder that holds foreign files
// is refused before anything in it is touched.

import { randomBytes, randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { isFileMissing, messageOf } from "../../lib/errors.ts";
import { readTextIfThere } from "../../lib/files.ts";
import { parseJson } from "../../lib/json.ts";
import { EmbeddedPostgresError, MissingClusterError } from "./error.ts";
import { isRoot } from "./os-user.ts";

/** `path` is real and absolute; `id` is random, made with the marker. */
export type DataFolder = { path: string; id: string };

const markerName = "starpost.json";
const passwordName = "postgres.password";
const formatVersion = 1;
const marker = z.object({ format: z.number().int(), id: z.uuid() });

// Files of a fresh volume or checkout, files that another process is about to create here, and the demo's folder of
// earlier versions.
const harmless = /^(lost\+found|\.gitkeep|\.gitignore|\.DS_Store|demo|(starpost|postgres)\..*)$/;

/**
 * Makes the folder when it is missing and marks it as Starpost's. Safe when two processes do it at once.
 * @throws EmbeddedPostgresError for a folder that can't be used
 */
export async function claimDataFolder(dataDir: string): Promise<DataFolder> {
  try {
    // The server's OS user must be able to enter what root makes; layout.ts deals with a private folder.
    await fs.mkdir(dataDir, { recursive: true, mode: isRoot() ? 0o755 : 0o700 });
    const folder = await fs.realpath(dataDir);
    const file = path.join(folder, markerName);
    const text = (await readTextIfThere(file)) ?? (await createMarker({ folder, file }));
    return { path: folder, id: parseMarker({ file, text }) };
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    const reason = messageOf(error);
    throw new EmbeddedPostgresError(`cannot use the data folder ${dataDir}: ${reason}`, {
      cause: error,
    });
  }
}

/** @throws MissingClusterError for a folder that has no database yet, or is missing */
export async function requireCluster(dataDir: string): Promise<void> {
  // A link that leads nowhere is a fault of its own, which the layout explains.
  if (await fs.lstat(path.join(dataDir, "postgres")).catch(nullIfMissing)) return;
  throw new MissingClusterError(`there is no database in ${dataDir}`);
}

function nullIfMissing(error: unknown): null {
  if (isFileMissing(error)) return null;
  throw error;
}

/**
 * The server's password, generated with the cluster.
 * @throws EmbeddedPostgresError when there is a cluster and its password file is missing
 */
export async function loadPassword(folder: DataFolder, hasCluster: boolean): Promise<string> {
  const file = path.join(folder.path, passwordName);
  const saved = await readTextIfThere(file);
  if (saved !== null) return saved.trim();
  if (hasCluster) {
    throw new EmbeddedPostgresError(`the password of the database is missing: restore ${file}`);
  }
  return (await createOnce({ file, text: `${randomBytes(24).toString("hex")}\n` })).trim();
}

/**
 * The checks of {@link claimDataFolder} on a folder that exists, without a change to it.
 *
 * @throws EmbeddedPostgresError for a folder that a start would refuse
 */
export async function checkDataFolder(dataDir: string): Promise<void> {
  const folder = await fs.realpath(dataDir);
  const file = path.join(folder, markerName);
  const text = (await readTextIfThere(file)) ?? (await refuseForeignFiles({ folder, file }));
  if (text !== null) parseMarker({ file, text });
}

async function createMarker(at: { folder: string; file: string }): Promise<string> {
  const marked = await refuseForeignFiles(at);
  if (marked !== null) return marked;
  return createOnce({
    file: at.file,
    text: `${JSON.stringify({ format: formatVersion, id: randomUUID() })}\n`,
  });
}

/** The marker, when another first start has marked and filled the folder since we looked. */
async function refuseForeignFiles(at: { folder: string; file: string }): Promise<string | null> {
  const foreign = (await fs.readdir(at.folder)).filter((name) => !harmless.test(name));
  if (foreign.length === 0) return null;
  const marked = await readTextIfThere(at.file);
  if (marked !== null) return marked;
  throw new EmbeddedPostgresError(
    `${at.folder} holds files that are not Starpost's (${foreign.slice(0, 3).join(", ")}); choose an empty folder as DATA_DIR`,
  );
}

function parseMarker(stored: { file: string; text: string }): string {
  const parsed = marker.safeParse(parseJson(stored.text));
  if (!parsed.success) {
    throw new EmbeddedPostgresError(`${stored.file} is damaged: restore it from a backup`);
  }
  if (parsed.data.format > formatVersion) {
    throw new EmbeddedPostgresError(`${stored.file} was written by a newer version of Starpost`);
  }
  return parsed.data.id;
}

/** Writes a private file whole or not at all; the second of two writers gets the text of the first. */
async function createOnce(target: { file: string; text: string }): Promise<string> {
  const draft = `${target.file}.${randomUUID()}`;
  await fs.writeFile(draft, target.text, { mode: 0o600, flag: "wx" });
  try {
    if (isRoot()) await giveToOwner(draft);
    await fs.link(draft, target.file);
    return target.text;
  } catch (error) {
    const first = await readTextIfThere(target.file);
    if (first === null) throw error;
    return first;
  } finally {
    await fs.rm(draft);
  }
}

// A file that root creates in a user's folder stays readable for that user.
async function giveToOwner(file: string): Promise<void> {
  const owner = await fs.stat(path.dirname(file));
  await fs.chown(file, owner.uid, owner.gid);
}

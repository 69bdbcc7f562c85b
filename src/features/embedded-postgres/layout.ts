// Where the cluster and PostgreSQL's programs are, and which OS user runs them. Usually all of it is inside
// the data folder. When root's data folder is closed to that user, they go to a shared folder.
import fs from "node:fs/promises";
import path from "node:path";
import { isFileMissing, messageOf } from "../../lib/errors.ts";
import type { Log } from "../../lib/log.ts";
import { type Binaries, canRun, copyBinaries, createSymlinks, findBinaries } from "./binaries.ts";
import type { DataFolder } from "./data-folder.ts";
import { EmbeddedPostgresError } from "./error.ts";
import { canAccess, chooseOsUser, type OsUser } from "./os-user.ts";

export type ClusterLayout = {
  osUser: OsUser;
  binaries: Binaries;
  /** Real path of the cluster, there or not yet. */
  cluster: string;
  hasCluster: boolean;
};

type LayoutOptions = {
  log: Log;
  folder: DataFolder;
  /** Where root puts what the server's OS user must reach. */
  sharedDir: string;
};

/** @throws EmbeddedPostgresError when PostgreSQL can't run with this data folder */
export async function resolveLayout(options: LayoutOptions): Promise<ClusterLayout> {
  const link = path.join(options.folder.path, "postgres");
  const existing = await findCluster(link);
  const osUser = await chooseOsUser(existing === null ? [options.folder.path] : [existing]);
  const binaries = await resolveBinaries({ ...options, osUser });
  if (existing !== null) {
    await requireAccess(osUser, existing);
    return { osUser, binaries, cluster: existing, hasCluster: true };
  }
  const isInside = osUser === null || (await canAccess(osUser, options.folder.path));
  const cluster = isInside ? link : await linkToSharedFolder({ ...options, osUser, link });
  return { osUser, binaries, cluster, hasCluster: (await findCluster(link)) !== null };
}

/** The real path of a finished cluster, or null when nothing is there. */
async function findCluster(link: string): Promise<string | null> {
  try {
    const cluster = await fs.realpath(link);
    await fs.access(path.join(cluster, "PG_VERSION"));
    return cluster;
  } catch (error) {
    if (!isFileMissing(error)) throw error;
  }
  const leftover = await lstatIfExists(link);
  if (leftover === null) return null;
  // The link into the shared folder is made before its cluster is.
  if (leftover.isSymbolicLink() && (await isUnfinished(await fs.readlink(link)))) return null;
  throw new EmbeddedPostgresError(
    `${link} is not a PostgreSQL cluster, or leads to none; it was left untouched: restore it or move it away`,
  );
}

// The folder of the link's target exists without a cluster: interrupted between link and initdb.
async function isUnfinished(target: string): Promise<boolean> {
  const home = await lstatIfExists(path.dirname(target));
  return home?.isDirectory() === true && (await lstatIfExists(target)) === null;
}

async function resolveBinaries(options: LayoutOptions & { osUser: OsUser }): Promise<Binaries> {
  const packaged = await findBinaries();
  const isLinked = await createSymlinks(packaged.root);
  if (isLinked && (await canRun(packaged, options.osUser))) return packaged;

  const target =
    options.osUser === null ? options.folder.path : await ensureSharedFolder(options.sharedDir);
  const copied = await copyBinaries(packaged, target);
  if (await canRun(copied, options.osUser)) {
    options.log.info(
      { from: packaged.root, to: copied.root },
      "PostgreSQL's programs run from a copy: its OS user cannot use them where they are installed",
    );
    return copied;
  }
  throw new EmbeddedPostgresError(
    "the PostgreSQL that comes with Starpost does not run on this machine; set DATABASE_URL to a PostgreSQL of your own",
  );
}

async function linkToSharedFolder(
  options: LayoutOptions & { osUser: NonNullable<OsUser>; link: string },
): Promise<string> {
  const home = path.join(await ensureSharedFolder(options.sharedDir), options.folder.id);
  await fs.mkdir(home, { recursive: true });
  await fs.chmod(home, 0o711);
  await requireAccess(options.osUser, path.join(home, "postgres"));
  const cluster = path.join(home, "postgres");
  try {
    await fs.symlink(cluster, options.link);
  } catch (error) {
    if ((await lstatIfExists(options.link)) === null) throw error;
  }
  options.log.info(
    { dataDir: options.folder.path, cluster, osUser: options.osUser.name },
    `the database lives in ${cluster}: PostgreSQL runs as ${options.osUser.name}, which cannot enter ${options.folder.path}`,
  );
  return cluster;
}

async function ensureSharedFolder(sharedDir: string): Promise<string> {
  try {
    await fs.mkdir(sharedDir, { recursive: true });
    const { uid, mode } = await fs.stat(sharedDir);
    if (uid !== 0 || (mode & 0o022) !== 0) throw new Error("others than root may write there");
    await fs.chmod(sharedDir, 0o755);
    return await fs.realpath(sharedDir);
  } catch (error) {
    const reason = messageOf(error);
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run as root, and ${sharedDir} cannot be used for it: ${reason}; choose a DATA_DIR that other users can enter, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

async function requireAccess(osUser: OsUser, cluster: string): Promise<void> {
  const folder = path.dirname(cluster);
  if (osUser === null || (await canAccess(osUser, folder))) return;
  throw new EmbeddedPostgresError(
    `PostgreSQL runs as ${osUser.name}, which cannot enter ${folder}; allow it (chmod o+x on it and the folders above) or set DATABASE_URL`,
  );
}

async function lstatIfExists(file: string) {
  try {
    return await fs.lstat(file);
  } catch (error) {
    if (isFileMissing(error)) return null;
    throw error;
  }
}

// Where the cluster and the programs live, and who runs them. Usually all of it is inside the data
// folder; root in a folder that the server's account cannot enter gets a place that it can.
import fs from "node:fs/promises";
import path from "node:path";
import { AppError } from "../domain/error.ts";
import type { Log } from "../lib/log.ts";
import { type Binaries, canRun, copyBinaries, findBinaries, createSymlinks } from "./binaries.ts";
import { type DataFolder, isMissing } from "./data-folder.ts";
import { type OsUser, canAccess, chooseOsUser } from "./os-user.ts";

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
  /** Where root keeps what the server's account must reach. */
  sharedDir: string;
};

export async function resolveLayout(wish: LayoutOptions): Promise<ClusterLayout> {
  const link = path.join(wish.folder.path, "postgres");
  const existing = await findCluster(link);
  const account = await chooseOsUser(existing === null ? [wish.folder.path] : [existing]);
  const binaries = await resolveBinaries({ ...wish, account });
  if (existing !== null) {
    await requireAccess(account, existing);
    return { osUser: account, binaries, cluster: existing, hasCluster: true };
  }
  const isInside = account === null || (await canAccess(account, wish.folder.path));
  const cluster = isInside ? link : await linkToSharedFolder({ ...wish, account, link });
  return { osUser: account, binaries, cluster, hasCluster: (await findCluster(link)) !== null };
}

/** The real path of a finished cluster, or null when nothing is there. */
async function findCluster(link: string): Promise<string | null> {
  try {
    const cluster = await fs.realpath(link);
    await fs.access(path.join(cluster, "PG_VERSION"));
    return cluster;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const leftover = await lstatIfThere(link);
  if (leftover === null) return null;
  // Our own link is made before its cluster is.
  if (leftover.isSymbolicLink() && (await isUnfinished(await fs.readlink(link)))) return null;
  throw new AppError(
    "unavailable",
    `${link} is not a PostgreSQL cluster, or leads to none; it was left untouched: restore it or move it away`,
  );
}

// A link whose target's folder is there but empty of a cluster: interrupted between link and initdb.
async function isUnfinished(target: string): Promise<boolean> {
  const home = await lstatIfThere(path.dirname(target));
  return home?.isDirectory() === true && (await lstatIfThere(target)) === null;
}

async function resolveBinaries(wish: LayoutOptions & { account: OsUser }): Promise<Binaries> {
  const own = await findBinaries();
  const isLinked = await createSymlinks(own.root);
  if (isLinked && (await canRun(own, wish.account))) return own;

  const into = wish.account === null ? wish.folder.path : await ensureSharedFolder(wish.sharedDir);
  const copied = await copyBinaries(own, into);
  if (await canRun(copied, wish.account)) {
    wish.log.info(
      { from: own.root, to: copied.root },
      "PostgreSQL's programs run from a copy: its account cannot use them where they are installed",
    );
    return copied;
  }
  throw new AppError(
    "unavailable",
    "the PostgreSQL that comes with Starpost does not run on this machine; set DATABASE_URL to a PostgreSQL of your own",
  );
}

async function linkToSharedFolder(
  wish: LayoutOptions & { account: NonNullable<OsUser>; link: string },
): Promise<string> {
  const home = path.join(await ensureSharedFolder(wish.sharedDir), wish.folder.id);
  await fs.mkdir(home, { recursive: true });
  await fs.chmod(home, 0o711);
  await requireAccess(wish.account, path.join(home, "postgres"));
  const cluster = path.join(home, "postgres");
  try {
    await fs.symlink(cluster, wish.link);
  } catch (error) {
    if ((await lstatIfThere(wish.link)) === null) throw error;
  }
  wish.log.info(
    { dataDir: wish.folder.path, cluster, account: wish.account.name },
    `the database lives in ${cluster}: PostgreSQL runs as ${wish.account.name}, which cannot enter ${wish.folder.path}`,
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      "unavailable",
      `PostgreSQL cannot run as root, and ${sharedDir} cannot be used for it: ${reason}; choose a DATA_DIR that other users can enter, or set DATABASE_URL`,
      { cause: error },
    );
  }
}

async function requireAccess(account: OsUser, cluster: string): Promise<void> {
  const folder = path.dirname(cluster);
  if (account === null || (await canAccess(account, folder))) return;
  throw new AppError(
    "unavailable",
    `PostgreSQL runs as ${account.name}, which cannot enter ${folder}; allow it (chmod o+x on it and the folders above) or set DATABASE_URL`,
  );
}

async function lstatIfThere(file: string) {
  try {
    return await fs.lstat(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

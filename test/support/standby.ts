// A PostgreSQL with a streaming standby, both of the embedded server's programs, for tests of reads from a
// standby and of its promotion. The copy is made by the steps of
// https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { createCluster } from "../../src/features/embedded-postgres/cluster.ts";
import { adminConnection, serviceName } from "../../src/features/embedded-postgres/connection.ts";
import { claimDataFolder, loadPassword } from "../../src/features/embedded-postgres/data-folder.ts";
import { type ClusterLayout, resolveLayout } from "../../src/features/embedded-postgres/layout.ts";
import {
  readLockFile,
  startPostmaster,
  stopPostmaster,
} from "../../src/features/embedded-postgres/postmaster.ts";
import { ensureServiceDatabase } from "../../src/features/embedded-postgres/shared-lock.ts";
import { port } from "../../src/features/embedded-postgres/socket-folder.ts";
import { silentLog } from "../../src/lib/log.ts";
import { waitFor } from "./wait-for.ts";

export type ServerPair = {
  /** The URL of the service's database. */
  primaryUrl: string;
  standbyUrl: string;
  /** Runs as superuser: `pg_wal_replay_pause()`, `pg_promote()`. */
  onStandby(sql: string): Promise<void>;
  /** As a machine that loses its power: nothing is written any more. */
  killPrimary(): Promise<void>;
  stopStandby(): Promise<void>;
  close(): Promise<void>;
};

const patience = { withinMs: 60_000 };

/** @param options.isSynchronous the standby has every commit before it is acknowledged */
export async function openServerPair(
  options: { isSynchronous?: boolean } = {},
): Promise<ServerPair> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-pair-"));
  // The account that root lets PostgreSQL run as must be able to read it.
  await fs.chmod(home, 0o755);
  const settings = { fsync: "off", wal_level: "replica", max_wal_senders: "4" };
  const folder = await claimDataFolder(path.join(home, "primary"));
  const password = await loadPassword(folder, false);
  const primary = await layOut(home, "primary");
  await createCluster(primary, password);
  await start(primary, settings);
  const onPrimary = <T>(work: (admin: pg.Client) => Promise<T>) =>
    asSuperuser({ server: primary, password }, work);
  await waitUntilReady(onPrimary, "the primary");
  await onPrimary((admin) =>
    ensureServiceDatabase(admin, { host: primary.cluster, port, password }),
  );

  const standby = await layOut(home, "standby");
  await onPrimary((admin) => copyCluster(admin, { to: standby.cluster, owner: standby.osUser }));
  const upstream = `host=${primary.cluster} port=${port} user=postgres password=${password}`;
  await start(standby, { ...settings, hot_standby: "on", primary_conninfo: upstream });
  const onStandby = <T>(work: (admin: pg.Client) => Promise<T>) =>
    asSuperuser({ server: standby, password }, work);
  await waitUntilReady(onStandby, "the standby");
  if (options.isSynchronous) await onPrimary(waitForStandbyAlways);

  const urlOf = ({ cluster }: ClusterLayout): string => {
    const url = new URL(`postgresql://${serviceName}:${password}@localhost:${port}/${serviceName}`);
    url.searchParams.set("host", cluster);
    return url.href;
  };
  return {
    primaryUrl: urlOf(primary),
    standbyUrl: urlOf(standby),
    onStandby: (sql) => onStandby(async (admin) => void (await admin.query(sql))),
    killPrimary: () => kill(primary),
    stopStandby: () => stopPostmaster(standby.cluster),
    async close() {
      await stopPostmaster(standby.cluster);
      await stopPostmaster(primary.cluster);
      await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function layOut(home: string, name: string): Promise<ClusterLayout> {
  const folder = await claimDataFolder(path.join(home, name));
  return resolveLayout({ log: silentLog, folder, sharedDir: path.join(home, "shared") });
}

async function start(layout: ClusterLayout, settings: Record<string, string>): Promise<void> {
  // The socket is in the cluster's own folder: no path of a test is too long for it.
  const logFile = `${layout.cluster}.log`;
  await startPostmaster({ layout, host: layout.cluster, logFile, settings });
}

async function asSuperuser<T>(
  { server, password }: { server: ClusterLayout; password: string },
  work: (admin: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(adminConnection({ host: server.cluster, port, password }));
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

type AsSuperuser = (work: (admin: pg.Client) => Promise<void>) => Promise<void>;

async function waitUntilReady(asAdmin: AsSuperuser, what: string): Promise<void> {
  const isReady = (): Promise<boolean> =>
    asAdmin(async (admin) => void (await admin.query("select 1"))).then(
      () => true,
      () => false,
    );
  await waitFor(isReady, { ...patience, what });
}

// On the primary alone: the promoted one has no standby to wait for.
async function waitForStandbyAlways(admin: pg.Client): Promise<void> {
  await admin.query("alter system set synchronous_standby_names = '*'");
  await admin.query("select pg_reload_conf()");
  const isSynchronous = async (): Promise<boolean> => {
    const found = await admin.query("select from pg_stat_replication where sync_state = 'sync'");
    return found.rows.length > 0;
  };
  await waitFor(isSynchronous, { ...patience, what: "the synchronous standby" });
}

async function kill({ cluster }: ClusterLayout): Promise<void> {
  const lock = await readLockFile(cluster);
  if (lock === null) throw new Error("the server does not run");
  process.kill(lock.pid, "SIGKILL");
  const isGone = async (): Promise<boolean> =>
    fs.access(`/proc/${lock.pid}`).then(
      () => false,
      () => true,
    );
  await waitFor(isGone, { ...patience, what: "the end of the server" });
}

async function copyCluster(
  admin: pg.Client,
  copy: { to: string; owner: { uid: number; gid: number } | null },
): Promise<void> {
  const found = await admin.query<{ folder: string }>(
    "select current_setting('data_directory') as folder, pg_backup_start('standby', true)",
  );
  const from = found.rows[0]?.folder ?? "";
  const isCopied = (file: string): boolean =>
    !/^(postmaster\.(pid|opts)|pg_wal\/.*|\.s\.PGSQL.*)$/.test(path.relative(from, file));
  await fs.cp(from, copy.to, { recursive: true, filter: isCopied });
  const ended = await admin.query<{ label: string }>(
    "select labelfile as label from pg_backup_stop(false)",
  );
  await fs.writeFile(path.join(copy.to, "backup_label"), ended.rows[0]?.label ?? "");
  await fs.writeFile(path.join(copy.to, "standby.signal"), "");
  await fs.chmod(copy.to, 0o700);
  if (!copy.owner) return;
  const { uid, gid } = copy.owner;
  for (const name of [".", ...(await fs.readdir(copy.to, { recursive: true }))]) {
    await fs.lchown(path.join(copy.to, name), uid, gid);
  }
}

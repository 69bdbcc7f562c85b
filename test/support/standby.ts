// A PostgreSQL with a streaming standby, both of the embedded server's programs, for tests of reads from a
// standby and of its promotion. The copy is made by the steps of
// https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { adminConnection } from "../../src/embedded-postgres/connection.ts";
import { claimDataFolder } from "../../src/embedded-postgres/data-folder.ts";
import { resolveLayout } from "../../src/embedded-postgres/layout.ts";
import { startPostmaster, stopPostmaster } from "../../src/embedded-postgres/postmaster.ts";
import { openEmbeddedServer } from "../../src/embedded-postgres/server.ts";
import { port } from "../../src/embedded-postgres/socket-folder.ts";
import { silentLog } from "../../src/lib/log.ts";
import { waitFor } from "./wait-for.ts";

export type ServerPair = {
  /** Of the service's database. */
  primaryUrl: string;
  standbyUrl: string;
  /** Runs as superuser: `pg_wal_replay_pause()`, `pg_promote()`. */
  onStandby(sql: string): Promise<void>;
  stopStandby(): Promise<void>;
  close(): Promise<void>;
};

export async function openServerPair(): Promise<ServerPair> {
  const home = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-pair-"));
  // The account that root lets PostgreSQL run as must be able to read it.
  await fs.chmod(home, 0o755);
  const sharedDir = path.join(home, "shared");
  const settings = { fsync: "off", wal_level: "replica", max_wal_senders: "4" };
  const dataDir = path.join(home, "primary");
  const primary = await openEmbeddedServer({ dataDir, sharedDir, log: silentLog, settings });
  const { user, password, host, database } = primary.connection;

  const folder = await claimDataFolder(path.join(home, "standby"));
  const layout = await resolveLayout({ log: silentLog, folder, sharedDir });
  const admin = new pg.Client(adminConnection({ host, port, password }));
  await admin.connect();
  await copyCluster(admin, { to: layout.cluster, owner: layout.osUser });
  await admin.end();
  // The socket of the copy is in its own folder: no path of a test is too long for it.
  await startPostmaster({
    layout,
    host: layout.cluster,
    logFile: path.join(home, "standby.log"),
    settings: {
      ...settings,
      hot_standby: "on",
      primary_conninfo: `host=${host} port=${port} user=postgres password=${password}`,
    },
  });
  const urlOf = (server: string): string => {
    const url = new URL(`postgresql://${user}:${password}@localhost:${port}/${database}`);
    url.searchParams.set("host", server);
    return url.href;
  };
  async function onStandby(sql: string): Promise<void> {
    const client = new pg.Client(adminConnection({ host: layout.cluster, port, password }));
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
  const answers = (): Promise<boolean> =>
    onStandby("select 1").then(
      () => true,
      () => false,
    );
  await waitFor(answers, { what: "the standby", withinMs: 30_000 });
  return {
    primaryUrl: urlOf(host),
    standbyUrl: urlOf(layout.cluster),
    onStandby,
    stopStandby: () => stopPostmaster(layout.cluster),
    async close() {
      await stopPostmaster(layout.cluster);
      await primary.close();
      await fs.rm(home, { recursive: true, force: true });
    },
  };
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

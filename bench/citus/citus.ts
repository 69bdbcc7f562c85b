// Starts a Citus of one coordinator and two workers in a temporary folder, says where it is, and runs until it is
// stopped: `npm run citus`. It needs PostgreSQL with the extension; POSTGRES_BIN names the
// folder of its programs. Built from source on Debian's PostgreSQL 15 in minutes: docs/scaling.md.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import {
  chooseOsUser,
  type OsUser,
  runProgram,
} from "../../src/features/embedded-postgres/os-user.ts";
import { connectNodes } from "../../test/support/citus.ts";
import { findFreePort } from "../../test/support/free-port.ts";
import { waitFor } from "../../test/support/wait-for.ts";

const programs = process.env["POSTGRES_BIN"] ?? "/usr/lib/postgresql/15/bin";
const patience = { withinMs: 120_000 };

type Node = { port: number; url: string; server: ChildProcess };

const settings = (port: number, folder: string): string => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
shared_preload_libraries = 'citus'
citus.node_conninfo = 'sslmode=disable'
max_connections = 300
# Each shard of each day's partitions is a table.
max_locks_per_transaction = 512
max_prepared_transactions = 300
shared_buffers = 256MB
fsync = off
full_page_writes = off
`;

async function startNode(home: string, name: string, osUser: OsUser): Promise<Node> {
  const folder = path.join(home, name);
  await fs.mkdir(folder);
  if (osUser) await fs.chown(folder, osUser.uid, osUser.gid);
  const made = await runProgram({
    file: path.join(programs, "initdb"),
    args: ["-D", folder, "-U", "postgres", "-A", "trust", "--no-sync", "--no-locale", "-E", "UTF8"],
    osUser,
    timeoutMs: patience.withinMs,
  });
  if (made.code !== 0) throw new Error(`initdb failed: ${made.output}`);
  const port = await findFreePort();
  await fs.appendFile(path.join(folder, "postgresql.conf"), settings(port, folder));
  const log = await fs.open(path.join(home, `${name}.log`), "w");
  const server = spawn(path.join(programs, "postgres"), ["-D", folder], {
    cwd: "/",
    stdio: ["ignore", log.fd, log.fd],
    // An interrupt of the terminal must not reach it before this program ends it.
    detached: true,
    ...(osUser && { uid: osUser.uid, gid: osUser.gid }),
  });
  await log.close();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  await waitFor(() => canConnect(url), { ...patience, what: `the ${name}` });
  return { port, url, server };
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

async function stopNode({ server }: Node): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, "close");
  server.kill("SIGQUIT");
  await ended;
}

const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
});
const home = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-citus-"));
await fs.chmod(home, 0o755);
const osUser = await chooseOsUser([]);
const nodes: Node[] = [];
try {
  for (const name of ["coordinator", "worker-1", "worker-2"]) {
    nodes.push(await startNode(home, name, osUser));
  }
  const [coordinator, ...workers] = nodes;
  if (!coordinator) throw new Error("nothing was started");
  await connectNodes({ coordinator: coordinator.url, workers: workers.map(({ url }) => url) });
  process.stdout.write(`TEST_CITUS_URL=${coordinator.url}\n`);
  await stopped;
} finally {
  await Promise.all(nodes.map(stopNode));
  await fs.rm(home, { recursive: true, force: true, maxRetries: 5 });
}

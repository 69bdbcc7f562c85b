// PgBouncer (Debian's package) in front of the tests' PostgreSQL.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { findFreePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

const program = "/usr/sbin/pgbouncer";

export async function hasPgBouncer(): Promise<boolean> {
  return fs.access(program).then(
    () => true,
    () => false,
  );
}

export type PgBouncer = {
  /** The same database as that URL, through the pooler. */
  urlOf(connectionString: string): string;
  close(): Promise<void>;
};

export async function openPgBouncer(options: {
  mode: "session" | "transaction";
  /** Any database of the server. */
  server: string;
}): Promise<PgBouncer> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-pgbouncer-"));
  const port = await findFreePort();
  const server = new URL(options.server);
  const user = decodeURIComponent(server.username);
  const password = decodeURIComponent(server.password);
  const host = server.searchParams.get("host") ?? server.hostname;
  const settings = `[databases]
* = host=${host} port=${server.port || 5432} user=${user} password='${password}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${path.join(folder, "users")}
pool_mode = ${options.mode}
default_pool_size = ${options.mode === "transaction" ? 3 : 40}
`;
  await fs.writeFile(path.join(folder, "pgbouncer.ini"), settings);
  await fs.writeFile(path.join(folder, "users"), `"${user}" "${password}"\n`);
  await fs.chmod(folder, 0o755);
  // It refuses to run as root, and the embedded server's socket is for its owner alone.
  const { uid, gid } = await fs.stat(host.startsWith("/") ? host : folder);
  const child = spawn(program, [path.join(folder, "pgbouncer.ini")], { stdio: "ignore", uid, gid });
  const ended = once(child, "close");
  await waitFor(() => canConnect(port), { withinMs: 10_000, what: "PgBouncer" });
  return {
    urlOf(connectionString) {
      const url = new URL(connectionString);
      url.searchParams.delete("host");
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    async close() {
      child.kill("SIGTERM");
      await ended;
      await fs.rm(folder, { recursive: true });
    },
  };
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

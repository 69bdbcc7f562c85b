// Opens the embedded server in a process of its own, prints the result as one JSON line, and closes when
// its stdin ends. Compiled and started by process-sandbox.ts.

import { EmbeddedPostgresError } from "../../src/features/embedded-postgres/error.ts";
import { openEmbeddedServer } from "../../src/features/embedded-postgres/server.ts";
import { silentLog } from "../../src/lib/log.ts";

const [dataDir = "", sharedDir = ""] = process.argv.slice(2);
const infos: string[] = [];
const log = { ...silentLog, info: (_: unknown, message: string) => infos.push(message) };

function print(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

try {
  const startedAt = performance.now();
  const server = await openEmbeddedServer({ dataDir, log, sharedDir });
  const openMs = Math.round(performance.now() - startedAt);
  print({ connection: server.connection, infos, openMs });
  process.stdin.resume().once("end", async () => {
    await server.close();
    print({ closed: true });
    process.exit(0);
  });
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  print({ error: error.message });
}

// Opens the embedded server in a process of its own, tells in one JSON line how it went, and leaves
// in order when its stdin ends. Compiled and started by child-process.ts.

import { AppError } from "../../src/domain/error.ts";
import { openEmbeddedServer } from "../../src/embedded-postgres/server.ts";
import { silentLog } from "../../src/lib/log.ts";

const [dataDir = "", sharedDir = ""] = process.argv.slice(2);
const infos: string[] = [];
const log = { ...silentLog, info: (_: unknown, sentence: string) => infos.push(sentence) };

function tell(report: object): void {
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

try {
  const startedAt = performance.now();
  const server = await openEmbeddedServer({ dataDir, log, sharedDir });
  const openMs = Math.round(performance.now() - startedAt);
  tell({ connection: server.connection, infos, openMs });
  process.stdin.resume().once("end", async () => {
    await server.close();
    tell({ closed: true });
    process.exit(0);
  });
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  tell({ error: error.message });
}

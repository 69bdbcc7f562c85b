// The service in a process of its own, configured by its environment. It prints where it listens as one
// JSON line and closes when its stdin ends. Compiled and started by service-processes.ts.

import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/lib/log.ts";

const config = readConfig({ envFile: "none", env: process.env });
const service = await startService({ config, log: silentLog });
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
process.stdin.resume().once("end", async () => {
  await service.close();
  process.exit(0);
});

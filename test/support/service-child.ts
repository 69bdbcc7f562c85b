// The service in a process of its own, set up by its environment: tells where it listens in one JSON
// line, and leaves in order when its stdin ends. Compiled and started by child-process.ts.
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/lib/log.ts";
import { startService } from "../../src/main.ts";

const config = readConfig({ envFile: "none", env: process.env });
const service = await startService({ config, log: silentLog });
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
process.stdin.resume().once("end", async () => {
  await service.close();
  process.exit(0);
});

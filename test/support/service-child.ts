// The service in a process of its own, configured by its environment. It prints where it listens as one
// JSON line and closes when its stdin ends. Compiled and started by service-processes.ts.

import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";

const config = readConfig({ envFile: "none", env: process.env });
let isListening = false;
// After the first line the test reads debug messages, which are its signals.
const debug: Log["debug"] = (facts, message) => {
  if (isListening) process.stdout.write(`${JSON.stringify({ message, ...facts })}\n`);
};
const service = await startService({ config, log: { ...silentLog, debug } });
process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
isListening = true;
process.stdin.resume().once("end", async () => {
  await service.close();
  process.exit(0);
});

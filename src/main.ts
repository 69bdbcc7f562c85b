// The service as a program of its own, without the command line: `node dist/src/main.js`. Settings come
// from the environment and `.env`; SIGINT and SIGTERM stop it.
import { startService } from "./app/service.ts";
import { readConfig } from "./config/config.ts";
import { createLog } from "./lib/log.ts";

const config = readConfig();
const service = await startService({ config, log: createLog(config.logLevel) });
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void service.close());

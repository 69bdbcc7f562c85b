// The service as an operator runs it, with the read API alone, in a process of its own.

import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/lib/log.ts";

const config = readConfig({
  envFile: `${process.env["DATA_DIR"]}/none`,
  env: { ...process.env, PORT: "0", ROLES: "api" },
});
const service = await startService({ config, log: silentLog });
process.send?.({ port: Number(new URL(service.url).port) });
process.once("disconnect", () => void service.close());

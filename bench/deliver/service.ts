// The service as an operator runs it, delivering alone, in a process of its own. It reports its peak memory.

import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/lib/log.ts";

const config = readConfig({
  envFile: `${process.env["DATA_DIR"]}/none`,
  env: { ...process.env, PORT: "0", ROLES: "deliver" },
});
const service = await startService({ config, log: silentLog });
let rssMax = 0;
const sampling = setInterval(() => {
  rssMax = Math.max(rssMax, process.memoryUsage.rss());
}, 50);
process.send?.({ isReady: true });
process.on("message", () => process.send?.({ rssMax }));
process.once("disconnect", () => {
  clearInterval(sampling);
  void service.close();
});

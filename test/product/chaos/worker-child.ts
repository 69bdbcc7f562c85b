// A delivery worker in a process of its own, with short leases and a clock that can be moved: a line of stdin is
// by how many milliseconds its clock is off from now on. Closes when stdin ends. Compiled by model.test.ts.
import readline from "node:readline";
import { openDatabaseClock } from "../../../src/app/core.ts";
import { openDatabase } from "../../../src/database/database.ts";
import { DeliveryWorker } from "../../../src/delivery/queue/delivery-worker.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createSecretBox } from "../../../src/lib/secret-box.ts";

const [connectionString = "", key = ""] = process.argv.slice(2);
let offMs = 0;
// An error log of an engine indicates a bug.
const log = {
  ...silentLog,
  error: (facts: object, message: string) =>
    process.stderr.write(`${message} ${JSON.stringify(facts)}\n`),
};
const database = await openDatabase({ log, connection: { connectionString } });
const queue = database.openDeliveryQueue();
const resources = new ResourceStack();
// The machine's clock is the database's in a small installation: a wrong one is wrong for both.
const readTime = async () => new Date((await database.readTime()).getTime() + offMs);
const clock = await openDatabaseClock({ database: { readTime }, log }, resources);
const worker = new DeliveryWorker({
  clock,
  log,
  queue,
  secrets: createSecretBox([Buffer.from(key, "hex")]),
  settings: {
    version: "0.0.0",
    allowHttp: true,
    allowedCidrs: ["127.0.0.0/8"],
    timeoutMs: 1_000,
    cycleSeconds: 1,
    leaseMs: 3_000,
    maintenanceMs: 2_000,
  },
});
worker.start();
const stopListening = database.listen("deliveries", () => worker.wake());
const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  offMs = Number(line);
});
lines.once("close", async () => {
  stopListening();
  await worker.close();
  await resources.closeAll();
  await queue.close();
  await database.close();
  process.exit(0);
});
process.stdout.write("ready\n");

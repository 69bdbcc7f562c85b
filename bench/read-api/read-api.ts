// The performance of the read API, compared with baselines of Node and PostgreSQL on the same machine in the
// same run. Prints one table and one line of JSON. `--reviews` sets the size of the big app.
import path from "node:path";
import { deriveKeys, readEncryptionKeys } from "../../src/app/encryption-key.ts";
import { readConfig } from "../../src/config/config.ts";
import { createCursors } from "../../src/http/cursor.ts";
import { ResourceStack } from "../../src/lib/resource-stack.ts";
import { openDatabaseTime, readProcessUs } from "../cpu-time.ts";
import { openBenchDatabase } from "../database.ts";
import { readOptions } from "../options.ts";
import type { Costs } from "./comparison.ts";
import { createBenchData } from "./data.ts";
import { measurePages, measureTrends } from "./latency.ts";
import { type Child, openLoad, peakMemoryMb, runJob, startChild } from "./processes.ts";
import { type Figure, printFigures } from "./report.ts";
import { measureCold, measureUnchanged } from "./throughput.ts";

const options = readOptions(
  {
    name: "read-api",
    about: "The read API beside bare servers on the same machine, part by part.",
  },
  {
    reviews: [1_000_000, "reviews of the big app"],
    seconds: [4, "of each round"],
    rounds: [5, "of each part, the median counts"],
    only: ["bcdefg", "the parts to measure, by their letters"],
    requests: [300, "of each latency in each round, for the parts c, d and e"],
    followers: ["all half", "of the storefronts, for the parts c, d and e"],
    nodeOptions: ["", "flags of node for the measured service, such as --cpu-prof"],
  },
);
const bigCount = options.reviews;
// 60 requests a minute each: enough for the fastest part, which is the unchanged page.
const keyCount = 40_000;

const resources = new ResourceStack();
try {
  await main();
} finally {
  await resources.closeAll();
}

async function main(): Promise<void> {
  const { folder, dataDir, connection, database, admin } = await openBenchDatabase(resources);
  log(`generating ${bigCount} reviews`);
  const counts = { bigCount, middleCount: isSelected("e") ? 100_000 : 0, smallCount: 10_000 };
  const data = await createBenchData(database, admin, { ...counts, keyCount });

  const service = startChild("service", {
    DATA_DIR: dataDir,
    BENCH_NODE_OPTIONS: options.nodeOptions,
  });
  resources.add(() => service.stop());
  const { port } = await runJob<{ port: number }>(service, null);
  const loader = startChild("load");
  resources.add(() => loader.stop());
  const readDatabaseUs = await openDatabaseTime(admin);
  const config = readConfig({ envFile: path.join(folder, "none"), env: { DATA_DIR: dataDir } });
  const bench = {
    data,
    port,
    connection,
    admin,
    bigCount,
    load: openLoad(loader, data.keys),
    cursors: createCursors(deriveKeys((await readEncryptionKeys(config)) ?? [], "cursors")),
    seconds: options.seconds,
    roundCount: options.rounds,
    requestCount: options.requests,
    service,
    readCosts(server: Child): Costs {
      if (readDatabaseUs === null) return {};
      return {
        "processor time of the server": readProcessUs(server.process.pid),
        "processor time of PostgreSQL": readDatabaseUs(),
        "processor time of the client": readProcessUs(loader.process.pid),
      };
    },
    log,
  };
  const ofHalf = { ...bench, data: data.half, load: openLoad(loader, data.half.keys) };
  const figures: Figure[] = [];
  const add = (measured: readonly Figure[]): void => {
    figures.push(...measured);
    // A run that is ended early has said this much.
    for (const { what, value, unit } of measured) log(`  ${what}: ${value.toPrecision(3)} ${unit}`);
  };
  if (isSelected("b")) add(await measureCold(bench));
  const followers = [
    { name: "all", ofThem: bench, who: "" },
    { name: "half", ofThem: ofHalf, who: ", 5 of 10 storefronts" },
  ];
  for (const { name, ofThem, who } of followers) {
    if (!options.followers.includes(name)) continue;
    if (isSelected("c") || isSelected("d")) add(await measurePages(ofThem, who));
    if (isSelected("e")) add(await measureTrends(ofThem, who));
  }
  if (isSelected("g")) add(await measureUnchanged(bench));
  const memory = { part: "f", what: "resident memory of the service at its highest" };
  figures.push({ ...memory, value: peakMemoryMb(service), unit: "MB", limit: "< 250" });
  printFigures(figures, { reviews: bigCount });
}

function isSelected(part: string): boolean {
  return options.only.includes(part);
}

function log(message: string): void {
  process.stderr.write(`bench: ${message}\n`);
}

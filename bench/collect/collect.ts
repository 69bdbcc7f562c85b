// Measures how fast reviews come in: from a file and from a store's pages to committed rows.
// Flags: --rows 100000 (of one measure), --only import|connector, --shares (time by room).
import path from "node:path";
import { parseArgs } from "node:util";
import { type BenchWorld, openBenchWorld } from "./bench-world.ts";
import { writeRows } from "./invented-rows.ts";
import { type Measured, measureConnector, measureImport, type Way } from "./measures.ts";
import { shareTime } from "./room-shares.ts";
import { timeStatements } from "./statement-times.ts";

const { values: flags } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    only: { type: "string" },
    ways: { type: "string", default: "all" },
    shares: { type: "boolean", default: false },
  },
});
const rowCount = Number(flags.rows);

const ways: Readonly<Record<string, Way>> = {
  "saved only": { isAnalysed: false, channels: "none" },
  analysed: { isAnalysed: true, channels: "none" },
  "analysed, matched": { isAnalysed: true, channels: "match" },
  "analysed, matched, all queued": { isAnalysed: true, channels: "queue" },
};

const world = await openBenchWorld();
try {
  if (flags.only !== "connector") await runImports(world);
  if (flags.only !== "import") await runConnector(world);
} finally {
  await world.close();
}

async function runImports(world: BenchWorld): Promise<void> {
  const file = path.join(world.folder, "reviews.jsonl");
  await writeRows(file, 5_000);
  // Not told: the first rows pay for compiling the code.
  await measureImport(world, { file, way: { isAnalysed: true, channels: "match" } });
  await writeRows(file, rowCount);
  for (const [name, way] of chosenWays()) {
    await world.clear();
    await tell(`import, ${name}`, (world) => measureImport(world, { file, way }));
  }
}

async function runConnector(world: BenchWorld): Promise<void> {
  for (const [name, way] of chosenWays().filter(([, { channels }]) => channels !== "queue")) {
    await world.clear();
    await tell(`connector, ${name}`, (world) => measureConnector(world, { count: rowCount, way }));
  }
}

function chosenWays(): [string, Way][] {
  return Object.entries(ways).filter(([name]) => flags.ways === "all" || name === flags.ways);
}

async function tell(
  name: string,
  measure: (world: BenchWorld) => Promise<Measured>,
): Promise<void> {
  const timed = timeStatements(world.database);
  const { value, shares } = flags.shares
    ? await shareTime(() => measure({ ...world, database: timed.database }))
    : { value: await measure(world), shares: [] };
  const { count, seconds, processorSeconds, queued, rssMbMax } = value;
  const pace = Math.round(count / seconds);
  const spent = `${seconds.toFixed(1)} s (${processorSeconds.toFixed(1)} s of processor)`;
  const facts = `${count} reviews in ${spent}, ${queued} queued, ${rssMbMax} MB`;
  process.stdout.write(`${name.padEnd(42)} ${String(pace).padStart(6)}/s  ${facts}\n`);
  for (const { room, percent } of shares) {
    if (percent >= 0.5) process.stdout.write(`  ${room.padEnd(20)} ${percent.toFixed(1)} %\n`);
  }
  for (const { name: statement, seconds: waited } of timed.times()) {
    if (waited >= 0.1) process.stdout.write(`  ${statement.padEnd(20)} ${waited.toFixed(1)} s\n`);
  }
}

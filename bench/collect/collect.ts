// Measures how fast reviews are stored: from a file and from a store's pages to committed rows.
import path from "node:path";
import { readOptions } from "../options.ts";
import { type CollectContext, openCollectContext } from "./collect-context.ts";
import { writeRows } from "./generated-rows.ts";
import { measureLargeListing } from "./large-listing.ts";
import { type Measurement, measureConnector, measureImport, type Scenario } from "./measures.ts";
import { timeStatements } from "./statement-times.ts";
import { measureTimeByModule } from "./time-by-module.ts";

const options = readOptions(
  { name: "collect", about: "How fast reviews are stored, from a file and from a store's pages." },
  {
    rows: [100_000, "reviews of each measurement"],
    only: ["all", "import, connector or large"],
    ways: ["all", "one way of storing, by its name in the table"],
    shares: [false, "print the time by module and by statement"],
  },
);
const rowCount = options.rows;

const scenarios: Readonly<Record<string, Scenario>> = {
  "saved only": { isAnalysed: false, channels: "none" },
  analysed: { isAnalysed: true, channels: "none" },
  "analysed, matched": { isAnalysed: true, channels: "match" },
  "analysed, matched, all queued": { isAnalysed: true, channels: "queue" },
};

const context = await openCollectContext();
try {
  if (options.only === "large") {
    const measured = await measureLargeListing(context, rowCount);
    process.stdout.write(`${JSON.stringify(measured)}\n`);
  } else {
    if (options.only !== "connector") await runImports(context);
    if (options.only !== "import") await runConnector(context);
  }
} finally {
  await context.close();
}

async function runImports(context: CollectContext): Promise<void> {
  const file = path.join(context.folder, "reviews.jsonl");
  await writeRows(file, 5_000);
  // Not reported: the first rows include the time to compile the code.
  await measureImport(context, { file, scenario: { isAnalysed: true, channels: "match" } });
  await writeRows(file, rowCount);
  for (const [name, scenario] of chosenScenarios()) {
    await context.clear();
    await report(`import, ${name}`, (measured) => measureImport(measured, { file, scenario }));
  }
}

async function runConnector(context: CollectContext): Promise<void> {
  for (const [name, scenario] of chosenScenarios().filter(
    ([, { channels }]) => channels !== "queue",
  )) {
    await context.clear();
    await report(`connector, ${name}`, (measured) =>
      measureConnector(measured, { count: rowCount, scenario }),
    );
  }
}

function chosenScenarios(): [string, Scenario][] {
  return Object.entries(scenarios).filter(
    ([name]) => options.ways === "all" || name === options.ways,
  );
}

async function report(
  name: string,
  measure: (context: CollectContext) => Promise<Measurement>,
): Promise<void> {
  const timed = timeStatements(context.database);
  const { value, shares } = options.shares
    ? await measureTimeByModule(() => measure({ ...context, database: timed.database }))
    : { value: await measure(context), shares: [] };
  const { count, seconds, processorSeconds, queued, rssMbMax } = value;
  const rate = Math.round(count / seconds);
  const time = `${seconds.toFixed(1)} s (${processorSeconds.toFixed(1)} s of processor)`;
  const facts = `${count} reviews in ${time}, ${queued} queued, ${rssMbMax} MB`;
  process.stdout.write(`${name.padEnd(42)} ${String(rate).padStart(6)}/s  ${facts}\n`);
  for (const { module, percent } of shares) {
    if (percent >= 0.5) process.stdout.write(`  ${module.padEnd(20)} ${percent.toFixed(1)} %\n`);
  }
  for (const { name: statement, seconds: statementSeconds } of timed.times()) {
    if (statementSeconds >= 0.1)
      process.stdout.write(`  ${statement.padEnd(20)} ${statementSeconds.toFixed(1)} s\n`);
  }
}

// The cost of analysing a review: reviews a second for three lengths on one core, the share of each
// step, the time of a start, and the memory the engine takes. Prints one table and one line
// of JSON. `--seconds` is how long each length is measured, in as many rounds as `--rounds`.
import { cpuUsage, memoryUsage } from "node:process";
import v8 from "node:v8";
import vm from "node:vm";
import { readOptions } from "../options.ts";
import { type Figure, printFigures } from "../read-api/report.ts";
import { generateReviews } from "./generated-reviews.ts";

const options = readOptions(
  { name: "analyse", about: "What analyzing a review costs, on one core." },
  {
    seconds: [3, "how long each length is measured"],
    rounds: [20, "in so many rounds"],
  },
);
const lengths = [60, 195, 300, 600] as const;
const limits: Readonly<Record<number, string>> = { 195: "≥ 9000" };
const bytesPerMb = 1024 * 1024;

// Before any part of the analysis is loaded, so that all of its memory is counted.
collectGarbage();
const before = memoryUsage();
const startedAt = performance.now();
const { analyzeReview: analyseReview, loadAnalysis } = await import(
  "../../src/analysis/analyze.ts"
);
// As before the first review of a service.
await loadAnalysis();
const startMs = performance.now() - startedAt;

collectGarbage();
const loaded = memoryUsage();
const rates = lengths.map((length) => ({ length, rate: measureRate(length) }));
const busy = memoryUsage();
const youngBytes = v8
  .getHeapSpaceStatistics()
  .filter(({ space_name: name }) => name === "new_space")
  .reduce((sum, { physical_space_size: size }) => sum + size, 0);
const { measureShares } = await import("./step-shares.ts");

const figures: Figure[] = [
  {
    part: "a",
    what: "start, with the lists of all languages",
    value: startMs,
    unit: "ms",
    limit: "",
  },
  memoryFigure("heap and weights of the analysis", heapBytes(loaded) - heapBytes(before)),
  // Includes garbage that Node has not collected yet, which depends on the machine's memory.
  { ...memoryFigure("resident memory more than before, busy", busy.rss - before.rss), limit: "" },
  // V8 grows it with what outlives a collection, as while the lists are read, and shrinks it when the process is idle.
  { ...memoryFigure("of it V8's young generation", youngBytes), limit: "" },
  ...rates.map(({ length, rate }) => ({
    part: "b",
    what: `reviews of ${length} characters`,
    value: rate,
    unit: "/s",
    limit: limits[length] ?? "",
  })),
  ...measureShares(generateReviews(195)).map(({ step, share }) => ({
    part: "c",
    what: `share of ${step}`,
    value: share * 100,
    unit: "%",
    limit: "",
  })),
];
printFigures(figures, {});

/** Reviews a second of a core's time: what else runs on the machine hardly changes it. */
function measureRate(length: number): number {
  const reviews = generateReviews(length);
  const roundMs = (options.seconds * 1000) / options.rounds;
  let best = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    const begun = cpuUsage();
    const from = performance.now();
    let count = 0;
    while (performance.now() - from < roundMs) {
      for (const review of reviews) analyseReview(review);
      count += reviews.length;
    }
    const { user, system } = cpuUsage(begun);
    best = Math.max(best, count / ((user + system) / 1_000_000));
  }
  return best;
}

function memoryFigure(what: string, bytes: number): Figure {
  return { part: "a", what, value: bytes / bytesPerMb, unit: "MB", limit: "≤ 30" };
}

function heapBytes({ heapUsed, external }: NodeJS.MemoryUsage): number {
  return heapUsed + external;
}

function collectGarbage(): void {
  v8.setFlagsFromString("--expose-gc");
  const collect: unknown = vm.runInNewContext("gc");
  if (typeof collect === "function") collect();
}

// Every hostile input ends: in a value, in a refusal, or with the end of the thread that read it. `npm run fuzz`
// tries each three times and prints for how long it kept the event loop from everything else, in processor time.
import process from "node:process";
import { describe, expect, test } from "vitest";
import { OverBudgetError } from "../../../src/lib/work-pool.ts";
import { readThreadMs } from "../../support/main-thread.ts";
import { longTest } from "../../support/patience.ts";
import { fuzzCases } from "./cases.ts";
import { type FuzzCase, isMeasured, splits } from "./fuzz-case.ts";

/** `blockMs`: the longest time in which no other callback ran. */
type Outcome = { blockMs: number; end: "a value" | "the thread's end" };

async function run(read: () => unknown): Promise<Outcome> {
  const beat = { lastMs: readThreadMs(), blockMs: 0, isOver: false };
  const watch = (): void => {
    const nowMs = readThreadMs();
    beat.blockMs = Math.max(beat.blockMs, nowMs - beat.lastMs);
    beat.lastMs = nowMs;
    if (!beat.isOver) setImmediate(watch);
  };
  setImmediate(watch);
  try {
    const end = await endOf(read);
    watch();
    return { blockMs: beat.blockMs, end };
  } finally {
    beat.isOver = true;
  }
}

async function endOf(read: () => unknown): Promise<Outcome["end"]> {
  try {
    await read();
    return "a value";
  } catch (error) {
    if (!(error instanceof OverBudgetError)) throw error;
    return "the thread's end";
  }
}

/** The quickest of three: compiling and collecting garbage are not the input's. */
async function measure(
  found: FuzzCase,
  [one, other]: readonly [number, number],
): Promise<Outcome & { size: string }> {
  const outcomes: Outcome[] = [];
  for (let round = 0; round < (isMeasured ? 3 : 1); round += 1) {
    outcomes.push(await run(found.prepare(one, other)));
  }
  const blockMs = Math.min(...outcomes.map((outcome) => outcome.blockMs));
  const end = outcomes[0]?.end ?? "a value";
  const [nameOne, nameOther] = found.dimensions;
  return { blockMs, end, size: `${one} ${nameOne} × ${other} ${nameOther}` };
}

/** Inputs that may take more than the budget of the thread that reads them; how many, depends on the machine. */
const endedByBudget = ["own topics: phrases × reviews", "own topics: preview"];

describe("hostile input ends in a value, or with the thread that reads it", () => {
  test.each(fuzzCases.map((found) => [found.name, found] as const))(
    "%s",
    async (name, found) => {
      const outcomes: (Outcome & { size: string })[] = [];
      for (const split of splits(found.product)) outcomes.push(await measure(found, split));
      const isEnded = outcomes.some(({ end }) => end !== "a value");
      if (isEnded) expect(endedByBudget).toContain(name);
      const worst = outcomes.reduce((one, other) => (other.blockMs > one.blockMs ? other : one));
      const end = isEnded ? "the thread's end" : worst.end;
      if (isMeasured) {
        process.stdout.write(
          `| ${name} | ${worst.size} | ${end} | ${Math.ceil(worst.blockMs)} |\n`,
        );
      }
    },
    longTest.timeout,
  );
});

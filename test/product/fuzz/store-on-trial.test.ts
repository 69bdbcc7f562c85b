// A store changes its layout: whatever the change, the size of the feeds and the order of reading, nothing wrong is stored or
// sent, and nothing is lost. `npm run fuzz` tries every change in every situation; TRIAL narrows it to names that contain it.
// A try with the same seed is the same each time. TRIAL_LOG is a file for each try and its seed, whose counts are printed; TRIAL_SEEDS
// (1,2,3) are other seeds.
import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { layoutChanges } from "../../support/layout-changes.ts";
import { patience } from "../../support/patience.ts";
import { openTestContext, type TestContext } from "../../support/test-context.ts";
import { type TriedTrial, tallyTrials } from "../../support/trial-tally.ts";
import { runTrial, type Trial } from "../../support/trial-world.ts";
import { isMeasured } from "./fuzz-case.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => {
  await context.close();
  if (log) process.stdout.write(tallyTrials(readFileSync(log, "utf8")));
});

const { TRIAL: only = "", TRIAL_LOG: log, TRIAL_SEEDS } = process.env;
const seeds = TRIAL_SEEDS?.split(",").map(Number);

/** Sizes of the feeds of the known app; a second app is added after the change. */
const situations: Record<string, Pick<Trial, "sizes" | "part">> = {
  "large and small feeds": { sizes: [40, 25, 8, 2], part: "all" },
  "long and tiny feeds": { sizes: [150, 1, 3, 12], part: "all" },
  "two feeds": { sizes: [40, 30], part: "all" },
  "one feed": { sizes: [40], part: "all" },
  "one small feed": { sizes: [8], part: "all" },
  "every second request": { sizes: [40, 25, 8, 2], part: "every second request" },
  "half of the requests": { sizes: [40, 25, 8, 2], part: "half of the requests" },
  "half of the regions": { sizes: [40, 25, 8, 2], part: "half of the regions" },
  "region by region": { sizes: [40, 25, 8, 2], part: "region by region" },
};

/** One for each way that a wrong value took to the database. */
const sample = [
  ["Google Play, stars and votes swapped", "large and small feeds"],
  ["Google Play, ids with a prefix", "long and tiny feeds"],
  ["Google Play, stars inverted", "one feed"],
  ["Google Play, reply and text swapped where there is a reply", "one small feed"],
  ["Google Play, three old reviews before the list", "two feeds"],
  ["Google Play, text and version swapped", "half of the regions"],
  ["App Store, title and body swapped in the list of the desktop program", "two feeds"],
  ["App Store, title and text swapped", "large and small feeds"],
  ["App Store, stars inverted in the app's page, nothing else", "one feed"],
];

const chosen = Object.entries(situations).flatMap(([situation, { sizes, part }]) =>
  layoutChanges
    .filter(
      ({ name }) =>
        (only !== "" && `${name}; ${situation}`.includes(only)) ||
        (only === "" &&
          (isMeasured || sample.some((one) => one[0] === name && one[1] === situation))),
    )
    .flatMap((change) => {
      const name = `${change.name}; ${situation}`;
      const trial = { change, sizes, part, hasNewApp: true };
      return (seeds ?? [seedOf(name)]).map((seed) => ({ name, situation, ...trial, seed }));
    }),
);

describe("nothing wrong is stored or sent, and nothing is lost", () => {
  test.each(chosen)(
    "$name, seed $seed",
    { timeout: patience(60_000) },
    async ({ situation, ...trial }) => {
      const result = await runTrial(context, trial);
      const { change, seed } = trial;
      const tried: TriedTrial = { change: change.name, situation, seed, ...result };
      if (log) appendFileSync(log, `${JSON.stringify(tried)}\n`);
      expect(result.faults).toEqual([]);
      expect(["healed", "stopped"]).toContain(result.outcome);
    },
  );
});

function seedOf(name: string): number {
  return [...name].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 65_521, 7);
}

test("there are at least 120 changes in both stores, and ten of others", () => {
  expect(layoutChanges.length).toBeGreaterThanOrEqual(120);
  expect(new Set(layoutChanges.map(({ name }) => name)).size).toBe(layoutChanges.length);
  expect(layoutChanges.filter(({ isFromReport }) => isFromReport).length).toBeGreaterThanOrEqual(
    10,
  );
});

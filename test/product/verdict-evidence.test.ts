// The evidence of recorded releases: the same in this version, and as a script in Python computes it independently.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type RecordedSequence, recordSequences } from "../../bench/verdict/recorded-sequences.ts";
import { root } from "../support/source-tree.ts";

const fixture = path.join(root, "test/fixtures/verdict-sequences.jsonl");
const python = process.env["PYTHON"] ?? "python3";
const hasNumpy = spawnSync(python, ["-c", "import numpy"]).status === 0;

test("the recorded evidence is computed again", () => {
  const lines = fs.readFileSync(fixture, "utf8").trimEnd().split("\n");
  const recorded = lines.map((line) => JSON.parse(line) as RecordedSequence);
  const computed = recordSequences(1);
  expect(computed.map(({ worse: _, fine: __, ...input }) => input)).toEqual(
    recorded.map(({ worse: _, fine: __, ...input }) => input),
  );
  for (const [index, { worse, fine }] of computed.entries()) {
    for (const [name, values] of Object.entries({ worse, fine })) {
      const expected = recorded[index]?.[name as "worse" | "fine"] ?? [];
      expect(values).toHaveLength(expected.length);
      // Math.exp and Math.log may differ in the last bit between processors.
      for (const [at, value] of values.entries())
        expect(Math.abs(value / (expected[at] ?? 0) - 1)).toBeLessThan(1e-9);
    }
  }
});

test.skipIf(!hasNumpy)(
  "NumPy computes the same to 1e-9 (skipped without python3 and NumPy)",
  () => {
    const script = path.join(root, "bench/verdict/recompute_evidence.py");
    const run = spawnSync(python, [script, fixture], { encoding: "utf8" });
    expect(run.stdout).toMatch(/^8 sequences, largest relative difference \S+\n$/);
    expect(run.status).toBe(0);
  },
);

// Adding packed weights gives exactly the sums of single weights.
import fc from "fast-check";
import { expect, test } from "vitest";
import { languageCountMax, packWeights, sumRows } from "./packed-weights.ts";

const bucketCount = 16;

test("sums of packed rows equal those of single weights, for any width and number of rows", () => {
  const width = fc.integer({ min: 1, max: languageCountMax });
  const weight = fc.oneof(fc.constantFrom(-128, 127), fc.integer({ min: -128, max: 127 }));
  // Beyond four blocks of what one lane can hold.
  const rowCount = fc.integer({ min: 0, max: 1_200 });
  fc.assert(
    fc.property(
      width,
      fc.array(weight, { minLength: 7, maxLength: 99 }),
      rowCount,
      (w, some, count) => {
        const weights = Int8Array.from(
          { length: bucketCount * w },
          (_, at) => some[at % some.length] ?? 0,
        );
        const rows = Uint32Array.from({ length: count }, (_, at) => (at * 7) % bucketCount);
        const sums = new Int32Array(languageCountMax);
        sumRows(packWeights(weights, { bucketCount, width: w }), { rows, count, sums });
        const plain = Array.from({ length: w }, (_, at) =>
          rows.reduce((sum, row) => sum + (weights[row * w + at] ?? 0), 0),
        );
        expect([...sums.subarray(0, w)]).toEqual(plain);
      },
    ),
    { numRuns: 50 },
  );
});

test("more languages than the sums have room for are refused", () => {
  const shape = { bucketCount: 1, width: languageCountMax + 1 };
  expect(() => packWeights(new Int8Array(languageCountMax + 1), shape)).toThrow(RangeError);
});

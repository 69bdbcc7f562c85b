// Newcombe's interval against the examples of his paper, and when a difference counts.
import fc from "fast-check";
import { expect, test } from "vitest";
import { differenceOf } from "./share-difference.ts";

test.each([
  // The examples of the paper's table II, method 10: first minus second there, the other way round here.
  [{ count: 48, total: 80 }, { count: 56, total: 70 }, 5.24, 33.39],
  [{ count: 3, total: 10 }, { count: 9, total: 10 }, 17.05, 80.9],
  [{ count: 0, total: 10 }, { count: 10, total: 10 }, 60.75, 100],
  [{ count: 0, total: 29 }, { count: 5, total: 56 }, -3.81, 19.26],
])("%j to %j lies between %d and %d points", (first, second, low, high) => {
  const found = differenceOf(first, second);
  expect([found.low, found.high].map((one) => one.toFixed(2))).toEqual(
    [low, high].map((one) => one.toFixed(2)),
  );
});

test("a difference of fewer than five reviews, and one of an empty side, is none", () => {
  expect(differenceOf({ count: 4, total: 4 }, { count: 0, total: 400 }).isSignificant).toBe(false);
  expect(differenceOf({ count: 0, total: 0 }, { count: 30, total: 40 })).toEqual({
    ...{ points: 0, low: 0, high: 0, isSignificant: false },
  });
});

test("the interval has the difference inside, and is the same from the other side", () => {
  const share = fc
    .tuple(fc.integer({ min: 1, max: 2_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([total, part]) => ({ count: Math.round(total * part), total }));
  fc.assert(
    fc.property(share, share, (first, second) => {
      const { points, low, high, isSignificant } = differenceOf(first, second);
      const back = differenceOf(second, first);
      expect(low).toBeLessThanOrEqual(points + 1e-9);
      expect(high).toBeGreaterThanOrEqual(points - 1e-9);
      expect(low).toBeGreaterThanOrEqual(-100 - 1e-9);
      expect(high).toBeLessThanOrEqual(100 + 1e-9);
      expect(back.low).toBeCloseTo(-high, 9);
      expect(back.isSignificant).toBe(isSignificant);
    }),
  );
});

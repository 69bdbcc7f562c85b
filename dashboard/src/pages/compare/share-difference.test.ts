import { expect, test } from "vitest";
import { differenceOf, differsInStars } from "./share-difference.ts";

test("a difference is that of the shares before they are rounded", () => {
  // 8.4 % and 9.6 %: rounded first, they would differ by two points.
  expect(differenceOf({ count: 42, total: 500 }, { count: 48, total: 500 }).points).toBeCloseTo(
    1.2,
  );
});

test("the same difference counts among many reviews and not among few", () => {
  const of = (total: number) =>
    differenceOf({ count: total * 0.2, total }, { count: total * 0.3, total }).isSignificant;
  expect([of(20), of(1_000)]).toEqual([false, true]);
});

test("an empty side and equal shares don't differ", () => {
  const none = { points: 0, margin: 0, isSignificant: false };
  expect(differenceOf({ count: 0, total: 0 }, { count: 3, total: 4 })).toEqual(none);
  expect(differenceOf({ count: 4, total: 4 }, { count: 3, total: 3 })).toEqual(none);
});

test("the interval around a difference is that of two independent shares", () => {
  const { points, margin } = differenceOf({ count: 10, total: 100 }, { count: 30, total: 100 });
  expect([points, margin].map((one) => one.toFixed(2))).toEqual(["20.00", "10.74"]);
});

test("averages of few reviews differ by chance, those of many don't", () => {
  const [worse, better] = [
    [4, 3, 2, 3, 8],
    [3, 2, 2, 3, 10],
  ];
  const hundredfold = (stars: number[]) => stars.map((count) => count * 100);
  expect(differsInStars(worse, better)).toBe(false);
  expect(differsInStars(hundredfold(worse), hundredfold(better))).toBe(true);
  expect(differsInStars([0, 0, 0, 0, 0], hundredfold(better))).toBe(false);
});

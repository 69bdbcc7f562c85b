import { expect, test } from "vitest";
import { differsInStars } from "./star-difference.ts";

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

// The words of a verdict say for whom it holds.
import { expect, test } from "vitest";
import { describeVerdict } from "./verdict-words.ts";

test("a fine release of several storefronts is so on average, and the one that broke is named", () => {
  const counts = { count: 12, total: 90, countBefore: 24, share: 0.1333, pastShare: 0.12 };
  const words = describeVerdict({
    ...{ result: "fine", worseBy: 0.2, reviewCount: 90, durationMs: 0, obstacle: null },
    before: { from: "2026-08-01", to: "2026-10-23", total: 200 },
    shares: [{ question: "negative", evidence: 1, ...counts }],
    regions: { count: 3, noun: "storefronts" },
    worstRegion: {
      ...{ name: "Germany", question: "negative", count: 9, total: 20 },
      ...{ countBefore: 3, totalBefore: 60 },
    },
  });
  expect(words).toBe(
    "After 90 reviews: no complaint rose by 20 points or more on average over 3 storefronts; 12 of 90 are negative (24 of 200 in the 12 weeks before). But in Germany 9 of 20 are negative (3 of 60 earlier ones there).",
  );
});

import { expect, test } from "vitest";
import { resolveDates } from "./search-reviews.ts";

const now = new Date("2026-11-23T23:30:00Z");

test.each([
  ["1d", "2026-11-23"],
  ["14d", "2026-11-10"],
])("a range of %s begins on %s, with today as its last day", (range, from) => {
  expect(resolveDates({ range, rating: [1] }, now)).toEqual({ from, rating: [1] });
});

test("two days stay as they are", () => {
  const filters = { from: "2026-11-01", to: "2026-11-02" };
  expect(resolveDates(filters, now)).toEqual(filters);
});

import { expect, test } from "vitest";
import type { RatingReading } from "../domain/snapshot.ts";
import { validateRatings } from "./rating-plausibility.ts";

const good: RatingReading = { average: 4.2, total: 1_000, histogram: [50, 50, 100, 250, 550] };
const wrong: RatingReading = { ...good, histogram: [50, 50, 100, 250, 400] };
const third: RatingReading = { average: 4, total: 300, histogram: [20, 20, 40, 80, 140] };
const reversed: RatingReading = { ...good, histogram: [550, 250, 100, 50, 50] };
const many: RatingReading = { average: 4.6, total: 1_000_000, histogram: null };
const none: RatingReading = { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] };

test.each([
  ["a first reading that adds up is accepted", good, null, "accepted"],
  ["a histogram half a percent off is accepted", { ...good, total: 1_005 }, null, "accepted"],
  ["a histogram that misses its total is quarantined", wrong, null, "quarantined"],
  ["no ratings after a day with ratings is quarantined", none, good, "quarantined"],
  ["no ratings where there never were any is accepted", none, null, "accepted"],
  ["less than half of before is quarantined", third, good, "quarantined"],
  ["half of before is accepted", { average: 4, total: 500, histogram: null }, good, "accepted"],
  ["a histogram with another mean than the average is quarantined", reversed, null, "quarantined"],
  [
    "another average with the same total is quarantined",
    { ...many, average: 1.9 },
    many,
    "quarantined",
  ],
  [
    "fewer ratings with an average that their leaving can't make is quarantined",
    { ...many, total: 550_000, average: 2 },
    many,
    "quarantined",
  ],
  [
    "a hundred times as many is quarantined",
    { ...many, total: 100_000_000, average: 1.4 },
    many,
    "quarantined",
  ],
  ["a rounded average is accepted", { ...many, average: 4.55 }, many, "accepted"],
  [
    "an edit of a rating of a small app is accepted",
    { average: 4.1, total: 10, histogram: null },
    { average: 4.5, total: 10, histogram: null },
    "accepted",
  ],
  [
    "an app that becomes known is accepted",
    { average: 3.1, total: 9_000, histogram: null },
    { average: 4.5, total: 100, histogram: null },
    "accepted",
  ],
] as const)("%s", (_, reading, previous, kind) => {
  expect(validateRatings({ reading, previous, quarantined: null }).kind).toBe(kind);
});

test("a suspicious reading that is read twice alike is accepted", () => {
  expect(validateRatings({ reading: third, previous: good, quarantined: third })).toEqual({
    kind: "accepted",
    reading: third,
  });
});

test("a histogram that misses its total twice is left out, and the total accepted", () => {
  const verdict = validateRatings({ reading: wrong, previous: good, quarantined: wrong });
  expect(verdict).toEqual({ kind: "accepted", reading: { ...wrong, histogram: null } });
});

test("two suspicious readings that differ are quarantined again", () => {
  const other = { ...third, total: 200, histogram: null };
  expect(validateRatings({ reading: other, previous: good, quarantined: third }).kind).toBe(
    "quarantined",
  );
});

import { expect, test } from "vitest";
import type { RatingReading } from "../domain/snapshot.ts";
import { judgeReading } from "./rating-plausibility.ts";

const good: RatingReading = { average: 4.2, total: 1_000, histogram: [50, 50, 100, 250, 550] };
const wrong: RatingReading = { ...good, histogram: [50, 50, 100, 250, 400] };
const third: RatingReading = { average: 4, total: 300, histogram: [20, 20, 40, 80, 140] };
const none: RatingReading = { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] };

test.each([
  ["a first reading that adds up is believed", good, null, "believed"],
  ["a histogram half a percent off is believed", { ...good, total: 1_005 }, null, "believed"],
  ["a histogram that misses its total is held back", wrong, null, "held"],
  ["no ratings after a day with ratings is held back", none, good, "held"],
  ["no ratings where there never were any is believed", none, null, "believed"],
  ["less than half of before is held back", third, good, "held"],
  ["half of before is believed", { average: 4, total: 500, histogram: null }, good, "believed"],
] as const)("%s", (_, reading, previous, kind) => {
  expect(judgeReading({ reading, previous, held: null }).kind).toBe(kind);
});

test("a doubtful reading that is read twice alike is believed", () => {
  expect(judgeReading({ reading: third, previous: good, held: third })).toEqual({
    kind: "believed",
    reading: third,
  });
});

test("a histogram that misses its total twice is left out, and the total believed", () => {
  const judged = judgeReading({ reading: wrong, previous: good, held: wrong });
  expect(judged).toEqual({ kind: "believed", reading: { ...wrong, histogram: null } });
});

test("two doubtful readings that differ are held back again", () => {
  const other = { ...third, total: 200, histogram: null };
  expect(judgeReading({ reading: other, previous: good, held: third }).kind).toBe("held");
});

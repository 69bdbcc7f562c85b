import { expect, test } from "vitest";
import type { RatingReading } from "../domain/review/snapshot.ts";
import { dayMs, minuteMs } from "../lib/timestamp.ts";
import { validateRatings } from "./rating-plausibility.ts";

const now = new Date("2026-04-09T01:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const since = ago(15 * minuteMs);

const good: RatingReading = { average: 4.2, total: 1_000, histogram: [50, 50, 100, 250, 550] };
const wrong: RatingReading = { ...good, histogram: [50, 50, 100, 250, 400] };
const third: RatingReading = { average: 4, total: 300, histogram: [20, 20, 40, 80, 140] };
const reversed: RatingReading = { ...good, histogram: [550, 250, 100, 50, 50] };
const many: RatingReading = { average: 4.6, total: 1_000_000, histogram: null };
const none: RatingReading = { average: 0, total: 0, histogram: [0, 0, 0, 0, 0] };
const few: RatingReading = { average: 4, total: 9, histogram: [0, 1, 2, 1, 4] };
const small: RatingReading = { average: 4.1, total: 212, histogram: [21, 10, 17, 32, 128] };

test.each([
  ["a first reading that adds up is accepted", good, null, "accepted"],
  ["a histogram half a percent off is accepted", { ...good, total: 1_005 }, null, "accepted"],
  ["a histogram that lacks four of 212 ratings is accepted", small, null, "accepted"],
  ["a histogram that lacks one of nine is accepted", few, null, "accepted"],
  [
    "a histogram that lacks the worst of three is accepted",
    { average: 4.3, total: 3, histogram: [0, 0, 0, 0, 2] },
    null,
    "accepted",
  ],
  [
    "a histogram that lacks three of eight is accepted",
    { average: 3.4, total: 8, histogram: [0, 0, 0, 0, 5] },
    null,
    "accepted",
  ],
  [
    "a histogram of zeros beside nine ratings is quarantined",
    { ...few, histogram: none.histogram },
    null,
    "quarantined",
  ],
  [
    "fewer by ten in a small app is accepted",
    { ...few, total: 8, histogram: null },
    { ...few, total: 18 },
    "accepted",
  ],
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
  expect(validateRatings({ reading, previous, quarantined: null, now }).kind).toBe(kind);
});

test("a suspicious reading that is read twice alike is accepted", () => {
  const quarantined = { ...third, since };
  expect(validateRatings({ reading: third, previous: good, quarantined, now })).toEqual({
    kind: "accepted",
    reading: third,
  });
});

test("a small app gains ratings between two suspicious readings that agree", () => {
  const quarantined = { ...none, average: 2, total: 40, histogram: null, since };
  const reading = { ...quarantined, total: 43 };
  const judgement = validateRatings({ reading, previous: good, quarantined, now });
  expect(judgement.kind).toBe("accepted");
});

test("a histogram that lacks ratings twice counts where its mean is the average", () => {
  const lacking: RatingReading = { average: 4.2, total: 1_000, histogram: [45, 45, 90, 225, 495] };
  const judgement = validateRatings({
    ...{ reading: lacking, previous: good, now },
    quarantined: { ...lacking, since },
  });
  expect(judgement).toEqual({ kind: "accepted", reading: lacking });
});

test.each([
  ["many ratings are not lost by a second look", good, 15 * minuteMs, "quarantined"],
  ["many ratings are lost where they stay away for a day", good, dayMs, "accepted"],
  ["a few ratings are lost by a second look", few, 15 * minuteMs, "accepted"],
])("%s", (_, previous, waitedMs, kind) => {
  const quarantined = { ...none, since: ago(waitedMs) };
  const judgement = validateRatings({ reading: none, previous, quarantined, now });
  expect(judgement.kind).toBe(kind);
  if (judgement.kind === "quarantined") expect(judgement.reading.since).toEqual(ago(waitedMs));
});

test("a histogram that means other stars twice is left out, and the total accepted", () => {
  const quarantined = { ...wrong, since };
  const judgement = validateRatings({ reading: wrong, previous: good, quarantined, now });
  expect(judgement).toEqual({ kind: "accepted", reading: { ...wrong, histogram: null } });
});

test("two suspicious readings that differ are quarantined again", () => {
  const other = { ...third, total: 200, histogram: null };
  const quarantined = { ...third, since };
  const judgement = validateRatings({ reading: other, previous: good, quarantined, now });
  expect(judgement.kind).toBe("quarantined");
});

const swapped: RatingReading = { ...good, total: 30 };
const ofOneDevice: RatingReading = { ...good, average: 4.9 };

test.each([
  ["total and number of reviews swapped", swapped, good],
  ["the average of one kind of device", ofOneDevice, good],
  ["the average of one kind of device in a small app", { ...small, average: 4.9 }, small],
  ["a first reading that contradicts itself", reversed, null],
])("%s: no reading confirms what contradicts itself", (_, reading, previous) => {
  const quarantined = { ...reading, since: ago(3 * dayMs) };
  expect(validateRatings({ reading, previous, quarantined, now }).kind).toBe("quarantined");
});

test("a histogram in the wrong order is left out where total and average are as before", () => {
  const quarantined = { ...reversed, since };
  const judgement = validateRatings({ reading: reversed, previous: good, quarantined, now });
  expect(judgement).toEqual({ kind: "accepted", reading: { ...reversed, histogram: null } });
});

test("a jump waits while ratings of other apps look odd", () => {
  const found = { reading: third, previous: good, quarantined: { ...third, since }, now };
  expect(validateRatings({ ...found, isOnTrial: true }).kind).toBe("quarantined");
});

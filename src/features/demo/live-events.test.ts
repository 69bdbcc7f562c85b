import { expect, test } from "vitest";
import { pauseAfter } from "./live-events.ts";

const dayMs = 86_400_000;

test("after some events for people who watch, a day of the demo is like one of its history", () => {
  let round = 0;
  for (let atMs = 0; atMs < dayMs; atMs += pauseAfter(round)) round += 1;
  // Two of three write a review; both stores together have 8 a day, and 14 on days after a release.
  expect((round * 2) / 3).toBeLessThan(20);
  let later = 0;
  for (let atMs = 0; atMs < dayMs; atMs += pauseAfter(round + later)) later += 1;
  expect((later * 2) / 3).toBeLessThan(14);
});

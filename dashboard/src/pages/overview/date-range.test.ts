import { expect, test } from "vitest";
import { readRange, writeRange } from "./date-range.ts";

test("own dates stand in the address and come back as they are", () => {
  const range = { name: "own", from: "2026-01-05", to: "2026-02-01" } as const;
  const search = writeRange(new URLSearchParams("app=a1&range=30"), range);
  expect(search.toString()).toBe("app=a1&from=2026-01-05&to=2026-02-01");
  expect(readRange(search)).toEqual(range);
});

test("the usual range needs no word, and what is unknown means it", () => {
  const usual = readRange(new URLSearchParams());
  expect(usual.name).toBe("90");
  expect((Date.parse(usual.to) - Date.parse(usual.from)) / 86_400_000).toBe(89);
  expect(writeRange(new URLSearchParams(), usual).toString()).toBe("");
  expect(readRange(new URLSearchParams("range=7000"))).toEqual(usual);
  expect(readRange(new URLSearchParams("range=own"))).toEqual(usual);
});

test("all time starts before any store had reviews", () => {
  expect(readRange(new URLSearchParams("range=all")).from).toBe("2008-01-01");
});

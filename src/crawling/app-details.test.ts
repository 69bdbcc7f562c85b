// Names and facts of an app that are saved at once, and those that wait for a second day.
import { describe, expect, test } from "vitest";
import type { AppFacts } from "../domain/feed/app-facts.ts";
import { dayMs, hourMs } from "../lib/timestamp.ts";
import { describeDetails, judgeDetails } from "./app-details.ts";

const now = new Date("2026-11-20T10:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);
const facts = (changes: Partial<AppFacts> = {}): AppFacts => ({
  version: "2.4.1",
  releasedAt: null,
  releaseNotes: null,
  price: "Free",
  genre: "Weather",
  installs: null,
  ...changes,
});
const known = {
  stored: { name: "Tidepool", facts: facts() },
  pending: null,
  otherPendingCount: 0,
  otherCount: 20,
  reviewVersions: ["2.4.1", "2.3.0", "1.9"],
  now,
};
const page = { name: "Tidepool", developer: "Sample Makers", facts: facts() };
type Input = Partial<Parameters<typeof judgeDetails>[0]>;
const judge = (input: Input) => judgeDetails({ ...known, read: page, ...input });

describe("saved at once", () => {
  test.each<[string, Input]>([
    ["the same", {}],
    ["another icon, price and notes", { read: { ...page, facts: facts({ price: "4.99 USD" }) } }],
    ["a release", { read: { ...page, facts: facts({ version: "2.5" }) } }],
    ["a release with another major", { read: { ...page, facts: facts({ version: "4.0" }) } }],
    ["a version by date", { read: { ...page, facts: facts({ version: "2026.11" }) } }],
    ["an older version that reviews name", { read: { ...page, facts: facts({ version: "1.9" }) } }],
    ["a page without facts", { read: { name: "Tidepool" } }],
    ["the first name", { stored: { name: null, facts: null }, otherPendingCount: 1 }],
    [
      "an app without numbers",
      {
        stored: { name: "Tidepool", facts: facts({ version: "Varies with device" }) },
        reviewVersions: [],
        read: { ...page, facts: facts({ version: "Autumn" }) },
      },
    ],
  ])("%s", (_, input) => {
    expect(judge(input)).toEqual({ kind: "plausible" });
  });
});

describe("waits for a second day", () => {
  test.each<[string, RegExp, Input]>([
    [
      "a new name",
      /name is Tidepool Pro, and was Tidepool$/,
      { read: { ...page, name: "Tidepool Pro" } },
    ],
    [
      "name and developer swapped",
      /developer's$/,
      { read: { ...page, name: "Sample Makers", developer: "Tidepool" } },
    ],
    [
      "the developer as the genre",
      /genre/,
      { read: { ...page, facts: facts({ genre: "Sample Makers" }) } },
    ],
    [
      "the version of the system",
      /version is 14/,
      { read: { ...page, facts: facts({ version: "14" }) } },
    ],
    [
      "a version before all that are named",
      /version is 1.0/,
      { read: { ...page, facts: facts({ version: "1.0" }) } },
    ],
    [
      "words as the version",
      /version is Weather/,
      { read: { ...page, facts: facts({ version: "Weather" }) } },
    ],
    [
      "the first name, while those of many apps wait",
      /many apps/,
      { stored: { name: null, facts: null }, otherPendingCount: 3 },
    ],
  ])("%s", (_, reason, input) => {
    const first = judge(input);
    if (first.kind !== "held") throw new Error("it is saved");
    expect(first.reason).toMatch(reason);
    expect(first.since).toEqual(now);
    const { details } = first;
    const later = (ms: number, more: Input = {}) =>
      judge({ ...input, pending: { details, since: ago(ms) }, ...more }).kind;
    const isMany = input.otherPendingCount !== undefined;
    expect(later(hourMs)).toBe("held");
    expect(later(dayMs)).toBe(isMany ? "held" : "plausible");
    expect(later(dayMs, { otherPendingCount: 3 })).toBe("held");
    expect(later(8 * dayMs, { otherPendingCount: 3 })).toBe("plausible");
    // Another one begins anew.
    expect(judge({ ...input, pending: { details: "[]", since: ago(dayMs) } }).kind).toBe("held");
  });
});

test("what waits is named beside what is shown meanwhile", () => {
  const read = { name: "Tidepool Pro", facts: facts({ version: "17.1", genre: null }) };
  const held = judge({ read });
  if (held.kind !== "held") throw new Error("another name waits");
  expect(describeDetails(held.details, known.stored)).toBe(
    "name Tidepool Pro instead of Tidepool, version 17.1 instead of 2.4.1",
  );
});

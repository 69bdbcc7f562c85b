// How outcomes are shown to people: headings in words, fields without braces, nested lists as tables.
import { expect, test } from "vitest";
import { formatForPeople } from "./output.ts";

test("fields are shown with headings in words, without those that are null", () => {
  const value = {
    externalAppId: "42",
    warning: null,
    facts: { genre: null, ratingCount: 7, addedAt: new Date("2026-11-20T08:00:00Z") },
    empty: { genre: null },
  };
  expect(formatForPeople({ value })).toBe(
    [
      "external app id  42",
      "facts            rating count 7, added at 2026-11-20T08:00:00Z",
      "empty            -",
      "",
    ].join("\n"),
  );
});

test("a list of objects inside a value is a table with the columns that have content", () => {
  const feeds = [
    { region: "us", outcome: "ok", error: null },
    { region: "jp", outcome: null, error: null },
  ];
  expect(formatForPeople({ value: { name: "Tides", feeds } })).toBe(
    ["name  Tides", "", "feeds:", "region  outcome", "us      ok", "jp      -", ""].join("\n"),
  );
});

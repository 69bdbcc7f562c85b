import { expect, test } from "vitest";
import { readDateRange, writeDateRange } from "./date-range.ts";

test("a custom range is written to the URL and read back unchanged", () => {
  const range = { name: "custom", from: "2026-01-05", to: "2026-02-01" } as const;
  const search = writeDateRange(new URLSearchParams("app=a1&range=30d"), range);
  expect(search.toString()).toBe("app=a1&from=2026-01-05&to=2026-02-01");
  expect(readDateRange(search)).toEqual(range);
});

test("the default range is left out of the URL, and an unknown one means the default", () => {
  const defaultRange = readDateRange(new URLSearchParams());
  expect(defaultRange.name).toBe("90d");
  expect((Date.parse(defaultRange.to) - Date.parse(defaultRange.from)) / 86_400_000).toBe(89);
  expect(writeDateRange(new URLSearchParams(), defaultRange).toString()).toBe("");
  expect(readDateRange(new URLSearchParams("range=7000"))).toEqual(defaultRange);
  expect(readDateRange(new URLSearchParams("range=custom"))).toEqual(defaultRange);
});

test("all time starts before any store had reviews", () => {
  expect(readDateRange(new URLSearchParams("range=all")).from).toBe("2008-01-01");
});

test("the days since a release end today, whenever the link is opened", () => {
  const since = readDateRange(new URLSearchParams("app=a1&from=2026-01-05"));
  expect(since).toMatchObject({ name: "since", from: "2026-01-05" });
  expect(since.to).toBe(readDateRange(new URLSearchParams()).to);
  expect(writeDateRange(new URLSearchParams("range=30d"), since).toString()).toBe(
    "from=2026-01-05",
  );
});

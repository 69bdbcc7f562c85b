// Incidents from daily counts: what a release did, what rose without one, and whether it is over.
import { describe, expect, test } from "vitest";
import { addDays } from "../../lib/timestamp.ts";
import { findIncidents, type TopicDay } from "./incidents.ts";

const to = "2026-11-23";
const appId = "planner";

/** Six reviews a day, of which `negative` complain of the battery on the days that it names. */
function listCounts(negative: (day: string) => number): TopicDay[] {
  return Array.from({ length: 56 }, (_, back) => addDays(to, -back)).flatMap((day) => {
    const count = negative(day);
    const usual = day.endsWith("4") ? 1 : 0;
    return [
      { appId, topic: "", day, total: 6 + count, negative: count + usual },
      { appId, topic: "battery", day, total: count + usual, negative: count + usual },
    ];
  });
}

const isBetween = (day: string, from: string, last: string) => day >= from && day <= last;
const find = (
  negative: (day: string) => number,
  versions: { version: string; firstDay: string }[] = [],
) => findIncidents({ apps: [{ id: appId, versions }], counts: listCounts(negative), to });

describe("a release", () => {
  const drains = { version: "4.13.0", firstDay: "2026-11-14" };
  const fixes = { version: "4.13.1", firstDay: "2026-11-20" };

  test("that a later one fixed is resolved, and counts none of the days of the later one", () => {
    const [resolved, quiet] = find(
      (day) => (isBetween(day, "2026-11-14", "2026-11-19") ? 3 : 0),
      [fixes, drains],
    ).toSorted((one, other) => (one.range.from < other.range.from ? -1 : 1));
    expect(resolved).toMatchObject({
      version: "4.13.0",
      state: "resolved",
      topic: "battery",
      range: { from: "2026-11-14", to: "2026-11-19" },
      negativeCount: 19,
      after: { from: "2026-11-20", to, version: "4.13.1", negativeCount: 0 },
    });
    expect(resolved?.expectedCount).toBeLessThan(1);
    expect(quiet).toMatchObject({ version: "4.13.1", state: "quiet" });
  });

  test("that nothing fixed is open, and comes first", () => {
    const found = find((day) => (day >= "2026-11-14" ? 3 : 0), [fixes, drains]);
    expect(found[0]).toMatchObject({
      version: "4.13.0",
      state: "open",
      after: { version: "4.13.1", negativeCount: 12 },
    });
  });

  test("after which reviews stay as they were is quiet", () => {
    expect(find(() => 0, [drains])).toMatchObject([{ state: "quiet", topic: null }]);
  });

  test("of more than 28 days ago has no row", () => {
    expect(find(() => 0, [{ version: "4.0.0", firstDay: "2026-10-26" }])).toEqual([]);
  });
});

test("a rise without a release has a row of its own, with its worst week", () => {
  expect(find((day) => (isBetween(day, "2026-11-04", "2026-11-09") ? 4 : 0))).toMatchObject([
    { version: null, topic: "battery", state: "resolved", range: { from: "2026-11-03" } },
  ]);
});

test("without weeks to compare with nothing is unusual", () => {
  const counts = listCounts(() => 3).filter(({ day }) => day > "2026-11-18");
  const apps = [{ id: appId, versions: [{ version: "1.0", firstDay: "2026-11-19" }] }];
  expect(findIncidents({ apps, counts, to })).toMatchObject([
    { state: "quiet", expectedCount: null },
  ]);
});

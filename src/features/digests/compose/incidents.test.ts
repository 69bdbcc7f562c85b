// Incidents from daily counts: what a release did, what rose without one, and whether it is over.
import { describe, expect, test } from "vitest";
import { addDays } from "../../../lib/timestamp.ts";
import { findIncidents, type JudgedRelease, type TopicDay } from "./incidents.ts";

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

const covered = new Map([[appId, { since: "2026-01-01" }]]);
const isBetween = (day: string, from: string, last: string) => day >= from && day <= last;
const find = (negative: (day: string) => number, verdicts: JudgedRelease[] = []) =>
  findIncidents({ appIds: [appId], verdicts, counts: listCounts(negative), covered, to });
const counts = (count: number, total: number, countBefore: number) => ({
  ...{ count, total, countBefore },
});
const judged = (
  version: string,
  firstDay: string,
  outcome: JudgedRelease["outcome"],
): JudgedRelease => ({
  ...{ app: { id: appId }, version, firstDay, outcome },
  before: { from: "2026-08-22", to: "2026-11-13", total: 504 },
  shares: [
    { question: "battery", share: 0.5, pastShare: 0.02, evidence: 500, ...counts(10, 20, 9) },
    { question: "negative", share: 0.5, pastShare: 0.03, evidence: 100, ...counts(10, 20, 13) },
  ],
});

describe("a release", () => {
  const drained = (day: string) => (isBetween(day, "2026-11-14", "2026-11-19") ? 3 : 0);
  const fixes = judged("4.13.1", "2026-11-20", "too_early");

  test("has the state that its verdict says, and none of the days of the next one", () => {
    const [first, quiet] = find(drained, [fixes, judged("4.13.0", "2026-11-14", "fixed")]);
    expect(first).toMatchObject({
      version: "4.13.0",
      state: "resolved",
      topic: "battery",
      range: { from: "2026-11-14", to: "2026-11-19" },
      ...{ negativeCount: 19, total: 54, after: null },
      before: { from: "2026-08-22", to: "2026-11-13", total: 504, negativeCount: 9 },
    });
    expect(quiet).toMatchObject({ version: "4.13.1", state: "quiet", topic: null });
  });

  test.each(["worse", "not_fixed"] as const)("that is %s is open, and comes first", (outcome) => {
    const found = find(drained, [fixes, judged("4.13.0", "2026-11-14", outcome)]);
    expect(found[0]).toMatchObject({ version: "4.13.0", state: "open" });
  });

  test("of more than 28 days ago has no row", () => {
    expect(find(() => 0, [judged("4.0.0", "2026-10-26", "fine")])).toEqual([]);
  });
});

test("a rise without a release has a row of its own, with its worst week", () => {
  expect(find((day) => (isBetween(day, "2026-11-04", "2026-11-09") ? 4 : 0))).toMatchObject([
    { version: null, topic: "battery", state: "resolved", range: { from: "2026-11-03" } },
  ]);
});

test("without weeks to compare with nothing is unusual", () => {
  const counts = listCounts(() => 3).filter(({ day }) => day > "2026-11-18");
  const since = new Map([[appId, { since: "2026-11-19" }]]);
  const verdicts = [{ ...judged("1.0", "2026-11-19", "too_early"), before: null }];
  const input = { appIds: [appId], verdicts, counts, covered: since, to };
  expect(findIncidents(input)).toMatchObject([{ state: "quiet", before: null }]);
});

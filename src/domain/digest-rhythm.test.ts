// When digests are due, across changes of the clock, and that the days they cover follow on each other.
import { describe, expect, test } from "vitest";
import { addDays } from "../lib/timestamp.ts";
import { type DigestSchedule, digestRangeOf, nextDigestAt } from "./digest-rhythm.ts";

const berlin: DigestSchedule = { digest: "daily", digestAt: "09:00", timeZone: "Europe/Berlin" };
const next = (schedule: DigestSchedule, after: string) =>
  nextDigestAt(schedule, new Date(after))?.toISOString();

describe("the next digest", () => {
  test.each([
    ["today when the time is to come", "2026-11-21T07:59:59Z", "2026-11-21T08:00:00.000Z"],
    ["tomorrow once it has come", "2026-11-21T08:00:00Z", "2026-11-22T08:00:00.000Z"],
    ["at the same local time in summer", "2026-07-01T12:00:00Z", "2026-07-02T07:00:00.000Z"],
    ["an hour less later when summer begins", "2026-03-28T08:00:00Z", "2026-03-29T07:00:00.000Z"],
    ["an hour more later when it ends", "2026-10-24T07:00:00Z", "2026-10-25T08:00:00.000Z"],
  ])("is %s", (_, after, expected) => {
    expect(next(berlin, after)).toBe(expected);
  });

  test("comes once on a day that skips its time, and once on a day that has it twice", () => {
    const night = { ...berlin, digestAt: "02:30" };
    expect(next(night, "2026-03-28T12:00:00Z")).toBe("2026-03-29T01:30:00.000Z");
    expect(next(night, "2026-03-29T01:30:00Z")).toBe("2026-03-30T00:30:00.000Z");
    const first = next(night, "2026-10-24T12:00:00Z") ?? "";
    expect(first.slice(0, 10)).toBe("2026-10-25");
    expect(next(night, first)).toBe("2026-10-26T01:30:00.000Z");
  });

  test("of a week comes on Monday of the time zone", () => {
    const tokyo: DigestSchedule = { digest: "weekly", digestAt: "06:00", timeZone: "Asia/Tokyo" };
    expect(next(tokyo, "2026-11-21T12:00:00Z")).toBe("2026-11-22T21:00:00.000Z");
    expect(next(tokyo, "2026-11-22T21:00:00Z")).toBe("2026-11-29T21:00:00.000Z");
  });

  test("of a channel without digests never comes", () => {
    expect(nextDigestAt({ ...berlin, digest: null }, new Date())).toBeNull();
  });
});

describe("the days that digests cover", () => {
  const zones = ["UTC", "Europe/London", "Europe/Berlin", "America/New_York", "Asia/Tokyo"];
  const cases = [...zones, "Pacific/Kiritimati", "Pacific/Apia", "Asia/Kathmandu"].flatMap(
    (timeZone) => ["00:00", "00:30", "09:00", "23:30"].map((at) => [timeZone, at] as const),
  );

  test.each(cases)("in %s at %s are over, and none comes twice or is left out", (timeZone, at) => {
    const schedule: DigestSchedule = { digest: "daily", digestAt: at, timeZone };
    let dueAt = new Date("2026-01-01T00:00:00Z");
    let last = "";
    for (let count = 0; count < 400; count += 1) {
      dueAt = nextDigestAt(schedule, dueAt) ?? dueAt;
      const { from, to } = digestRangeOf(schedule, dueAt);
      expect(from).toBe(to);
      expect(Date.parse(`${addDays(to, 1)}T00:00:00Z`)).toBeLessThanOrEqual(dueAt.getTime());
      if (last !== "") expect(to).toBe(addDays(last, 1));
      last = to;
    }
  });

  test("of a week are the seven before", () => {
    const schedule = { ...berlin, digest: "weekly" } as const;
    expect(digestRangeOf(schedule, new Date("2026-11-23T08:00:00Z"))).toEqual({
      from: "2026-11-16",
      to: "2026-11-22",
    });
  });
});

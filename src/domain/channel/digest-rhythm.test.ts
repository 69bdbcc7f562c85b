// When digests are due, across changes of the clock, and that the days they cover follow on each other.
import { describe, expect, test } from "vitest";
import { volume } from "../../../test/support/volume.ts";
import { addDays, dayMs, hourMs } from "../../lib/timestamp.ts";
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
  const from = new Date("2020-01-01T00:00:00Z");
  const until = Date.UTC(2020 + volume(13), 0, 1);
  const times = ["00:00", "02:30", "05:30", "23:30"];

  /** One zone of each group that changed its clocks alike, with moments of at most three days after it. */
  function listZones(): [string, Date[]][] {
    const groups = new Map<string, [string, Date[]]>();
    for (const timeZone of Intl.supportedValuesOf("timeZone")) {
      const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
      const changes: Date[] = [];
      const history: string[] = [];
      for (let ms = from.getTime() + 12 * hourMs; ms < until; ms += 3 * dayMs) {
        const offset = format.format(ms).replace(/.*, /, "");
        if (offset === history.at(-1)?.split(" ")[1]) continue;
        changes.push(new Date(ms));
        history.push(`${ms} ${offset}`);
      }
      groups.set(history.join(), [timeZone, changes]);
    }
    return [...groups.values()];
  }
  const zones = listZones();

  test("are all zones", () => expect(zones.length).toBeGreaterThan(60));

  test.each(zones)("in %s are over, and none comes twice or is left out", (timeZone, changes) => {
    for (const digestAt of times) {
      const schedule: DigestSchedule = { digest: "daily", digestAt, timeZone };
      // Around each change of the clock, and around each New Year that follows on one.
      const years = new Set(changes.map((moment) => Date.UTC(moment.getUTCFullYear() + 1)));
      for (const moment of [...changes, ...[...years].map((ms) => new Date(ms))]) {
        let dueAt = new Date(moment.getTime() - 5 * dayMs);
        let digestedTo: string | null = null;
        const lastAt = moment.getTime() + 2 * dayMs;
        while (dueAt.getTime() < lastAt) {
          dueAt = nextDigestAt(schedule, dueAt) ?? dueAt;
          const range = digestRangeOf({ ...schedule, digestedTo }, dueAt);
          const where = `${digestAt} ${dueAt.toISOString()}`;
          const toMs = Date.parse(`${addDays(range?.to ?? digestedTo ?? "", 1)}T00:00:00Z`);
          expect(toMs, where).toBeLessThanOrEqual(dueAt.getTime());
          expect(toMs, where).toBeGreaterThan(dueAt.getTime() - 3 * dayMs);
          if (digestedTo !== null && range) expect(range.from, where).toBe(addDays(digestedTo, 1));
          digestedTo = range?.to ?? digestedTo;
        }
      }
    }
  });

  test.each([
    ["America/Santiago", "00:00", "2026-09-04T12:00:00Z"],
    ["America/Scoresbysund", "23:30", "2026-03-26T12:00:00Z"],
    ["Africa/Cairo", "00:15", "2027-04-28T12:00:00Z"],
  ])("in %s at %s, which one night skips, are each one day", (timeZone, digestAt, start) => {
    const schedule: DigestSchedule = { digest: "daily", digestAt, timeZone };
    let dueAt = new Date(start);
    const ranges = Array.from({ length: 6 }, () => {
      dueAt = nextDigestAt(schedule, dueAt) ?? dueAt;
      return digestRangeOf(schedule, dueAt);
    });
    const first = ranges[0]?.to ?? "";
    const days = ranges.map((_, index) => addDays(first, index));
    expect(ranges).toEqual(days.map((day) => ({ from: day, to: day })));
  });

  test("of a week are the seven before", () => {
    const schedule = { ...berlin, digest: "weekly" } as const;
    expect(digestRangeOf(schedule, new Date("2026-11-23T08:00:00Z"))).toEqual({
      from: "2026-11-16",
      to: "2026-11-22",
    });
  });

  test("follow those of the last digest when the time changes, and are at most a week", () => {
    const dueAt = new Date("2026-11-23T08:00:00Z");
    const rangeAfter = (digestedTo: string) => digestRangeOf({ ...berlin, digestedTo }, dueAt);
    expect(rangeAfter("2026-11-22")).toBeNull();
    expect(rangeAfter("2026-11-20")).toEqual({ from: "2026-11-21", to: "2026-11-22" });
    expect(rangeAfter("2026-10-01")).toEqual({ from: "2026-11-16", to: "2026-11-22" });
  });
});

// When a channel sends a digest instead of each event: every day, or on Mondays, at a time of a time zone; and which
// days (UTC) a digest covers.
import { z } from "zod";
import { addDays, type Day, dayMs, dayOf, minuteMs, mondayOf } from "../lib/timestamp.ts";
import { oneOfSchema } from "./fields.ts";

export const digestRhythms = ["daily", "weekly"] as const;
export type DigestRhythm = (typeof digestRhythms)[number];

export type DigestSchedule = {
  /** null: each event is sent at once. */
  digest: DigestRhythm | null;
  /** `HH:MM` in the time zone. */
  digestAt: string;
  /** A name of the IANA database, like `Europe/Berlin`. */
  timeZone: string;
};

export const digestDefaults: DigestSchedule = { digest: null, digestAt: "09:00", timeZone: "UTC" };

export const digestScheduleFields = {
  digest: oneOfSchema(digestRhythms).nullable(),
  digestAt: z
    .string({ error: "must be a time, like 09:00" })
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "must be a time, like 09:00" }),
  timeZone: z
    .string({ error: "must be a time zone" })
    .max(64, { error: "must be a time zone" })
    .refine(isTimeZone, { error: "must be a time zone of the IANA database, like Europe/Berlin" }),
} as const;

function isTimeZone(name: string): boolean {
  // Offsets are time zones of Intl as well, but have no summer.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The next moment after `after` at which a digest is due; null for a channel without. */
export function nextDigestAt(schedule: DigestSchedule, after: Date): Date | null {
  const { digest, timeZone } = schedule;
  if (digest === null) return null;
  const today = localDayOf(after, timeZone);
  let day = digest === "daily" ? today : mondayOf(today);
  for (;;) {
    const dueAt = toMoment(day, schedule);
    if (dueAt > after) return dueAt;
    day = addDays(day, digest === "daily" ? 1 : 7);
  }
}

/**
 * The days of a digest that is due at that moment: the last that are over, one or seven. They are days of UTC, as
 * everywhere; in time zones where UTC's yesterday is not over at that time, the day before it is the last. Which of
 * the two is the same in summer and winter, so that no day is reported twice or left out.
 */
export function digestRangeOf(schedule: DigestSchedule, dueAt: Date): { from: Day; to: Day } {
  const { digest, digestAt, timeZone } = schedule;
  const day = localDayOf(dueAt, timeZone);
  const year = day.slice(0, 4);
  const offsets = [`${year}-01-01`, `${year}-07-01`].map((date) =>
    offsetMsOf(new Date(`${date}T12:00:00Z`), timeZone),
  );
  const isYesterdayOver = offsets.every((offset) => minuteOfDay(digestAt) * minuteMs >= offset);
  const to = addDays(day, isYesterdayOver ? -1 : -2);
  return { from: digest === "weekly" ? addDays(to, -6) : to, to };
}

/** That time of that day in the time zone. A time that a change of the clock skips comes that much later. */
function toMoment(day: Day, { digestAt, timeZone }: DigestSchedule): Date {
  return momentInZone(new Date(`${day}T${digestAt}:00Z`), timeZone);
}

/** When the clocks of the time zone show what the clocks of UTC show at `local`. */
export function momentInZone(local: Date, timeZone: string): Date {
  const asUtc = local.getTime();
  const guess = asUtc - offsetMsOf(new Date(asUtc), timeZone);
  return new Date(asUtc - offsetMsOf(new Date(guess), timeZone));
}

function localDayOf(moment: Date, timeZone: string): Day {
  return dayOf(new Date(moment.getTime() + offsetMsOf(moment, timeZone)));
}

/** East of UTC is more than 0. */
function offsetMsOf(moment: Date, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(moment);
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    ...[read("year"), read("month") - 1, read("day")],
    ...[read("hour"), read("minute"), read("second")],
  );
  const wholeSecond = Math.floor(moment.getTime() / 1_000) * 1_000;
  return local - wholeSecond;
}

// Making one takes far longer than using it. As many as there are time zones.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}

function minuteOfDay(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

/** Digests that are so late are left out, as deliveries expire. */
export const digestLateMaxMs = 7 * dayMs;

// When a channel sends a digest instead of each event: every day, or on Mondays, at a time of a time zone; and which
// days (UTC) a digest covers.
import { z } from "zod";
import { addDays, type Day, dayMs, dayOf, minuteMs, mondayOf } from "../../lib/timestamp.ts";
import { oneOfSchema } from "../fields.ts";

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
  // A skipped time comes later, so that yesterday's can still be due.
  const yesterday = addDays(localDayOf(after, timeZone), -1);
  let day = digest === "daily" ? yesterday : mondayOf(yesterday);
  for (;;) {
    const dueAt = toMoment(day, schedule);
    if (dueAt > after) return dueAt;
    day = addDays(day, digest === "daily" ? 1 : 7);
  }
}

/** Both ends included. */
export type DigestRange = { from: Day; to: Day };

/**
 * The days of a digest that is due at that moment: from the day after the last digest's (without one the last one or
 * seven) to the last that is over. They are days of UTC, as everywhere; in time zones where UTC's yesterday is not over
 * at that time, the day before it is the last. Which of the two is the same in summer and winter, so that no digest is
 * empty, which would be null, or has two days.
 */
export function digestRangeOf(
  schedule: DigestSchedule & { digestedTo?: Day | null },
  dueAt: Date,
): DigestRange | null {
  const { digest, digestAt, timeZone, digestedTo = null } = schedule;
  const day = dayDueAt(schedule, dueAt);
  const year = day.slice(0, 4);
  const offsets = [`${year}-01-01`, `${year}-07-01`].map((date) =>
    offsetMsOf(new Date(`${date}T12:00:00Z`), timeZone),
  );
  const isYesterdayOver = offsets.every((offset) => minuteOfDay(digestAt) * minuteMs >= offset);
  const to = addDays(day, isYesterdayOver ? -1 : -2);
  const lastWeek = addDays(to, -6);
  if (digestedTo === null) return { from: digest === "weekly" ? lastWeek : to, to };
  const next = addDays(digestedTo, 1);
  return next > to ? null : { from: next > lastWeek ? next : lastWeek, to };
}

export function countDays({ from, to }: DigestRange): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}

/** The day whose digest is due at that moment, or closest to it if the rules of the time zone have changed since. */
function dayDueAt(schedule: DigestSchedule, dueAt: Date): Day {
  const today = localDayOf(dueAt, schedule.timeZone);
  const distanceOf = (day: Day): number =>
    Math.abs(toMoment(day, schedule).getTime() - dueAt.getTime());
  const yesterday = addDays(today, -1);
  return distanceOf(yesterday) < distanceOf(today) ? yesterday : today;
}

/** That time of that day in the time zone. A time that a change of the clock skips comes that much later. */
function toMoment(day: Day, { digestAt, timeZone }: DigestSchedule): Date {
  return momentInZone(new Date(`${day}T${digestAt}:00Z`), timeZone);
}

/**
 * When the clocks of the time zone show what the clocks of UTC show at `local`: the first time, if they show it twice;
 * if they skip it, as much later as they skip.
 */
export function momentInZone(local: Date, timeZone: string): Date {
  const asUtc = local.getTime();
  const before = offsetMsOf(new Date(asUtc - dayMs), timeZone);
  const after = offsetMsOf(new Date(asUtc + dayMs), timeZone);
  const isShown = (offset: number) => offsetMsOf(new Date(asUtc - offset), timeZone) === offset;
  const isAfterChange = before !== after && !isShown(before) && isShown(after);
  return new Date(asUtc - (isAfterChange ? after : before));
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

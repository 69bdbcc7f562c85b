// Days and moments as people read them, in UTC.
import type { Day } from "./timestamp.ts";

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `Nov` of `2026-11-05`. */
export function monthName(day: Day): string {
  return months[Number(day.slice(5, 7)) - 1] ?? "";
}

/** `2026-11-05` is `5 Nov`. */
export function shortDay(day: Day): string {
  return `${Number(day.slice(8, 10))} ${monthName(day)}`;
}

/** `2026-11-05` is `5 Nov 2026`. */
export function readableDay(day: Day): string {
  return `${shortDay(day)} ${day.slice(0, 4)}`;
}

/** `5 Nov 2026, 09:14 UTC`. */
export function readableMoment(moment: Date): string {
  const text = moment.toISOString();
  return `${readableDay(text)}, ${text.slice(11, 16)} UTC`;
}

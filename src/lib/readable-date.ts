// Days and moments as people read them, in UTC.
import type { Day } from "./timestamp.ts";

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `2026-11-05` is `5 Nov 2026`. */
export function readableDay(day: Day): string {
  const [year = "", month = "1", date = "1"] = day.slice(0, 10).split("-");
  return `${Number(date)} ${months[Number(month) - 1] ?? ""} ${year}`;
}

/** `5 Nov 2026, 09:14 UTC`. */
export function readableMoment(moment: Date): string {
  const text = moment.toISOString();
  return `${readableDay(text)}, ${text.slice(11, 16)} UTC`;
}

// The dates of the feed's filters: two days, or the last days up to today, which move on with the calendar.
import { failField } from "../../domain/validation-errors.ts";
import { dayMs, dayOf } from "../../lib/timestamp.ts";
import type { FeedFilters } from "../contract/requests.ts";

/**
 * The filters with days in place of a range.
 *
 * @throws AppError `invalid_input` for dates that exclude each other
 */
export function resolveDates({ range, ...filters }: FeedFilters, now: Date): FeedFilters {
  const { from, to } = filters;
  if (range !== undefined) {
    if (from !== undefined || to !== undefined)
      failField("range", "can't be combined with `from` and `to`");
    const dayCount = Number(range.slice(0, -1));
    return { ...filters, from: dayOf(new Date(now.getTime() - (dayCount - 1) * dayMs)) };
  }
  if (from !== undefined && to !== undefined && from > to)
    failField("from", "must not be after `to`");
  return filters;
}

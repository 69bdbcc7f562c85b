// Where a page begins and ends in the order of pages, as values of its statement.
import { addDays, type Day } from "../../lib/timestamp.ts";
import { lowestUuid } from "../../lib/uuid.ts";
import type { ReviewFilters } from "../reviews/review-filters.ts";
import type { ReviewPosition } from "./review-pages.ts";

/** Reviews of `from` or later that stand after (`before`, `beforeId`) in the order of pages. */
export type PageBounds = { from: string; before: string; beforeId: string };

/** From the start of `from` up to the cursor or the end of `to`, whichever is earlier. */
export function pageBounds(
  filters: Pick<ReviewFilters, "from" | "to">,
  after: ReviewPosition | null,
): PageBounds {
  const from = filters.from === null ? "-infinity" : startOf(filters.from);
  const end = filters.to === null ? null : startOf(addDays(filters.to, 1));
  if (after === null) return { from, before: end ?? "infinity", beforeId: lowestUuid };
  const date = toMicrosText(after.micros);
  return end !== null && end <= date
    ? { from, before: end, beforeId: lowestUuid }
    : { from, before: date, beforeId: after.id };
}

function startOf(day: Day): string {
  return `${day}T00:00:00.000000Z`;
}

export function toMicrosText(micros: bigint): string {
  // Reviews are of 2008 or later, so the remainder is never negative.
  const rest = String(micros % 1_000n).padStart(3, "0");
  return `${new Date(Number(micros / 1_000n)).toISOString().slice(0, -1)}${rest}Z`;
}

// Both sides of a comparison on one axis of time: the same days, weeks or months for both, and the figures of each side in
// them. A period that a side's dates cut counts by the days that are in them.
import type { MatchingDay } from "../../../../src/dashboard-api/contract/reviews.ts";
import { daysBefore, daysBetween } from "../../format/clock.ts";
import type { FeedFilters } from "../reviews/filters.ts";

export type Unit = "day" | "week" | "month";
/** null: the side has not half of the period's days, of which a rate would be chance; or for stars and shares: no review. */
export type PeriodFigures = {
  count: number;
  perDay: number | null;
  stars: number | null;
  negative: number | null;
};
export type ComparedPeriod = { from: string; to: string; a: PeriodFigures; b: PeriodFigures };

type DaysOfSide = { filters: FeedFilters; days: readonly MatchingDay[] };
type Span = { from: string; to: string };

const dayUnitMax = 31;
const weekUnitMax = 400;

/** No periods without reviews. */
export function toPeriods(
  { a, b }: { a: DaysOfSide; b: DaysOfSide },
  today: string,
): { unit: Unit; periods: ComparedPeriod[] } {
  const days = [...a.days, ...b.days].map(({ day }) => day).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return { unit: "day", periods: [] };
  const spans = [a, b].map(({ filters }) => spanOf(filters, { first, last, today }));
  const from = spans.map((span) => span.from).sort()[0] ?? first;
  const to =
    spans
      .map((span) => span.to)
      .sort()
      .at(-1) ?? last;
  const length = daysBetween(from, to) + 1;
  const unit = length <= dayUnitMax ? "day" : length <= weekUnitMax ? "week" : "month";
  const periods: ComparedPeriod[] = [];
  for (let start = startOf(from, unit); start <= to; ) {
    const next = startOf(
      daysBefore(start, unit === "month" ? -31 : unit === "week" ? -7 : -1),
      unit,
    );
    const period = { from: start, to: daysBefore(next, 1) };
    const [ofA, ofB] = [a, b].map((side, index) =>
      figuresOf(side.days, { period, span: spans[index] ?? period }),
    );
    if (ofA && ofB) periods.push({ ...period, a: ofA, b: ofB });
    start = next;
  }
  return { unit, periods };
}

/** The days that the side is about: those of its filters, and without them all days of both sides. */
function spanOf(
  { from, to, range, newSince }: FeedFilters,
  { first, last, today }: { first: string; last: string; today: string },
): Span {
  if (range) return { from: daysBefore(today, Number.parseInt(range, 10) - 1), to: today };
  const begin = from ?? newSince?.slice(0, 10);
  const latest = today > last ? today : last;
  return {
    // Days long before the first review would be an empty axis.
    from: begin !== undefined && begin > first ? begin : first,
    to: to !== undefined && to < latest ? to : latest,
  };
}

function startOf(day: string, unit: Unit): string {
  if (unit === "day") return day;
  if (unit === "month") return `${day.slice(0, 7)}-01`;
  return daysBefore(day, (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7);
}

function figuresOf(
  days: readonly MatchingDay[],
  { period, span }: { period: Span; span: Span },
): PeriodFigures {
  const from = period.from > span.from ? period.from : span.from;
  const to = period.to < span.to ? period.to : span.to;
  const dayCount = daysBetween(from, to) + 1;
  const wholeDays = daysBetween(period.from, period.to) + 1;
  const inside = days.filter(({ day }) => period.from <= day && day <= period.to);
  const sum = (name: "count" | "stars" | "negative") =>
    inside.reduce((all, one) => all + one[name], 0);
  const count = sum("count");
  return {
    count,
    perDay: 2 * dayCount > wholeDays ? count / dayCount : null,
    stars: count > 0 ? sum("stars") / count : null,
    negative: count > 0 ? sum("negative") / count : null,
  };
}

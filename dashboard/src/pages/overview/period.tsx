// A period in the charts and tables of the overview: a day of a short range, else a week. Its labels, and the link to its
// reviews. A week at the edge of the date range has only the days inside of it.

import type { WeekVolume } from "../../../../src/dashboard-api/contract/overview.ts";
import { Link } from "../../components/link.tsx";
import { daysBefore, daysBetween, todayUtc } from "../../format/clock.ts";
import { formatDay, formatMonth, formatShortDay } from "../../format/dates.ts";
import { formatQuantity } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";

export type Unit = "day" | "week";

/** A shared page that was frozen by a former version has weeks of short ranges, too. */
export function unitOf(periods: readonly WeekVolume[]): Unit {
  const [first, second] = periods;
  if (!first) return "week";
  const next = second?.week ?? first.to;
  return daysBetween(first.week, next) < 2 && first.from === first.to ? "day" : "week";
}

type Chart = { scope: { app?: string }; unit: Unit; isLong: boolean };

/** The bar of a period, without its values. */
export function periodBar(period: WeekVolume, { scope, unit, isLong }: Chart) {
  const format = isLong ? formatMonth : formatShortDay;
  const today = todayUtc();
  const dayCount = daysBetween(period.from, period.to < today ? period.to : today) + 1;
  const isPartial = period.to >= today || (unit === "week" && dayCount < 7);
  const part =
    unit === "day" || dayCount === 7
      ? "so far"
      : `${formatQuantity(Math.max(0, dayCount), "day")} of it`;
  return {
    key: period.week,
    lastDay: lastDayOf(period, unit),
    isPartial,
    label: `${periodName(period, unit)}${isPartial ? `, ${part}` : ""}`,
    axisLabel: format(period.week),
    to: periodPath(period, scope),
  };
}

/** The end of the whole week, also where the range cuts it. */
function lastDayOf({ week }: WeekVolume, unit: Unit): string {
  return unit === "day" ? week : daysBefore(week, -6);
}

export function periodName({ week }: WeekVolume, unit: Unit): string {
  return unit === "day" ? formatDay(week) : `Week of ${formatDay(week)}`;
}

export function periodPath({ from, to }: WeekVolume, scope: { app?: string }): string {
  return reviewsPath({ ...(scope.app ? { app: scope.app } : {}), from, to });
}

export function PeriodLink({ period, scope }: { period: WeekVolume; scope: { app?: string } }) {
  return <Link href={periodPath(period, scope)}>{formatDay(period.week)}</Link>;
}

// A week in the charts and tables of the overview: its labels, and the link to its reviews. A week at the
// edge of the date range has only the days inside of it.

import type { WeekVolume } from "../../../../src/dashboard-api/contract/overview.ts";
import { Link } from "../../components/link.tsx";
import { daysBetween, todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { formatQuantity } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";

const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

const month = new Intl.DateTimeFormat("en-GB", {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** The bar of a week, without its values. */
export function weekBar(week: WeekVolume, chart: { scope: { app?: string }; isLong: boolean }) {
  const format = chart.isLong ? month : short;
  const today = todayUtc();
  const dayCount = daysBetween(week.from, week.to < today ? week.to : today) + 1;
  const isPartial = dayCount < 7;
  const part = formatQuantity(Math.max(0, dayCount), "day");
  return {
    key: week.week,
    isPartial,
    label: `Week of ${formatDay(week.week)}${isPartial ? `, ${part} of it` : ""}`,
    tick: format.format(new Date(`${week.week}T00:00:00Z`)),
    to: weekReviewsPath(week, chart.scope),
  };
}

export function weekReviewsPath({ from, to }: WeekVolume, scope: { app?: string }): string {
  return reviewsPath({ ...(scope.app ? { app: scope.app } : {}), from, to });
}

export function WeekLink({ week, scope }: { week: WeekVolume; scope: { app?: string } }) {
  return <Link href={weekReviewsPath(week, scope)}>{formatDay(week.week)}</Link>;
}

// A week in the charts and tables of the overview: its labels, and the link to its reviews. A week at the
// edge of the date range has only the days inside of it.

import type { WeekVolume } from "../../../../src/dashboard-api/contract/overview.ts";
import { Link } from "../../components/link.tsx";
import { formatDay } from "../../format/dates.ts";
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
  return {
    key: week.week,
    label: `Week of ${formatDay(week.week)}`,
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

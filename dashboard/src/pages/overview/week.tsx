// A week of the overview: its short name, and the reviews of those of its days that lie in the range.
import { Link } from "wouter";
import type { WeekVolume } from "../../../../src/dashboard-api/contract/overview.ts";
import { formatDay } from "../../format/dates.ts";
import { reviewsAddress } from "../reviews/filters.ts";

const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

const month = new Intl.DateTimeFormat("en-GB", {
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** A week as a column of a chart needs it, all but its values. */
export function weekColumn(week: WeekVolume, chart: { scope: { app?: string }; isLong: boolean }) {
  const format = chart.isLong ? month : short;
  return {
    key: week.week,
    label: `Week of ${formatDay(week.week)}`,
    tick: format.format(new Date(`${week.week}T00:00:00Z`)),
    to: weekAddress(week, chart.scope),
  };
}

export function weekAddress({ from, to }: WeekVolume, scope: { app?: string }): string {
  return reviewsAddress({ ...(scope.app ? { app: scope.app } : {}), from, to });
}

export function WeekLink({ week, scope }: { week: WeekVolume; scope: { app?: string } }) {
  return <Link href={weekAddress(week, scope)}>{formatDay(week.week)}</Link>;
}

// Every week of a range with its reviews per store.
import type { DayCounts, WeekCounts } from "../../database/reviews/review-counts.ts";
import { addDays, type Day, mondayOf } from "../../lib/timestamp.ts";
import type { WeekVolume } from "../contract/overview.ts";
import { addCounts, noCounts, toReviewCounts } from "./review-counts.ts";

export function toWeekVolumes(input: {
  weeks: readonly WeekCounts[];
  range: { from: Day; to: Day };
}): WeekVolume[] {
  const { range } = input;
  const weeks: WeekVolume[] = [];
  for (let week = mondayOf(range.from); week <= range.to; week = addDays(week, 7)) {
    const ofWeek = input.weeks.filter((one) => one.week === week);
    const byStore = { appstore: 0, googleplay: 0 };
    for (const { store, total } of ofWeek) byStore[store] += total;
    const sunday = addDays(week, 6);
    weeks.push({
      week,
      from: week < range.from ? range.from : week,
      to: sunday > range.to ? range.to : sunday,
      byStore,
      ...toReviewCounts(ofWeek.reduce<DayCounts>(addCounts, noCounts())),
    });
  }
  return weeks;
}

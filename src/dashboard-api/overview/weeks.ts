// Every week of a range with its reviews per store.
import type { DayCounts } from "../../database/read-models/overview.ts";
import type { App } from "../../domain/listing.ts";
import { addDays, type Day, mondayOf } from "../../lib/timestamp.ts";
import type { WeekVolume } from "../contract/overview.ts";
import { addCounts, noCounts, toReviewCounts } from "./review-counts.ts";

export function toWeekVolumes(input: {
  weeks: readonly ({ appId: string; week: Day } & DayCounts)[];
  apps: readonly App[];
  range: { from: Day; to: Day };
}): WeekVolume[] {
  const { range } = input;
  const storeOf = new Map(input.apps.map(({ id, store }) => [id, store]));
  const countsOf = groupByWeek(input.weeks);
  const weeks: WeekVolume[] = [];
  for (let week = mondayOf(range.from); week <= range.to; week = addDays(week, 7)) {
    const ofWeek = countsOf.get(week) ?? [];
    const byStore = { appstore: 0, googleplay: 0 };
    for (const { appId, total } of ofWeek) byStore[storeOf.get(appId) ?? "appstore"] += total;
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

type AppWeek = { appId: string; week: Day } & DayCounts;

function groupByWeek(counts: readonly AppWeek[]): Map<Day, AppWeek[]> {
  const groups = new Map<Day, AppWeek[]>();
  for (const one of counts) {
    const group = groups.get(one.week) ?? [];
    groups.set(one.week, group);
    group.push(one);
  }
  return groups;
}

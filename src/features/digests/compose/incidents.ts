// The incidents of the last four weeks: each release with what its verdict says, and each rise of negative reviews in a week
// that no release explains, from daily counts.

import { probabilityMax, surprise } from "../../../analysis/poisson.ts";
import type { Incident } from "../../../domain/changes/incident.ts";
import { releasePeriods } from "../../../domain/changes/release-periods.ts";
import { evidenceMin, type Verdict } from "../../../domain/changes/verdict.ts";
import { addDays, type Day, dayMs } from "../../../lib/timestamp.ts";
import type { DayRange } from "./spikes.ts";

/** Reviews of one day. `topic` is "" for all of them. */
export type TopicDay = {
  appId: string;
  topic: string;
  day: Day;
  total: number;
  negative: number;
};

export type FoundIncident = Omit<Incident, "averageRating" | "averageRatingBefore" | "quote">;

export type JudgedRelease = Pick<
  Verdict,
  "version" | "firstDay" | "outcome" | "shares" | "before"
> & { app: { id: string } };

export const incidentDays = 28;
const baselineDays = 28;
const rangeDays = 7;
const shownDaysBefore = 14;
/** With fewer days or reviews there is nothing to compare with. */
const baselineDaysMin = 7;
const baselineReviewsMin = 20;
/** A rise must also be worth a line, as in `spikes.ts`. */
const riseMin = 1.5;

/** The days of which counts are needed for incidents up to `to`. */
export function countedDays(to: Day): DayRange {
  return { from: addDays(to, 1 - incidentDays - baselineDays), to };
}

const order = ["quiet", "resolved", "open"];

/** Open ones first, then resolved ones, then quiet releases; each the newest first, and of one day those with a topic. */
export function findIncidents(input: {
  appIds: readonly string[];
  verdicts: readonly JudgedRelease[];
  counts: readonly TopicDay[];
  /** By the ids of apps: the day from which their reviews are whole. */
  covered: ReadonlyMap<string, { since: Day }>;
  to: Day;
}): FoundIncident[] {
  const { verdicts, counts, covered, to } = input;
  const found = input.appIds.flatMap((appId) => {
    const own = counts.filter((one) => one.appId === appId);
    const series = readSeries(own, covered.get(appId)?.since ?? null);
    const judged = verdicts.filter(({ app }) => app.id === appId);
    const releases = findReleases({ verdicts: judged, series, to });
    return [...releases, ...findRises({ appId, series, to, known: releases })];
  });
  const orderOf = ({ state, range, topic }: FoundIncident): string =>
    `${order.indexOf(state)} ${range.from} ${topic === null ? 0 : 1}`;
  return found.sort((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
}

type Field = "total" | "negative";

type Series = {
  topics: ReadonlySet<string>;
  /** From this day on the counts are whole; null: on all days. */
  since: Day | null;
  perDay(field: Field, topic: string, range: DayRange): number[];
  sum(field: Field, topic: string, range: DayRange): number;
};

function readSeries(counts: readonly TopicDay[], since: Day | null): Series {
  const byTopic = new Map<string, Map<number, TopicDay>>();
  for (const one of counts) {
    const days = byTopic.get(one.topic) ?? new Map<number, TopicDay>();
    byTopic.set(one.topic, days.set(dayNumber(one.day), one));
  }
  const perDay: Series["perDay"] = (field, topic, { from, to }) => {
    const days = byTopic.get(topic);
    const first = dayNumber(from);
    const length = Math.max(0, dayNumber(to) - first + 1);
    return Array.from({ length }, (_, index) => days?.get(first + index)?.[field] ?? 0);
  };
  const sum: Series["sum"] = (...of) => perDay(...of).reduce((total, count) => total + count, 0);
  return { topics: new Set(byTopic.keys()), since, perDay, sum };
}

const dayNumber = (day: Day): number => Date.parse(day) / dayMs;

function findReleases(of: {
  verdicts: readonly JudgedRelease[];
  series: Series;
  to: Day;
}): FoundIncident[] {
  const { series, to } = of;
  const verdicts = of.verdicts.toSorted((one, other) => (one.firstDay < other.firstDay ? -1 : 1));
  return verdicts.flatMap((verdict) => {
    const { app, version, firstDay, outcome, shares, before: past } = verdict;
    if (firstDay > to || firstDay <= addDays(to, -incidentDays)) return [];
    const next = verdicts.find((one) => one.firstDay > firstDay && one.firstDay <= to);
    const nextDay = next?.firstDay ?? null;
    const { after } = releasePeriods({ day: firstDay, nextDay, coveredSince: null });
    const range = { from: firstDay, to: after.to < to ? after.to : to };
    const topics = shares
      .filter(({ evidence, question }) => evidence >= evidenceMin && series.topics.has(question))
      .map(({ question }) => question);
    const state = stateOf[outcome];
    const topic = state === "quiet" ? "" : (topics[0] ?? "");
    const counted = shares.find(({ question }) => question === (topic || "negative"));
    const before = past && counted ? { ...past, negativeCount: counted.countBefore } : null;
    const incident = describe({ appId: app.id, version, series, range, topic, to });
    const otherTopics = state === "quiet" ? [] : topics.slice(1);
    return [{ ...incident, state, before, after: null, otherTopics }];
  });
}

const stateOf = {
  worse: "open",
  not_fixed: "open",
  fixed: "resolved",
  better: "quiet",
  fine: "quiet",
  too_early: "quiet",
} as const;

/** Weeks back from the last day in which something rose that no release explains; of each topic the worst. */
function findRises(of: {
  appId: string;
  series: Series;
  to: Day;
  known: readonly FoundIncident[];
}): FoundIncident[] {
  const { appId, series, to } = of;
  const worst = new Map<string, { probability: number; range: DayRange }>();
  for (let back = 0; back < incidentDays; back += rangeDays) {
    const end = addDays(to, -back);
    const range = { from: addDays(end, 1 - rangeDays), to: end };
    for (const { topic, probability } of listRises(series, range)) {
      const isExplained = of.known.some(
        (one) =>
          one.state !== "quiet" &&
          overlaps(one.range, range) &&
          (topic === "" ||
            one.topic === null ||
            one.topic === topic ||
            one.otherTopics.includes(topic)),
      );
      if (isExplained || probability >= (worst.get(topic)?.probability ?? 1)) continue;
      worst.set(topic, { probability, range });
    }
  }
  const topics = [...worst].filter(
    ([topic, { range }]) =>
      topic !== "" || [...worst].every(([name, one]) => name === "" || !overlaps(one.range, range)),
  );
  return topics.map(([topic, { range }]) =>
    describe({ appId, version: null, series, range, topic, to }),
  );
}

function overlaps(one: DayRange, other: DayRange): boolean {
  return one.from <= other.to && other.from <= one.to;
}

/** Topics whose negative reviews rose in the range, the most surprising first; "" for negative reviews at all. */
function listRises(series: Series, range: DayRange): { topic: string; probability: number }[] {
  const baseline = baselineOf(series, range);
  if (!baseline.isComparable) return [];
  // Where more people review at all, more of them complain of everything: a constant share does not count as a rise.
  const totalBefore = series.sum("total", "", baseline.range) * baseline.share;
  const growth = Math.max(1, series.sum("total", "", range) / Math.max(1, totalBefore));
  return [...series.topics]
    .flatMap((topic) => {
      const count = series.sum("negative", topic, range);
      const perDay = series.perDay("negative", topic, baseline.range);
      const expected = perDay.reduce((sum, one) => sum + one, 0) * baseline.share * growth;
      if (count < riseMin * expected) return [];
      const probability = surprise({ count, expected, perDay });
      return probability > probabilityMax ? [] : [{ topic, probability }];
    })
    .sort((one, other) => one.probability - other.probability);
}

function baselineOf(series: Series, { from, to }: DayRange) {
  const start = addDays(from, -baselineDays);
  const first = series.since ?? start;
  const range = { from: first > start ? first : start, to: addDays(from, -1) };
  const dayCount = Math.max(0, countDays(range));
  const isComparable =
    dayCount >= baselineDaysMin && series.sum("total", "", range) >= baselineReviewsMin;
  return { range, isComparable, share: dayCount === 0 ? 0 : countDays({ from, to }) / dayCount };
}

function describe(of: {
  appId: string;
  version: string | null;
  series: Series;
  range: DayRange;
  topic: string;
  to: Day;
}): FoundIncident {
  const { appId, version, series, range, topic, to } = of;
  const baseline = baselineOf(series, range);
  const countBefore = series.sum("negative", topic, baseline.range);
  const perDay = (countBefore * baseline.share) / countDays(range);
  const rest = { from: addDays(range.to, 1), to };
  const negativeAfter = series.sum("negative", topic, rest);
  const after = rest.from > to ? null : { ...rest, negativeCount: negativeAfter };
  const usual = perDay * countDays(rest);
  // Two standard deviations of a Poisson count: what a quiet week has by chance.
  const isOver = after !== null && after.negativeCount <= usual + 2 * Math.sqrt(usual);
  const shown = { from: addDays(range.from, -shownDaysBefore), to };
  const counts = series.perDay("negative", topic, shown);
  return {
    ...{ appId, version, range, after },
    state: isOver ? "resolved" : "open",
    topic: topic === "" ? null : topic,
    otherTopics: [],
    total: series.sum("total", "", range),
    negativeCount: series.sum("negative", topic, range),
    before: baseline.isComparable
      ? {
          ...baseline.range,
          total: series.sum("total", "", baseline.range),
          negativeCount: countBefore,
        }
      : null,
    days: { from: shown.from, counts },
  };
}

function countDays({ from, to }: DayRange): number {
  return dayNumber(to) - dayNumber(from) + 1;
}

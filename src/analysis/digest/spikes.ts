// What rose in a range of days against the days before: reviews at all, negative ones, topics, languages, and
// the negative reviews of a version. Computed from daily counts alone.
import type { DailyCount, Spike } from "../../domain/digest.ts";
import { addDays, type Day } from "../../lib/timestamp.ts";
import type { ReviewWords } from "./near-duplicates.ts";
import { probabilityMax, surprise } from "./poisson.ts";

export type FoundSpike = Omit<Spike, "sentence">;

/** Both days are inclusive. */
export type DayRange = { from: Day; to: Day };

/** A rise must also be worth a sentence: among thousands of reviews a tenth more is no chance, and no news. */
const riseMin = 1.5;
const spikesMax = 10;
const undetermined = "und";

/**
 * The most surprising first.
 *
 * @param input.groups near-duplicates of the range: their copies are taken off the counts
 */
export function findSpikes(input: {
  counts: readonly DailyCount[];
  range: DayRange;
  baseline: DayRange;
  groups: readonly (readonly ReviewWords[])[];
}): FoundSpike[] {
  const { range, baseline } = input;
  const counts = [...input.counts, ...countCopies(input.groups, range.to)];
  const share = listDays(range).length / listDays(baseline).length;
  const series = groupBySubject(counts);
  const all = sumUp(series.get(nameOf({ subject: "reviews", value: "" }))?.counts ?? [], {
    range,
    baseline,
  });
  // Where more people review at all, more of them mention everything: what only keeps its share is no news.
  const growth = Math.max(1, all.total / Math.max(1, all.totalBefore * share));
  const found: (FoundSpike & { probability: number })[] = [];
  const compare = (spike: FoundSpike, perDay: readonly number[]): void => {
    const { count, expected } = spike;
    if (count < riseMin * expected) return;
    const probability = surprise({ count, expected, perDay });
    if (probability > probabilityMax) return;
    found.push({ ...spike, expected: Math.round(expected * 10) / 10, probability });
  };
  const { total } = all;
  compare(
    { subject: "reviews", value: "", count: total, total, expected: all.totalBefore * share },
    all.perDay,
  );
  compare(
    {
      subject: "negative",
      value: "",
      count: all.negative,
      total,
      expected: all.negativeBefore * share * growth,
    },
    all.negativePerDay,
  );
  const negativeShare = all.negativeBefore / Math.max(1, all.totalBefore);
  for (const { key, counts: own } of series.values()) {
    if (key.subject === "reviews" || key.value === "" || key.value === undetermined) continue;
    const one = sumUp(own, { range, baseline });
    if (key.subject === "version") {
      // All reviews after a release are of the new version. News is that more of them are negative than usual.
      const expected = one.total * negativeShare;
      compare({ ...key, count: one.negative, total: one.total, expected }, []);
    } else {
      const expected = one.totalBefore * share * growth;
      compare({ ...key, count: one.total, total, expected }, one.perDay);
    }
  }
  return found
    .sort((one, other) => one.probability - other.probability || other.count - one.count)
    .slice(0, spikesMax)
    .map(({ probability: _, ...spike }) => spike);
}

type Subject = Pick<DailyCount, "subject" | "value">;

function groupBySubject(
  counts: readonly DailyCount[],
): Map<string, { key: Subject; counts: DailyCount[] }> {
  const groups = new Map<string, { key: Subject; counts: DailyCount[] }>();
  for (const one of counts) {
    const { subject, value } = one;
    const group = groups.get(nameOf(one)) ?? { key: { subject, value }, counts: [] };
    groups.set(nameOf(one), group);
    group.counts.push(one);
  }
  return groups;
}

function nameOf({ subject, value }: Subject): string {
  return `${subject} ${value}`;
}

type Sums = {
  total: number;
  totalBefore: number;
  negative: number;
  negativeBefore: number;
  /** Of the baseline, a number for each day. */
  perDay: number[];
  negativePerDay: number[];
};

function sumUp(
  own: readonly DailyCount[],
  { range, baseline }: { range: DayRange; baseline: DayRange },
): Sums {
  const sumOf = (field: "total" | "negative", within: DayRange): number =>
    own.reduce((sum, one) => sum + (isWithin(one.day, within) ? one[field] : 0), 0);
  const perDay = (field: "total" | "negative"): number[] =>
    listDays(baseline).map((day) => sumOf(field, { from: day, to: day }));
  return {
    total: Math.max(0, sumOf("total", range)),
    totalBefore: sumOf("total", baseline),
    negative: Math.max(0, sumOf("negative", range)),
    negativeBefore: sumOf("negative", baseline),
    perDay: perDay("total"),
    negativePerDay: perDay("negative"),
  };
}

/** What the copies of near-duplicates added to the counts, with a minus. */
function countCopies(groups: readonly (readonly ReviewWords[])[], day: Day): DailyCount[] {
  return groups
    .flatMap((group) => group.slice(1))
    .flatMap(({ review }) => {
      const negative = review.sentiment === "negative" ? -1 : 0;
      const one = { day, total: -1, negative };
      return [
        { ...one, subject: "reviews", value: "" } as const,
        { ...one, subject: "language", value: review.language } as const,
        { ...one, subject: "version", value: review.version } as const,
        ...review.topics.map(
          (value) => ({ ...one, negative: 0, subject: "topic", value }) as const,
        ),
      ];
    });
}

function isWithin(day: Day, { from, to }: DayRange): boolean {
  return day >= from && day <= to;
}

/** From the first to the last, both inclusive. */
export function listDays({ from, to }: DayRange): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

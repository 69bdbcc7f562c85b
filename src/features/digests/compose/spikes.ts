// Changes in a range of days against the days before: how many reviews came, their stars, and the shares of
// negative ones, of bad opinions on topics, of languages, and of the negative reviews of a version.

import {
  fallProbability,
  keepSurprising,
  riseProbability,
  type Shares,
} from "../../../analysis/exact-test.ts";
import { spikeCountMin, surprise } from "../../../analysis/poisson.ts";
import type { DailyCount, Spike } from "../../../domain/changes/digest.ts";
import { groupBy } from "../../../lib/group-by.ts";
import { addDays, type Day } from "../../../lib/timestamp.ts";
import type { ReviewWords } from "./near-duplicates.ts";

/** With the counts of the days before, which its sentence names. */
export type FoundSpike = Omit<Spike, "sentence"> & Pick<Shares, "countBefore" | "totalBefore">;

/** Both days are inclusive. */
export type DayRange = { from: Day; to: Day };

/** Reviews with 1 to 5 stars, in that order. */
export type Stars = readonly number[];

/**
 * A change must also be worth a sentence: among thousands of reviews a tenth more is hardly chance, and yet not worth a
 * report.
 */
const riseMin = 1.5;
/** How often a digest of quiet days claims anything. */
const falseClaimsMax = 0.01;
/** From this share on, five stars are a burst of them. */
const burstShareMin = 0.8;
const spikesMax = 10;
const undetermined = "und";

type Question = { spike: FoundSpike; probability: number };

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
  stars: Stars;
  starsBefore: Stars;
}): FoundSpike[] {
  const { range, baseline } = input;
  const counts = [...input.counts, ...countCopies(input.groups, range.to)];
  const series = groupBy(counts, nameOf);
  const sumOf = (own: readonly DailyCount[]): Sums => sumUp(own, { range, baseline });
  const all = sumOf(series.get(nameOf({ subject: "reviews", value: "" })) ?? []);
  const share = listDays(range).length / listDays(baseline).length;
  const totals = { total: all.total, totalBefore: all.totalBefore };
  const negative = { count: all.negative, countBefore: all.negativeBefore };
  const questions = [
    ...testVolume(all, {
      share,
      copyCount: input.groups.reduce((sum, { length }) => sum + length - 1, 0),
    }),
    ...testStars(input.stars, input.starsBefore),
    testRise({ subject: "negative", value: "", ...negative, ...totals }),
  ];
  for (const own of series.values()) {
    const { subject = "reviews", value = "" } = own[0] ?? {};
    if (subject === "reviews" || value === "" || value === undetermined) continue;
    const key = { subject, value };
    const one = sumOf(own);
    // All reviews after a release are of the new version. News is that more of them are negative than usual.
    if (key.subject === "version")
      questions.push(
        testRise({
          ...key,
          ...{ count: one.negative, total: one.total },
          ...{ countBefore: all.negativeBefore, totalBefore: all.totalBefore },
        }),
      );
    else if (key.subject === "topic")
      questions.push(
        testRise({ ...key, ...totals, count: one.negative, countBefore: one.negativeBefore }),
      );
    else
      questions.push(
        testRise({ ...key, ...totals, count: one.total, countBefore: one.totalBefore }),
      );
  }
  return keepSurprising(questions, falseClaimsMax)
    .map(({ spike }) => spike)
    .slice(0, spikesMax);
}

type Compared = Omit<FoundSpike, "expected">;

function testRise(compared: Compared): Question {
  // A workspace's own topics count copies, which all reviews do not.
  const total = Math.max(compared.total, compared.count);
  const spike = withExpected({ ...compared, total });
  const isNews = spike.count >= spikeCountMin && spike.count >= riseMin * spike.expected;
  return { spike, probability: isNews ? riseProbability(spike) : 1 };
}

/** The number that the share before predicts among the same number of reviews. */
function withExpected(compared: Compared): FoundSpike {
  const { total, countBefore, totalBefore } = compared;
  const expected = (countBefore / Math.max(1, totalBefore)) * total;
  return { ...compared, expected: Math.round(expected * 10) / 10 };
}

/** More reviews, or fewer: no share, but a rate whose days vary more than by chance. */
function testVolume(
  all: Sums,
  { share, copyCount }: { share: number; copyCount: number },
): Question[] {
  const { total, totalBefore, perDay } = all;
  const expected = totalBefore * share;
  const of = { value: "", count: total, total, countBefore: totalBefore, totalBefore };
  const rounded = Math.round(expected * 10) / 10;
  const more = total >= riseMin * expected ? surprise({ count: total, expected, perDay }) : 1;
  // Copies are no more reviews, but no fewer either.
  const received = total + copyCount;
  const fewer =
    riseMin * received <= expected ? surprise({ count: expected, expected: received, perDay }) : 1;
  return [
    { spike: { subject: "reviews", ...of, expected: rounded }, probability: more },
    { spike: { subject: "fewer", ...of, expected: rounded }, probability: fewer },
  ];
}

function testStars(stars: Stars, starsBefore: Stars): Question[] {
  const total = sum(stars);
  const totalBefore = sum(starsBefore);
  if (total < spikeCountMin || totalBefore === 0) return [];
  const low = { count: sum(stars.slice(0, 2)), countBefore: sum(starsBefore.slice(0, 2)) };
  const high = { count: stars[4] ?? 0, countBefore: starsBefore[4] ?? 0 };
  const totals = { total, totalBefore };
  const down = withExpected({ subject: "rating", value: "down", ...low, ...totals });
  const up = withExpected({ subject: "rating", value: "up", ...low, ...totals });
  const isRise = riseMin * up.count <= up.expected && up.expected >= spikeCountMin;
  const burst = testRise({ subject: "rating", value: "five_stars", ...high, ...totals });
  return [
    testRise(down),
    { spike: up, probability: isRise ? fallProbability(up) : 1 },
    { ...burst, probability: high.count >= burstShareMin * total ? burst.probability : 1 },
  ];
}

function sum(counts: Stars): number {
  return counts.reduce((total, count) => total + count, 0);
}

function nameOf({ subject, value }: Pick<DailyCount, "subject" | "value">): string {
  return `${subject} ${value}`;
}

type Sums = {
  total: number;
  totalBefore: number;
  negative: number;
  negativeBefore: number;
  /** Of the baseline, a number for each day. */
  perDay: number[];
};

function sumUp(
  own: readonly DailyCount[],
  { range, baseline }: { range: DayRange; baseline: DayRange },
): Sums {
  const sumOf = (field: "total" | "negative", within: DayRange): number =>
    own.reduce((sum, one) => sum + (isWithin(one.day, within) ? one[field] : 0), 0);
  return {
    total: Math.max(0, sumOf("total", range)),
    totalBefore: sumOf("total", baseline),
    negative: Math.max(0, sumOf("negative", range)),
    negativeBefore: sumOf("negative", baseline),
    perDay: listDays(baseline).map((day) => sumOf("total", { from: day, to: day })),
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
        ...review.topics.map((value) => ({ ...one, subject: "topic", value }) as const),
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

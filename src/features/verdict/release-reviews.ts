// Which reviews a release is judged by, and which past ones they are compared with. docs/release-verdict.md explains the
// treatment of late, edited and removed reviews, of campaigns and of seasons.

import { beforeDays, releaseDays } from "../../domain/changes/release-periods.ts";
import { type Analysis, listTopicOpinions } from "../../domain/review/analysis.ts";
import { addDays, type Day, dayMs } from "../../lib/timestamp.ts";
import type { TestedReview } from "./judge/bets.ts";
import { complaintTopics, markOf } from "./judge/questions.ts";
import type { EarlierState, ReviewRange, VerdictReviewRow } from "./sql.ts";

/** One writing of a review: the first, or an edit. */
export type Writing = TestedReview & {
  date: Date;
  arrivedAt: Date;
  version: string;
  /** Storefront or language. */
  region: string;
  /** Bits as in `marks`, by the filters of the list of reviews: its figures have a list each. */
  listed: number;
};

export type Release = {
  version: string;
  firstDay: Day;
  /** Of the release after it; null for the newest. */
  nextDay: Day | null;
  /** It, and those after it. */
  laterVersions: readonly string[];
};

export type ReleaseReviews = {
  /** In the order of their arrival. */
  reviews: Writing[];
  pasts: Writing[][];
  /** Whether a day of the release had so many reviews that they were probably asked for. */
  hasCampaign: boolean;
};

/** 52 weeks, so that weekdays stay; the weeks of the release, and two before. */
const seasonShiftDays = -364;
const seasonLeadDays = 14;
export const readMax = 1_500;
const pastMax = 800;
const reviewsMax = 600;
/** A season with fewer reviews, or less than this part of the past, would be used up long before the verdict. */
const seasonMin = 60;
const seasonPart = 1 / 4;
/** A day with this many times the usual number of reviews, and more than a few. */
const campaignFactor = 4;
const campaignMin = 10;

export type Range = Pick<ReviewRange, "from" | "to" | "order">;

/** The last weeks before the release, its own, and those of the year before. */
export function listRanges({ firstDay }: Release): [past: Range, own: Range, season: Range] {
  const range = (from: number, to: number, order: Range["order"]): Range => ({
    from: new Date(addDays(firstDay, from)),
    to: new Date(addDays(firstDay, to)),
    order,
  });
  const season = seasonShiftDays + releaseDays;
  return [
    range(-beforeDays, 0, "newest"),
    range(0, releaseDays, "oldest"),
    range(seasonShiftDays - seasonLeadDays, season, "newest"),
  ];
}

/** @param writings oldest first */
export function chooseReviews(release: Release, writings: readonly Writing[]): ReleaseReviews {
  const [past, own, season] = listRanges(release).map((range) => select(range, writings));
  const released = Date.parse(release.firstDay);
  // Later arrivals must not change comparisons already made.
  const known = (past ?? [])
    .filter(({ arrivedAt }) => arrivedAt.getTime() < released)
    .slice(-pastMax);
  const usual = usualDay(known);
  const recent = known.filter((one) => !usual.isExceeded(one));
  const lastYear = (season ?? []).slice(-pastMax);
  const isSeasonal = lastYear.length >= Math.max(seasonMin, seasonPart * recent.length);
  const nextAt = release.nextDay === null ? null : new Date(release.nextDay);
  const isOwn = ({ version, date }: Writing): boolean =>
    version === release.version || (version === "" && (nextAt === null || date < nextAt));
  const reviews = (own ?? [])
    .filter(isOwn)
    .sort((one, other) => +one.arrivedAt - +other.arrivedAt || +one.date - +other.date)
    .slice(0, reviewsMax);
  const busy = usualDay(own ?? [], usual.limit);
  return {
    reviews,
    pasts: isSeasonal ? [recent, lastYear] : [recent],
    hasCampaign: reviews.some(busy.isExceeded),
  };
}

/** The first writing of each review in the range. */
function select({ from, to }: Range, writings: readonly Writing[]): Writing[] {
  const known = new Set<string>();
  // Numbers: comparing dates themselves took most of the time of a page of releases.
  const [since, until] = [from.getTime(), to.getTime()];
  return writings.filter(({ id, date }) => {
    const at = date.getTime();
    if (at < since || at >= until || known.has(id)) return false;
    known.add(id);
    return true;
  });
}

function usualDay(writings: readonly Writing[], known?: number) {
  const counts = new Map<number, number>();
  const dayNumber = ({ date }: Writing): number => Math.floor(date.getTime() / dayMs);
  for (const one of writings) counts.set(dayNumber(one), (counts.get(dayNumber(one)) ?? 0) + 1);
  const [first, last] = [writings[0], writings.at(-1)];
  const dayCount = first && last ? Math.ceil((+last.date - +first.date) / dayMs) : 0;
  const sorted = [...counts.values()].sort((one, other) => other - one);
  // Days without a review count as well.
  const median = sorted[Math.floor(Math.max(dayCount, counts.size) / 2)] ?? 0;
  const limit = known ?? Math.max(campaignMin, campaignFactor * median);
  return { limit, isExceeded: (one: Writing) => (counts.get(dayNumber(one)) ?? 0) > limit };
}

/** Every writing of these reviews, oldest first. `baselineOf` says when the first full crawl of a region ended. */
export async function listWritings(
  rows: readonly VerdictReviewRow[],
  baselineOf: (region: string) => Date | null,
): Promise<Writing[]> {
  const analyze = await openAnalysis(rows);
  const writings = rows.flatMap((row) => {
    const { id, region, languageHint } = row;
    const baselineAt = baselineOf(region);
    const write = (
      state: Pick<VerdictReviewRow, "rating" | "version"> & { date: Date; seenAt: Date },
      analysis: StoredAnalysis,
    ): Writing => ({
      id,
      stratum: state.version === "" ? `${region} without a version` : region,
      marks: markReview(state.rating, analysis),
      listed: markListed({ ...analysis, rating: state.rating }),
      ...{ version: state.version, region },
      date: state.date,
      // A backfill finds years at once: what was written before its end has the order of the dates.
      arrivedAt: baselineAt !== null && state.date > baselineAt ? state.seenAt : state.date,
    });
    const earlier = row.earlier ?? [];
    const seenAt = (at: number): Date => {
      const before = earlier[at - 1];
      return before ? new Date(before.replacedAt) : row.firstSeenAt;
    };
    const { topics, topicScores, sentiment: label } = row;
    return [
      ...earlier.map((state: EarlierState, at) => {
        const written = { ...state, date: new Date(state.date), seenAt: seenAt(at) };
        return write(written, storedAnalysis(state) ?? analyze(state, languageHint));
      }),
      write(
        { ...row, seenAt: seenAt(earlier.length) },
        { topics, label, ...(topicScores && { topicScores }) },
      ),
    ];
  });
  return writings.sort((one, other) => +one.date - +other.date || (one.id < other.id ? -1 : 1));
}

type StoredAnalysis = Pick<Analysis, "topics" | "topicScores"> & { label: string | null };

function storedAnalysis({ topics, topicScores, sentiment }: EarlierState): StoredAnalysis | null {
  if (topics === null) return null;
  return { topics, label: sentiment, ...(topicScores && { topicScores }) };
}

type Analyze = (state: EarlierState, languageHint: string | null) => StoredAnalysis;

/** For earlier versions that an import has; only few threads need it. */
async function openAnalysis(rows: readonly VerdictReviewRow[]): Promise<Analyze> {
  const isNeeded = rows.some(({ earlier }) => earlier?.some(({ topics }) => topics === null));
  const { analyzeReview } = isNeeded ? await import("../../analysis/analyze.ts") : {};
  return (state, languageHint) => {
    const analysis = analyzeReview?.({ ...state, languageHint });
    return { topics: [], ...analysis, label: analysis?.sentiment?.label ?? null };
  };
}

type JsonRow = Omit<VerdictReviewRow, "date" | "firstSeenAt"> &
  Record<"date" | "firstSeenAt", string>;

/** As `listVerdictReviews` writes them. */
export function parseRows(json: string): VerdictReviewRow[] {
  const rows = JSON.parse(json) as JsonRow[];
  return rows.map((row) => ({
    ...row,
    date: new Date(row.date),
    firstSeenAt: new Date(row.firstSeenAt),
  }));
}

const lowStarsMax = 2;

/** A complaint of the list is a negative review that mentions the topic. */
export function markListed(review: {
  rating: number;
  label: string | null;
  topics: readonly string[];
}): number {
  const { rating, label, topics } = review;
  const lowStars = rating <= lowStarsMax ? markOf("low_stars") : 0;
  if (label !== "negative") return lowStars;
  const complaints = topics.filter((topic) => complaintTopics.has(topic));
  return complaints.reduce((marks, topic) => marks | markOf(topic), lowStars | markOf("negative"));
}

function markReview(rating: number, analysis: StoredAnalysis): number {
  const isNegative = analysis.label === "negative";
  let marks =
    (isNegative ? markOf("negative") : 0) | (rating <= lowStarsMax ? markOf("low_stars") : 0);
  for (const { topic, opinion } of listTopicOpinions(analysis)) {
    // An analysis without opinions on topics has one on the whole review.
    const isComplaint = analysis.topicScores ? opinion === "negative" : isNegative;
    if (isComplaint && complaintTopics.has(topic)) marks |= markOf(topic);
  }
  return marks;
}

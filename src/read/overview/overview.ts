// The terms of the overview and of the list of releases.
import type { TopicOpinions } from "../../database/reviews/review-counts.ts";
import type { Incident } from "../../domain/changes/incident.ts";
import type { ReleasePeriods } from "../../domain/changes/release-periods.ts";
import type { Verdict } from "../../domain/changes/verdict.ts";
import type { ReplyOutcomes } from "../../domain/review/reply-outcomes.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import type { Day } from "../../lib/timestamp.ts";
import type { RatingHistoryDay } from "../../use-cases/apps/rating-days.ts";
import type { ComparedRelease } from "../../use-cases/apps/releases.ts";
import type { ReviewCounts } from "../../use-cases/apps/review-counts.ts";

/** All-time totals of an app, as the stores show them. */
export type RatingNow = {
  average: number;
  total: number;
  /** null when no source has one. */
  histogram: ReviewCounts["stars"] | null;
  capturedOn: Day;
  /** Against the newest snapshot of the day before the range or earlier; null when there is none. */
  change: { average: number; total: number; since: Day } | null;
};

export type Release = {
  appId: string;
  version: string;
  /** When a review of this version was first seen. */
  day: Day;
};

export type WeekVolume = ReviewCounts & {
  /** The week's Monday, or the day. */
  week: Day;
  /** The days of it that lie in the range: what a click opens. */
  from: Day;
  to: Day;
  byStore: Record<StoreId, number>;
};

export type TopicTrend = {
  topic: string;
  count: number;
  sentiment: ReviewCounts["sentiment"];
  /** In the equally long range before. */
  negativeBefore: number;
  /** Opinions of reviews on the topic itself: "great maps, but it crashes" is good of one and bad of another. */
  opinions: TopicOpinions;
};

type TopicWeek = {
  /** The week's Monday. */
  week: Day;
  topic: string;
  count: number;
  opinions: TopicOpinions;
};

/** Reviews of one storefront, or of one language of Google Play's lists. */
export type RegionCounts = ReviewCounts & { store: StoreId; region: string };

export type OverviewApp = {
  appId: string;
  name: string;
  store: StoreId;
  /** null before the first snapshot. */
  rating: RatingNow | null;
  /** Only for the first 12 apps; Mondays only in a range of more than 400 days. */
  ratingDays: RatingHistoryDay[];
  /** Figures of the range. */
  reviews: ReviewCounts;
};

export type Overview = {
  range: { from: Day; to: Day };
  before: { from: Day; to: Day };
  /** The day of the oldest review of these apps; null without reviews. */
  firstReviewDay: Day | null;
  /** From this day on every app and feed has its reviews: earlier days can't be compared with. */
  coveredSince: Day | null;
  /** In the order they were added. */
  apps: OverviewApp[];
  /** Sums over all these apps. */
  reviews: ReviewCounts;
  reviewsBefore: ReviewCounts;
  /** Every week of the range, or every day of up to 31 days, oldest first; zeros without reviews. */
  weeks: WeekVolume[];
  /** At most 30, the most negative reviews first. */
  topics: TopicTrend[];
  /** The weeks of these topics that begin in the range, oldest first; weeks without the topic are left out. */
  topicWeeks: TopicWeek[];
  /** At most 30, the most reviews first. */
  regions: RegionCounts[];
  /** In the range, oldest first. */
  releases: Release[];
  /** First seen in the range: at most 40, the newest first. */
  versions: ComparedRelease[];
};

export type OverviewAnswer = Overview & {
  /** For the last 28 days and the 12 apps with the most reviews: open ones first, quiet releases last. */
  incidents: Incident[];
  /** On the newest 12 releases of these 28 days. */
  verdicts: Verdict[];
  /** Stars after the answers of these days; null where none are sent, and left out in older frozen pages. */
  answers?: ReplyOutcomes | null;
};

/** A version, and the days that are compared around it. `day`: when a review of it was first seen. */
export type ReleaseDays = ReleasePeriods & { version: string; day: Day };

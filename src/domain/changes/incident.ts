// An incident: what a release did to the reviews of an app, or negative reviews that rose without one. Its counts equal
// those of the review list with the same filters.
import type { Day } from "../../lib/timestamp.ts";

type DayRange = { from: Day; to: Day };

export type Incident = {
  appId: string;
  /** The release; null for a rise without one. */
  version: string | null;
  /** A release has the state that its verdict says: `quiet` unless it is worse, `resolved` once a later one fixed it. */
  state: "open" | "resolved" | "quiet";
  /** The days of the release so far, up to the next one or for four weeks; or the seven days of the rise. */
  range: DayRange;
  /** The subject of the rise: negative reviews of a topic; null: negative reviews at all. */
  topic: string | null;
  /** Other topics that rose in the same days. */
  otherTopics: string[];
  /** Reviews of the range. */
  total: number;
  /** The negative ones, of the topic if there is one. */
  negativeCount: number;
  /** The same in the days before: twelve weeks before a release, four before a rise; null where they are not covered. */
  before: (DayRange & { total: number; negativeCount: number }) | null;
  averageRating: number | null;
  averageRatingBefore: number | null;
  /** A rise without a release has one: from the day after the range up to the last day; null without such days. */
  after: (DayRange & { negativeCount: number }) | null;
  /** Negative reviews, of the topic if there is one, day by day: two weeks before the range, and up to the last day. */
  days: { from: Day; counts: number[] };
  quote: { reviewId: string; rating: number; text: string; language: string } | null;
};

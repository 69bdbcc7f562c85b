// The four numbers at the top, each compared with the period of equal length before and linked to its
// reviews.
import type { ReactNode } from "react";
import type {
  Overview,
  ReviewCounts,
  WeekVolume,
} from "../../../../src/dashboard-api/contract/overview.ts";
import { findUncoveredUntil } from "../../../../src/domain/changes/release-periods.ts";
import { differenceOf } from "../../../../src/domain/changes/share-difference.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { Link } from "../../components/link.tsx";
import { daysBetween, todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatGrowth, formatPercent, formatQuantity } from "../../format/numbers.ts";
import { differsInStars } from "../compare/star-difference.ts";
import { reviewsPath } from "../reviews/filters.ts";
import { Change } from "./change.tsx";
import styles from "./overview.module.css";
import type { Scope } from "./scope.ts";

type TilesProps = {
  overview: Overview;
  /** Those that have reviews. */
  weeks: readonly WeekVolume[];
  scope: Scope;
};

export function Tiles({ overview, weeks, scope }: TilesProps) {
  const { reviews, reviewsBefore, apps } = overview;
  const comparison = {
    now: reviews,
    before: reviewsBefore,
    dayCount: countDays(overview.before),
    isToday: overview.range.from >= todayUtc(),
    uncoveredUntil: findUncoveredUntil(overview),
  };
  const singleApp = apps.length === 1 ? apps[0] : undefined;
  return (
    <div className={styles.tiles}>
      {singleApp ? <RatingTile app={singleApp} /> : <RatingsTile apps={apps} />}
      <Tile
        label="Reviews"
        number={formatCount(reviews.total)}
        trend={weeks.map(({ total }) => total)}
        to={reviewsPath(scope)}
        note={<CountChange {...comparison} />}
      />
      <Tile
        label="Average review rating"
        number={reviews.averageRating?.toFixed(2) ?? "–"}
        trend={weeks.map(({ averageRating }) => averageRating)}
        trendSpanMin={1}
        to={reviewsPath(scope)}
        note={<AverageChange {...comparison} />}
      />
      <Tile
        label="Positive reviews"
        number={
          reviews.analyzed > 0 ? formatPercent(reviews.sentiment.positive, reviews.analyzed) : "–"
        }
        trend={weeks.map(({ sentiment, analyzed }) =>
          analyzed > 0 ? sentiment.positive / analyzed : null,
        )}
        trendSpanMin={0.25}
        to={reviewsPath({ ...scope, sentiment: "positive" })}
        note={<PositiveChange {...comparison} />}
      />
    </div>
  );
}

/** A store's all-time average moves by a hundredth from day to day. */
const ratingStepMin = 0.02;
const ratingSpanMin = 0.2;

function RatingTile({ app }: { app: Overview["apps"][number] }) {
  const { rating } = app;
  if (!rating) return <Tile label="Store rating" number="–" note="No rating yet" />;
  const { average, total, change } = rating;
  return (
    <Tile
      label="Store rating"
      number={average.toFixed(2)}
      trend={app.ratingDays.map((day) => day.average)}
      trendSpanMin={ratingSpanMin}
      note={
        change ? (
          <>
            <Change by={change.average} isNoise={Math.abs(change.average) < ratingStepMin} /> since{" "}
            {formatDay(change.since)}
          </>
        ) : (
          formatQuantity(total, "rating")
        )
      }
    />
  );
}

/** The average of all apps, weighted by their ratings. */
function RatingsTile({ apps }: { apps: Overview["apps"] }) {
  const rated = apps.flatMap(({ rating }) => rating ?? []);
  const total = rated.reduce((sum, rating) => sum + rating.total, 0);
  const stars = rated.reduce((sum, rating) => sum + rating.average * rating.total, 0);
  return (
    <Tile
      label="Store rating, all apps"
      number={total === 0 ? "–" : (stars / total).toFixed(2)}
      trend={averageByDay(apps)}
      trendSpanMin={ratingSpanMin}
      note={`${formatQuantity(total, "rating")} of ${formatQuantity(rated.length, "app")}`}
    />
  );
}

/** Each day has the newest figures of all apps until then. */
function averageByDay(apps: Overview["apps"]): number[] {
  const days = apps.flatMap(({ ratingDays }) => ratingDays.map(({ day }) => day));
  return [...new Set(days)].sort().map((day) => {
    const known = apps.flatMap(
      ({ ratingDays }) => ratingDays.findLast((one) => one.day <= day) ?? [],
    );
    const total = known.reduce((sum, one) => sum + (one.total ?? 0), 0);
    const stars = known.reduce((sum, one) => sum + one.average * (one.total ?? 0), 0);
    return stars / Math.max(1, total);
  });
}

type TileProps = {
  label: string;
  number: string;
  note: ReactNode;
  trend?: readonly (number | null)[];
  trendSpanMin?: number;
  to?: string;
};

function Tile({ label, number, note, trend = [], trendSpanMin = 0, to }: TileProps) {
  const content = (
    <>
      <span className={styles.tileLabel}>{label}</span>
      <span className={styles.tileNumber}>
        {number}
        <Sparkline values={trend} spanMin={trendSpanMin} />
      </span>
      <span className={styles.tileNote}>{note}</span>
    </>
  );
  if (to === undefined) return <div className={styles.tile}>{content}</div>;
  return (
    <Link href={to} className={styles.tile}>
      {content}
    </Link>
  );
}

type Comparison = {
  now: ReviewCounts;
  before: ReviewCounts;
  dayCount: number;
  isToday: boolean;
  /** The day before which some feeds have no reviews; null where the days before are whole. */
  uncoveredUntil: string | null;
};

function CountChange({ now, before, dayCount, isToday, uncoveredUntil }: Comparison) {
  // A part of a day says nothing against a whole one.
  if (isToday) return "today so far";
  if (uncoveredUntil !== null)
    return `Complete since ${formatDay(uncoveredUntil)}: nothing to compare yet`;
  if (before.total === 0) return null;
  return `${formatGrowth(before.total, now.total)} ${versus(dayCount)}`;
}

function AverageChange({ now, before, dayCount, uncoveredUntil }: Comparison) {
  if (uncoveredUntil !== null) return null;
  if (now.averageRating === null || before.averageRating === null) return null;
  return (
    <>
      <Change
        by={now.averageRating - before.averageRating}
        isNoise={!differsInStars(before.stars, now.stars)}
      />{" "}
      {versus(dayCount)}
    </>
  );
}

function PositiveChange({ now, before, dayCount, uncoveredUntil }: Comparison) {
  if (uncoveredUntil !== null) return null;
  if (now.analyzed === 0 || before.analyzed === 0) return null;
  const share = ({ sentiment, analyzed }: ReviewCounts) => ({
    count: sentiment.positive,
    total: analyzed,
  });
  const { points, isSignificant } = differenceOf(share(before), share(now));
  const unit = Math.abs(Math.round(points)) === 1 ? " point" : " points";
  return (
    <>
      <Change by={points} decimals={0} unit={unit} isNoise={!isSignificant} /> {versus(dayCount)}
    </>
  );
}

function versus(dayCount: number): string {
  return dayCount === 1 ? "vs the day before" : `vs previous ${dayCount} days`;
}

function countDays({ from, to }: { from: string; to: string }): number {
  return daysBetween(from, to) + 1;
}

// The four numbers at the top, each against the equally long stretch before and each a way to its reviews.
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Overview, ReviewCounts } from "../../../../src/dashboard-api/contract/overview.ts";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatGrowth, formatNumberOf, formatPercent } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import { Change } from "./change.tsx";
import styles from "./overview.module.css";
import type { Scope } from "./overview.tsx";

export function Tiles({ overview, scope }: { overview: Overview; scope: Scope }) {
  const { reviews, reviewsBefore, apps } = overview;
  const only = apps.length === 1 ? apps[0] : undefined;
  return (
    <div className={styles.tiles}>
      {only ? <RatingTile app={only} /> : <AppsTile count={apps.length} />}
      <Tile
        label="Reviews"
        number={formatCount(reviews.total)}
        to={reviewsAddress(scope)}
        note={<CountChange now={reviews.total} before={reviewsBefore.total} />}
      />
      <Tile
        label="Average of reviews"
        number={reviews.averageRating?.toFixed(2) ?? "–"}
        to={reviewsAddress(scope)}
        note={<ScoreChange now={reviews} before={reviewsBefore} />}
      />
      <Tile
        label="Positive reviews"
        number={
          reviews.analyzed > 0 ? formatPercent(reviews.sentiment.positive, reviews.analyzed) : "–"
        }
        to={reviewsAddress({ ...scope, sentiment: "positive" })}
        note={<PositiveChange now={reviews} before={reviewsBefore} />}
      />
    </div>
  );
}

function RatingTile({ app }: { app: Overview["apps"][number] }) {
  const { rating } = app;
  if (!rating) return <Tile label="Store rating" number="–" note="No rating was read yet" />;
  const { average, total, change } = rating;
  return (
    <Tile
      label="Store rating"
      number={average.toFixed(2)}
      to={reviewsAddress({ app: app.appId })}
      note={
        change ? (
          <>
            <Change by={change.average} /> since {formatDay(change.since)}
          </>
        ) : (
          formatNumberOf(total, "rating")
        )
      }
    />
  );
}

function AppsTile({ count }: { count: number }) {
  return <Tile label="Apps" number={formatCount(count)} to="/sources" note="in this workspace" />;
}

type TileProps = { label: string; number: string; note: ReactNode; to?: string };

function Tile({ label, number, note, to }: TileProps) {
  const content = (
    <>
      <span className={styles.tileLabel}>{label}</span>
      <span className={styles.tileNumber}>{number}</span>
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

function CountChange({ now, before }: { now: number; before: number }) {
  if (before === 0) return "nothing to compare with";
  return `${formatGrowth(before, now)} vs the period before`;
}

type Compared = { now: ReviewCounts; before: ReviewCounts };

function ScoreChange({ now, before }: Compared) {
  if (now.averageRating === null || before.averageRating === null) return "nothing to compare with";
  return (
    <>
      <Change by={now.averageRating - before.averageRating} /> vs the period before
    </>
  );
}

function PositiveChange({ now, before }: Compared) {
  if (now.analyzed === 0 || before.analyzed === 0) return "nothing to compare with";
  const share = ({ sentiment, analyzed }: ReviewCounts) => (sentiment.positive / analyzed) * 100;
  return (
    <>
      <Change by={share(now) - share(before)} decimals={0} unit=" points" /> vs the period before
    </>
  );
}

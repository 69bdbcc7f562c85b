// What the store itself says of one app: its average over time with the releases, and its histogram.
import { useMemo } from "react";
import type { OverviewApp, Release } from "../../../../src/dashboard-api/contract/overview.ts";
import { Bars, StarLabel } from "../../charts/bar-list.tsx";
import { Figure } from "../../charts/chart-frame.tsx";
import { LineChart } from "../../charts/time-series-chart.tsx";
import { Card } from "../../components/card.tsx";
import { Note } from "../../components/feedback.tsx";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatNumberOf, formatPercent } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import { starsAround } from "./rating-axis.ts";

type RatingHistoryProps = {
  app: OverviewApp;
  releases: readonly Release[];
  range: { from: string; to: string };
};

export function RatingHistory({ app, releases, range }: RatingHistoryProps) {
  const { appId, ratingDays } = app;
  const points = useMemo(
    () =>
      ratingDays.map(({ day, average, total }) => ({
        day,
        value: average,
        note: formatNumberOf(total, "rating"),
        to: reviewsAddress({ app: appId, from: day, to: day }),
      })),
    [ratingDays, appId],
  );
  const marks = useMemo(
    () => releases.map(({ day, version }) => ({ day, label: version })),
    [releases],
  );
  const bounds = useMemo(
    () =>
      starsAround(
        ratingDays.map(({ average }) => average),
        0.1,
      ),
    [ratingDays],
  );
  return (
    <div className={styles.wide}>
      <Card title="Store rating over time" hint="All-time average; dashed lines are releases">
        {points.length < 2 ? (
          <Note>
            The line starts with the second daily reading. {formatDay(range.from)} to{" "}
            {formatDay(range.to)} has {formatNumberOf(points.length, "reading")}.
          </Note>
        ) : (
          <Figure
            label="store rating over time"
            rows={points.toReversed()}
            rowKey={(point) => point.day}
            columns={[
              { head: "Day", cell: ({ day, to }) => <a href={to}>{formatDay(day)}</a> },
              { head: "Average", cell: ({ value }) => value.toFixed(4), end: true },
              { head: "Ratings", cell: ({ note }) => note.split(" ")[0], end: true },
            ]}
          >
            <LineChart
              points={points}
              marks={marks}
              range={bounds}
              colour="var(--star)"
              height={228}
              format={(value) => `${value.toFixed(2)} stars`}
            />
          </Figure>
        )}
      </Card>
    </div>
  );
}

export function RatingHistogram({ app }: { app: OverviewApp }) {
  const { rating, appId } = app;
  return (
    <div className={styles.narrow}>
      <Card
        title="Ratings by stars"
        hint={
          rating
            ? `${formatNumberOf(rating.total, "rating")} of all time, read ${formatDay(rating.capturedOn)}`
            : "All time"
        }
      >
        {rating?.histogram ? (
          <Bars
            labelWidth="44px"
            numberWidth="108px"
            colour="var(--star)"
            bars={[5, 4, 3, 2, 1].map((stars) => {
              const count = rating.histogram?.[stars - 1] ?? 0;
              return {
                key: String(stars),
                label: <StarLabel stars={stars} />,
                value: count,
                number: `${formatCount(count)} · ${formatPercent(count, rating.total)}`,
                unit: "ratings",
                to: reviewsAddress({ app: appId, rating: stars }),
              };
            })}
          />
        ) : (
          <Note>
            {rating
              ? "The store does not tell how the ratings spread."
              : "No rating was read yet. Ratings are read once a day for each storefront."}
          </Note>
        )}
      </Card>
    </div>
  );
}

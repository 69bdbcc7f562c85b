// The cards with the store rating of one app: its average over time with the releases, and its histogram.
import { useMemo } from "react";
import type { OverviewApp } from "../../../../src/dashboard-api/contract/overview.ts";
import { BarList, StarLabel } from "../../charts/bar-list.tsx";
import { ChartFrame } from "../../charts/chart-frame.tsx";
import type { ChartMark } from "../../charts/release-marks.ts";
import { TimeSeriesChart } from "../../charts/time-series-chart.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Link, useIsShared } from "../../components/link.tsx";
import { todayUtc } from "../../format/clock.ts";
import { formatDay } from "../../format/dates.ts";
import { formatCount, formatPercent, formatQuantity } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import { ratingAxis } from "./rating-axis.ts";

type RatingHistoryProps = { app: OverviewApp; marks: readonly ChartMark[] };

export function RatingHistoryCard({ app, marks }: RatingHistoryProps) {
  const { appId, ratingDays } = app;
  const isShared = useIsShared();
  const points = useMemo(
    () =>
      ratingDays.map(({ day, average, total }) => ({
        day,
        value: average,
        note: total === null ? "– ratings" : formatQuantity(total, "rating"),
        to: reviewsPath({ app: appId, from: day, to: day }),
      })),
    [ratingDays, appId],
  );
  const bounds = useMemo(
    () =>
      ratingAxis(
        ratingDays.map(({ average }) => average),
        0.1,
      ),
    [ratingDays],
  );
  return (
    <div className={styles.wide}>
      <Card title="Store rating over time" hint="All-time average; dashed lines are releases">
        {points.length < 2 ? (
          <Alert>{explainMissingChart(points, isShared)}</Alert>
        ) : (
          <ChartFrame
            label="store rating over time"
            rows={points.toReversed()}
            rowKey={(point) => point.day}
            columns={[
              { header: "Day", cell: ({ day, to }) => <Link href={to}>{formatDay(day)}</Link> },
              { header: "Average", cell: ({ value }) => value.toFixed(4), alignEnd: true },
              { header: "Ratings", cell: ({ note }) => note.split(" ")[0], alignEnd: true },
            ]}
          >
            <TimeSeriesChart
              points={points}
              marks={marks}
              range={bounds}
              colour="var(--star)"
              height={180}
              format={(value) => `${value.toFixed(2)} stars`}
            />
          </ChartFrame>
        )}
      </Card>
    </div>
  );
}

// A line needs two points.
function explainMissingChart([first]: readonly { day: string }[], isShared: boolean): string {
  if (!first) return "There is no rating in this date range.";
  if (isShared) return "One daily rating is known: the stores show no older ones.";
  return first.day === todayUtc()
    ? "Your rating history starts today. The chart appears tomorrow."
    : "There is one daily rating in this date range. The chart needs two.";
}

export function RatingHistogramCard({ app }: { app: OverviewApp }) {
  const { rating } = app;
  return (
    <div className={styles.narrow}>
      <Card
        title="Ratings by stars"
        hint={
          rating
            ? `${formatQuantity(rating.total, "rating")} of all time, read on ${formatDay(rating.capturedOn)}`
            : "All time"
        }
      >
        {rating?.histogram ? (
          <BarList
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
              };
            })}
          />
        ) : (
          <Alert>
            {rating
              ? "The store does not publish its ratings by stars."
              : "There is no rating yet. Ratings are read once a day for each storefront."}
          </Alert>
        )}
      </Card>
    </div>
  );
}

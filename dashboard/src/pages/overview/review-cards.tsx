// The cards about the reviews of the date range: their number, stars and sentiment, in total and by week, or by day in a short
// range.
import { type ReactNode, useMemo } from "react";
import type { ReviewCounts, WeekVolume } from "../../../../src/dashboard-api/contract/overview.ts";
import { BarList, StarLabel } from "../../charts/bar-list.tsx";
import { ChartFrame } from "../../charts/chart-frame.tsx";
import { sentimentColours } from "../../charts/colours.ts";
import type { ChartMark } from "../../charts/release-marks.ts";
import { ShareBar } from "../../charts/share-bar.tsx";
import { StackedBarChart } from "../../charts/stacked-bar-chart.tsx";
import { TimeSeriesChart } from "../../charts/time-series-chart.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import type { TableColumn } from "../../components/table.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { formatCount, formatQuantity, formatStars } from "../../format/numbers.ts";
import { storeColour, storeIds, storeName } from "../../format/stores.ts";
import { reviewsPath } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import { PeriodLink, periodBar, unitOf } from "./period.tsx";
import { ratingAxis } from "./rating-axis.ts";
import type { Scope } from "./scope.ts";

type WeeksProps = {
  weeks: readonly WeekVolume[];
  marks: readonly ChartMark[];
  scope: Scope;
  /** The switch between the charts. */
  tools?: ReactNode;
};

// With as many weeks as a year has, labels show the year.
const longWeekCount = 52;

const sentiments = ["positive", "neutral", "mixed", "negative"] as const;

export function ReviewsPerWeekCard({ weeks, marks, scope, tools }: WeeksProps) {
  const stores = storeIds.filter((store) => weeks.some((week) => week.byStore[store] > 0));
  const unit = unitOf(weeks);
  const chart = { scope, unit, isLong: weeks.length >= longWeekCount };
  const parts = stores.map((store) => ({
    key: store,
    label: storeName(store),
    colour: storeColour(store),
  }));
  const legend = parts.map(({ key, ...part }) => ({
    ...part,
    to: reviewsPath({ ...scope, store: key }),
  }));
  const columns: TableColumn<WeekVolume>[] = [
    { header: capitalised(unit), cell: (week) => <PeriodLink period={week} scope={scope} /> },
    ...stores.map((store) => ({
      header: storeName(store),
      cell: ({ byStore }: WeekVolume) => formatCount(byStore[store]),
      alignEnd: true,
    })),
    { header: "All", cell: ({ total }) => formatCount(total), alignEnd: true },
  ];
  return (
    <div className={styles.cell}>
      <Card title={`Reviews per ${unit}`} hint="By store" tools={tools}>
        {parts.length === 0 ? (
          <NoReviews />
        ) : (
          <ChartFrame
            label={`reviews per ${unit}`}
            legend={legend}
            rows={weeks.toReversed()}
            rowKey={(week) => week.week}
            columns={columns}
          >
            <StackedBarChart
              marks={marks}
              series={parts}
              bars={weeks.map((week) => ({ ...periodBar(week, chart), values: week.byStore }))}
            />
          </ChartFrame>
        )}
      </Card>
    </div>
  );
}

export function AverageRatingPerWeekCard({ weeks, marks, scope, tools }: WeeksProps) {
  const { app } = scope;
  const unit = unitOf(weeks);
  const points = useMemo(
    () =>
      weeks.map((week) => {
        const scope = app === undefined ? {} : { app };
        const { key: day, ...bar } = periodBar(week, { scope, unit, isLong: false });
        return {
          ...bar,
          day,
          value: week.averageRating,
          note: formatQuantity(week.total, "review"),
        };
      }),
    [weeks, unit, app],
  );
  const bounds = useMemo(
    () =>
      ratingAxis(
        weeks.flatMap((week) => week.averageRating ?? []),
        0.3,
      ),
    [weeks],
  );
  return (
    <div className={styles.cell}>
      <Card
        title={`Average review rating per ${unit}`}
        hint="Stars of written reviews, not of all ratings"
        tools={tools}
      >
        {weeks.some((week) => week.total > 0) ? (
          <ChartFrame
            label={`average review rating per ${unit}`}
            rows={weeks.toReversed()}
            rowKey={(week) => week.week}
            columns={[
              {
                header: capitalised(unit),
                cell: (week) => <PeriodLink period={week} scope={scope} />,
              },
              {
                header: "Average",
                cell: (week) => formatStars(week.averageRating ?? 0),
                alignEnd: true,
              },
              { header: "Reviews", cell: (week) => formatCount(week.total), alignEnd: true },
            ]}
          >
            <TimeSeriesChart
              points={points}
              marks={marks}
              range={bounds}
              colour="var(--accent)"
              height={172}
              format={(value) => `${value.toFixed(2)} stars`}
            />
          </ChartFrame>
        ) : (
          <NoReviews />
        )}
      </Card>
    </div>
  );
}

export function SentimentPerWeekCard({ weeks, marks, scope, tools }: WeeksProps) {
  const unit = unitOf(weeks);
  const chart = { scope, unit, isLong: weeks.length >= longWeekCount };
  const columns: TableColumn<WeekVolume>[] = [
    { header: capitalised(unit), cell: (week) => <PeriodLink period={week} scope={scope} /> },
    ...sentiments.map((sentiment) => ({
      header: capitalised(sentiment),
      cell: (week: WeekVolume) => formatCount(week.sentiment[sentiment]),
      alignEnd: true,
    })),
  ];
  return (
    <div className={styles.cell}>
      <Card title={`Sentiment per ${unit}`} hint="Shares of the analysed reviews" tools={tools}>
        {weeks.some((week) => week.analyzed > 0) ? (
          <ChartFrame
            label={`sentiment per ${unit}`}
            rows={weeks.toReversed()}
            rowKey={(week) => week.week}
            columns={columns}
          >
            <StackedBarChart
              asShares
              marks={marks}
              series={sentimentParts(scope).toReversed()}
              bars={weeks.map((week) => ({ ...periodBar(week, chart), values: week.sentiment }))}
            />
          </ChartFrame>
        ) : (
          <NoReviews />
        )}
      </Card>
    </div>
  );
}

export function FeelingCard({ reviews, scope }: { reviews: ReviewCounts; scope: Scope }) {
  const shares = sentimentParts(scope).map((part) => ({
    ...part,
    value: reviews.sentiment[part.key],
  }));
  return (
    <div className={styles.cell}>
      <Card
        title="Sentiment and stars"
        hint={`${formatQuantity(reviews.analyzed, "analysed review")}`}
      >
        <ShareBar shares={shares} />
        <div className={styles.stars}>
          <BarList
            labelWidth="44px"
            numberWidth="44px"
            colour="var(--accent)"
            bars={[5, 4, 3, 2, 1].map((stars) => {
              const count = reviews.stars[stars - 1] ?? 0;
              return {
                key: String(stars),
                label: <StarLabel stars={stars} />,
                value: count,
                number: formatCount(count),
                unit: "reviews",
                to: reviewsPath({ ...scope, rating: [stars] }),
              };
            })}
          />
        </div>
      </Card>
    </div>
  );
}

function sentimentParts(scope: Scope) {
  return sentiments.map((sentiment) => ({
    key: sentiment,
    label: capitalised(sentiment),
    colour: sentimentColours[sentiment],
    to: reviewsPath({ ...scope, sentiment }),
  }));
}

function NoReviews() {
  return <Alert>No reviews in this date range. Choose a longer one.</Alert>;
}

// What the reviews of the range say, week by week: how many, how many stars, and how they feel.
import { useMemo } from "react";
import type { ReviewCounts, WeekVolume } from "../../../../src/dashboard-api/contract/overview.ts";
import { Bars, StarLabel } from "../../charts/bar-list.tsx";
import { Figure } from "../../charts/chart-frame.tsx";
import { sentimentColours, storeColours } from "../../charts/colours.ts";
import { MixBar } from "../../charts/share-bar.tsx";
import { Columns } from "../../charts/stacked-bar-chart.tsx";
import { LineChart } from "../../charts/time-series-chart.tsx";
import { Card } from "../../components/card.tsx";
import { Note } from "../../components/feedback.tsx";
import type { TableColumn } from "../../components/table.tsx";
import { formatDay } from "../../format/dates.ts";
import { capitalised, storeName } from "../../format/names.ts";
import { formatCount, formatNumberOf, formatStars } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import type { Scope } from "./overview.tsx";
import { starsAround } from "./rating-axis.ts";
import { WeekLink, weekAddress, weekColumn } from "./week.tsx";

type WeeksProps = { weeks: readonly WeekVolume[]; scope: Scope };

// From there on a day and month alone would not say which year.
const longWeekCount = 54;

const sentiments = ["positive", "neutral", "mixed", "negative"] as const;

export function WeekVolumes({ weeks, scope }: WeeksProps) {
  const stores = (["appstore", "googleplay"] as const).filter((store) =>
    weeks.some((week) => week.byStore[store] > 0),
  );
  const chart = { scope, isLong: weeks.length > longWeekCount };
  const parts = stores.map((store) => ({
    key: store,
    label: storeName(store),
    colour: storeColours[store] ?? "",
  }));
  const legend = parts.map(({ key, ...part }) => ({
    ...part,
    to: reviewsAddress({ ...scope, store: key }),
  }));
  const columns: TableColumn<WeekVolume>[] = [
    { head: "Week", cell: (week) => <WeekLink week={week} scope={scope} /> },
    ...stores.map((store) => ({
      head: storeName(store),
      cell: ({ byStore }: WeekVolume) => formatCount(byStore[store]),
      end: true,
    })),
    { head: "All", cell: ({ total }) => formatCount(total), end: true },
  ];
  return (
    <div className={styles.wide}>
      <Card title="Reviews per week" hint="By store; a column opens its reviews">
        {parts.length === 0 ? (
          <NoReviews />
        ) : (
          <Figure
            label="reviews per week"
            legend={legend}
            rows={weeks.toReversed()}
            rowKey={(week) => week.week}
            columns={columns}
          >
            <Columns
              parts={parts}
              columns={weeks.map((week) => ({ ...weekColumn(week, chart), values: week.byStore }))}
            />
          </Figure>
        )}
      </Card>
    </div>
  );
}

export function ReviewStars({ reviews, scope }: { reviews: ReviewCounts; scope: Scope }) {
  return (
    <div className={styles.narrow}>
      <Card title="Reviews by stars" hint="In the chosen days">
        <Bars
          labelWidth="44px"
          colour="var(--accent)"
          bars={[5, 4, 3, 2, 1].map((stars) => {
            const count = reviews.stars[stars - 1] ?? 0;
            return {
              key: String(stars),
              label: <StarLabel stars={stars} />,
              value: count,
              number: formatCount(count),
              unit: "reviews",
              to: reviewsAddress({ ...scope, rating: stars }),
            };
          })}
        />
      </Card>
    </div>
  );
}

export function WeekScores({ weeks, scope }: WeeksProps) {
  const { app } = scope;
  const points = useMemo(
    () =>
      weeks.map((week) => ({
        day: week.week,
        value: week.averageRating,
        label: `Week of ${formatDay(week.week)}`,
        note: formatNumberOf(week.total, "review"),
        to: weekAddress(week, app === undefined ? {} : { app }),
      })),
    [weeks, app],
  );
  const bounds = useMemo(
    () =>
      starsAround(
        weeks.flatMap((week) => week.averageRating ?? []),
        0.3,
      ),
    [weeks],
  );
  return (
    <div className={styles.wide}>
      <Card title="Average of reviews per week" hint="Stars of written reviews, not of all ratings">
        {weeks.some((week) => week.total > 0) ? (
          <Figure
            label="average of reviews per week"
            rows={weeks.toReversed()}
            rowKey={(week) => week.week}
            columns={[
              { head: "Week", cell: (week) => <WeekLink week={week} scope={scope} /> },
              { head: "Average", cell: (week) => formatStars(week.averageRating ?? 0), end: true },
              { head: "Reviews", cell: (week) => formatCount(week.total), end: true },
            ]}
          >
            <LineChart
              points={points}
              marks={noMarks}
              range={bounds}
              colour="var(--accent)"
              height={244}
              format={(value) => `${value.toFixed(2)} stars`}
            />
          </Figure>
        ) : (
          <NoReviews />
        )}
      </Card>
    </div>
  );
}

export function SentimentMix(props: WeeksProps & { reviews: ReviewCounts }) {
  const { reviews, weeks, scope } = props;
  const chart = { scope, isLong: weeks.length > longWeekCount };
  const shares = sentiments.map((sentiment) => ({
    key: sentiment,
    label: capitalised(sentiment),
    value: reviews.sentiment[sentiment],
    colour: sentimentColours[sentiment],
    to: reviewsAddress({ ...scope, sentiment }),
  }));
  const columns: TableColumn<WeekVolume>[] = [
    { head: "Week", cell: (week) => <WeekLink week={week} scope={scope} /> },
    ...sentiments.map((sentiment) => ({
      head: capitalised(sentiment),
      cell: (week: WeekVolume) => formatCount(week.sentiment[sentiment]),
      end: true,
    })),
  ];
  return (
    <div className={styles.narrow}>
      <Card title="Sentiment" hint={`${formatNumberOf(reviews.analyzed, "analysed review")}`}>
        <MixBar shares={shares} />
        {reviews.analyzed > 0 ? (
          <Figure
            label="sentiment per week"
            rows={weeks.toReversed()}
            rowKey={(week) => week.week}
            columns={columns}
          >
            <Columns
              asShares
              height={132}
              parts={shares.toReversed()}
              columns={weeks.map((week) => ({
                ...weekColumn(week, chart),
                values: week.sentiment,
              }))}
            />
          </Figure>
        ) : null}
      </Card>
    </div>
  );
}

function NoReviews() {
  return <Note>No reviews in these days. Choose a longer range.</Note>;
}

// Outside of the component, so that the chart is not drawn anew for them.
const noMarks: { day: string; label: string }[] = [];

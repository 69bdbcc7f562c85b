// The topics that negative reviews mention before and after a release, each with how much its share changed and how
// sure that is.
import type { ReviewCounts, TopicTrend } from "../../../../src/dashboard-api/contract/overview.ts";
import { differenceOf } from "../../../../src/domain/changes/share-difference.ts";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Link } from "../../components/link.tsx";
import { Table } from "../../components/table.tsx";
import { formatDay } from "../../format/dates.ts";
import { topicName } from "../../format/names.ts";
import { formatChange, formatCount, formatQuantity } from "../../format/numbers.ts";
import { type FeedFilters, reviewsPath } from "../reviews/filters.ts";
import styles from "./release.module.css";

type Period = {
  range: { from: string; to: string };
  reviews: ReviewCounts;
  topics: readonly TopicTrend[];
};

type Row = { topic: string | null; before: number; after: number };

const topicsMax = 10;

type ReleaseTopicsProps = {
  appId: string;
  /** null: not every feed has reviews of the days before. */
  before: Period | null;
  after: Period;
};

export function ReleaseTopics({ appId, before, after }: ReleaseTopicsProps) {
  const title = "Negative reviews by topic, before and after";
  if (before === null || after.reviews.total === 0 || before.reviews.total === 0)
    return (
      <Card title={title}>
        <Alert>There are no days on one side that every storefront has reviews of.</Alert>
      </Card>
    );
  const cell = (period: Period, { topic }: Row, count: number) => {
    const filters: FeedFilters = { app: appId, ...period.range, sentiment: "negative" };
    return (
      <Link href={reviewsPath({ ...filters, topic: topic ?? undefined })}>
        {formatCount(count)} · {share(count, period)}
      </Link>
    );
  };
  const describe = ({ range, reviews }: Period) =>
    `${formatDay(range.from)} to ${formatDay(range.to)} (${formatQuantity(reviews.total, "review")})`;
  return (
    <Card
      title={title}
      hint={`All reviews of the app, whatever version they name: ${describe(before)}, and ${describe(after)}`}
    >
      <Table
        caption="Negative reviews by topic before and after the release"
        rows={listRows(before, after)}
        rowKey={({ topic }) => topic ?? ""}
        stacked
        columns={[
          {
            header: "Topic",
            cell: ({ topic }) => (topic === null ? "All negative reviews" : topicName(topic)),
          },
          { header: "Before", cell: (row) => cell(before, row, row.before), alignEnd: true },
          { header: "After", cell: (row) => cell(after, row, row.after), alignEnd: true },
          {
            header: "Change, 95% interval",
            cell: (row) => <Change row={row} before={before} after={after} />,
            alignEnd: true,
          },
        ]}
      />
    </Card>
  );
}

function listRows(before: Period, after: Period): Row[] {
  const negativeOf = (name: string, { topics }: Period) =>
    topics.find(({ topic }) => topic === name)?.sentiment.negative ?? 0;
  const names = [...before.topics, ...after.topics].map(({ topic }) => topic);
  const rows = [...new Set(names)].map((topic) => ({
    topic,
    before: negativeOf(topic, before),
    after: negativeOf(topic, after),
  }));
  const changeOf = (row: Row) => Math.abs(difference(row, { before, after }).points);
  return [
    {
      topic: null,
      before: before.reviews.sentiment.negative,
      after: after.reviews.sentiment.negative,
    },
    ...rows
      .filter((row) => row.before + row.after > 0)
      .toSorted((one, other) => changeOf(other) - changeOf(one))
      .slice(0, topicsMax),
  ];
}

function difference(row: Row, periods: { before: Period; after: Period }) {
  return differenceOf(
    { count: row.before, total: periods.before.reviews.total },
    { count: row.after, total: periods.after.reviews.total },
  );
}

function Change({ row, ...periods }: { row: Row; before: Period; after: Period }) {
  const { points, low, high, isSignificant } = difference(row, periods);
  const tone = isSignificant ? (points > 0 ? styles.worse : styles.better) : styles.none;
  return (
    <span
      className={tone}
      title={isSignificant ? undefined : "Chance alone may make this difference"}
    >
      {formatChange(points, 1)} points{" "}
      <span className={styles.none}>{`(${formatChange(low, 1)} to ${formatChange(high, 1)})`}</span>
    </span>
  );
}

function share(count: number, { reviews }: Period): string {
  return `${((count / Math.max(1, reviews.total)) * 100).toFixed(1)}%`;
}

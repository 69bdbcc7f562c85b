// The most frequent topics of the reviews, with their change against the period before.
import type { TopicTrend } from "../../../../src/dashboard-api/contract/overview.ts";
import { BarList } from "../../charts/bar-list.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { formatDay } from "../../format/dates.ts";
import { topicName } from "../../format/names.ts";
import { formatCount, formatGrowth } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import type { Scope } from "./overview.tsx";

type TopicsCardProps = {
  topics: readonly TopicTrend[];
  /** null: there were no reviews yet to compare with. */
  before: { from: string; to: string } | null;
  scope: Scope;
};

export function TopicsCard({ topics, before, scope }: TopicsCardProps) {
  const hint = before
    ? `Compared with ${formatDay(before.from)} to ${formatDay(before.to)}`
    : undefined;
  return (
    <div className={styles.full}>
      <Card title="Top topics" hint={hint}>
        {topics.length === 0 ? (
          <Alert>No topics were found in the reviews of this date range.</Alert>
        ) : null}
        <BarList
          labelWidth="clamp(96px, 30%, 180px)"
          numberWidth="104px"
          colour="var(--accent)"
          bars={topics.map((trend) => ({
            key: trend.topic,
            label: topicName(trend.topic),
            value: trend.count,
            number: (
              <>
                {formatCount(trend.count)}
                {before ? <Trend trend={trend} /> : null}
              </>
            ),
            unit: "reviews",
            to: reviewsPath({ ...scope, topic: trend.topic }),
          }))}
        />
      </Card>
    </div>
  );
}

function Trend({ trend: { count, countBefore } }: { trend: TopicTrend }) {
  return countBefore === 0 ? " · new" : ` · ${formatGrowth(countBefore, count)}`;
}

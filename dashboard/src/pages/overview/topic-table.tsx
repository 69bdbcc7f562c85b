// What the reviews are about, most frequent first, and whether that is more or less than before.
import type { TopicTrend } from "../../../../src/dashboard-api/contract/overview.ts";
import { Bars } from "../../charts/bar-list.tsx";
import { Card } from "../../components/card.tsx";
import { Note } from "../../components/feedback.tsx";
import { formatDay } from "../../format/dates.ts";
import { topicName } from "../../format/names.ts";
import { formatCount, formatGrowth } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import styles from "./overview.module.css";
import type { Scope } from "./overview.tsx";

type TopicTableProps = {
  topics: readonly TopicTrend[];
  /** null where there was nothing yet to compare with. */
  before: { from: string; to: string } | null;
  scope: Scope;
};

export function TopicTable({ topics, before, scope }: TopicTableProps) {
  const hint = before
    ? `Change against ${formatDay(before.from)} to ${formatDay(before.to)}`
    : "In the chosen days";
  return (
    <div className={styles.full}>
      <Card title="Top topics" hint={hint}>
        {topics.length === 0 ? <Note>No topics were found in these days' reviews.</Note> : null}
        <Bars
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
            to: reviewsAddress({ ...scope, topic: trend.topic }),
          }))}
        />
      </Card>
    </div>
  );
}

function Trend({ trend: { count, countBefore } }: { trend: TopicTrend }) {
  return countBefore === 0 ? " · new" : ` · ${formatGrowth(countBefore, count)}`;
}

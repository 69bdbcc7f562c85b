// The topics of the reviews, the most complained about first: how the reviews of each feel, and how many more of
// them are negative than in the days before.
import type { TopicTrend } from "../../../../src/dashboard-api/contract/overview.ts";
import { sentimentColours } from "../../charts/colours.ts";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Fold } from "../../components/fold.tsx";
import { Link } from "../../components/link.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { formatDay } from "../../format/dates.ts";
import { topicName } from "../../format/names.ts";
import { formatCount, formatCountChange, formatQuantity } from "../../format/numbers.ts";
import { reviewsPath } from "../reviews/filters.ts";
import type { Scope } from "./scope.ts";
import styles from "./topics.module.css";

type TopicsCardProps = {
  topics: readonly TopicTrend[];
  /** null: the period before has no reviews. */
  before: { from: string; to: string } | null;
  scope: Scope;
};

const shownAtFirst = 6;
const sentiments = ["negative", "mixed", "neutral", "positive"] as const;

export function TopicsCard({ topics, before, scope }: TopicsCardProps) {
  const highest = Math.max(1, ...topics.map(({ count }) => count));
  const hint = before
    ? `The most negative first; change vs ${before.from === before.to ? "" : `${formatDay(before.from)} to `}${formatDay(before.to)}`
    : "The most negative first";
  return (
    <div className={styles.card}>
      <Card title="Topics" hint={hint}>
        {topics.length === 0 ? (
          <Alert>No topics were found in the reviews of this date range.</Alert>
        ) : (
          <ul className={styles.legend}>
            {sentiments.map((sentiment) => (
              <li key={sentiment}>
                <span style={{ background: sentimentColours[sentiment] }} aria-hidden="true" />
                {capitalised(sentiment)}
              </li>
            ))}
          </ul>
        )}
        <Fold rows={topics} shownAtFirst={shownAtFirst}>
          {(shown) => (
            <ul className={styles.topics}>
              {shown.map((trend) => (
                <Topic
                  key={trend.topic}
                  trend={trend}
                  share={trend.count / highest}
                  hasBefore={before !== null}
                  scope={scope}
                />
              ))}
            </ul>
          )}
        </Fold>
      </Card>
    </div>
  );
}

type TopicProps = { trend: TopicTrend; share: number; hasBefore: boolean; scope: Scope };

function Topic({ trend, share, hasBefore, scope }: TopicProps) {
  const { topic, count, sentiment, negativeBefore } = trend;
  const description = sentiments.map((one) => `${formatCount(sentiment[one])} ${one}`).join(", ");
  return (
    <li>
      <Link href={reviewsPath({ ...scope, topic })} className={styles.name}>
        {topicName(topic)}
        <span className="visually-hidden">: {formatQuantity(count, "review")}</span>
      </Link>
      <span className={styles.track} title={description}>
        <span className={styles.bar} style={{ width: `${share * 100}%` }} aria-hidden="true">
          {sentiments.map((one) =>
            sentiment[one] > 0 ? (
              <span
                key={one}
                style={{ flexGrow: sentiment[one], background: sentimentColours[one] }}
              />
            ) : null,
          )}
        </span>
      </span>
      <Link
        href={reviewsPath({ ...scope, topic, sentiment: "negative" })}
        className={styles.numbers}
      >
        <strong>{formatCount(sentiment.negative)}</strong>
        <span className="visually-hidden"> negative</span>
        <span aria-hidden="true"> of {formatCount(count)}</span>
        {hasBefore ? (
          <span className={styles.change}>
            {formatCountChange(sentiment.negative - negativeBefore)}
          </span>
        ) : null}
      </Link>
    </li>
  );
}

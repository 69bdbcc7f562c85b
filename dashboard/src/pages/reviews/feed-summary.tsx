// What the filtered reviews say in one line: how many, their average, their topics; and what can be done with them.
import { Link } from "wouter";
import type { FeedSummary } from "../../../../src/dashboard-api/contract/reviews.ts";
import { Button } from "../../components/button.tsx";
import { Stars } from "../../components/stars.tsx";
import { topicName } from "../../format/names.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import { countFilters, type FeedFilters, reviewsPath, toQuery, viewQuery } from "./filters.ts";
import styles from "./reviews.module.css";
import { SaveView } from "./save-view.tsx";

type SummaryLineProps = {
  filters: FeedFilters;
  summary: FeedSummary | null;
  onClear: () => void;
};

export function SummaryLine({ filters, summary, onClear }: SummaryLineProps) {
  return (
    <div className={styles.summary}>
      <p role="status">{summary ? <Facts filters={filters} summary={summary} /> : "Counting …"}</p>
      {countFilters(filters) > 0 ? (
        <div className={styles.summaryTools}>
          <SaveView filters={filters} />
          <Link href={channelPath(filters)}>Make a channel of this</Link>
          <Link href={`/compare?${new URLSearchParams({ a: viewQuery(filters) })}`}>Compare</Link>
          <Button small kind="quiet" onClick={onClear}>
            <span className="visually-hidden">Remove the filter: </span>Clear all
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Facts({ filters, summary }: { filters: FeedFilters; summary: FeedSummary }) {
  const { total, averageRating, topics, newestOnly } = summary;
  return (
    <>
      <strong>{formatQuantity(total, "review")}</strong>
      {newestOnly === null ? null : ` of the newest ${formatCount(newestOnly)}`}
      {averageRating === null ? null : (
        <>
          {" · "}
          <Stars rating={averageRating} size={13} /> {averageRating.toFixed(2)}
        </>
      )}
      {topics.map(({ value, count }) => (
        <span key={value}>
          {" · "}
          <Link href={reviewsPath({ ...filters, topic: value })}>{topicName(value)}</Link>{" "}
          {formatCount(count)}
        </span>
      ))}
    </>
  );
}

/** A channel has filters for apps, stars and topics. */
function channelPath(filters: FeedFilters): string {
  const { app, rating, topic } = filters;
  const query = new URLSearchParams(
    toQuery({
      ...(app ? { app } : {}),
      ...(rating ? { rating } : {}),
      ...(topic ? { topic } : {}),
    }),
  ).toString();
  return `/sources/channels/new${query ? `?${query}` : ""}`;
}

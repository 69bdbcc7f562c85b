// A summary of the filtered reviews in one line: how many, their average, their topics; and what can be done with them.

import type { FeedSummary } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Link } from "../../components/link.tsx";
import { Stars } from "../../components/stars.tsx";
import { topicName } from "../../format/names.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import { countFilters, type FeedFilters, reviewsPath, viewQuery } from "./filters.ts";
import styles from "./reviews.module.css";
import { ViewTools } from "./view-tools.tsx";

type SummaryLineProps = {
  filters: FeedFilters;
  summary: FeedSummary | null;
  /** The list below says why. */
  hasFailed: boolean;
  /** The saved view that was opened, also when its filters were changed since. */
  viewId: string | null;
  onClear: () => void;
};

export function SummaryLine({ filters, summary, hasFailed, viewId, onClear }: SummaryLineProps) {
  const { isViewer } = useWorkspace();
  const placeholder = hasFailed ? "" : "Counting …";
  return (
    <div className={styles.summary}>
      <p role="status">{summary ? <Facts filters={filters} summary={summary} /> : placeholder}</p>
      {countFilters(filters) > 0 ? (
        <div className={styles.summaryTools} data-print="hidden">
          {isViewer ? null : (
            <>
              <ViewTools filters={filters} viewId={viewId} />
              <Link href={`/sources/channels/new?${viewQuery(filters)}`}>
                Send these to a channel
              </Link>
            </>
          )}
          <Link href={`/compare?${new URLSearchParams({ a: viewQuery(filters) })}`}>Compare</Link>
          <Button small kind="quiet" onClick={onClear}>
            <span className="visually-hidden">Remove the filter: </span>Clear all
          </Button>
        </div>
      ) : null}
    </div>
  );
}

export function Facts({ filters, summary }: { filters: FeedFilters; summary: FeedSummary }) {
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

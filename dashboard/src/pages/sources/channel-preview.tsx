// What a channel's choice would have meant: how often it had fired, and the last reviews that match. It
// follows the form while that is being filled in.
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ChannelPreview as Preview } from "../../../../src/dashboard-api/contract/channels.ts";
import { call } from "../../api/api-client.ts";
import { filled, usePlace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Stars } from "../../components/stars.tsx";
import { Time } from "../../components/time.tsx";
import { eventName } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import { canPreview, type Draft, filtersOf } from "./channel-draft.ts";
import styles from "./sources.module.css";

export function ChannelPreview({ draft }: { draft: Draft }) {
  const preview = usePreview(draft);
  return (
    <Card title="Preview" hint="What this choice would have sent">
      {preview.isPending ? <Skeleton height={280} label="Loading the preview" /> : null}
      {preview.isError ? <ErrorNote error={preview.error} /> : null}
      {preview.data ? (
        <div aria-busy={preview.isFetching}>
          <Counts preview={preview.data} />
          <Samples preview={preview.data} />
        </div>
      ) : null}
    </Card>
  );
}

const settleMs = 400;

function usePreview(draft: Draft) {
  const { workspace } = usePlace();
  const route = "POST /workspaces/:workspace/channels/preview" as const;
  const filters = useSettled(JSON.stringify(filtersOf(draft)));
  return useQuery<Preview>({
    queryKey: [workspace.id, route, filters],
    queryFn: ({ signal }) =>
      call(route, filled<typeof route>({ body: JSON.parse(filters) }, workspace.id), signal),
    enabled: canPreview(draft),
    placeholderData: keepPreviousData,
  });
}

/** The value once it has stood for a moment: not every key stroke is asked about. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function Counts({ preview: { counts, days } }: { preview: Preview }) {
  return (
    <div className={styles.counts} role="status">
      <p className={styles.facts}>{`In the last ${days} days it would have fired`}</p>
      {Object.entries(counts).map(([event, count]) =>
        count === null ? null : (
          <div key={event} className={styles.count}>
            <span>{eventName(event)}</span>
            <strong>{count === 1 ? "once" : `${formatCount(count)} times`}</strong>
          </div>
        ),
      )}
    </div>
  );
}

function Samples({ preview: { reviews } }: { preview: Preview }) {
  if (reviews.length === 0) {
    return <p className={styles.facts}>No review matches so far. Widen the filters, or wait.</p>;
  }
  return (
    <>
      <h3>Last reviews that match</h3>
      <ul>
        {reviews.map((review) => (
          <li key={review.id} className={styles.sample}>
            <span className={styles.facts}>
              <Stars rating={review.rating} size={13} />
              <Time at={review.date} />
            </span>
            {review.title ? <strong dir="auto">{review.title}</strong> : null}
            <p dir="auto">{review.text || "No text"}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

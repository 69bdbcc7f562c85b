// The preview of a channel: how many events it would have sent, and the last reviews that match. It follows
// the form while the user edits it.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ChannelPreview as Preview } from "../../../../src/dashboard-api/contract/channels.ts";
import type { ChannelFilters } from "../../../../src/dashboard-api/contract/requests.ts";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import layout from "../../components/layout.module.css";
import { Stars } from "../../components/stars.tsx";
import { Time } from "../../components/time.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import { type ChannelDraft, canPreview, toChannelFilters } from "./channel-draft.ts";
import styles from "./channels.module.css";

export function ChannelPreview({ draft }: { draft: ChannelDraft }) {
  const preview = usePreview(draft);
  return (
    <Card title="Preview" hint="What this channel would have sent">
      {preview.isPending ? <Skeleton height={280} label="Loading the preview" /> : null}
      {preview.isError ? <ErrorAlert error={preview.error} /> : null}
      {preview.data ? (
        <div aria-busy={preview.isFetching}>
          <Counts preview={preview.data} />
          <Samples preview={preview.data} />
        </div>
      ) : null}
    </Card>
  );
}

function usePreview(draft: ChannelDraft) {
  const { workspace } = useWorkspace();
  const route = "POST /workspaces/:workspace/channels/preview" as const;
  const json = useDebounced(JSON.stringify(toChannelFilters(draft)));
  const filters: ChannelFilters = JSON.parse(json);
  return useQuery<Preview>({
    queryKey: [workspace.id, route, json],
    queryFn: ({ signal }) =>
      callApi(route, withWorkspace<typeof route>({ body: filters }, workspace.id), signal),
    enabled: canPreview(filters),
    placeholderData: keepPreviousData,
  });
}

function Counts({ preview: { counts, days } }: { preview: Preview }) {
  const parts = [
    counts["review.created"] === null ? [] : `${formatCount(counts["review.created"])} new`,
    counts["review.updated"] === null ? [] : formatQuantity(counts["review.updated"], "edit"),
    counts["review.rating_drop"] === null
      ? []
      : formatQuantity(counts["review.rating_drop"], "drop"),
  ];
  return (
    <p className={styles.counts} role="status">
      {`Last ${days} days: ${parts.flat().join(", ")}`}
    </p>
  );
}

function Samples({ preview: { reviews } }: { preview: Preview }) {
  if (reviews.length === 0) {
    return <p className={layout.facts}>No review matches so far. Widen the filters, or wait.</p>;
  }
  return (
    <>
      <h3>Last reviews that match</h3>
      <ul>
        {reviews.map((review) => (
          <li key={review.id} className={styles.sample}>
            <span className={layout.facts}>
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

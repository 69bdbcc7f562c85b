// "12 new reviews": reports that the service has newer reviews than the list, and shows them with a click.
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { formatQuantity } from "../../format/numbers.ts";
import type { FeedFilters } from "./filters.ts";
import styles from "./reviews.module.css";

const refetchEveryMs = 20_000;
const route = "GET /workspaces/:workspace/reviews" as const;
const comparedMax = 30;

type NewReviewsProps = {
  filters: FeedFilters;
  /** The reviews of the list by id and date of the last edit. */
  shown: ReadonlySet<string>;
  onShow: () => void;
};

export function NewReviews({ filters, shown, onShow }: NewReviewsProps) {
  const { workspace } = useWorkspace();
  const newest = useQuery({
    queryKey: [workspace.id, "newest", filters],
    queryFn: ({ signal }) =>
      callApi(
        route,
        withWorkspace<typeof route>({ query: { ...filters, limit: comparedMax } }, workspace.id),
        signal,
      ),
    refetchInterval: refetchEveryMs,
    // The list itself is what was newest a moment ago.
    enabled: shown.size > 0,
    initialData: { reviews: [], nextCursor: null, searchedCount: null },
  });
  const count = newest.data.reviews.filter((review) => !shown.has(review.id)).length;
  return (
    <div className={styles.pillArea} role="status">
      {count > 0 ? (
        <button type="button" className={styles.pill} onClick={onShow}>
          {count >= comparedMax
            ? `${comparedMax} or more new reviews`
            : `${formatQuantity(count, "new review")}`}
        </button>
      ) : null}
    </div>
  );
}

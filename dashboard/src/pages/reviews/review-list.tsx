// The list of reviews. The next page is loaded when the user scrolls near the end, or with a button.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { beginWith, callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { useFirstScreen } from "../../components/first-screen.ts";
import { formatQuantity } from "../../format/numbers.ts";
import { HeldReviewsOf } from "../apps/held-reviews.tsx";
import { countFilters, type FeedFilters } from "./filters.ts";
import styles from "./reviews.module.css";
import { TriageList } from "./triage-list.tsx";

type ReviewListProps = {
  filters: FeedFilters;
  apps: readonly NamedApp[];
  hasNoApps: boolean;
  onClear: () => void;
  onRefresh: () => void;
};

const pageSize = 30;
const firstScreenCount = 8;

export function ReviewList(props: ReviewListProps) {
  const { filters, apps, hasNoApps, onClear, onRefresh } = props;
  const query = useReviewPages(filters);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const reviews = query.data?.pages.flatMap((page) => page.reviews) ?? [];
  const searchedCount = sumSearched(query.data?.pages ?? []);
  const isFirstScreen = useFirstScreen();
  const isIdle = !isFirstScreen && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  // A text search with few matches would otherwise go on through all reviews by itself.
  const last = query.data?.pages.at(-1);
  const isAutomatic = last?.searchedCount === null || last?.reviews.length === pageSize;
  const end = useNearEnd(isIdle && isAutomatic, () => void fetchNextPage());
  if (query.isPending) return <ReviewListSkeleton />;
  if (query.isError && !query.data) {
    return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (reviews.length === 0 && !hasNextPage) {
    return <NoReviews filters={filters} hasNoApps={hasNoApps} onClear={onClear} />;
  }
  return (
    <TriageList
      filters={filters}
      apps={apps}
      reviews={reviews}
      drawnCount={isFirstScreen ? firstScreenCount : reviews.length}
      onRefresh={onRefresh}
    >
      <div ref={end} className={styles.foot} data-print="hidden">
        {isFetchNextPageError ? <ErrorAlert error={query.error} /> : null}
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isAutomatic ? "Show more" : "Search more reviews"}
          </Button>
        ) : (
          <p role="status">
            {`End of list: ${formatQuantity(reviews.length, "review")}.`}
            {filters.q ? ` ${allSearched}` : ""}
          </p>
        )}
        {hasNextPage && searchedCount > 0 ? (
          <p role="status">{`${formatQuantity(searchedCount, "review")} searched so far`}</p>
        ) : null}
      </div>
    </TriageList>
  );
}

function useReviewPages(filters: FeedFilters) {
  const { workspace } = useWorkspace();
  const route = "GET /workspaces/:workspace/reviews" as const;
  const inputOf = (cursor?: string) => {
    const query = { ...filters, limit: pageSize, ...(cursor ? { cursor } : {}) };
    return withWorkspace<typeof route>({ query }, workspace.id);
  };
  const { initialData, initialDataUpdatedAt } = beginWith(route, inputOf());
  return useInfiniteQuery({
    queryKey: [workspace.id, route, filters],
    queryFn: ({ pageParam, signal }) => callApi(route, inputOf(pageParam), signal),
    initialData: () => {
      const first = initialData();
      return first ? { pages: [first], pageParams: [""] } : undefined;
    },
    initialDataUpdatedAt,
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    // It would refetch page after page whenever the window gets the focus.
    refetchOnWindowFocus: false,
  });
}

// When a page was too short to fill the window, its end stays visible and the effect runs again after it.
function useNearEnd(isIdle: boolean, onNear: () => void) {
  const ref = useRef<HTMLDivElement>(null);
  const callback = useRef(onNear);
  callback.current = onNear;
  useEffect(() => {
    const element = ref.current;
    if (!element || !isIdle) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) callback.current();
      },
      { rootMargin: "600px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isIdle]);
  return ref;
}

function sumSearched(pages: readonly { searchedCount: number | null }[]): number {
  return pages.reduce((sum, { searchedCount }) => sum + (searchedCount ?? 0), 0);
}

const allSearched = "All reviews that the other filters leave were searched.";

type NoReviewsProps = { filters: FeedFilters; hasNoApps: boolean; onClear: () => void };

function NoReviews({ filters, hasNoApps, onClear }: NoReviewsProps) {
  const { isViewer } = useWorkspace();
  if (hasNoApps) {
    const add = isViewer ? null : (
      <ButtonLink to="/sources?add=app" kind="primary">
        Add an app
      </ButtonLink>
    );
    return (
      <EmptyState title="No app is followed yet" actions={add}>
        Add an app to collect its reviews from the store and show them here.
      </EmptyState>
    );
  }
  if (countFilters(filters) > 0) {
    return (
      <>
        {filters.app ? <HeldReviewsOf id={filters.app} /> : null}
        <EmptyState
          title="No review matches"
          actions={<Button onClick={onClear}>Clear all filters</Button>}
        >
          {filters.q ? `${allSearched} ` : ""}Remove a filter or widen the dates.
        </EmptyState>
      </>
    );
  }
  return (
    <EmptyState
      title="No reviews yet"
      actions={<ButtonLink to="/sources">See the progress</ButtonLink>}
    >
      The first import from a store takes some minutes. Reviews appear here as they arrive.
    </EmptyState>
  );
}

function ReviewListSkeleton() {
  return (
    <div className={styles.feed}>
      {[1, 2, 3, 4].map((number) => (
        <Skeleton
          key={number}
          height={104}
          {...(number === 1 ? { label: "Loading reviews" } : {})}
        />
      ))}
    </div>
  );
}

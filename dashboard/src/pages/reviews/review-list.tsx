// The list of reviews: the next page is fetched when the end comes near, or with a button.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { call } from "../../api/api-client.ts";
import { filled, usePlace } from "../../api/workspace.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { formatNumberOf } from "../../format/numbers.ts";
import { countFilters, type FeedFilters } from "./filters.ts";
import { ReviewCard } from "./review-card.tsx";
import styles from "./reviews.module.css";

type FeedProps = {
  filters: FeedFilters;
  apps: readonly FollowedApp[];
  /** The apps are known: their names take room on every review. */
  isReady: boolean;
  hasNoApps: boolean;
  onClear: () => void;
};

const pageSize = 30;

export function Feed({ filters, apps, isReady, hasNoApps, onClear }: FeedProps) {
  const feed = useFeed(filters);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = feed;
  const reviews = feed.data?.pages.flatMap((page) => page.reviews) ?? [];
  const searchedCount = sumSearched(feed.data?.pages ?? []);
  const isIdle = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  // A search that found little would read through everything by itself: that is the person's to ask for.
  const last = feed.data?.pages.at(-1);
  const isFlowing = last?.searchedCount === null || last?.reviews.length === pageSize;
  const end = useNearness(isIdle && isFlowing, () => void fetchNextPage());
  if (feed.isPending || !isReady) return <Places />;
  if (feed.isError && !feed.data) {
    return <ErrorNote error={feed.error} onRetry={() => void feed.refetch()} />;
  }
  if (reviews.length === 0 && !hasNextPage) {
    return (
      <Nothing isFiltered={countFilters(filters) > 0} hasNoApps={hasNoApps} onClear={onClear} />
    );
  }
  return (
    <div>
      <h2 className="visually-hidden">Reviews that match</h2>
      <ul className={styles.feed} aria-label="Reviews">
        {reviews.map((review) => (
          <li key={review.id}>
            <ReviewCard
              review={review}
              app={apps.find(({ id }) => id === review.appId)}
              filters={filters}
            />
          </li>
        ))}
      </ul>
      <div ref={end} className={styles.foot}>
        {isFetchNextPageError ? <ErrorNote error={feed.error} /> : null}
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFlowing ? "Show more" : "Look through more"}
          </Button>
        ) : (
          <p>{`That is all: ${formatNumberOf(reviews.length, "review")}.`}</p>
        )}
        {searchedCount > 0 ? (
          <p role="status">{`${formatNumberOf(searchedCount, "review")} looked through so far`}</p>
        ) : null}
      </div>
    </div>
  );
}

function useFeed(filters: FeedFilters) {
  const { workspace } = usePlace();
  const route = "GET /workspaces/:workspace/reviews" as const;
  return useInfiniteQuery({
    queryKey: [workspace.id, route, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) };
      return call(route, filled<typeof route>({ query }, workspace.id), signal);
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    // Asked anew page by page otherwise, each time the window gets the focus.
    refetchOnWindowFocus: false,
  });
}

// A page that came up short leaves its end in sight: the effect runs again with the next answer.
function useNearness(isIdle: boolean, onNear: () => void) {
  const ref = useRef<HTMLDivElement>(null);
  const near = useRef(onNear);
  near.current = onNear;
  useEffect(() => {
    const element = ref.current;
    if (!element || !isIdle) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) near.current();
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

type NothingProps = { isFiltered: boolean; hasNoApps: boolean; onClear: () => void };

function Nothing({ isFiltered, hasNoApps, onClear }: NothingProps) {
  if (hasNoApps) {
    const add = (
      <ButtonLink to="/sources?add=app" kind="primary">
        Add an app
      </ButtonLink>
    );
    return (
      <EmptyState title="No app is followed yet" actions={add}>
        Add one, and its reviews are collected from the store and shown here.
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState
        title="No review matches"
        actions={<Button onClick={onClear}>Clear all filters</Button>}
      >
        Take a filter away, or choose more days.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No reviews yet"
      actions={<ButtonLink to="/sources">See how collecting goes</ButtonLink>}
    >
      The first full pass over a store takes some minutes. Reviews appear here as they come in.
    </EmptyState>
  );
}

function Places() {
  return (
    <div className={styles.feed}>
      {[1, 2, 3, 4].map((place) => (
        <Skeleton key={place} height={168} {...(place === 1 ? { label: "Loading reviews" } : {})} />
      ))}
    </div>
  );
}

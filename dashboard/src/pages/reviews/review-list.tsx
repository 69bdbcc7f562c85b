// The list of reviews. The next page is loaded when the user scrolls near the end, or with a button.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import type { NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import type { FeedReview } from "../../../../src/dashboard-api/contract/reviews.ts";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { EmptyState, ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { BulkBar, useListKeys, useWorkOnReviews } from "./bulk-bar.tsx";
import { countFilters, type FeedFilters } from "./filters.ts";
import { NewReviews } from "./new-reviews.tsx";
import { OpenReview } from "./open-review.tsx";
import { ReviewCard } from "./review-card.tsx";
import styles from "./reviews.module.css";

type ReviewListProps = {
  filters: FeedFilters;
  apps: readonly NamedApp[];
  hasNoApps: boolean;
  onClear: () => void;
  onRefresh: () => void;
};

const pageSize = 30;

export function ReviewList(props: ReviewListProps) {
  const { filters, apps, hasNoApps, onClear, onRefresh } = props;
  const query = useReviewPages(filters);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const reviews = query.data?.pages.flatMap((page) => page.reviews) ?? [];
  const searchedCount = sumSearched(query.data?.pages ?? []);
  const isIdle = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  // A text search with few matches would otherwise go on through all reviews by itself.
  const last = query.data?.pages.at(-1);
  const isAutomatic = last?.searchedCount === null || last?.reviews.length === pageSize;
  const end = useNearEnd(isIdle && isAutomatic, () => void fetchNextPage());
  const [search] = useSearchParams();
  const [openApp, openId] = (search.get("open") ?? "").split("/");
  const open = openApp && openId ? { app: openApp, review: openId } : null;
  const pathOf = (review: FeedReview | null) => {
    const next = new URLSearchParams(search);
    if (review) next.set("open", `${review.appId}/${review.id}`);
    else next.delete("open");
    return `/reviews?${next}`;
  };
  const list = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLFormElement>(null);
  const selection = useSelection();
  const { run } = useWorkOnReviews(() => undefined);
  useListKeys({
    list,
    bar,
    onSelect: selection.toggle,
    onDone: (id) =>
      run(
        reviews.filter((review) => (id === null ? selection.ids.has(review.id) : review.id === id)),
        { isDone: true },
      ),
  });
  if (query.isPending) return <ReviewListSkeleton />;
  if (query.isError && !query.data) {
    return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (reviews.length === 0 && !hasNextPage) {
    return <NoReviews filters={filters} hasNoApps={hasNoApps} onClear={onClear} />;
  }
  const selected = reviews.filter(({ id }) => selection.ids.has(id));
  return (
    <div className={open ? `${styles.listing} ${styles.split}` : styles.listing}>
      <div ref={list}>
        <h2 className="visually-hidden">Reviews that match</h2>
        <NewReviews
          filters={filters}
          shown={new Set(reviews.map(({ id }) => id))}
          onShow={onRefresh}
        />
        <ul className={styles.feed} aria-label="Reviews">
          {reviews.map((review) => (
            <li key={review.id}>
              <ReviewCard
                review={review}
                app={apps.find(({ id }) => id === review.appId)}
                filters={filters}
                selection={{
                  isSelected: selection.ids.has(review.id),
                  isOpen: review.id === open?.review,
                  openPath: pathOf(review),
                  onToggle: () => selection.toggle(review.id),
                }}
              />
            </li>
          ))}
        </ul>
        <div ref={end} className={styles.foot}>
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
        <p className={styles.keys}>
          <kbd>j</kbd> <kbd>k</kbd> next and previous · <kbd>x</kbd> select · <kbd>a</kbd> assign ·{" "}
          <kbd>t</kbd> tag · <kbd>e</kbd> done · <kbd>/</kbd> search
        </p>
        {selected.length > 0 ? (
          <BulkBar
            bar={bar}
            selected={selected}
            shownCount={reviews.length}
            onSelectAll={() => selection.set(reviews.map(({ id }) => id))}
            onClear={() => selection.set([])}
          />
        ) : null}
      </div>
      {open ? <OpenReview open={open} apps={apps} reviews={reviews} pathOf={pathOf} /> : null}
    </div>
  );
}

/** Ids of reviews, also of those that are no longer shown. */
function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  return { ids, toggle, set: (chosen: readonly string[]) => setIds(new Set(chosen)) };
}

function useReviewPages(filters: FeedFilters) {
  const { workspace } = useWorkspace();
  const route = "GET /workspaces/:workspace/reviews" as const;
  return useInfiniteQuery({
    queryKey: [workspace.id, route, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) };
      return callApi(route, withWorkspace<typeof route>({ query }, workspace.id), signal);
    },
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
  if (hasNoApps) {
    const add = (
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
      <EmptyState
        title="No review matches"
        actions={<Button onClick={onClear}>Clear all filters</Button>}
      >
        {filters.q ? `${allSearched} ` : ""}Remove a filter or widen the dates.
      </EmptyState>
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

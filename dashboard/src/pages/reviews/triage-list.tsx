// Reviews with the work on them: each can be selected, opened beside the list, and worked on by keys.
import { type ReactNode, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import type { FeedReview } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { BulkBar, useListKeys, useWorkOnReviews } from "./bulk-bar.tsx";
import type { FeedFilters } from "./filters.ts";
import { NewReviews } from "./new-reviews.tsx";
import { OpenReview } from "./open-review.tsx";
import { ReviewCard } from "./review-card.tsx";
import styles from "./reviews.module.css";

type TriageListProps = {
  filters: FeedFilters;
  apps: readonly NamedApp[];
  reviews: readonly FeedReview[];
  /** How many of them are shown. */
  drawnCount: number;
  onRefresh: () => void;
  /** Below the list: how it goes on. */
  children: ReactNode;
};

export function TriageList(props: TriageListProps) {
  const { filters, apps, reviews, drawnCount, onRefresh, children } = props;
  const { isViewer } = useWorkspace();
  const { open, pathOf, isAsked } = useOpenReview();
  const [, navigate] = useLocation();
  const list = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLFormElement>(null);
  const { ids, toggle, select } = useSelection();
  const { run } = useWorkOnReviews(() => undefined);
  const selected = reviews.filter(({ id }) => ids.has(id));
  useListKeys({
    list,
    bar,
    onSelect: toggle,
    onAnswer: (id) => {
      const review = reviews.find((one) => one.id === (id ?? open?.review));
      if (review) navigate(pathOf(review, true));
    },
    onDone: (id) =>
      run(id === null ? selected : reviews.filter((one) => one.id === id), { isDone: true }),
  });
  return (
    <div className={open ? `${styles.listing} ${styles.split}` : styles.listing}>
      <div ref={list} id="reviews" tabIndex={-1}>
        <h2 className="visually-hidden">Reviews that match</h2>
        <NewReviews
          filters={filters}
          shown={new Set(reviews.map(({ id }) => id))}
          onShow={onRefresh}
        />
        <ul className={styles.feed} aria-label="Reviews">
          {reviews.slice(0, drawnCount).map((review) => (
            <li key={review.id}>
              <ReviewCard
                review={review}
                app={apps.find(({ id }) => id === review.appId)}
                filters={filters}
                {...(!isViewer && {
                  selection: {
                    isSelected: ids.has(review.id),
                    isOpen: review.id === open?.review,
                    openPath: pathOf(review, false),
                    answerPath: pathOf(review, true),
                    onToggle: () => toggle(review.id),
                    onAssign: (assignee) => run([review], { assignee }),
                  },
                })}
              />
            </li>
          ))}
        </ul>
        {children}
        {isViewer ? null : <KeysHint />}
        {selected.length > 0 ? (
          <BulkBar
            bar={bar}
            selected={selected}
            shownCount={reviews.length}
            onSelectAll={() => select(reviews.map(({ id }) => id))}
            onClear={() => select([])}
          />
        ) : null}
      </div>
      {open ? (
        <OpenReview open={open} apps={apps} reviews={reviews} pathOf={pathOf} isAsked={isAsked} />
      ) : null}
    </div>
  );
}

function KeysHint() {
  return (
    <p className={styles.keys} data-print="hidden">
      <kbd>j</kbd> <kbd>k</kbd> next and previous · <kbd>x</kbd> select · <kbd>a</kbd> assign ·{" "}
      <kbd>t</kbd> tag · <kbd>r</kbd> answer · <kbd>e</kbd> done · <kbd>/</kbd> search
    </p>
  );
}

/** The review that the URL names, and the URL of the list with another one or none. */
function useOpenReview() {
  const [search] = useSearchParams();
  const [app, review] = (search.get("open") ?? "").split("/");
  const isAsked = search.has("answer");
  const pathOf = (one: FeedReview | null, isAnswering = isAsked) => {
    const next = new URLSearchParams(search);
    if (one) next.set("open", `${one.appId}/${one.id}`);
    else next.delete("open");
    if (one && isAnswering) next.set("answer", "");
    else next.delete("answer");
    return `/reviews?${next}`;
  };
  return { open: app && review ? { app, review } : null, pathOf, isAsked };
}

/** Ids of reviews, also of those that are no longer shown. */
function useSelection() {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  return { ids, toggle, select: (chosen: readonly string[]) => setIds(new Set(chosen)) };
}

// The review that is open beside its list, or over it on a narrow screen: its text and the work on it, with the way to
// the next and the previous one.
import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import type { FeedReview } from "../../../../src/dashboard-api/contract/reviews.ts";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Button, ButtonLink, ExternalButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { storeNameInText } from "../../format/stores.ts";
import { ReplyCard } from "./reply-card.tsx";
import { ReviewCard } from "./review-card.tsx";
import styles from "./reviews.module.css";
import { WorkCard } from "./work-card.tsx";

type OpenReviewProps = {
  /** The ids of the app and the review. */
  open: { app: string; review: string };
  apps: readonly NamedApp[];
  /** The list as far as it is loaded. */
  reviews: readonly FeedReview[];
  /** The list with this review open, or with none. */
  pathOf: (review: FeedReview | null) => string;
  /** The user came to answer it. */
  isAsked: boolean;
};

export function OpenReview({ open, apps, reviews, pathOf, isAsked }: OpenReviewProps) {
  const { workspace, isViewer } = useWorkspace();
  const [, navigate] = useLocation();
  const panel = useRef<HTMLElement>(null);
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app/reviews/:review", { path: open });
  const app = apps.find(({ id }) => id === open.app);
  const index = reviews.findIndex(({ id }) => id === open.review);
  const [previous, next] = index < 0 ? [] : [reviews[index - 1], reviews[index + 1]];
  useCovering(panel);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each review that is opened
  useEffect(() => {
    // The box of the answer, which is there at once for a review that was read before, has taken the focus.
    if (isEntering(document.activeElement) && panel.current?.contains(document.activeElement))
      return;
    panel.current?.scrollTo(0, 0);
    panel.current?.focus({ preventScroll: true });
  }, [open.review]);
  const link = `${window.location.origin}/w/${workspace.id}/reviews/${open.app}/${open.review}`;
  return (
    <section
      ref={panel}
      className={styles.open}
      data-print="hidden"
      aria-label="Open review"
      tabIndex={-1}
      onKeyDown={({ key, target }) =>
        key === "Escape" && !isEntering(target) && navigate(pathOf(null))
      }
    >
      <div className={styles.openTools}>
        <Button small onClick={() => navigate(pathOf(null))}>
          Back to the list
        </Button>
        {previous ? (
          <ButtonLink small to={pathOf(previous)}>
            Previous
          </ButtonLink>
        ) : null}
        {next ? (
          <ButtonLink small to={pathOf(next)}>
            Next
          </ButtonLink>
        ) : null}
        {app ? <StoreLink app={app} /> : null}
        <CopyButton text={link} label="Copy link" confirmation="Link copied" />
      </div>
      <QueryView query={query} height={160} loadingLabel="Loading the review">
        {({ review }) => (
          <>
            <ReviewCard review={review} app={app} />
            <ReplyCard key={review.id} review={review} isAsked={isAsked} />
          </>
        )}
      </QueryView>
      {isViewer ? null : <WorkCard key={open.review} path={open} />}
    </section>
  );
}

/** As in reviews.module.css. */
const narrow = window.matchMedia("(max-width: 1180px)");

/** On a narrow screen the review lies over the page: what is behind it takes no focus and is not read out. */
function useCovering(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let covered: Element[] = [];
    const update = () => {
      for (const one of covered) one.removeAttribute("inert");
      covered = narrow.matches && panel.current ? listBehind(panel.current) : [];
      for (const one of covered) one.setAttribute("inert", "");
    };
    update();
    narrow.addEventListener("change", update);
    return () => {
      narrow.removeEventListener("change", update);
      for (const one of covered) one.removeAttribute("inert");
    };
  }, [panel]);
}

/** The other parts of the page, and the navigation; neither dialogs nor messages. */
function listBehind(panel: HTMLElement): Element[] {
  const behind: Element[] = [...document.querySelectorAll("header[data-print], nav")];
  for (let one: Element = panel; one.id !== "content" && one.parentElement; one = one.parentElement)
    behind.push(...[...one.parentElement.children].filter((other) => other !== one));
  return behind.filter((one) => !one.querySelector("dialog") && !one.matches("dialog, [role]"));
}

function isEntering(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, textarea, select");
}

export function StoreLink({ app }: { app: NamedApp }) {
  return (
    <ExternalButton small href={app.storeUrl}>
      {`Open in ${storeNameInText(app.store)}`}
    </ExternalButton>
  );
}

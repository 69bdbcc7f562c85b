// The content of a page for people without an account: an overview, a comparison, or reviews.
import type { ReactNode } from "react";
import type { PageContent } from "../../../../src/dashboard-api/contract/overview.ts";
import { Comparison } from "../compare/comparison.tsx";
import { nameSide } from "../compare/side.ts";
import { AnswersCard } from "../overview/answers-card.tsx";
import overviewStyles from "../overview/overview.module.css";
import { OverviewCards } from "../overview/overview-cards.tsx";
import { ReportHead } from "../overview/report-menu.tsx";
import { Facts } from "../reviews/feed-summary.tsx";
import { nameFilters } from "../reviews/filter-names.ts";
import { ReviewCard } from "../reviews/review-card.tsx";
import reviewStyles from "../reviews/reviews.module.css";
import styles from "./sharing.module.css";

const noIcons = new Map<string, string | null>();

type ContentProps = {
  content: PageContent;
  /** null: the page has a head of its own. */
  workspaceName: string | null;
};

export function Content({ content, workspaceName }: ContentProps): ReactNode {
  if (content.kind === "comparison") {
    const { a, b, apps } = content;
    return (
      <Comparison
        left={{
          complaints: undefined,
          days: undefined,
          ...a,
          name: nameSide("a", a.filters, apps),
          error: null,
        }}
        right={{
          complaints: undefined,
          days: undefined,
          ...b,
          name: nameSide("b", b.filters, apps),
          error: null,
        }}
      />
    );
  }
  if (content.kind === "view") return <SharedReviews content={content} />;
  const { overview, app, kind } = content;
  return (
    <div className={`${overviewStyles.grid} ${kind === "report" ? overviewStyles.asReport : ""}`}>
      <ReportHead overview={overview} workspaceName={workspaceName} />
      <OverviewCards overview={overview} app={app ?? undefined} icons={noIcons} />
      <AnswersCard answers={overview.answers} />
    </div>
  );
}

function SharedReviews({ content }: { content: Extract<PageContent, { kind: "view" }> }) {
  const { filters, summary, reviews, apps } = content;
  const chosen = nameFilters(filters, apps).join(", ");
  const hasMore = summary.total > reviews.length;
  return (
    <div className={reviewStyles.view}>
      <div className={reviewStyles.summary}>
        <p>
          {chosen ? `${chosen}: ` : ""}
          <Facts filters={filters} summary={summary} />
        </p>
      </div>
      <div className={reviewStyles.feed}>
        {reviews.map((review) => (
          <ReviewCard
            key={review.id}
            review={review}
            app={apps.find(({ id }) => id === review.appId)}
          />
        ))}
      </div>
      {hasMore ? <p className={styles.more}>{`The newest ${reviews.length} are shown.`}</p> : null}
    </div>
  );
}

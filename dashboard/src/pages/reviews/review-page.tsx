// One review at an address of its own, to be shared.
import { useParams } from "wouter";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Link } from "../../components/link.tsx";
import { QueryPage } from "../../components/query-view.tsx";
import { ViewerNote } from "../../components/viewer-note.tsx";
import { StoreLink } from "./open-review.tsx";
import { ReplyCard } from "./reply-card.tsx";
import { ReviewCard } from "./review-card.tsx";
import { WorkCard } from "./work-card.tsx";

export function ReviewPage() {
  const { isViewer } = useWorkspace();
  const { app: appId = "", review: reviewId = "" } = useParams<{ app: string; review: string }>();
  const path = { app: appId, review: reviewId };
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app/reviews/:review", { path });
  const apps = useApiQuery("GET /workspaces/:workspace/app-names", {});
  const app = apps.data?.apps.find(({ id }) => id === appId);
  const lead = <Link href="/reviews">All reviews</Link>;
  if (!query.data || apps.isPending) {
    return (
      <QueryPage
        query={query.data ? apps : query}
        title="Review"
        lead={lead}
        height={160}
        loadingLabel="Loading the review"
      />
    );
  }
  const { review } = query.data;
  return (
    <Page
      title="Review"
      lead={lead}
      tools={
        <>
          {app ? <StoreLink app={app} /> : null}
          <CopyButton text={window.location.href} label="Copy link" confirmation="Link copied" />
        </>
      }
    >
      <h2 className="visually-hidden">What it says</h2>
      <ReviewCard review={review} app={app} />
      <ReplyCard review={review} isAsked={false} />
      {isViewer ? null : <WorkCard path={path} />}
      <ViewerNote>Only members see notes and work on reviews.</ViewerNote>
    </Page>
  );
}

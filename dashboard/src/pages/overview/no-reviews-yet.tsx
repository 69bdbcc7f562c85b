// In place of the cards where the shown apps have neither reviews nor ratings: what to do. Cards of zeros would read like an
// all-clear.
import type { NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import type { OverviewAnswer } from "../../../../src/dashboard-api/contract/overview.ts";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { EmptyState } from "../../components/feedback.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { storeName } from "../../format/stores.ts";
import { HeldReviews } from "../apps/held-reviews.tsx";
import styles from "./overview.module.css";

export function hasNothing({ firstReviewDay, apps }: OverviewAnswer): boolean {
  return firstReviewDay === null && apps.every(({ rating }) => rating === null);
}

export function NoReviewsYet({ apps }: { apps: readonly NamedApp[] }) {
  const [app] = apps;
  return (
    <div className={styles.full}>
      <Card>
        {app && apps.length === 1 ? (
          <OfOneApp app={app} />
        ) : (
          <EmptyState
            title="No reviews yet"
            actions={
              <ButtonLink kind="primary" to="/sources">
                See what was read
              </ButtonLink>
            }
          >
            None of these apps had a review or a rating so far. Figures appear here with the first.
          </EmptyState>
        )}
      </Card>
    </div>
  );
}

function OfOneApp({ app: { id, store } }: { app: NamedApp }) {
  const { isViewer } = useWorkspace();
  const query = useApiQuery("GET /workspaces/:workspace/apps/:app", { path: { app: id } });
  const path = `/sources/apps/${id}`;
  return (
    <QueryView query={query} height={240} loadingLabel="Loading the app">
      {({ app, held }) =>
        held.length > 0 ? (
          <HeldReviews app={app} held={held} />
        ) : app.collecting.state !== "off" ? (
          <EmptyState
            title="No reviews yet"
            actions={
              <ButtonLink kind="primary" to={path}>
                See what was read
              </ButtonLink>
            }
          >
            {`${storeName(store)} showed no review and no rating of this app so far. Figures appear here with the first. Other storefronts may have some.`}
          </EmptyState>
        ) : (
          <>
            <EmptyState
              title="No reviews imported yet"
              actions={
                <ButtonLink kind="primary" to={path}>
                  {isViewer ? "See the app" : "Collect from the store"}
                </ButtonLink>
              }
            >
              Only imports fill this app: nothing is collected from the store. Import a file, or
              collect its reviews.
            </EmptyState>
            {isViewer ? null : (
              <CodeLine
                code={`starpost import reviews --app ${id} reviews.csv`}
                label="Import command"
              />
            )}
          </>
        )
      }
    </QueryView>
  );
}

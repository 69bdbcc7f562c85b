// In place of the figures while all shown apps are read for the first time: zeros would look like an all-clear. How far it
// has come, and the first reviews.

import type { ImportingApp } from "../../../../src/dashboard-api/contract/alerts.ts";
import type { NamedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { ProgressBar } from "../../components/progress-bar.tsx";
import { appLabel, regionUnit } from "../../format/names.ts";
import { ReviewCard } from "../reviews/review-card.tsx";
import styles from "./overview.module.css";

const refetchEveryMs = 5_000;
const shownMax = 3;

type FirstImportProps = {
  importing: readonly ImportingApp[];
  app: string | undefined;
  names: readonly NamedApp[];
};

export function FirstImport({ importing, app, names }: FirstImportProps) {
  const query = { ...(app ? { app } : {}), limit: shownMax };
  const reviews =
    useApiQuery("GET /workspaces/:workspace/reviews", { query }, { refetchEveryMs }).data
      ?.reviews ?? [];
  return (
    <div className={styles.full}>
      <Card
        title="Reading the store for the first time"
        hint="Figures and what changed appear here once the reviews are complete"
      >
        <ul className={styles.imports}>
          {importing.map((one) => (
            <li key={one.appId}>
              <ProgressBar
                label={`${appLabel(one)}: ${one.doneCount} of ${one.feedCount} ${regionUnit(one.store)} read`}
                done={one.doneCount}
                total={one.feedCount}
              />
            </li>
          ))}
        </ul>
        {reviews.length > 0 ? <h3>The first reviews</h3> : null}
        {reviews.map((review) => (
          <ReviewCard
            key={review.id}
            review={review}
            app={names.find(({ id }) => id === review.appId)}
          />
        ))}
      </Card>
    </div>
  );
}

// The followed apps and how collecting goes for each, refreshed while something is on its way.
import { Link } from "wouter";
import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useAnswer } from "../../api/workspace.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState, ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { storeName } from "../../format/names.ts";
import { formatNumberOf } from "../../format/numbers.ts";
import { reviewsAddress } from "../reviews/filters.ts";
import { BackfillProgress, CollectingChip, CollectingTimes } from "./collecting-status.tsx";
import styles from "./sources.module.css";
import { AddAppButton } from "./sources.tsx";

const watchEveryMs = 5_000;

export function AppList({ onAdd }: { onAdd: () => void }) {
  const answer = useAnswer("GET /workspaces/:workspace/apps", {}, { everyMs: watchEveryMs });
  const apps = answer.data?.apps ?? [];
  const isEmpty = answer.data !== undefined && apps.length === 0;
  return (
    <Card title="Apps" tools={isEmpty ? null : <AddAppButton onAdd={onAdd} isMain={false} />}>
      {answer.isPending ? <Skeleton height={152} label="Loading apps" /> : null}
      {answer.isError ? (
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      {isEmpty ? (
        <EmptyState title="No app is followed yet" actions={<AddAppButton onAdd={onAdd} isMain />}>
          Paste a link to a store page, or search by name. Collecting starts at once.
        </EmptyState>
      ) : null}
      {apps.length > 0 ? (
        <ul className={styles.list}>
          {apps.map((app) => (
            <AppRow key={app.id} app={app} />
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

function AppRow({ app }: { app: FollowedApp }) {
  const { collecting } = app;
  return (
    <li className={styles.row}>
      <AppIcon name={app.name} url={app.iconPath} size={40} />
      <div>
        <Link href={`/sources/apps/${app.id}`} className={styles.name}>
          {app.name}
        </Link>
        <div className={styles.facts}>
          <span>{storeName(app.store)}</span>
          <Link href={reviewsAddress({ app: app.id })}>
            {formatNumberOf(collecting.reviewCount, "review")}
          </Link>
          <CollectingTimes collecting={collecting} />
        </div>
      </div>
      <CollectingChip state={collecting.state} />
      {collecting.state === "first" ? (
        <div className={styles.wide}>
          <BackfillProgress collecting={collecting} />
        </div>
      ) : null}
      {collecting.lastError ? (
        <p className={`${styles.wide} ${styles.problem}`}>{collecting.lastError}</p>
      ) : null}
    </li>
  );
}

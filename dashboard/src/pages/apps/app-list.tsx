// The followed apps with their collecting state, refetched so that it stays current.

import type { FollowedApp } from "../../../../src/dashboard-api/contract/apps.ts";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { AppIcon } from "../../components/app-icon.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/feedback.tsx";
import layout from "../../components/layout.module.css";
import { Link } from "../../components/link.tsx";
import listStyles from "../../components/long-list.module.css";
import { LongList } from "../../components/long-list.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { storeName } from "../../format/stores.ts";
import { reviewsPath } from "../reviews/filters.ts";
import {
  BackfillProgress,
  CollectingChip,
  CollectingTimes,
  describeFailing,
} from "./collecting-status.tsx";

/** Faster while the progress of a first import is shown. */
function refetchEveryMs(data: { apps: readonly FollowedApp[] } | undefined): number {
  return data?.apps.some(({ collecting }) => collecting.state === "first") ? 5_000 : 15_000;
}

const stateOrder: Partial<Record<FollowedApp["collecting"]["state"], number>> = {
  failing: -2,
  first: -1,
};
const rankOf = ({ collecting }: FollowedApp): number => stateOrder[collecting.state] ?? 0;

export function AppList({ onAdd }: { onAdd: () => void }) {
  const query = useApiQuery("GET /workspaces/:workspace/apps", {}, { refetchEveryMs });
  const isEmpty = query.data?.apps.length === 0;
  const addButton = useWorkspace().isViewer ? null : (
    <Button kind={isEmpty ? "primary" : "plain"} onClick={onAdd}>
      Add an app
    </Button>
  );
  return (
    <Card title="Apps" tools={isEmpty ? null : addButton}>
      <QueryView query={query} height={152} loadingLabel="Loading apps">
        {({ apps }) =>
          isEmpty ? (
            <EmptyState title="No app is followed yet" actions={addButton}>
              Paste a link to a store page, or search by name. Collecting starts immediately.
            </EmptyState>
          ) : (
            <LongList
              name="app"
              items={apps}
              textOf={({ name, store }) => `${name} ${storeName(store)}`}
              rankOf={rankOf}
            >
              {(app) => <AppRow key={app.id} app={app} />}
            </LongList>
          )
        }
      </QueryView>
    </Card>
  );
}

function AppRow({ app }: { app: FollowedApp }) {
  const { collecting } = app;
  return (
    <li className={listStyles.row}>
      <AppIcon name={app.name} url={app.iconPath} size={40} />
      <div>
        <Link href={`/sources/apps/${app.id}`} className={listStyles.name}>
          {app.name}
        </Link>
        <div className={layout.facts}>
          <span>{storeName(app.store)}</span>
          <Link href={reviewsPath({ app: app.id })}>
            {formatQuantity(collecting.reviewCount, "review")}
          </Link>
          <CollectingTimes collecting={collecting} />
        </div>
      </div>
      <CollectingChip state={collecting.state} />
      {collecting.state === "first" ? (
        <div className={listStyles.wide}>
          <BackfillProgress app={app} />
        </div>
      ) : null}
      {collecting.paceNote ? (
        <p className={`${listStyles.wide} ${layout.facts}`}>{collecting.paceNote}</p>
      ) : null}
      {collecting.failing.length > 0 ? (
        <p className={`${listStyles.wide} ${listStyles.problem}`}>{describeFailing(app)}</p>
      ) : null}
    </li>
  );
}

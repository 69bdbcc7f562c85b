// Above figures that may lack something: apps that are still being imported or can't be read completely, in one line.
import type { FailingApp, ImportingApp } from "../../../src/dashboard-api/contract/alerts.ts";
import type { FeedFilters } from "../../../src/dashboard-api/contract/requests.ts";
import { Alert } from "../components/feedback.tsx";
import { Link } from "../components/link.tsx";
import { appLabel, nameRegions, regionUnit } from "../format/names.ts";
import { formatQuantity } from "../format/numbers.ts";
import { readingUnit } from "../format/stores.ts";
import styles from "./source-state.module.css";
import { useWorkspaceAlerts } from "./workspace-alerts.ts";

const namedMax = 2;

type Shown = Pick<FeedFilters, "app" | "store" | "country">;

type SourceStateProps = {
  /** The filters of the figures on the page: one set, or those of both sides of a comparison. */
  shown: readonly Shown[];
};

export function SourceState({ shown }: SourceStateProps) {
  const alerts = useWorkspaceAlerts().data;
  if (!alerts) return null;
  const importing = alerts.importing.filter((app) => shown.some((one) => hasApp(one, app)));
  const isLacking = ({ failing }: FailingApp, { country }: Shown) =>
    country === undefined || failing.some(({ region }) => region === country);
  const failing = alerts.apps.filter((app) =>
    shown.some((one) => hasApp(one, app) && isLacking(app, one)),
  );
  if (importing.length + failing.length === 0) return null;
  // A missing storefront of many hardly changes the figures.
  const isSerious = failing.some((app) => app.failing.length * 2 > app.regionCount);
  return (
    <div className={styles.state}>
      <Alert kind={isSerious ? "warn" : "plain"}>
        <ul>
          {importing.length > namedMax ? (
            <Several count={importing.length}>are being imported. Figures are partial.</Several>
          ) : (
            importing.map((app) => <Importing key={app.appId} app={app} />)
          )}
          {failing.length > namedMax ? (
            <Several count={failing.length}>can't be read completely.</Several>
          ) : (
            failing.map((app) => <Failing key={app.appId} app={app} />)
          )}
        </ul>
      </Alert>
    </div>
  );
}

function hasApp({ app, store }: Shown, of: { appId: string; store: string }): boolean {
  return (app === undefined || app === of.appId) && (store === undefined || store === of.store);
}

function Several({ count, children }: { count: number; children: string }) {
  return (
    <li>
      <Link href="/sources">{formatQuantity(count, "app")}</Link> {children}
    </li>
  );
}

function Importing({ app }: { app: ImportingApp }) {
  return (
    <li>
      <Link href={`/sources/apps/${app.appId}`}>{appLabel(app)}</Link>:{" "}
      {`importing, ${app.doneCount} of ${app.feedCount} ${readingUnit(app.store)} done. Figures are partial.`}
    </li>
  );
}

function Failing({ app }: { app: FailingApp }) {
  const { appId, failing, regionCount, store } = app;
  return (
    <li>
      <Link href={`/sources/apps/${appId}`}>{appLabel(app)}</Link>:{" "}
      {`${failing.length} of ${regionCount} ${regionUnit(store)} failing (${nameRegions(failing)}). Their latest reviews and ratings are missing here.`}
    </li>
  );
}

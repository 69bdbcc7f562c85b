// Above figures that may lack something: apps that are still being imported or can't be read completely, and
// channels that fail.
import { Link } from "wouter";
import type {
  FailingApp,
  FailingChannel,
  ImportingApp,
} from "../../../src/dashboard-api/contract/alerts.ts";
import type { FeedFilters } from "../../../src/dashboard-api/contract/requests.ts";
import { Alert } from "../components/feedback.tsx";
import { Time } from "../components/time.tsx";
import { appLabel, nameRegions, regionUnit } from "../format/names.ts";
import { formatQuantity } from "../format/numbers.ts";
import styles from "./source-state.module.css";
import { useWorkspaceAlerts } from "./workspace-alerts.ts";

const channelsMax = 3;

type Shown = Pick<FeedFilters, "app" | "store" | "country">;

type SourceStateProps = {
  /** The filters of the figures on the page: one set, or those of both sides of a comparison. */
  shown: readonly Shown[];
  /** Reviews don't depend on channels. */
  withChannels?: boolean;
};

export function SourceState({ shown, withChannels = false }: SourceStateProps) {
  const alerts = useWorkspaceAlerts().data;
  if (!alerts) return null;
  const importing = alerts.importing.filter((app) => shown.some((one) => hasApp(one, app)));
  const isLacking = ({ failing }: FailingApp, { country }: Shown) =>
    country === undefined || failing.some(({ region }) => region === country);
  const failing = alerts.apps.filter((app) =>
    shown.some((one) => hasApp(one, app) && isLacking(app, one)),
  );
  const channels = withChannels ? alerts.channels : [];
  if (importing.length + failing.length + channels.length === 0) return null;
  return (
    <div className={styles.state}>
      {importing.length > 0 ? (
        <Alert>
          <ul>
            {importing.map((app) => (
              <Importing key={app.appId} app={app} />
            ))}
          </ul>
        </Alert>
      ) : null}
      {failing.length + channels.length > 0 ? (
        <Alert kind="bad">
          <ul>
            {failing.map((app) => (
              <Failing key={app.appId} app={app} />
            ))}
            <FailingChannels channels={channels} />
          </ul>
        </Alert>
      ) : null}
    </div>
  );
}

function hasApp({ app, store }: Shown, of: { appId: string; store: string }): boolean {
  return (app === undefined || app === of.appId) && (store === undefined || store === of.store);
}

function Importing({ app }: { app: ImportingApp }) {
  const unit = app.store === "googleplay" ? "languages" : "storefronts";
  return (
    <li>
      <Link href={`/sources/apps/${app.appId}`}>{appLabel(app)}</Link>:{" "}
      {`importing, ${app.doneCount} of ${app.feedCount} ${unit} done. Figures are partial.`}
    </li>
  );
}

function Failing({ app }: { app: FailingApp }) {
  const { appId, failing, regionCount, store } = app;
  return (
    <li>
      <Link href={`/sources/apps/${appId}`}>{appLabel(app)}</Link>:{" "}
      {`${failing.length} of ${regionCount} ${regionUnit(store)} failing (${nameRegions(failing)}). These figures lack their latest reviews and ratings.`}
    </li>
  );
}

function FailingChannels({ channels }: { channels: readonly FailingChannel[] }) {
  if (channels.length > channelsMax) {
    return (
      <li>
        <Link href="/sources">{formatQuantity(channels.length, "channel")}</Link> failing
      </li>
    );
  }
  return channels.map(({ channelId, name, since, reason }) => (
    <li key={channelId}>
      Channel <Link href={`/sources/channels/${channelId}`}>{name}</Link>: failing since{" "}
      <Time at={since} />, {reason}
    </li>
  ));
}

// A line for every app that can't be read completely and every channel that fails, above figures that may
// lack something.
import { Link } from "wouter";
import type { FailingApp, FailingChannel } from "../../../../src/dashboard-api/contract/alerts.ts";
import { Alert } from "../../components/feedback.tsx";
import { Time } from "../../components/time.tsx";
import { appLabel, nameRegions, regionUnit } from "../../format/names.ts";
import { formatQuantity } from "../../format/numbers.ts";
import styles from "./overview.module.css";

type FailingSourcesProps = {
  apps: readonly FailingApp[];
  channels: readonly FailingChannel[];
  /** Only this app's figures are on the page. */
  shownApp: string | undefined;
};

export function FailingSources({ apps, channels, shownApp }: FailingSourcesProps) {
  const shownApps = apps.filter(({ appId }) => shownApp === undefined || appId === shownApp);
  if (shownApps.length + channels.length === 0) return null;
  return (
    <div className={styles.full}>
      <Alert kind="bad">
        <ul className={styles.failing}>
          {shownApps.map((app) => (
            <li key={app.appId}>
              <Link href={`/sources/apps/${app.appId}`}>{appLabel(app)}</Link>:{" "}
              {`${app.failing.length} of ${app.regionCount} ${regionUnit(app.store)} failing (${nameRegions(app.failing)}). These figures lack their latest reviews and ratings.`}
            </li>
          ))}
          {channels.length > 3 ? (
            <li>
              <Link href="/sources">{formatQuantity(channels.length, "channel")}</Link> failing
            </li>
          ) : (
            channels.map(({ channelId, name, since, reason }) => (
              <li key={channelId}>
                Channel <Link href={`/sources/channels/${channelId}`}>{name}</Link>: failing since{" "}
                <Time at={since} />, {reason}
              </li>
            ))
          )}
        </ul>
      </Alert>
    </div>
  );
}

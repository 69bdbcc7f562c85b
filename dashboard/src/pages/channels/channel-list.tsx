// The webhook channels with the state of their deliveries, and an alert for each that was removed because
// its endpoint answered 410.

import type { Channel, RetiredChannel } from "../../../../src/dashboard-api/contract/channels.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { Alert, EmptyState } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import layout from "../../components/layout.module.css";
import { Link } from "../../components/link.tsx";
import listStyles from "../../components/long-list.module.css";
import { LongList } from "../../components/long-list.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Time } from "../../components/time.tsx";
import { appLabel, eventName, topicName } from "../../format/names.ts";
import { formatCount, formatQuantity } from "../../format/numbers.ts";
import { nameFilters } from "../reviews/filter-names.ts";
import { readFilters } from "../reviews/filters.ts";
import { destinationOf } from "./channel-type-names.ts";
import styles from "./channels.module.css";
import { DeliveryChip } from "./delivery-chip.tsx";

const refetchEveryMs = 15_000;

const rankOf = ({ failingSince, isPaused }: Channel): number =>
  failingSince ? -2 : isPaused ? -1 : 0;

export function ChannelList() {
  const apps = useApiQuery("GET /workspaces/:workspace/app-names", {}).data?.apps ?? [];
  const query = useApiQuery("GET /workspaces/:workspace/channels", {}, { refetchEveryMs });
  const isEmpty = query.data?.channels.length === 0;
  const addLink = (
    <ButtonLink to="/sources/channels/new" {...(isEmpty ? { kind: "primary" as const } : {})}>
      Add a channel
    </ButtonLink>
  );
  return (
    <Card title="Channels" tools={isEmpty ? null : addLink}>
      <QueryView query={query} height={152} loadingLabel="Loading channels">
        {({ channels, notices }) => (
          <>
            <div className={styles.alerts}>
              {notices.map((notice) => (
                <RetiredChannelAlert key={notice.id} notice={notice} />
              ))}
            </div>
            {isEmpty ? (
              <EmptyState title="No channel yet" actions={addLink}>
                A channel sends each matching review to your endpoint, chat or mailbox.
              </EmptyState>
            ) : (
              <LongList
                name="channel"
                items={channels}
                textOf={(channel) => `${channel.name} ${destinationOf(channel)}`}
                rankOf={rankOf}
              >
                {(channel) => <ChannelRow key={channel.id} channel={channel} apps={apps} />}
              </LongList>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

function RetiredChannelAlert({ notice }: { notice: RetiredChannel }) {
  const dismissButton = (
    <ActionButton
      small
      route="DELETE /workspaces/:workspace/notices/:notice"
      input={{ path: { notice: notice.id } }}
      affected={["GET /workspaces/:workspace/channels"]}
    >
      Dismiss
    </ActionButton>
  );
  return (
    <Alert kind="warn" action={dismissButton}>
      The channel <strong>{notice.name}</strong> was removed <Time at={notice.at} relative />:{" "}
      {notice.reason} ({notice.url})
    </Alert>
  );
}

// The endpoint answers, else the channel would be failing: what is pending is on its way.
const firstAttempt = { dueAt: null, attemptCount: 0, lastStatus: null, lastReason: null };

type NamedApps = Parameters<typeof nameFilters>[1];

/** Empty where it takes all reviews of all apps. */
function nameChannelFilters({ apps: ids, stars, topics, query }: Channel, apps: NamedApps): string {
  const names = apps.flatMap((app) => (ids?.includes(app.id) ? appLabel(app) : []));
  return [
    ids && (names.length === 1 ? names[0] : formatQuantity(ids.length, "app")),
    stars && `${stars.join(", ")} ★`,
    topics?.map(topicName).join(" or "),
    ...nameFilters(readFilters(new URLSearchParams(query ?? "")), apps),
  ]
    .filter(Boolean)
    .join(" · ");
}

function ChannelRow({ channel, apps }: { channel: Channel; apps: NamedApps }) {
  const { counts, lastDelivery } = channel;
  const filters = nameChannelFilters(channel, apps);
  return (
    <li className={listStyles.row}>
      <span className={styles.channelIcon}>
        <Icon name="sources" />
      </span>
      <div>
        <Link href={`/sources/channels/${channel.id}`} className={listStyles.name}>
          {channel.name}
        </Link>
        <div className={layout.facts}>
          <span>{destinationOf(channel)}</span>
        </div>
        {filters ? <div className={layout.facts}>{`Only ${filters}`}</div> : null}
        <div className={layout.facts}>
          <span>
            {channel.digest === null
              ? channel.events.map(eventName).join(", ")
              : channel.digest === "daily"
                ? "Daily digest"
                : "Weekly digest"}
          </span>
          <span>{`${formatCount(counts.delivered)} delivered`}</span>
          {counts.pending > 0 ? <span>{`${formatCount(counts.pending)} pending`}</span> : null}
          {counts.expired > 0 ? <span>{`${formatCount(counts.expired)} failed`}</span> : null}
          {lastDelivery ? (
            <span>
              last <Time at={lastDelivery.createdAt} relative />
            </span>
          ) : null}
        </div>
      </div>
      {channel.isPaused ? (
        <Chip tone="warn">Paused</Chip>
      ) : channel.failingSince ? (
        <Chip tone="bad">Failing</Chip>
      ) : lastDelivery ? (
        <DeliveryChip delivery={{ ...firstAttempt, ...lastDelivery }} />
      ) : (
        <Chip>No events yet</Chip>
      )}
      {channel.failingSince ? (
        <p className={`${listStyles.wide} ${listStyles.problem}`}>
          Failing since <Time at={channel.failingSince} />: {channel.failingReason}
        </p>
      ) : null}
    </li>
  );
}

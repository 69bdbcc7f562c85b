// The webhook channels and how they do, with a notice for each that its endpoint retired.
import { Link } from "wouter";
import type { Channel, RetiredNotice } from "../../../../src/dashboard-api/contract/channels.ts";
import { useAnswer, useChange } from "../../api/workspace.ts";
import { Button, ButtonLink } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { EmptyState, ErrorNote, Note, Skeleton } from "../../components/feedback.tsx";
import { Icon } from "../../components/icon.tsx";
import { Time } from "../../components/time.tsx";
import { eventName } from "../../format/names.ts";
import { formatCount } from "../../format/numbers.ts";
import { DeliveryChip } from "./delivery-chip.tsx";
import styles from "./sources.module.css";

const watchEveryMs = 5_000;

export function ChannelList() {
  const answer = useAnswer("GET /workspaces/:workspace/channels", {}, { everyMs: watchEveryMs });
  const channels = answer.data?.channels ?? [];
  const isEmpty = answer.data !== undefined && channels.length === 0;
  const add = (
    <ButtonLink to="/sources/channels/new" {...(isEmpty ? { kind: "primary" as const } : {})}>
      Add a channel
    </ButtonLink>
  );
  return (
    <Card title="Webhook channels" tools={isEmpty ? null : add}>
      {answer.isPending ? <Skeleton height={152} label="Loading channels" /> : null}
      {answer.isError ? (
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      <div className={styles.notices}>
        {(answer.data?.notices ?? []).map((notice) => (
          <Notice key={notice.id} notice={notice} />
        ))}
      </div>
      {isEmpty ? (
        <EmptyState title="No channel yet" actions={add}>
          A channel sends each matching review as a signed POST to an address of yours.
        </EmptyState>
      ) : null}
      {channels.length > 0 ? (
        <ul className={styles.list}>
          {channels.map((channel) => (
            <ChannelRow key={channel.id} channel={channel} />
          ))}
        </ul>
      ) : null}
    </Card>
  );
}

function Notice({ notice }: { notice: RetiredNotice }) {
  const dismiss = useChange("DELETE /workspaces/:workspace/notices/:notice", [
    "GET /workspaces/:workspace/channels",
  ]);
  return (
    <Note
      kind="warn"
      action={
        <Button
          small
          busy={dismiss.isPending}
          onClick={() => dismiss.mutate({ path: { notice: notice.id } })}
        >
          Dismiss
        </Button>
      }
    >
      The channel <strong>{notice.name}</strong> was removed <Time at={notice.at} relative />:{" "}
      {notice.reason} ({notice.url})
    </Note>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { counts, lastDelivery } = channel;
  return (
    <li className={styles.row}>
      <span className={styles.channelIcon}>
        <Icon name="sources" />
      </span>
      <div>
        <Link href={`/sources/channels/${channel.id}`} className={styles.name}>
          {channel.name}
        </Link>
        <div className={styles.facts}>
          <span>{channel.url}</span>
        </div>
        <div className={styles.facts}>
          <span>{channel.events.map(eventName).join(", ")}</span>
          <span>{`${formatCount(counts.delivered)} delivered`}</span>
          {counts.pending > 0 ? <span>{`${formatCount(counts.pending)} waiting`}</span> : null}
          {counts.expired > 0 ? <span>{`${formatCount(counts.expired)} expired`}</span> : null}
          {lastDelivery ? (
            <span>
              last <Time at={lastDelivery.createdAt} relative />
            </span>
          ) : null}
        </div>
      </div>
      {channel.failingSince ? (
        <Chip tone="bad">Failing</Chip>
      ) : lastDelivery ? (
        <DeliveryChip status={lastDelivery.status} />
      ) : (
        <Chip>Waits for events</Chip>
      )}
      {channel.failingSince ? (
        <p className={`${styles.wide} ${styles.problem}`}>
          Failing since <Time at={channel.failingSince} />: {channel.failingReason}
        </p>
      ) : null}
    </li>
  );
}

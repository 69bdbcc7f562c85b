// The page of one channel in tabs: its delivery log, its settings, and its secret.
import { useParams, useSearchParams } from "wouter";
import type { RouteResponse } from "../../api/api-client.ts";
import { useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Page } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Link } from "../../components/link.tsx";
import { QueryPage } from "../../components/query-view.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { Time } from "../../components/time.tsx";
import { ViewerNote } from "../../components/viewer-note.tsx";
import { formatCount } from "../../format/numbers.ts";
import { ChannelDays } from "./channel-days.tsx";
import { ChannelSettings, PauseButton } from "./channel-settings.tsx";
import { destinationOf } from "./channel-type-names.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { NewChannel } from "./new-channel.tsx";
import { SecretCard } from "./secret-card.tsx";

const refetchEveryMs = 4_000;
const channelRoute = "GET /workspaces/:workspace/channels/:channel" as const;

export function ChannelPage() {
  const { channel: id = "" } = useParams<{ channel: string }>();
  const { isViewer } = useWorkspace();
  if (id !== "new") return <ExistingChannel key={id} id={id} />;
  if (!isViewer) return <NewChannel />;
  return (
    <Page title="New channel" lead={<Link href="/sources">All sources</Link>}>
      <ViewerNote>Members add channels.</ViewerNote>
    </Page>
  );
}

function ExistingChannel({ id }: { id: string }) {
  const query = useApiQuery(channelRoute, { path: { channel: id } }, { refetchEveryMs });
  if (!query.data) {
    const lead = <Link href="/sources">All sources</Link>;
    return (
      <QueryPage
        query={query}
        title="Channel"
        lead={lead}
        height={640}
        loadingLabel="Loading the channel"
      />
    );
  }
  return <ChannelTabs found={query.data} />;
}

const tabs = { log: "Log", settings: "Settings", secret: "Secret" } as const;

function ChannelTabs({ found }: { found: RouteResponse<typeof channelRoute> }) {
  const { channel, days, unconfirmed } = found;
  const [search] = useSearchParams();
  const current = search.get("tab") ?? "log";
  const path = `/sources/channels/${channel.id}`;
  return (
    <Page
      title={channel.name}
      lead={
        <>
          {destinationOf(channel)} ·{" "}
          {channel.digestDueAt === null ? null : (
            <>
              Next digest <Time at={channel.digestDueAt} /> ·{" "}
            </>
          )}
          <Link href="/sources">all sources</Link>
        </>
      }
    >
      {channel.isPaused ? (
        <Alert kind="warn" action={<PauseButton channel={channel} />}>
          Paused: nothing is sent. What happens meanwhile is not sent later.
        </Alert>
      ) : channel.failingSince ? (
        <Alert kind="bad">
          Failing since <Time at={channel.failingSince} />: {channel.failingReason}. Retries are
          automatic.
        </Alert>
      ) : null}
      {unconfirmed.length > 0 ? (
        <Alert kind="warn">
          Not confirmed, so nothing is sent there: {unconfirmed.join(", ")}. Members and addresses
          that have confirmed receive events and tests.
        </Alert>
      ) : null}
      <Tabs
        label="Parts of the channel"
        tabs={tabsOf(channel).map(([tab, label]) => ({
          label,
          to: tab === "log" ? path : `${path}?tab=${tab}`,
          isCurrent: tab === current,
          hint: tab === "log" && channel.counts.expired > 0 ? failedHint(channel) : undefined,
        }))}
      />
      {current === "settings" ? <ChannelSettings channel={channel} /> : null}
      {current === "secret" ? (
        <SecretCard
          channelId={channel.id}
          oldSecretEndsAt={found.oldSecretEndsAt}
          hasNextSecret={found.hasNextSecret}
        />
      ) : null}
      {current === "log" ? (
        <>
          <ChannelDays days={days} />
          <DeliveryLog channel={channel} />
        </>
      ) : null}
    </Page>
  );
}

/** Only webhooks are signed. */
function tabsOf({ type }: { type: string }) {
  return Object.entries(tabs).filter(([tab]) => tab !== "secret" || type === "webhook");
}

function failedHint({ counts }: { counts: { expired: number } }): string {
  return `${formatCount(counts.expired)} failed`;
}

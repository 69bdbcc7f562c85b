// The page of one webhook channel: its delivery log, settings, secret and deletion.
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { Channel } from "../../../../src/dashboard-api/contract/channels.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Card, Page } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Alert, ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { toChannelDraft, toChannelInput } from "./channel-draft.ts";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelPreview } from "./channel-preview.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { NewChannel } from "./new-channel.tsx";
import { SecretCard } from "./secret-card.tsx";
import styles from "./sources.module.css";

const refetchEveryMs = 4_000;

export function ChannelPage() {
  const { channel: id = "" } = useParams<{ channel: string }>();
  return id === "new" ? <NewChannel /> : <ExistingChannel key={id} id={id} />;
}

function ExistingChannel({ id }: { id: string }) {
  const query = useApiQuery(
    "GET /workspaces/:workspace/channels/:channel",
    { path: { channel: id } },
    { refetchEveryMs },
  );
  if (query.isError) {
    return (
      <Page title="Channel" lead={<Link href="/sources">All sources</Link>}>
        <ErrorAlert error={query.error} />
      </Page>
    );
  }
  if (!query.data) {
    return (
      <Page title="Channel">
        <Skeleton height={640} label="Loading the channel" />
      </Page>
    );
  }
  const { channel } = query.data;
  return (
    <Page
      title={channel.name}
      lead={
        <>
          Webhook channel · <Link href="/sources">all sources</Link>
        </>
      }
    >
      {channel.failingSince ? (
        <Alert kind="bad">
          Failing since <Time at={channel.failingSince} />: {channel.failingReason}. Deliveries are
          retried; those that fail for good can be redelivered below.
        </Alert>
      ) : null}
      <DeliveryLog channel={channel} />
      <EditChannelCards channel={channel} />
      <SecretCard channel={channel} />
      <DeleteChannelCard channel={channel} />
    </Page>
  );
}

function EditChannelCards({ channel }: { channel: Channel }) {
  const [draft, setDraft] = useState(() => toChannelDraft(channel));
  const showToast = useToast();
  const change = useApiMutation("PATCH /workspaces/:workspace/channels/:channel", [
    "GET /workspaces/:workspace/channels",
    "GET /workspaces/:workspace/channels/:channel",
  ]);
  const save = () =>
    change.mutate(
      { path: { channel: channel.id }, body: toChannelInput(draft) },
      {
        onSuccess: ({ cancelledCount, warning }) =>
          showToast(warning ?? (cancelledCount > 0 ? describeCancelled(cancelledCount) : "Saved")),
      },
    );
  return (
    <div className={styles.split}>
      <Card title="Events and filters">
        <ChannelForm
          draft={draft}
          submitLabel="Save"
          state={change}
          onChange={setDraft}
          onSubmit={save}
        />
      </Card>
      <div className={styles.aside}>
        <ChannelPreview draft={draft} />
      </div>
    </div>
  );
}

function describeCancelled(count: number): string {
  return `Saved. Cancelled ${formatQuantity(count, "delivery", "deliveries")} that no longer match`;
}

function DeleteChannelCard({ channel }: { channel: Channel }) {
  const { isOwner } = useWorkspace();
  const [, navigate] = useLocation();
  const showToast = useToast();
  const remove = useApiMutation("DELETE /workspaces/:workspace/channels/:channel", [
    "GET /workspaces/:workspace/channels",
  ]);
  if (!isOwner) return null;
  const confirm = async () => {
    await remove.mutateAsync({ path: { channel: channel.id } });
    showToast(`${channel.name} is deleted`);
    navigate("/sources");
  };
  return (
    <Card
      title="Delete this channel"
      hint="Nothing more is sent, and its delivery log is deleted"
      tools={
        <ConfirmButton
          label="Delete"
          title={`Delete ${channel.name}?`}
          confirmLabel="Delete the channel"
          onConfirm={confirm}
        >
          Pending deliveries are dropped and the secret is deleted. This can't be undone.
        </ConfirmButton>
      }
    >
      {null}
    </Card>
  );
}

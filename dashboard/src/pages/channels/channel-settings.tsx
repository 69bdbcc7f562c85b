// The settings of a channel, with a preview beside them, and its deletion.
import { useState } from "react";
import { useLocation } from "wouter";
import type { Channel, SavedChannel } from "../../../../src/dashboard-api/contract/channels.ts";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { toChannelChange, toChannelDraft } from "./channel-draft.ts";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelPreview } from "./channel-preview.tsx";
import styles from "./channels.module.css";
import { MessagePicture } from "./message-picture.tsx";

export function ChannelSettings({ channel }: { channel: Channel }) {
  const [opened, setOpened] = useState<SavedChannel>(channel);
  const [draft, setDraft] = useState(() => toChannelDraft(channel));
  const showToast = useToast();
  const change = useApiMutation("PATCH /workspaces/:workspace/channels/:channel", [
    "GET /workspaces/:workspace/channels",
    "GET /workspaces/:workspace/channels/:channel",
  ]);
  const save = () =>
    change.mutate(
      {
        path: { channel: channel.id },
        body: { ...toChannelChange(toChannelDraft(opened), draft), version: opened.version },
      },
      {
        onSuccess: ({ channel: saved, cancelledCount, warning }) => {
          setOpened(saved);
          setDraft(toChannelDraft(saved));
          showToast(warning ?? (cancelledCount > 0 ? describeCancelled(cancelledCount) : "Saved"));
        },
      },
    );
  return (
    <>
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
          <MessagePicture draft={draft} />
          <ChannelPreview draft={draft} />
        </div>
      </div>
      <Card
        title={channel.isPaused ? "This channel is paused" : "Pause this channel"}
        hint="Nothing is sent while it is paused, and pending deliveries are cancelled; tests still work"
        tools={<PauseButton channel={channel} />}
      >
        {null}
      </Card>
      <DeleteChannelCard channel={channel} />
    </>
  );
}

export function PauseButton({ channel: { id, isPaused } }: { channel: Channel }) {
  return (
    <ActionButton
      small
      route="PATCH /workspaces/:workspace/channels/:channel"
      input={{ path: { channel: id }, body: { isPaused: !isPaused, version: null } }}
      affected={[
        "GET /workspaces/:workspace/channels",
        "GET /workspaces/:workspace/channels/:channel",
      ]}
      successMessage={() => (isPaused ? "The channel sends again" : "The channel is paused")}
    >
      {isPaused ? "Resume" : "Pause"}
    </ActionButton>
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

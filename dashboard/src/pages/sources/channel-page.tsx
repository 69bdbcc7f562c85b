// One webhook channel: made, changed, tested, watched and deleted here.
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { Channel } from "../../../../src/dashboard-api/contract/channels.ts";
import { useAnswer, useChange, usePlace } from "../../api/workspace.ts";
import { Card, Page } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { ErrorNote, Note, Skeleton } from "../../components/feedback.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatNumberOf } from "../../format/numbers.ts";
import { choiceOf, draftOf } from "./channel-draft.ts";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelPreview } from "./channel-preview.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { NewChannel } from "./new-channel.tsx";
import { SecretCard } from "./secret-card.tsx";
import styles from "./sources.module.css";

const watchEveryMs = 4_000;

export function ChannelPage() {
  const { channel: id = "" } = useParams<{ channel: string }>();
  return id === "new" ? <NewChannel /> : <KnownChannel key={id} id={id} />;
}

function KnownChannel({ id }: { id: string }) {
  const answer = useAnswer(
    "GET /workspaces/:workspace/channels/:channel",
    { path: { channel: id } },
    { everyMs: watchEveryMs },
  );
  if (answer.isError) {
    return (
      <Page title="Channel" lead={<Link href="/sources">All sources</Link>}>
        <ErrorNote error={answer.error} />
      </Page>
    );
  }
  if (!answer.data) {
    return (
      <Page title="Channel">
        <Skeleton height={640} label="Loading the channel" />
      </Page>
    );
  }
  const { channel } = answer.data;
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
        <Note kind="bad">
          Failing since <Time at={channel.failingSince} />: {channel.failingReason}. Deliveries wait
          and are tried again; those that expire can be redelivered below.
        </Note>
      ) : null}
      <DeliveryLog channel={channel} />
      <EditChannel channel={channel} />
      <SecretCard channel={channel} />
      <DeleteChannel channel={channel} />
    </Page>
  );
}

function EditChannel({ channel }: { channel: Channel }) {
  const [draft, setDraft] = useState(() => draftOf(channel));
  const say = useToast();
  const change = useChange("PATCH /workspaces/:workspace/channels/:channel", [
    "GET /workspaces/:workspace/channels",
    "GET /workspaces/:workspace/channels/:channel",
  ]);
  const save = () =>
    change.mutate(
      { path: { channel: channel.id }, body: choiceOf(draft) },
      {
        onSuccess: ({ cancelledCount, warning }) =>
          say(warning ?? (cancelledCount > 0 ? cancelled(cancelledCount) : "Saved")),
      },
    );
  return (
    <div className={styles.split}>
      <Card title="What is sent">
        <ChannelForm
          draft={draft}
          error={change.error}
          submit="Save"
          isBusy={change.isPending}
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

function cancelled(count: number): string {
  return `Saved. ${formatNumberOf(count, "waiting delivery", "waiting deliveries")} no longer wanted: cancelled`;
}

function DeleteChannel({ channel }: { channel: Channel }) {
  const { isOwner } = usePlace();
  const [, navigate] = useLocation();
  const say = useToast();
  const remove = useChange("DELETE /workspaces/:workspace/channels/:channel", [
    "GET /workspaces/:workspace/channels",
  ]);
  if (!isOwner) return null;
  const confirm = async () => {
    await remove.mutateAsync({ path: { channel: channel.id } });
    say(`${channel.name} is deleted`);
    navigate("/sources");
  };
  return (
    <Card
      title="Delete this channel"
      hint="Nothing more is sent, and its delivery log goes with it"
      tools={
        <ConfirmButton
          label="Delete"
          title={`Delete ${channel.name}?`}
          confirmLabel="Delete the channel"
          onConfirm={confirm}
        >
          Deliveries that still wait are dropped, and the secret is gone. This can't be undone.
        </ConfirmButton>
      }
    >
      {null}
    </Card>
  );
}

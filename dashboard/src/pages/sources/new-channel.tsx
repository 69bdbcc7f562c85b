// Makes a channel, with a preview beside the form, and then shows its secret.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFoot } from "../../components/dialog.tsx";
import { Note } from "../../components/feedback.tsx";
import { choiceOf, newDraft } from "./channel-draft.ts";
import { ChannelForm } from "./channel-form.tsx";
import { ChannelPreview } from "./channel-preview.tsx";
import styles from "./sources.module.css";

export function NewChannel() {
  const [draft, setDraft] = useState(newDraft);
  const [, navigate] = useLocation();
  const create = useChange("POST /workspaces/:workspace/channels", [
    "GET /workspaces/:workspace/channels",
  ]);
  const made = create.data;
  const toChannel = () =>
    made && navigate(`/sources/channels/${made.channel.id}`, { replace: true });
  return (
    <Page title="New webhook channel" lead={<Link href="/sources">All sources</Link>}>
      <div className={styles.split}>
        <Card title="What is sent">
          <ChannelForm
            draft={draft}
            error={create.error}
            submit="Create the channel"
            isBusy={create.isPending}
            onChange={setDraft}
            onSubmit={() => create.mutate({ body: choiceOf(draft) })}
          />
        </Card>
        <div className={styles.aside}>
          <ChannelPreview draft={draft} />
        </div>
      </div>
      {made ? (
        <Dialog title={`${made.channel.name} is ready`} onClose={toChannel}>
          {made.warning ? <Note kind="warn">{made.warning}</Note> : null}
          <p>
            Your endpoint checks each delivery with this signing secret. Owners find it again on the
            channel's page.
          </p>
          <CodeLine code={made.secret} label="Secret" />
          <DialogFoot>
            <Button kind="primary" onClick={toChannel}>
              To the channel
            </Button>
          </DialogFoot>
        </Dialog>
      ) : null}
    </Page>
  );
}

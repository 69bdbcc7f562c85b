// The signing secret of a channel: shown to owners who ask for it, copied, and rotated.
import { useState } from "react";
import type { Channel } from "../../../../src/dashboard-api/contract/channels.ts";
import { useChange, usePlace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { ErrorNote, Note } from "../../components/feedback.tsx";
import { useToast } from "../../components/toast.tsx";
import styles from "./sources.module.css";

export function SecretCard({ channel }: { channel: Channel }) {
  const { isOwner } = usePlace();
  const [secret, setSecret] = useState<string | null>(null);
  const show = useChange("POST /workspaces/:workspace/channels/:channel/secret");
  const rotate = useChange("POST /workspaces/:workspace/channels/:channel/secret/rotate");
  const say = useToast();
  const ask = { path: { channel: channel.id } };
  const hint = "The HMAC-SHA256 key of every delivery, as it stands here";
  if (!isOwner) {
    return (
      <Card title="Signing secret" hint={hint}>
        <Note>Owners of the workspace can see and rotate the secret.</Note>
      </Card>
    );
  }
  const reveal = () => show.mutate(ask, { onSuccess: (answer) => setSecret(answer.secret) });
  const confirm = async () => {
    setSecret((await rotate.mutateAsync(ask)).secret);
    say("The secret was rotated");
  };
  return (
    <Card title="Signing secret" hint={hint}>
      <div className={styles.form}>
        {show.isError ? <ErrorNote error={show.error} /> : null}
        {secret ? <CodeLine code={secret} label="Secret" /> : null}
        <div className={styles.actions}>
          {secret ? (
            <Button small onClick={() => setSecret(null)}>
              Hide
            </Button>
          ) : (
            <Button small busy={show.isPending} onClick={reveal}>
              Show the secret
            </Button>
          )}
          <ConfirmButton
            label="Rotate"
            title="Rotate the secret?"
            confirmLabel="Rotate now"
            onConfirm={confirm}
          >
            The old secret stops at once: deliveries are refused by your endpoint until it knows the
            new one. Those are tried again.
          </ConfirmButton>
        </div>
      </div>
    </Card>
  );
}

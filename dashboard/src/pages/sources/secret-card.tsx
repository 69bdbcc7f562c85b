// The signing secret of a channel: owners can show, copy and rotate it.
import { useState } from "react";
import type { Channel } from "../../../../src/dashboard-api/contract/channels.ts";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Alert, ErrorAlert } from "../../components/feedback.tsx";
import { useToast } from "../../components/toast.tsx";
import styles from "./sources.module.css";

export function SecretCard({ channel }: { channel: Channel }) {
  const { isOwner } = useWorkspace();
  return (
    <Card
      title="Signing secret"
      hint="Signs every delivery (HMAC-SHA256). Use the whole string including whsec_."
    >
      {isOwner ? (
        <Secret channelId={channel.id} />
      ) : (
        <Alert>Owners of the workspace can see and rotate the secret.</Alert>
      )}
    </Card>
  );
}

function Secret({ channelId }: { channelId: string }) {
  const [secret, setSecret] = useState<string | null>(null);
  const show = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret");
  const rotate = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret/rotate");
  const showToast = useToast();
  const input = { path: { channel: channelId } };
  const reveal = () => show.mutate(input, { onSuccess: (shown) => setSecret(shown.secret) });
  const confirm = async () => {
    setSecret((await rotate.mutateAsync(input)).secret);
    showToast("The secret was rotated");
  };
  return (
    <div className={styles.stack}>
      {show.isError ? <ErrorAlert error={show.error} /> : null}
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
          The old secret stops immediately. Your endpoint will refuse deliveries until it has the
          new one; those are tried again.
        </ConfirmButton>
      </div>
    </div>
  );
}

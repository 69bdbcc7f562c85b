// The signing secret of a channel: owners can show, copy and rotate it.
import { useState } from "react";
import type { Channel, SecretView } from "../../../../src/dashboard-api/contract/channels.ts";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Alert, ErrorAlert } from "../../components/feedback.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatMoment } from "../../format/dates.ts";
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
  const [shown, setShown] = useState<SecretView | null>(null);
  const show = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret");
  const rotate = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret/rotate");
  const endOld = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret/end-old");
  const showToast = useToast();
  const input = { path: { channel: channelId } };
  const reveal = () => show.mutate(input, { onSuccess: setShown });
  const confirmRotation = async () => {
    setShown(await rotate.mutateAsync(input));
    showToast("The secret was rotated");
  };
  const confirmEnd = async () => {
    await endOld.mutateAsync(input);
    setShown(shown && { ...shown, oldSecretEndsAt: null });
    showToast("The old secret signs no more");
  };
  return (
    <div className={styles.stack}>
      {show.isError ? <ErrorAlert error={show.error} /> : null}
      {shown?.secret ? <CodeLine code={shown.secret} label="Secret" /> : null}
      {shown?.oldSecretEndsAt ? (
        <Alert>
          Until {formatMoment(shown.oldSecretEndsAt)}, webhook-signature also carries the signature
          by the old secret.
        </Alert>
      ) : null}
      <div className={styles.actions}>
        {shown ? (
          <Button small onClick={() => setShown(null)}>
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
          onConfirm={confirmRotation}
        >
          X-Service-Signature uses the new secret immediately. webhook-signature carries both
          signatures for a while, so that endpoints that check it refuse nothing meanwhile.
        </ConfirmButton>
        {shown?.oldSecretEndsAt ? (
          <ConfirmButton
            label="Stop the old one"
            title="Stop the old secret now?"
            confirmLabel="Stop it now"
            onConfirm={confirmEnd}
          >
            Endpoints that still use the old secret will refuse deliveries from now on.
          </ConfirmButton>
        ) : null}
      </div>
    </div>
  );
}

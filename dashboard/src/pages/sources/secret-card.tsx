// The signing secret of a channel: owners can show, copy and rotate it, and stop the one before.
import { useState } from "react";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Alert, ErrorAlert } from "../../components/feedback.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatMoment } from "../../format/dates.ts";
import styles from "./sources.module.css";

type SecretProps = {
  channelId: string;
  /** Null while one secret signs alone. */
  oldSecretEndsAt: string | null;
};

export function SecretCard(props: SecretProps) {
  const { isOwner } = useWorkspace();
  return (
    <Card
      title="Signing secret"
      hint="Signs every delivery (HMAC-SHA256). Use the whole string including whsec_."
    >
      <div className={styles.stack}>
        {isOwner ? (
          <Secret channelId={props.channelId} />
        ) : (
          <Alert>Owners of the workspace can see and rotate the secret.</Alert>
        )}
        {props.oldSecretEndsAt === null ? null : <OldSecret {...props} />}
      </div>
    </Card>
  );
}

const channelRoute = "GET /workspaces/:workspace/channels/:channel" as const;

function Secret({ channelId }: { channelId: string }) {
  const [shown, setShown] = useState<string | null>(null);
  const show = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret");
  const rotate = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret/rotate", [
    channelRoute,
  ]);
  const showToast = useToast();
  const input = { path: { channel: channelId } };
  const reveal = () => show.mutate(input, { onSuccess: ({ secret }) => setShown(secret) });
  const confirmRotation = async () => {
    setShown((await rotate.mutateAsync(input)).secret);
    showToast("The secret was rotated");
  };
  return (
    <>
      {show.isError ? <ErrorAlert error={show.error} /> : null}
      {shown === null ? null : <CodeLine code={shown} label="Secret" />}
      <div className={styles.actions}>
        {shown === null ? (
          <Button small busy={show.isPending} onClick={reveal}>
            Show the secret
          </Button>
        ) : (
          <Button small onClick={() => setShown(null)}>
            Hide
          </Button>
        )}
        <ConfirmButton
          label="Rotate"
          title="Rotate the secret?"
          confirmLabel="Rotate now"
          onConfirm={confirmRotation}
        >
          X-Service-Signature is made with the new secret at once: an endpoint that checks it
          refuses deliveries until it has the new secret, and they are retried for days.
          webhook-signature carries both signatures for a while, so an endpoint that checks it
          refuses nothing.
        </ConfirmButton>
      </div>
    </>
  );
}

function OldSecret({ channelId, oldSecretEndsAt }: SecretProps) {
  const { isOwner } = useWorkspace();
  const endOld = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret/end-old", [
    channelRoute,
  ]);
  const showToast = useToast();
  const confirmEnd = async () => {
    await endOld.mutateAsync({ path: { channel: channelId } });
    showToast("Old secret stopped");
  };
  const stopButton = (
    <ConfirmButton
      label="Stop the old one now"
      title="Stop the old secret now?"
      confirmLabel="Stop it now"
      onConfirm={confirmEnd}
    >
      Endpoints that still use the old secret will refuse deliveries from now on.
    </ConfirmButton>
  );
  return (
    <Alert kind="warn" action={isOwner ? stopButton : null}>
      Two secrets are valid in webhook-signature, which also carries the signature by the old one.
      It stops at {formatMoment(oldSecretEndsAt ?? "")}. X-Service-Signature is made with the new
      one alone.
    </Alert>
  );
}

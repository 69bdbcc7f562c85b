// The signing secret of a channel: owners can show, copy and rotate it, and stop the one before.

import { useState } from "react";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Alert, ErrorAlert } from "../../components/feedback.tsx";
import layout from "../../components/layout.module.css";
import { useToast } from "../../components/toast.tsx";
import { formatMoment } from "../../format/dates.ts";

type SecretProps = {
  channelId: string;
  /** Null while one secret signs alone. */
  oldSecretEndsAt: string | null;
  hasNextSecret: boolean;
};

export function SecretCard(props: SecretProps) {
  const { isOwner } = useWorkspace();
  return (
    <Card
      title="Signing secret"
      hint="Signs every delivery (HMAC-SHA256). Use the whole string including whsec_."
    >
      <div className={layout.stack}>
        {isOwner ? (
          <Secret {...props} />
        ) : (
          <Alert>Owners of the workspace can see and rotate the secret.</Alert>
        )}
        {props.oldSecretEndsAt === null ? null : <OldSecret {...props} />}
      </div>
    </Card>
  );
}

const channelRoute = "GET /workspaces/:workspace/channels/:channel" as const;

function Secret({ channelId, hasNextSecret }: SecretProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const show = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret");
  const create = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret/next", [
    channelRoute,
  ]);
  const rotate = useApiMutation("POST /workspaces/:workspace/channels/:channel/secret/rotate", [
    channelRoute,
  ]);
  const showToast = useToast();
  const input = { path: { channel: channelId } };
  const reveal = () => show.mutate(input, { onSuccess: setShown });
  const createNext = () => create.mutate(input, { onSuccess: reveal });
  const confirmSwitch = async () => {
    setShown(await rotate.mutateAsync(input));
    showToast("Deliveries are signed with the new secret");
  };
  const error = show.error ?? create.error;
  return (
    <>
      {error === null ? null : <ErrorAlert error={error} />}
      {shown === null ? null : <CodeLine code={shown.secret ?? ""} label="Secret" />}
      {shown?.nextSecret ? (
        <div>
          The next one:
          <CodeLine code={shown.nextSecret} label="Next secret" />
        </div>
      ) : null}
      <div className={layout.actions}>
        {shown === null ? (
          <Button small busy={show.isPending} onClick={reveal}>
            {hasNextSecret ? "Show the secrets" : "Show the secret"}
          </Button>
        ) : (
          <Button small onClick={() => setShown(null)}>
            Hide
          </Button>
        )}
        {hasNextSecret ? null : (
          <Button small busy={create.isPending} onClick={createNext}>
            Create the next secret
          </Button>
        )}
        <ConfirmButton
          label={hasNextSecret ? "Switch to the next secret" : "Rotate"}
          title={hasNextSecret ? "Switch to the next secret?" : "Rotate the secret?"}
          confirmLabel={hasNextSecret ? "Switch now" : "Rotate now"}
          onConfirm={confirmSwitch}
        >
          {hasNextSecret
            ? "Deliveries are signed with the next secret from now on. Endpoints that accept both secrets refuse nothing."
            : "X-Service-Signature is made with a new secret at once: endpoints that check it refuse deliveries until they have the new secret, and the deliveries are retried for days. To refuse nothing, create the next secret first, let your endpoint accept both, and then switch."}
        </ConfirmButton>
      </div>
      {hasNextSecret ? (
        <Alert>
          The next secret signs nothing yet. Let your endpoint accept both secrets, then switch.
        </Alert>
      ) : null}
    </>
  );
}

type Shown = { secret: string | null; nextSecret: string | null };

function OldSecret({ channelId, oldSecretEndsAt }: Omit<SecretProps, "hasNextSecret">) {
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

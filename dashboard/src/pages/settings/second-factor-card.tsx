// The user's second factor: codes of an authenticator app, and recovery codes for a lost phone.
import { useState } from "react";
import type { SecondFactorState } from "../../../../src/dashboard-api/contract/session.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { Alert, ErrorAlert } from "../../components/feedback.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatMoment } from "../../format/dates.ts";
import { formatQuantity } from "../../format/numbers.ts";
import { SecondFactorSetUp } from "./second-factor-set-up.tsx";
import styles from "./settings.module.css";

export const secondFactorRoutes = ["GET /session/second-factor", "GET /session/sessions"] as const;

export function SecondFactorCard() {
  const query = useApiQuery("GET /session/second-factor", {});
  return (
    <Card
      title="Two-factor authentication"
      hint="Require a code from your authenticator app at sign-in."
    >
      <QueryView query={query} height={80} loadingLabel="Loading the second factor">
        {(state) => <SecondFactor state={state} />}
      </QueryView>
    </Card>
  );
}

function SecondFactor({ state }: { state: SecondFactorState }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <div className={styles.stack}>
      {state.isOn ? (
        <SecondFactorOn state={state} onCodes={setCodes} />
      ) : (
        <StartButton onCodes={setCodes} />
      )}
      {codes ? <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} /> : null}
    </div>
  );
}

type CodesProps = { onCodes: (codes: readonly string[]) => void };

export function StartButton({
  onCodes,
  kind = "plain",
}: CodesProps & { kind?: "plain" | "primary" }) {
  const start = useApiMutation("POST /session/second-factor");
  const finish = (codes: readonly string[]) => {
    start.reset();
    onCodes(codes);
  };
  return (
    <>
      {start.isError ? <ErrorAlert error={start.error} /> : null}
      <div>
        <Button kind={kind} busy={start.isPending} onClick={() => start.mutate({})}>
          Set up
        </Button>
      </div>
      {start.data ? (
        <SecondFactorSetUp factor={start.data} onCodes={finish} onClose={() => start.reset()} />
      ) : null}
    </>
  );
}

function SecondFactorOn({ state, onCodes }: CodesProps & { state: SecondFactorState }) {
  const showToast = useToast();
  const renew = useApiMutation("POST /session/second-factor/recovery-codes", [
    ...secondFactorRoutes,
  ]);
  const remove = useApiMutation("DELETE /session/second-factor", [...secondFactorRoutes]);
  const { recoveryCodeCount: leftCount, since } = state;
  return (
    <>
      <p>
        On{since ? ` since ${formatMoment(since)}` : ""}.{" "}
        {formatQuantity(leftCount, "recovery code")} left.
      </p>
      {leftCount < 3 ? (
        <Alert kind="warn">Make new recovery codes before you run out of them.</Alert>
      ) : null}
      <div className={styles.copyable}>
        <ConfirmButton
          label="New recovery codes"
          title="Make new recovery codes?"
          confirmLabel="Make new ones"
          onConfirm={async () => onCodes((await renew.mutateAsync({})).recoveryCodes)}
        >
          The ones that you have no longer work then.
        </ConfirmButton>
        <ConfirmButton
          label="Turn off"
          title="Turn the second factor off?"
          confirmLabel="Turn off"
          onConfirm={async () => {
            await remove.mutateAsync({});
            showToast("The second factor is off");
          }}
        >
          Whoever knows your password can then sign in with it alone.
        </ConfirmButton>
      </div>
    </>
  );
}

export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: () => void;
}) {
  return (
    <Dialog title="Your recovery codes" onClose={onClose}>
      <Alert kind="warn">
        Keep them away from your phone: each signs you in once when the phone is lost. They are not
        shown again.
      </Alert>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <DialogFooter>
        <CopyButton text={codes.join("\n")} label="Copy all" confirmation="Recovery codes copied" />
        <Button kind="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

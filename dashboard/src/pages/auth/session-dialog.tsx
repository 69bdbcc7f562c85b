// Signs in again over the page that is open, once its session has ended: with what was typed, the page goes on.
import { useMutation } from "@tanstack/react-query";
import { callApi } from "../../api/api-client.ts";
import { RequestError } from "../../api/http-request.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";
import { useSignInWays } from "./provider-button.tsx";
import { SignInForm } from "./sign-in.tsx";

type SessionDialogProps = { onDone: () => void; onCancel: () => void };

export function SessionDialog({ onDone, onCancel }: SessionDialogProps) {
  const { email } = useWorkspace().session.user;
  const ways = useSignInWays();
  return (
    <Dialog title="Sign in again" onClose={onCancel}>
      <p>Your session has ended. Sign in as {email} to go on: the page keeps what you typed.</p>
      {ways?.hasPasswords ? (
        <SignInForm
          email={email}
          onSignedIn={async (session) => {
            onDone();
            return session;
          }}
        />
      ) : null}
      {ways?.hasProvider ? <OtherTab onDone={onDone} /> : null}
    </Dialog>
  );
}

/** The provider's page would take the place of this one. */
function OtherTab({ onDone }: { onDone: () => void }) {
  const { id } = useWorkspace().session.user;
  const check = useMutation({
    mutationFn: async () => {
      const session = await callApi("GET /session", {});
      const isSame = session.state === "signed_in" && session.user.id === id;
      const detail = "You aren't signed in with this account yet.";
      if (!isSame) throw new RequestError({ status: 409, code: "conflict", detail });
    },
    onSuccess: onDone,
  });
  return (
    <>
      <p>
        Or{" "}
        <a href="/" target="_blank" rel="noreferrer">
          sign in on another tab
        </a>
        , and continue here.
      </p>
      {check.isError ? <ErrorAlert error={check.error} /> : null}
      <Button busy={check.isPending} onClick={() => check.mutate()}>
        Continue
      </Button>
    </>
  );
}

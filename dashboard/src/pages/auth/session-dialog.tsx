// Signs in again over the page that is open, once its session has ended: with what was typed, the page goes on.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../api/api-client.ts";
import { fieldErrors, RequestError } from "../../api/http-request.ts";
import { useReplaceSession } from "../../api/session.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { PasswordField } from "../../components/account-fields.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";
import { CodeField } from "../../components/field.tsx";
import { Form, type FormState } from "../../components/form.tsx";
import { useSignInWays } from "./provider-button.tsx";

type SessionDialogProps = { onDone: () => void; onCancel: () => void };

export function SessionDialog({ onDone, onCancel }: SessionDialogProps) {
  const { email } = useWorkspace().session.user;
  const ways = useSignInWays();
  return (
    <Dialog title="Sign in again" onClose={onCancel}>
      <p>Your session has ended. Sign in as {email} to go on: the page keeps what you typed.</p>
      {ways?.hasPasswords ? <SignInForm email={email} onDone={onDone} /> : null}
      {ways?.hasProvider ? <OtherTab onDone={onDone} /> : null}
    </Dialog>
  );
}

function SignInForm({ email, onDone }: { email: string; onDone: () => void }) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  // Not a mutation: a wrong password must not look like the end of a session, which leads away.
  const [state, setState] = useState<FormState>({ isPending: false, error: null });
  const replaceSession = useReplaceSession();
  const signIn = async () => {
    setState({ isPending: true, error: null });
    try {
      const body = isCodeNeeded ? { email, password, code } : { email, password };
      const session = await callApi("POST /session/sign-in", { body });
      setState({ isPending: false, error: null });
      if (session.state === "code_required") return setCodeNeeded(true);
      onDone();
      replaceSession(session);
    } catch (error) {
      setState({ isPending: false, error });
    }
  };
  const errors = fieldErrors(state.error);
  return (
    <Form
      submitLabel="Sign in"
      state={state}
      fieldNames={["password", "code"]}
      onSubmit={() => void signIn()}
    >
      <PasswordField value={password} error={errors["password"]} onValueChange={setPassword} />
      {isCodeNeeded ? (
        <CodeField value={code} error={errors["code"]} isFocused onValueChange={setCode} />
      ) : null}
    </Form>
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

// Asks for the password, and a code where the user has a second factor, before what is dangerous goes on; and to sign in
// again once the session has ended.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callApi } from "../api/api-client.ts";
import { fieldErrors } from "../api/http-request.ts";
import { type Question, setQuestionDialog } from "../api/reauthentication.ts";
import { PasswordField } from "../components/account-fields.tsx";
import { Button } from "../components/button.tsx";
import { Dialog, DialogFooter } from "../components/dialog.tsx";
import { CodeField } from "../components/field.tsx";
import { FormDialog } from "../components/form.tsx";
import { lateComponent } from "../components/late.tsx";
import { ProviderButton } from "../pages/auth/provider-button.tsx";

const SessionDialog = lateComponent(() => import("../pages/auth/session-dialog.tsx"), {
  name: "SessionDialog",
  height: 0,
});

type Open = { question: Question; settle: (isAnswered: boolean) => void };

/** Shows nothing until a request needs an answer. */
export function PasswordDialog() {
  const [open, setOpen] = useState<Open | null>(null);
  useEffect(
    () => setQuestionDialog((question) => new Promise((settle) => setOpen({ question, settle }))),
    [],
  );
  if (!open) return null;
  const close = (isAnswered: boolean) => {
    setOpen(null);
    open.settle(isAnswered);
  };
  const ways = { onDone: () => close(true), onCancel: () => close(false) };
  return open.question === "session" ? <SessionDialog {...ways} /> : <PasswordForm {...ways} />;
}

/** Without a password: the page comes back, and the user repeats the action. */
function ProviderQuestion({ onCancel }: { onCancel: () => void }) {
  return (
    <Dialog title="Sign in again" onClose={onCancel}>
      <p>You signed in a while ago. Sign in once more, then repeat what you did.</p>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <ProviderButton />
      </DialogFooter>
    </Dialog>
  );
}

function PasswordForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const factor = useQuery({
    queryKey: ["second-factor"],
    queryFn: () => callApi("GET /session/second-factor", {}),
  });
  const prove = useMutation({
    mutationFn: () =>
      callApi("POST /session/reauthenticate", {
        body: code === "" ? { password } : { password, code },
      }),
    onSuccess: onDone,
  });
  const errors = fieldErrors(prove.error);
  // The form would grow under the user's hands.
  if (factor.isPending) return null;
  if (factor.data?.hasPassword === false) return <ProviderQuestion onCancel={onCancel} />;
  return (
    <FormDialog
      title="Enter your password"
      submitLabel="Continue"
      state={prove}
      fieldNames={["password", "code"]}
      onClose={onCancel}
      onSubmit={() => prove.mutate()}
    >
      <p>You signed in a while ago. Confirm it's you.</p>
      <PasswordField value={password} error={errors["password"]} onValueChange={setPassword} />
      {factor.data?.isOn || errors["code"] ? (
        <CodeField value={code} error={errors["code"]} onValueChange={setCode} />
      ) : null}
    </FormDialog>
  );
}

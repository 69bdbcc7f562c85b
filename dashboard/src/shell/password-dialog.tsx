// Asks for the password, and a code where the user has a second factor, before what is dangerous goes on.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { callApi } from "../api/api-client.ts";
import { fieldErrors } from "../api/http-request.ts";
import { setPasswordDialog } from "../api/reauthentication.ts";
import { PasswordField } from "../components/account-fields.tsx";
import { Button } from "../components/button.tsx";
import { Dialog, DialogFooter } from "../components/dialog.tsx";
import { CodeField } from "../components/field.tsx";
import { FormDialog } from "../components/form.tsx";
import { ProviderButton } from "../pages/auth/provider-button.tsx";

/** Shows nothing until a request needs the password. */
export function PasswordDialog() {
  const [settle, setSettle] = useState<((isEntered: boolean) => void) | null>(null);
  useEffect(() => setPasswordDialog(() => new Promise((resolve) => setSettle(() => resolve))), []);
  if (!settle) return null;
  const close = (isEntered: boolean) => {
    setSettle(null);
    settle(isEntered);
  };
  return <PasswordForm onDone={() => close(true)} onCancel={() => close(false)} />;
}

/** Without a password: the page comes back, and the user repeats the action. */
function ProviderQuestion({ onCancel }: { onCancel: () => void }) {
  return (
    <Dialog title="Sign in again" onClose={onCancel}>
      <p>You signed in a while ago. Sign in once more, then repeat what you did.</p>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <ProviderButton kind="primary" isFresh />
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

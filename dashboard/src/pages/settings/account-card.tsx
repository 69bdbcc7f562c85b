// The user's own account: the name that others see, and the password.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { useUpdateSession } from "../../api/session.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { useToast } from "../../components/toast.tsx";
import { useSignInWays } from "../auth/provider-button.tsx";
import { NameForm } from "./name-form.tsx";
import styles from "./settings.module.css";

export function AccountCard() {
  const { user } = useWorkspace().session;
  const ways = useSignInWays();
  const factor = useApiQuery("GET /session/second-factor", {});
  const hasPassword = factor.data?.hasPassword !== false && ways?.hasPasswords !== false;
  return (
    <div id="account">
      <Card title="Your account" hint={user.email}>
        <div className={styles.stack}>
          <UserNameForm />
          {hasPassword ? (
            <PasswordForm />
          ) : (
            <p className={styles.soft}>You sign in with single sign-on.</p>
          )}
        </div>
      </Card>
    </div>
  );
}

function UserNameForm() {
  const { user } = useWorkspace().session;
  const updateSession = useUpdateSession();
  const showToast = useToast();
  const rename = useApiMutation("PATCH /session/user", ["GET /workspaces/:workspace/members"]);
  const save = (name: string) =>
    rename.mutate(
      { body: { name } },
      {
        onSuccess: (session) => {
          updateSession(session);
          showToast("Saved");
        },
      },
    );
  return (
    <NameForm label="Your name" autoComplete="name" name={user.name} state={rename} onSave={save} />
  );
}

const emptyPasswords = { currentPassword: "", newPassword: "" };

function PasswordForm() {
  const [passwords, setPasswords] = useState(emptyPasswords);
  const showToast = useToast();
  const change = useApiMutation("POST /session/password", ["GET /session/sessions"]);
  const errors = fieldErrors(change.error);
  const save = () =>
    change.mutate(
      { body: passwords },
      {
        onSuccess: () => {
          setPasswords(emptyPasswords);
          showToast("Password changed. All other sessions were signed out.");
        },
      },
    );
  return (
    <Form submitLabel="Change password" state={change} isSecondary onSubmit={save}>
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={passwords.currentPassword}
        error={errors["currentPassword"]}
        onValueChange={(currentPassword) => setPasswords({ ...passwords, currentPassword })}
      />
      <TextField
        label="New password"
        hint="12 characters or more. All other sessions will be signed out."
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={128}
        value={passwords.newPassword}
        error={errors["newPassword"]}
        onValueChange={(newPassword) => setPasswords({ ...passwords, newPassword })}
      />
    </Form>
  );
}

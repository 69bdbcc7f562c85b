// One's own account: the name that others see, and the password.
import { useState } from "react";
import { fieldErrors } from "../../api/http-request.ts";
import { useSessionUpdate } from "../../api/session.ts";
import { useChange, usePlace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ErrorNote } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { useToast } from "../../components/toast.tsx";
import { NameForm } from "./name-form.tsx";
import styles from "./settings.module.css";

export function AccountCard() {
  const { user } = usePlace().session;
  return (
    <div id="account">
      <Card title="Your account" hint={user.email}>
        <div className={styles.stack}>
          <OwnName />
          <PasswordForm />
        </div>
      </Card>
    </div>
  );
}

function OwnName() {
  const { user } = usePlace().session;
  const update = useSessionUpdate();
  const say = useToast();
  const rename = useChange("PATCH /session/user", ["GET /workspaces/:workspace/members"]);
  const save = (name: string) =>
    rename.mutate(
      { body: { name } },
      {
        onSuccess: (session) => {
          update(session);
          say("Saved");
        },
      },
    );
  return (
    <NameForm
      label="Your name"
      autoComplete="name"
      name={user.name}
      saving={rename}
      onSave={save}
    />
  );
}

const noWords = { currentPassword: "", newPassword: "" };

function PasswordForm() {
  const [words, setWords] = useState(noWords);
  const say = useToast();
  const change = useChange("POST /session/password", ["GET /session/sessions"]);
  const errors = fieldErrors(change.error);
  const save = () =>
    change.mutate(
      { body: words },
      {
        onSuccess: () => {
          setWords(noWords);
          say("The password was changed; all other sessions ended");
        },
      },
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        required
        value={words.currentPassword}
        error={errors["currentPassword"]}
        onText={(currentPassword) => setWords({ ...words, currentPassword })}
      />
      <TextField
        label="New password"
        hint="12 characters or more; every other session ends"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={128}
        value={words.newPassword}
        error={errors["newPassword"]}
        onText={(newPassword) => setWords({ ...words, newPassword })}
      />
      {change.isError ? <ErrorNote error={change.error} /> : null}
      <div className={styles.actions}>
        <Button type="submit" busy={change.isPending}>
          Change the password
        </Button>
      </div>
    </form>
  );
}

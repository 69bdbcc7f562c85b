// The page of a link to a new password.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../api/api-client.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { Button } from "../../components/button.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import styles from "./auth.module.css";
import { AuthPage } from "./auth-page.tsx";
import { useLinkToken } from "./link-token.ts";

export function ResetPassword() {
  const token = useLinkToken();
  const [password, setPassword] = useState("");
  const reset = useMutation({
    mutationFn: () => callApi("POST /session/reset-password", { body: { token, password } }),
  });
  if (reset.data) {
    return (
      <AuthPage title="Password changed">
        <p role="status">The new password of {reset.data.email} is set.</p>
        <p>
          <a href="/">Sign in</a>
        </p>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="New password">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!reset.isPending) reset.mutate();
        }}
      >
        {reset.isError ? <ErrorAlert error={reset.error} /> : null}
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="12 characters or more. You are signed out everywhere."
          required
          minLength={12}
          maxLength={128}
          value={password}
          error={fieldErrors(reset.error)["password"]}
          onValueChange={setPassword}
        />
        <Button kind="primary" type="submit" busy={reset.isPending}>
          Set the password
        </Button>
      </form>
      <p>
        <a href="/forgotten-password">Ask for a new link</a>
      </p>
    </AuthPage>
  );
}

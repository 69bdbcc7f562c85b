// A forgotten password: asks for the address that a link to a new one is sent to.
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../api/api-client.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { Button } from "../../components/button.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import styles from "./auth.module.css";
import { AuthPage } from "./auth-page.tsx";

export function ForgottenPassword() {
  const [email, setEmail] = useState("");
  const request = useMutation({
    mutationFn: () => callApi("POST /session/forgotten-password", { body: { email } }),
  });
  return (
    <AuthPage title="New password">
      {request.data ? (
        <p role="status">
          {request.data.isMailSet
            ? `If ${email} has an account, a link is on its way. It works for an hour.`
            : "This service sends no e-mail. Ask whoever runs it to set a new password for you."}
        </p>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!request.isPending) request.mutate();
          }}
        >
          {request.isError ? <ErrorAlert error={request.error} /> : null}
          <TextField
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={email}
            error={fieldErrors(request.error)["email"]}
            onValueChange={setEmail}
          />
          <Button kind="primary" type="submit" busy={request.isPending}>
            Send a link
          </Button>
        </form>
      )}
      <p>
        <a href="/">Back to sign in</a>
      </p>
    </AuthPage>
  );
}

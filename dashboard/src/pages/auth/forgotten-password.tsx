// A forgotten password: asks for the address that a link to a new one is sent to.
import { useState } from "react";
import { callApi } from "../../api/api-client.ts";
import { EmailField } from "../../components/account-fields.tsx";
import { AuthForm, AuthPage } from "./auth-page.tsx";

export function ForgottenPassword() {
  const [email, setEmail] = useState("");
  const [answer, setAnswer] = useState<{ isMailSet: boolean } | null>(null);
  const requestLink = async () => {
    setAnswer(await callApi("POST /session/forgotten-password", { body: { email } }));
    return null;
  };
  return (
    <AuthPage title="New password">
      {answer ? (
        <p role="status">
          {answer.isMailSet
            ? `If ${email} has an account, a link is on its way. It works for an hour.`
            : "This service sends no e-mail. Ask its operator to set a new password for you."}
        </p>
      ) : (
        <AuthForm submitLabel="Send a link" onSubmit={requestLink}>
          {(errors) => (
            <EmailField value={email} error={errors["email"]} onValueChange={setEmail} />
          )}
        </AuthForm>
      )}
      <p>
        <a href="/">Back to sign in</a>
      </p>
    </AuthPage>
  );
}

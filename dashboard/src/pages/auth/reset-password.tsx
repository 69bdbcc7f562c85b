// The page of a link to a new password.
import { useState } from "react";
import { callApi } from "../../api/api-client.ts";
import { NewPasswordField } from "../../components/account-fields.tsx";
import { AuthForm, AuthPage } from "./auth-page.tsx";
import { useLinkToken } from "./link-token.ts";

export function ResetPassword() {
  const token = useLinkToken();
  const [password, setPassword] = useState("");
  const [account, setAccount] = useState<{ email: string } | null>(null);
  const [isLetIn, setLetIn] = useState(false);
  const letIn = async () => {
    setAccount(await callApi("POST /session/known-browser", { body: { token } }));
    setLetIn(true);
    return null;
  };
  const reset = async () => {
    setAccount(await callApi("POST /session/reset-password", { body: { token, password } }));
    return null;
  };
  if (account) {
    return (
      <AuthPage title={isLetIn ? "Sign in with this browser" : "Password changed"}>
        <p role="status">
          {isLetIn
            ? `Nothing of ${account.email} has changed. Tries of others don't count for this browser any more.`
            : `The new password of ${account.email} is set.`}
        </p>
        <p>
          <a href="/">Sign in</a>
        </p>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="New password">
      <AuthForm submitLabel="Set the password" onSubmit={reset}>
        {(errors) => (
          <NewPasswordField
            label="New password"
            hint="12 characters or more. This signs you out everywhere."
            value={password}
            error={errors["password"]}
            onValueChange={setPassword}
          />
        )}
      </AuthForm>
      <h2>Keep the password</h2>
      <p>If sign-in is refused because of too many tries, let this browser sign in.</p>
      <AuthForm submitLabel="Let this browser sign in" isSecondary onSubmit={letIn}>
        {() => null}
      </AuthForm>
      <p>
        <a href="/forgotten-password">Ask for a new link</a>
      </p>
    </AuthPage>
  );
}

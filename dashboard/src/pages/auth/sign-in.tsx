// Sign in with e-mail and password, and a code where the user has a second factor. The page that the URL names is shown afterwards.
import { useState } from "react";
import type { SignedIn } from "../../../../src/dashboard-api/contract/session.ts";
import { callApi } from "../../api/api-client.ts";
import { EmailField, PasswordField } from "../../components/account-fields.tsx";
import { Skeleton } from "../../components/feedback.tsx";
import { CodeField } from "../../components/field.tsx";
import { AuthForm, AuthPage } from "./auth-page.tsx";
import { ProviderButton, useSignInWays } from "./provider-button.tsx";

export function SignIn() {
  const ways = useSignInWays();
  return (
    <AuthPage title="Sign in">
      {ways ? null : <Skeleton height={220} label="Loading" />}
      {ways?.hasProvider ? <ProviderButton kind={ways.hasPasswords ? "plain" : "primary"} /> : null}
      {ways?.hasPasswords ? (
        <>
          <SignInForm />
          <p>
            <a href="/forgotten-password">Can't sign in?</a>
          </p>
        </>
      ) : null}
    </AuthPage>
  );
}

type SignInFormProps = {
  /** The account to sign in with; a field without it. */
  email?: string;
  submitLabel?: string;
  /** Runs after the sign-in and before the next page is shown. */
  onSignedIn?: ((session: SignedIn) => Promise<SignedIn>) | undefined;
};

export function SignInForm(props: SignInFormProps) {
  const { submitLabel = "Sign in", email: known = null, onSignedIn } = props;
  const [email, setEmail] = useState(known ?? "");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const signIn = async () => {
    const body = isCodeNeeded ? { email, password, code } : { email, password };
    const session = await callApi("POST /session/sign-in", { body });
    setCodeNeeded(session.state === "code_required");
    if (session.state === "code_required") return null;
    return onSignedIn ? onSignedIn(session) : session;
  };
  return (
    <AuthForm submitLabel={submitLabel} onSubmit={signIn}>
      {(errors) => (
        <>
          {known === null ? (
            <EmailField value={email} error={errors["email"]} onValueChange={setEmail} />
          ) : null}
          <PasswordField value={password} error={errors["password"]} onValueChange={setPassword} />
          {isCodeNeeded ? (
            <CodeField value={code} error={errors["code"]} isFocused onValueChange={setCode} />
          ) : null}
        </>
      )}
    </AuthForm>
  );
}

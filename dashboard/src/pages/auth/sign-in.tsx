// Sign in with e-mail and password; the page that was asked for comes right after.
import { useState } from "react";
import type { SignedIn } from "../../../../src/dashboard-api/contract/session.ts";
import { call } from "../../api/api-client.ts";
import { TextField } from "../../components/field.tsx";
import { Entrance, EntranceForm } from "./auth-page.tsx";

export function SignIn() {
  return (
    <Entrance title="Sign in">
      <SignInForm />
    </Entrance>
  );
}

type SignInFormProps = {
  submit?: string;
  /** Goes on with what the person came for, before the page after the sign-in is shown. */
  onSignedIn?: (session: SignedIn) => Promise<SignedIn>;
};

export function SignInForm({ submit = "Sign in", onSignedIn }: SignInFormProps) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const signIn = async () => {
    const session = await call("POST /session/sign-in", { body: { email, password } });
    return onSignedIn ? onSignedIn(session) : session;
  };
  return (
    <EntranceForm submit={submit} onSubmit={signIn}>
      {(errors) => (
        <>
          <TextField
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            value={email}
            error={errors["email"]}
            onText={setEmail}
          />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            error={errors["password"]}
            onText={setPassword}
          />
        </>
      )}
    </EntranceForm>
  );
}

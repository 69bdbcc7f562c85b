// The pages after the sign-in provider, and of an operator's link: the code of the second factor, or why it did not work.
import { useState } from "react";
import { callApi } from "../../api/api-client.ts";
import { CodeField } from "../../components/field.tsx";
import { AuthForm, AuthPage } from "./auth-page.tsx";
import { useLinkToken } from "./link-token.ts";

export function SignInLink() {
  // From the provider the link ends in `.code`: it is known that a code is needed.
  const [token = "", end] = useLinkToken().split(".");
  const [isCodeNeeded, setCodeNeeded] = useState(end === "code");
  const [code, setCode] = useState("");
  const signIn = async () => {
    const body = isCodeNeeded ? { token, code } : { token };
    const session = await callApi("POST /session/sign-in-link", { body });
    setCodeNeeded(session.state === "code_required");
    return session.state === "code_required" ? null : session;
  };
  return (
    <AuthPage title="Sign in">
      <AuthForm submitLabel="Sign in" onSubmit={signIn}>
        {(errors) =>
          isCodeNeeded ? (
            <CodeField value={code} error={errors["code"]} isFocused onValueChange={setCode} />
          ) : (
            <p>This link signs you in once.</p>
          )
        }
      </AuthForm>
      <p>
        <a href="/">Sign in another way</a>
      </p>
    </AuthPage>
  );
}

const problems: Record<string, string> = {
  domain: "Your e-mail address is not in a domain that may sign in here. Use your work account.",
  role: "Your account has no role here. Ask the people who manage your accounts to give you one.",
  email: "Your provider did not confirm an e-mail address of yours, so no account here fits.",
  invitation: "You have no account here yet. Ask an owner of a workspace for an invitation link.",
  link: "The invitation was used, has ended, or is for another e-mail address. Ask for a new one.",
  workspace: "There is no workspace to join. The operator of this service has to set it up.",
  expired: "This sign-in took too long, or was started in another browser. Start again.",
  provider: "The sign-in provider refused, or its answer can't be trusted. Try again.",
};

export function SignInProblem() {
  const reason = useLinkToken();
  return (
    <AuthPage title="You are not signed in">
      <p role="alert">{problems[reason] ?? problems["provider"]}</p>
      <p>
        <a href="/">Back to the sign-in</a>
      </p>
    </AuthPage>
  );
}

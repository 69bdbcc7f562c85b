// The page of an invitation link: shows who invites to which workspace, and accepts it with a new account
// or an existing one.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { InvitationOffer, Session } from "../../../../src/dashboard-api/contract/session.ts";
import { callApi } from "../../api/api-client.ts";
import { Button } from "../../components/button.tsx";
import { ErrorAlert, Skeleton } from "../../components/feedback.tsx";
import { AuthForm, AuthPage } from "./auth-page.tsx";
import { useLinkToken } from "./link-token.ts";
import { ProviderButton, useSignInWays } from "./provider-button.tsx";
import { SignInForm } from "./sign-in.tsx";
import { emptyUser, UserFields } from "./user-fields.tsx";

export function Join({ session }: { session: Session }) {
  const token = useLinkToken();
  const invitation = useQuery({
    queryKey: ["join", token],
    queryFn: () => callApi("POST /join/look", { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AuthPage title={invitation.data ? `Join ${invitation.data.workspaceName}` : "Invitation"}>
      {invitation.isPending ? <Skeleton height={320} label="Loading the invitation" /> : null}
      {invitation.isError ? (
        <>
          <ErrorAlert error={invitation.error} />
          <p>
            Invitation links work once and for 7 days. Ask for a new one, or <a href="/">sign in</a>
            .
          </p>
        </>
      ) : null}
      {invitation.data ? (
        <Invitation invitation={invitation.data} token={token} session={session} />
      ) : null}
    </AuthPage>
  );
}

type InvitationProps = { invitation: InvitationOffer; token: string; session: Session };

function Invitation({ invitation, token, session }: InvitationProps) {
  const accept = () => callApi("POST /join/accept", { body: { token } });
  return (
    <>
      <p>
        {invitation.invitedBy} invites you as{" "}
        {invitation.role === "owner" ? "an owner" : `a ${invitation.role}`}.
      </p>
      {session.state === "signed_in" ? (
        <AuthForm submitLabel={`Join as ${session.user.email}`} onSubmit={accept}>
          {() => null}
        </AuthForm>
      ) : (
        <SignUp fixedEmail={invitation.email} token={token} accept={accept} />
      )}
    </>
  );
}

type SignUpProps = {
  fixedEmail: string | null;
  token: string;
  accept: Parameters<typeof SignInForm>[0]["onSignedIn"];
};

function SignUp({ fixedEmail, token, accept }: SignUpProps) {
  const [user, setUser] = useState({ ...emptyUser, email: fixedEmail ?? "" });
  const [hasAccount, setHasAccount] = useState(false);
  const signUp = () => callApi("POST /join/sign-up", { body: { ...user, token } });
  const ways = useSignInWays();
  const provider = ways?.hasProvider ? <ProviderButton invitation={token} /> : null;
  if (ways?.hasPasswords === false) return provider;
  if (hasAccount) return <SignInForm submitLabel="Sign in and join" onSignedIn={accept} />;
  return (
    <>
      {provider}
      <AuthForm submitLabel="Create account and join" onSubmit={signUp}>
        {(errors) => (
          <UserFields user={user} errors={errors} fixedEmail={fixedEmail} onChange={setUser} />
        )}
      </AuthForm>
      <Button kind="quiet" onClick={() => setHasAccount(true)}>
        I already have an account
      </Button>
    </>
  );
}

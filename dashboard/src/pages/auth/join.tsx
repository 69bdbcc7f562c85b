// An invitation link: says who invites where, and takes a new account or the one that is signed in.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { InvitationOffer, Session } from "../../../../src/dashboard-api/contract/session.ts";
import { call } from "../../api/api-client.ts";
import { Button } from "../../components/button.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Entrance, EntranceForm } from "./auth-page.tsx";
import { useLinkToken } from "./link-token.ts";
import { SignInForm } from "./sign-in.tsx";
import { nobody, PersonFields } from "./user-fields.tsx";

export function Join({ session }: { session: Session }) {
  const token = useLinkToken();
  const look = useQuery({
    queryKey: ["join", token],
    queryFn: () => call("POST /join/look", { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Entrance title={look.data ? `Join ${look.data.workspaceName}` : "Invitation"}>
      {look.isPending ? <Skeleton height={320} label="Looking at the invitation" /> : null}
      {look.isError ? (
        <>
          <ErrorNote error={look.error} />
          <p>
            Invitation links work once and for 7 days. Ask for a new one, or <a href="/">sign in</a>
            .
          </p>
        </>
      ) : null}
      {look.data ? <Offer offer={look.data} token={token} session={session} /> : null}
    </Entrance>
  );
}

type OfferProps = { offer: InvitationOffer; token: string; session: Session };

function Offer({ offer, token, session }: OfferProps) {
  return (
    <>
      <p>
        {offer.invitedBy} invites you as {offer.role === "owner" ? "an owner" : "a member"}.
      </p>
      {session.state === "signed_in" ? (
        <AcceptForm token={token} email={session.user.email} />
      ) : (
        <SignUp offer={offer} token={token} />
      )}
    </>
  );
}

function AcceptForm({ token, email }: { token: string; email: string }) {
  const accept = () => call("POST /join/accept", { body: { token } });
  return (
    <EntranceForm submit={`Join as ${email}`} onSubmit={accept}>
      {() => null}
    </EntranceForm>
  );
}

function SignUp({ offer, token }: Omit<OfferProps, "session">) {
  const [person, setPerson] = useState({ ...nobody, email: offer.email ?? "" });
  const [hasAccount, setHasAccount] = useState(false);
  const signUp = () => call("POST /join/sign-up", { body: { ...person, token } });
  if (hasAccount) {
    const accept = () => call("POST /join/accept", { body: { token } });
    return <SignInForm submit="Sign in and join" onSignedIn={accept} />;
  }
  return (
    <>
      <EntranceForm submit="Create account and join" onSubmit={signUp}>
        {(errors) => (
          <PersonFields
            person={person}
            errors={errors}
            fixedEmail={offer.email}
            onChange={setPerson}
          />
        )}
      </EntranceForm>
      <Button kind="quiet" onClick={() => setHasAccount(true)}>
        I have an account already
      </Button>
    </>
  );
}

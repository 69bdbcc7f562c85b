// Before anything else of a workspace that requires a second factor: the user sets it up here.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSignOut } from "../../api/session.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { RecoveryCodesDialog, StartButton } from "../settings/second-factor-card.tsx";
import { AuthPage } from "./auth-page.tsx";

export function SecondFactorNeeded() {
  const { session, workspace } = useWorkspace();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const signOut = useSignOut();
  const client = useQueryClient();
  const others = session.workspaces.filter((one) => !one.mustSetUpSecondFactor);
  return (
    <AuthPage title="Secure your account">
      <p>
        {workspace.name} requires two-factor authentication: a code from an authenticator app on
        your phone at each sign-in.
      </p>
      <StartButton kind="primary" onCodes={setCodes} />
      {others.map(({ id, name }) => (
        <a key={id} href={`/w/${id}/overview`}>
          Go to {name} instead
        </a>
      ))}
      <Button kind="quiet" onClick={() => void signOut()}>
        Sign out
      </Button>
      {codes ? (
        // The session says then that the workspace is open.
        <RecoveryCodesDialog codes={codes} onClose={() => void client.invalidateQueries()} />
      ) : null}
    </AuthPage>
  );
}

// Pages that only say what to do: the user is in no workspace, or the URL names a workspace that is not theirs.
import { useSignOut } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { AuthPage } from "./auth-page.tsx";

export function NoWorkspace() {
  const signOut = useSignOut();
  return (
    <AuthPage title="You are not in a workspace">
      <p>Ask an owner of a workspace for an invitation link, and open it in this browser.</p>
      <Button onClick={() => void signOut()}>Sign out</Button>
    </AuthPage>
  );
}

export function WorkspaceNotFound() {
  return (
    <AuthPage title="Workspace not found">
      <p>
        It does not exist, or you are not a member of it. <a href="/">Go to your workspace</a>.
      </p>
    </AuthPage>
  );
}

// What a signed-in person gets who is in no workspace, or whose address names one that is not theirs.

import { useSignOut } from "../../api/session.ts";
import { Button } from "../../components/button.tsx";
import { Entrance } from "./auth-page.tsx";

export function Homeless() {
  const signOut = useSignOut();
  return (
    <Entrance title="You are in no workspace">
      <p>Ask an owner of a workspace for an invitation link, and open it in this browser.</p>
      <Button onClick={() => void signOut()}>Sign out</Button>
    </Entrance>
  );
}

export function Nowhere() {
  return (
    <Entrance title="There is no such workspace">
      <p>
        It does not exist, or you are not one of its members. <a href="/">Go to your workspace</a>.
      </p>
    </Entrance>
  );
}

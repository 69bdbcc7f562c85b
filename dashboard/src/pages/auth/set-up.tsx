// The page of the one-time set-up link: creates the first account and its workspace.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../api/api-client.ts";
import { TextField } from "../../components/field.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { AuthForm, AuthPage } from "./auth-page.tsx";
import { useLinkToken } from "./link-token.ts";
import { emptyUser, UserFields } from "./user-fields.tsx";

export function SetUp() {
  const token = useLinkToken();
  const setup = useQuery({
    queryKey: ["setup", token],
    queryFn: () => callApi("POST /setup/look", { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <AuthPage title="Set up Starpost">
      <QueryView query={setup} height={320} loadingLabel="Checking the link">
        {({ isOpen, workspaceNames }) =>
          isOpen ? (
            <SetUpForm token={token} workspaceNames={workspaceNames} />
          ) : (
            <p>
              This set-up link is not valid any more: it works once. Look for a newer one in the
              service's log, or <a href="/">sign in</a>.
            </p>
          )
        }
      </QueryView>
    </AuthPage>
  );
}

type SetUpFormProps = {
  token: string;
  /** Workspaces that were created before there was an account; the first user becomes their owner. */
  workspaceNames: readonly string[];
};

function SetUpForm({ token, workspaceNames }: SetUpFormProps) {
  const [user, setUser] = useState(emptyUser);
  const [newName, setNewName] = useState("");
  const hasWorkspaces = workspaceNames.length > 0;
  const workspaceName = hasWorkspaces ? null : newName;
  const setUp = () => callApi("POST /setup", { body: { ...user, token, workspaceName } });
  return (
    <>
      <p>
        {hasWorkspaces
          ? `Create the first account. It becomes the owner of ${workspaceNames.join(", ")}.`
          : "Create the first account. You can invite others afterwards."}
      </p>
      <AuthForm submitLabel="Create the account" onSubmit={setUp}>
        {(errors) => (
          <>
            <UserFields user={user} errors={errors} onChange={setUser} />
            {hasWorkspaces ? null : (
              <TextField
                label="Workspace name"
                hint="Your team or company; you can change it later"
                required
                maxLength={200}
                value={newName}
                error={errors["workspaceName"]}
                onValueChange={setNewName}
              />
            )}
          </>
        )}
      </AuthForm>
    </>
  );
}

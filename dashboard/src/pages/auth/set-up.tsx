// The one-time set-up link: makes the first account and its workspace.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/api-client.ts";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { Entrance, EntranceForm } from "./auth-page.tsx";
import { useLinkToken } from "./link-token.ts";
import { nobody, PersonFields } from "./user-fields.tsx";

export function SetUp() {
  const token = useLinkToken();
  const look = useQuery({
    queryKey: ["setup", token],
    queryFn: () => call("POST /setup/look", { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Entrance title="Set up Starpost">
      {look.isPending ? <Skeleton height={320} label="Checking the link" /> : null}
      {look.isError ? <ErrorNote error={look.error} onRetry={() => void look.refetch()} /> : null}
      {look.data?.isOpen === true ? (
        <SetUpForm token={token} workspaceNames={look.data.workspaceNames} />
      ) : null}
      {look.data?.isOpen === false ? (
        <p>
          This set-up link is not valid any more: it works once. Look for a newer one in the
          service's log, or <a href="/">sign in</a>.
        </p>
      ) : null}
    </Entrance>
  );
}

type SetUpFormProps = {
  token: string;
  /** Workspaces that were made before anybody had an account; the first person gets them. */
  workspaceNames: readonly string[];
};

function SetUpForm({ token, workspaceNames }: SetUpFormProps) {
  const [person, setPerson] = useState(nobody);
  const [newName, setNewName] = useState("");
  const isTaken = workspaceNames.length > 0;
  const workspaceName = isTaken ? null : newName;
  const setUp = () => call("POST /setup", { body: { ...person, token, workspaceName } });
  return (
    <>
      <p>
        {isTaken
          ? `Create the first account. It becomes the owner of ${workspaceNames.join(", ")}.`
          : "Create the first account. You can invite others afterwards."}
      </p>
      <EntranceForm submit="Create the account" onSubmit={setUp}>
        {(errors) => (
          <>
            <PersonFields person={person} errors={errors} onChange={setPerson} />
            {isTaken ? null : (
              <TextField
                label="Workspace name"
                hint="Your team or company; you can change it later"
                required
                maxLength={200}
                value={newName}
                error={errors["workspaceName"]}
                onText={setNewName}
              />
            )}
          </>
        )}
      </EntranceForm>
    </>
  );
}
